import { CUE } from "./injection-cues.js";
import type { InjectionKind } from "./injection-kinds.js";
import type { Segment, Token } from "./injection-tokens.js";

/** How much a segment speaks for an attempt, and as what. */
export interface Score {
  points: number;
  kinds: Set<InjectionKind>;
  /** It speaks to the auditor by name. */
  addresses: boolean;
}

const SOMEONE = CUE.auditor | CUE.machine | CUE.moderator;
const LISTENER = CUE.auditor | CUE.machine;
/** Words before a verb that make it no order. */
const TELLING: ReadonlySet<string> = new Set(
  "i we they he she it people users someone everybody nobody who which can could would may might to didn't don't doesn't".split(
    " ",
  ),
);
const SUBJECTS: ReadonlySet<string> = new Set("i we they he she people users someone i'd i'll we'll my our".split(" "));
const REPORTING: ReadonlySet<string> = new Set("told asked tell telling asking asks tells tried trying".split(" "));
/** Tokens that an order may reach over to its object. */
const REACH = 9;
const BACK = 6;
const FILLERS: ReadonlySet<string> = new Set("then now please and so just first kindly".split(" "));
const SHORT = 6;
/** Names of fields without the word that makes them unmistakable. */
const SHORT_FIELDS = /^(?:citation|weight|inverse|level|verdict|reasoning|logic|precedents?|decision|rationale)$/;

/** Cues that earn points by themselves or with others; without one of them there is nothing to count. */
const TELLING_CUES = ~(CUE.all | CUE.one | CUE.post | CUE.only | CUE.yesNo | CUE.you | CUE.be | CUE.must | CUE.prior);

/**
 * Points of a segment, by what its cues say together. Four are an attempt by themselves; the sums are chosen so that no two remarks that posts
 * make about rules, levels, models or answers reach them without an order or an address.
 */
export function scoreSegment({ tokens: all, end }: Segment, text: string, honourQuotes: boolean): Score {
  let cues = 0;
  for (const token of all) cues |= token.cues;
  if ((cues & TELLING_CUES) === 0) return { points: 0, kinds: new Set(), addresses: false };
  const tokens = honourQuotes ? all.filter((token) => !token.quoted) : all;
  const sum = new Tally(tokens, text);
  sum.overrides();
  sum.verdicts();
  sum.addresses();
  sum.roles();
  sum.pressure();
  sum.fragments();
  if (text[end - 1] === "?" && sum.points > 0 && !sum.overridesSomething && !sum.isAddressed) sum.points--;
  if (tokens.length < all.length && sum.points < 4) {
    const quoted = scoreSegment({ tokens: all, start: 0, end: 0, newLine: false }, text, false);
    // What is quoted counts half.
    if (quoted.points > sum.points) sum.points = Math.max(sum.points, Math.min(3, quoted.points >> 1));
  }
  return { points: sum.points, kinds: sum.kinds, addresses: sum.isAddressed };
}

class Tally {
  points = 0;
  readonly kinds = new Set<InjectionKind>();
  isAddressed = false;
  overridesSomething = false;
  private readonly cues: number;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly text: string,
  ) {
    let cues = 0;
    for (const token of tokens) cues |= token.cues;
    this.cues = cues;
  }

  private has(cues: number): boolean {
    return (this.cues & cues) !== 0;
  }

  private add(points: number, kind: InjectionKind): void {
    this.points += points;
    if (points > 0) this.kinds.add(kind);
  }

  /** "Ignore all previous instructions", "do not apply the rules". */
  overrides(): void {
    if (!this.has(CUE.override | CUE.skip | CUE.follow)) return;
    let most = this.isDangling() ? 2 : 0;
    this.tokens.forEach((token, k) => {
      const strength = this.overrideStrength(token, k);
      if (strength === 0) return;
      const near = this.cuesWithin(k - BACK, k + REACH);
      if ((near & (CUE.orders | CUE.rules)) === 0) return;
      const reach =
        (near & CUE.orders) !== 0 ? bit(near, CUE.prior) + bit(near, CUE.all) : bit(near, CUE.prior | CUE.all);
      most = Math.max(most, this.isOrder(k) ? strength + reach : 1);
    });
    this.overridesSomething = most > 1;
    this.add(most, "instruction");
  }

  /** "Ignore all previous": what is to be ignored may stand elsewhere. */
  private isDangling(): boolean {
    return this.has(CUE.override) && this.has(CUE.prior) && this.has(CUE.all) && this.isOrder(this.first(CUE.override));
  }

  private overrideStrength(token: Token, k: number): number {
    if ((token.cues & CUE.override) !== 0) return 2;
    if ((token.cues & CUE.skip) !== 0) return 1;
    return (token.cues & CUE.follow) !== 0 && (this.cuesWithin(k - 3, k + 1) & CUE.not) !== 0 ? 1 : 0;
  }

  /** The verdict that is wanted: a level, "defensible", fields of the trace. */
  verdicts(): void {
    const says = this.tokens.some((token, k) => (token.cues & CUE.say) !== 0 && !this.isTold(k));
    if (this.hasLevelNumber()) {
      this.add(says ? 2 : 1, says ? "instruction" : "verdict_claim");
      if (this.has(CUE.must)) this.add(1, "instruction");
      if (this.has(CUE.decision)) this.add(1, "verdict_claim");
      if (this.count(CUE.say) > 1) this.add(1, "instruction");
    }
    if (this.has(CUE.result)) {
      this.add(1 + (this.has(CUE.decision) ? 1 : 0), "verdict_claim");
      if (says) this.add(1, "instruction");
    } else if (says && this.has(CUE.decision) && !this.hasLevelNumber()) this.add(1, "instruction");
    if (says && this.has(CUE.complies)) this.add(2, "instruction");
    if (this.near(CUE.inverse, CUE.yesNo, 4)) this.add(2, "verdict_claim");
    const fields = this.tokens.filter((token) => (token.cues & CUE.field) !== 0).length;
    if (fields > 0) {
      this.add(Math.min(4, 2 * fields), "forged_trace");
      if (says || this.has(CUE.one | CUE.yesNo)) this.add(1, "instruction");
    }
    const named = this.tokens.filter(
      ({ word, end }) => SHORT_FIELDS.test(word) && /^\s?[:=]/.test(this.text.slice(end, end + 2)),
    );
    if (named.length > 1) this.add(named.length > 2 ? 3 : 1, "forged_trace");
    if (says && this.has(CUE.approve) && this.has(CUE.post)) this.add(1, "instruction");
  }

  private hasLevelNumber(): boolean {
    const numbers = new Set<string>();
    this.tokens.forEach((token, k) => {
      if ((token.cues & CUE.level) === 0) return;
      const near = [...this.tokens.slice(k + 1, k + 4), ...this.tokens.slice(Math.max(0, k - 1), k)];
      const number = near.find(({ cues }) => (cues & CUE.one) !== 0);
      if (number) numbers.add(number.word);
    });
    // Who names several levels speaks of a scale.
    return numbers.size === 1;
  }

  /** "Auditor, …", "Note to the AI that reviews this: …". */
  addresses(): void {
    const { tokens, text } = this;
    if (!this.has(LISTENER)) return;
    this.add(bit(this.cues, CUE.auditor) + bit(this.cues, CUE.machine), "instruction");
    let called = false;
    for (let k = 0; k < tokens.length && k < 7; k++) {
      const { cues, word, end } = tokens[k]!;
      if ((cues & CUE.address) !== 0 || (k === 0 && word === "to")) called = true;
      if ((cues & LISTENER) === 0) continue;
      if (called || (k < 4 && /^\s?[,:]/.test(text.slice(end, end + 2)))) {
        this.isAddressed = true;
        this.add(1, "instruction");
      }
      break;
    }
    if (this.has(CUE.must)) this.add(1, "instruction");
  }

  /** "You are now the moderator", "pretend", "I am the administrator". */
  roles(): void {
    const { tokens } = this;
    const isGiven = tokens.some((token, k) => {
      if ((token.cues & CUE.you) !== 0 && (this.cuesWithin(k, k + 3) & CUE.be) !== 0) {
        return (this.cuesWithin(k + 1, k + 9) & SOMEONE) !== 0;
      }
      const isVerb = (token.cues & CUE.be) !== 0 && token.word !== "are";
      if (isVerb) return (this.cuesWithin(k + 1, k + 6) & SOMEONE) !== 0;
      // Languages without a copula: "ты аудитор".
      return (token.cues & CUE.you) !== 0 && token.word > "\u0080" && ((tokens[k + 1]?.cues ?? 0) & SOMEONE) !== 0;
    });
    if (isGiven) this.add(2 + bit(this.cues, CUE.only), "role_claim");
    const roles = this.count(CUE.role);
    if (roles > 0) this.add(1 + (roles > 1 || this.has(CUE.you) ? 1 : 0), "role_claim");
    if (this.has(CUE.authority)) this.add(1, "role_claim");
  }

  /** Threats, rewards, and orders about the form of the answer. */
  pressure(): void {
    if (this.has(CUE.threat) && this.has(CUE.you | LISTENER)) {
      this.add(1 + (this.hasLevelNumber() || this.has(CUE.result) ? 1 : 0), "instruction");
    }
    if (this.tokens.some((token, k) => isYour(token) && (this.cuesWithin(k + 1, k + 4) & CUE.format) !== 0)) {
      this.add(1 + bit(this.cues, CUE.only | CUE.say), "instruction");
    }
    if (
      this.tokens.some((token, k) => (token.cues & CUE.follow) !== 0 && (this.cuesWithin(k - 2, k) & CUE.not) !== 0)
    ) {
      if (this.has(CUE.you)) this.add(1, "instruction");
    }
  }

  /** Few words that begin with an order, or speak of the answer's form: something only beside an attempt. */
  fragments(): void {
    if (this.points > 0) return;
    const first = this.tokens.find(({ word }) => !FILLERS.has(word));
    const isShort = this.tokens.length <= SHORT && first !== undefined;
    if (isShort && ((first.cues & (CUE.say | CUE.follow | CUE.override | CUE.skip)) !== 0 || first.word === "stop")) {
      this.add(1, "instruction");
    } else if (this.count(CUE.format) > 1) this.add(1, "instruction");
  }

  /** The verb at a place is an order, and not what somebody does or was told to do. */
  private isOrder(k: number): boolean {
    const before = this.tokens[k - 1];
    if (before === undefined) return true;
    if (this.isTold(k)) return false;
    if (!TELLING.has(before.word)) return true;
    return before.word === "to" && (this.cuesWithin(k - 4, k) & (CUE.you | LISTENER)) !== 0 && !this.isTold(k - 1);
  }

  private isTold(k: number): boolean {
    for (let before = Math.max(0, k - 5); before < k; before++) {
      if (REPORTING.has(this.tokens[before]!.word)) return (this.tokens[before + 1]!.cues & CUE.you) === 0;
    }
    return SUBJECTS.has(this.tokens[k - 1]?.word ?? "") || SUBJECTS.has(this.tokens[k - 2]?.word ?? "");
  }

  private cuesWithin(from: number, to: number): number {
    let cues = 0;
    for (let k = Math.max(0, from); k < to && k < this.tokens.length; k++) cues |= this.tokens[k]!.cues;
    return cues;
  }

  private count(cue: number): number {
    return this.tokens.filter(({ cues }) => (cues & cue) !== 0).length;
  }

  private first(cue: number): number {
    return this.tokens.findIndex(({ cues }) => (cues & cue) !== 0);
  }

  private near(first: number, second: number, distance: number): boolean {
    return this.tokens.some(
      (token, k) => (token.cues & first) !== 0 && (this.cuesWithin(k + 1, k + 1 + distance) & second) !== 0,
    );
  }
}

function bit(cues: number, wanted: number): number {
  return (cues & wanted) !== 0 ? 1 : 0;
}

function isYour({ word }: Token): boolean {
  return word === "your";
}

import { bitOf, Clause, type InjectionKind, LISTENER } from "./clause.js";
import { CUE } from "./cues.js";
import type { Segment, Token } from "./tokens.js";

/** How much a segment speaks for an attempt, and as what. */
export interface Score {
  points: number;
  /** Bits of kinds. */
  kinds: number;
  /** It speaks to the auditor by name. */
  addresses: boolean;
}

/** Points at which a segment, or a form with what it holds, is an attempt by itself. */
export const ENOUGH = 4;

const NOTHING_SAID: Score = { points: 0, kinds: 0, addresses: false };
/** Cues that earn nothing without others. */
const MERE_CUES = CUE.all | CUE.one | CUE.post | CUE.only | CUE.yesNo | CUE.you | CUE.be | CUE.must | CUE.prior;

/**
 * Points of a segment, by what its cues say together. The sums are chosen so that no two remarks that posts make about rules, levels, models or
 * answers are {@link ENOUGH} without an order or an address. `injection-bound.ts` has the largest sums; keep the two together.
 */
export function scoreSegment(
  { tokens: all, end }: Pick<Segment, "tokens" | "end">,
  text: string,
  honourQuotes: boolean,
): Score {
  if (all.every(({ cues }) => (cues & ~MERE_CUES) === 0)) return NOTHING_SAID;
  const tokens = honourQuotes ? all.filter((token) => !token.quoted) : all;
  const tally = new Tally(tokens, text);
  tally.countAll();
  // Who asks gives no order, but what is to be ignored is one.
  const asks = text[end - 1] === "?" && !tally.overridesSomething && !tally.isAddressed;
  let points = asks && tally.points > 0 ? tally.points - 1 : tally.points;
  if (tokens.length < all.length && points < ENOUGH) {
    // What is quoted counts half.
    const quoted = scoreSegment({ tokens: all, end: 0 }, text, false).points >> 1;
    points = Math.max(points, Math.min(ENOUGH - 1, quoted));
  }
  return { points, kinds: tally.kinds, addresses: tally.isAddressed };
}

/** Tokens that an order may reach over to its object, forwards and backwards. */
const REACH = 9;
const BACK = 6;
const SOMEONE = LISTENER | CUE.moderator;
const ROLE_VERBS: ReadonlySet<string> = new Set("act play become eres bist sei".split(" "));
const FILLERS: ReadonlySet<string> = new Set("then now please and so just first kindly".split(" "));
const SHORT = 6;
/** Names of fields without the word that makes them unmistakable. */
const SHORT_FIELDS = /^(?:citation|weight|inverse|level|verdict|reasoning|logic|precedents?|decision|rationale)$/;

class Tally extends Clause {
  points = 0;
  kinds = 0;
  isAddressed = false;
  overridesSomething = false;

  countAll(): void {
    this.countOverrides();
    this.countVerdicts();
    this.countFields();
    this.countAddresses();
    this.countRoles();
    this.countPressure();
    if (this.points === 0) this.countFragments();
  }

  private add(points: number, kind: InjectionKind): void {
    this.points += points;
    if (points > 0) this.kinds |= bitOf(kind);
  }

  /** "Ignore all previous instructions", "do not apply the rules". */
  private countOverrides(): void {
    if (!this.has(CUE.override | CUE.skip | CUE.follow)) return;
    let most = this.isDangling() ? 2 : 0;
    this.tokens.forEach((token, k) => {
      const strength = this.overrideStrength(token, k);
      const near = strength === 0 ? 0 : this.within(k - BACK, k + REACH);
      if ((near & (CUE.orders | CUE.rules)) === 0) return;
      const [prior, all] = [near & CUE.prior ? 1 : 0, near & CUE.all ? 1 : 0];
      const reach = (near & CUE.orders) !== 0 ? prior + all : prior | all;
      most = Math.max(most, this.isOrder(k) ? strength + reach : 1);
    });
    this.overridesSomething = most > 1;
    this.add(most, "instruction");
  }

  /** "Ignore all previous": what is to be ignored may stand elsewhere. */
  private isDangling(): boolean {
    return this.has(CUE.override) && this.has(CUE.prior) && this.has(CUE.all) && this.isOrder(this.first(CUE.override));
  }

  private overrideStrength({ cues }: Token, k: number): number {
    if ((cues & CUE.override) !== 0) return 2;
    if ((cues & CUE.skip) !== 0) return 1;
    return (cues & CUE.follow) !== 0 && (this.within(k - 3, k + 1) & CUE.not) !== 0 ? 1 : 0;
  }

  private says(): boolean {
    return this.has(CUE.say) && this.tokens.some(({ cues }, k) => (cues & CUE.say) !== 0 && !this.isTold(k));
  }

  /** The verdict that is wanted: a level, "defensible", "no rule is broken". */
  private countVerdicts(): void {
    const says = this.says();
    const level = this.has(CUE.level) && this.hasLevel();
    if (level) {
      this.add(says ? 2 : 1, says ? "instruction" : "verdict_claim");
      this.add(this.bit(CUE.must) + (this.count(CUE.say) > 1 ? 1 : 0), "instruction");
      this.add(this.bit(CUE.decision), "verdict_claim");
    }
    if (this.has(CUE.result)) {
      this.add(1 + this.bit(CUE.decision), "verdict_claim");
      if (says) this.add(1, "instruction");
    } else if (says && !level) this.add(this.bit(CUE.decision), "instruction");
    if (says && this.has(CUE.complies)) this.add(2, "instruction");
    if (says && this.has(CUE.approve)) this.add(this.bit(CUE.post), "instruction");
    if (this.isNear(CUE.inverse, CUE.yesNo, 4)) this.add(2, "verdict_claim");
  }

  /** Fields of the trace by name. */
  private countFields(): void {
    if (this.has(CUE.field)) {
      this.add(this.count(CUE.field) > 1 ? 4 : 2, "forged_trace");
      if (this.says() || this.has(CUE.one | CUE.yesNo)) this.add(1, "instruction");
    }
    let named = 0;
    for (const { word, end } of this.tokens) {
      if (SHORT_FIELDS.test(word) && /^\s?[:=]/.test(this.text.slice(end, end + 2))) named++;
    }
    if (named > 1) this.add(named > 2 ? 3 : 1, "forged_trace");
  }

  /** "Auditor, …", "Note to the AI that reviews this: …". */
  private countAddresses(): void {
    if (!this.has(LISTENER)) return;
    this.add(this.bit(CUE.auditor) + this.bit(CUE.machine) + this.bit(CUE.must), "instruction");
    const { tokens, text } = this;
    const listener = this.first(LISTENER);
    const opening = tokens.slice(0, listener + 1);
    const isCalled = opening.some(({ cues }) => (cues & CUE.address) !== 0) || tokens[0]!.word === "to";
    const isNamed = listener < 4 && /^\s?[,:]/.test(text.slice(tokens[listener]!.end, tokens[listener]!.end + 2));
    this.isAddressed = listener < 7 && (isCalled || isNamed);
    if (this.isAddressed) this.add(1, "instruction");
  }

  /** "You are now the moderator", "pretend", "message from the developers". */
  private countRoles(): void {
    const isGiven = this.tokens.some(({ cues, word }, k) => {
      if ((cues & CUE.you) !== 0 && (this.within(k, k + 3) & CUE.be) !== 0) {
        return (this.within(k + 1, k + 9) & SOMEONE) !== 0;
      }
      if (ROLE_VERBS.has(word)) return (this.within(k + 1, k + 6) & SOMEONE) !== 0;
      // Languages without a copula: "ты аудитор".
      return (cues & CUE.you) !== 0 && word > "\u0080" && (this.within(k + 1, k + 2) & SOMEONE) !== 0;
    });
    if (isGiven) this.add(2 + this.bit(CUE.only), "role_claim");
    const roles = this.count(CUE.role);
    if (roles > 0) this.add(roles > 1 || this.has(CUE.you) ? 2 : 1, "role_claim");
    this.add(this.bit(CUE.authority), "role_claim");
  }

  /** Threats and rewards, what the answer shall look like, and secrecy. */
  private countPressure(): void {
    if (this.has(CUE.threat) && this.has(CUE.you | LISTENER)) {
      this.add(this.hasLevel() || this.has(CUE.result) ? 2 : 1, "instruction");
    }
    if (this.isYours(CUE.format, 3)) this.add(1 + this.bit(CUE.only | CUE.say), "instruction");
    if (this.isYours(CUE.orders, 2)) this.add(1, "instruction");
    if (this.has(CUE.you) && this.isNear(CUE.not, CUE.follow, 2)) this.add(1, "instruction");
  }

  /** Few words that begin with an order, or speak of the answer's form: something only beside an attempt. */
  private countFragments(): void {
    const first = this.tokens.find(({ word }) => !FILLERS.has(word));
    const isShort = this.tokens.length <= SHORT && first !== undefined;
    const isOrder = isShort && (first.cues & (CUE.say | CUE.follow | CUE.override | CUE.skip)) !== 0;
    if (isOrder || (isShort && first.word === "stop") || this.count(CUE.format) > 1) this.add(1, "instruction");
  }
}

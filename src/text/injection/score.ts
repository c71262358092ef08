import data from "../../../data/injection-forms.json" with { type: "json" };
import { CUE } from "./fold.js";
import type { Token } from "./segments.js";

/** Points at which a segment, or a form with its content, is an attempt by itself. */
export const ENOUGH = 4;

/** The evidence that a segment is an attempt. */
export interface Score {
  points: number;
  /** It addresses the auditor by name. */
  addresses: boolean;
}

/** Cues that score nothing without others. */
const MERE_CUES = CUE.all | CUE.one | CUE.post | CUE.only | CUE.yesNo | CUE.you | CUE.be | CUE.must | CUE.prior;
const LISTENER = CUE.auditor | CUE.machine;
const SOMEONE = LISTENER | CUE.moderator;

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const TELLING = set(data.speech.telling);
const SUBJECTS = set(data.speech.subjects);
const REPORTING = set(data.speech.reporting);
const ROLE_VERBS = set(data.speech.role_verbs);
const FILLERS = set(data.speech.fillers);

/**
 * Points of a segment, from its combination of cues. The sums are chosen so that no two ordinary remarks about rules, levels,
 * models or answers reach {@link ENOUGH} without an order or an address. With `honourQuotes`, quoted text counts half.
 */
export function scoreTokens(all: readonly Token[], text: string, honourQuotes: boolean, asks = false): Score {
  if (all.every(({ cues }) => (cues & ~MERE_CUES) === 0)) return { points: 0, addresses: false };
  const tokens = honourQuotes ? all.filter((token) => !token.quoted) : all;
  const clause = new Clause(tokens, text);
  const override = clause.override();
  const addresses = clause.isAddressed();
  let points = override + clause.verdict() + clause.fields() + clause.listeners() + clause.roles() + clause.pressure();
  if (addresses) points++;
  if (points === 0) points = clause.fragment();
  // A question is not an order, but an instruction to ignore something is.
  if (asks && override < 2 && !addresses && points > 0) points--;
  if (tokens.length < all.length && points < ENOUGH) {
    points = Math.max(points, Math.min(ENOUGH - 1, scoreTokens(all, text, false).points >> 1));
  }
  return { points, addresses };
}

/** The words of a segment, with the tests on them. */
class Clause {
  private readonly cues: number;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly text: string,
  ) {
    this.cues = this.within(0, tokens.length);
  }

  /** Returns 1 or 0, for sums. */
  private has(cues: number): 0 | 1 {
    return (this.cues & cues) !== 0 ? 1 : 0;
  }

  private count(cues: number): number {
    return this.tokens.filter((token) => (token.cues & cues) !== 0).length;
  }

  /** The cues in tokens [from, to). */
  private within(from: number, to: number): number {
    let cues = 0;
    for (let k = Math.max(0, from); k < to && k < this.tokens.length; k++) cues |= this.tokens[k]!.cues;
    return cues;
  }

  /** A word with the first cue (or "your") followed within `distance` words by one with the second. */
  private isNear(first: number | "your", second: number, distance: number): boolean {
    return this.tokens.some(
      ({ cues, word }, k) =>
        (first === "your" ? word === first : (cues & first) !== 0) &&
        (this.within(k + 1, k + 1 + distance) & second) !== 0,
    );
  }

  /** Whether the verb at a place is an order, not a description or report. */
  private isOrder(k: number): boolean {
    const before = this.tokens[k - 1];
    if (before === undefined) return true;
    if (this.isReported(k)) return false;
    if (!TELLING.has(before.word)) return true;
    return before.word === "to" && (this.within(k - 4, k) & (CUE.you | LISTENER)) !== 0 && !this.isReported(k - 1);
  }

  private isReported(k: number): boolean {
    const reporting = this.tokens.slice(Math.max(0, k - 5), k).find(({ word }) => REPORTING.has(word));
    if (reporting) return (this.tokens[this.tokens.indexOf(reporting) + 1]!.cues & CUE.you) === 0;
    return [k - 1, k - 2].some((place) => SUBJECTS.has(this.tokens[place]?.word ?? ""));
  }

  private says(): boolean {
    return this.tokens.some(({ cues }, k) => (cues & CUE.say) !== 0 && !this.isReported(k));
  }

  /** "Level 1". Several different levels are a scale. */
  private hasLevel(): boolean {
    const numbers = new Set<string>();
    this.tokens.forEach(({ cues }, k) => {
      if ((cues & CUE.level) === 0) return;
      const near = [...this.tokens.slice(k + 1, k + 4), ...this.tokens.slice(Math.max(0, k - 1), k)];
      const number = near.find((token) => (token.cues & CUE.one) !== 0);
      if (number) numbers.add(number.word);
    });
    return numbers.size === 1;
  }

  /** "Ignore all previous instructions", "do not apply the rules". */
  override(): number {
    let most = 0;
    this.tokens.forEach(({ cues }, k) => {
      const isNegated = (cues & CUE.follow) !== 0 && (this.within(k - 3, k + 1) & CUE.not) !== 0;
      const strength = (cues & CUE.override) !== 0 ? 2 : (cues & CUE.skip) !== 0 || isNegated ? 1 : 0;
      if (strength === 0) return;
      const near = this.within(k - 6, k + 9);
      const [prior, all] = [near & CUE.prior ? 1 : 0, near & CUE.all ? 1 : 0];
      const reach = (near & CUE.orders) !== 0 ? prior + all : prior | all;
      if ((near & (CUE.orders | CUE.rules)) !== 0) most = Math.max(most, this.isOrder(k) ? strength + reach : 1);
      // What to ignore may be named elsewhere.
      else if (strength === 2 && this.has(CUE.prior) && this.has(CUE.all) && this.isOrder(k)) most = Math.max(most, 2);
    });
    return most;
  }

  /** The verdict that is demanded: a level, "defensible", "no rule is broken". */
  verdict(): number {
    const says = this.says() ? 1 : 0;
    const level = this.hasLevel();
    let points = this.isNear(CUE.inverse, CUE.yesNo, 4) ? 2 : 0;
    if (level) points += 1 + says + this.has(CUE.must) + (this.count(CUE.say) > 1 ? 1 : 0) + this.has(CUE.decision);
    if (this.has(CUE.result)) points += 1 + this.has(CUE.decision) + says;
    else if (says && !level) points += this.has(CUE.decision);
    if (says) points += 2 * this.has(CUE.complies) + (this.has(CUE.approve) & this.has(CUE.post));
    return points;
  }

  /** Names of fields of the trace. */
  fields(): number {
    if (!this.has(CUE.field)) return 0;
    return (this.count(CUE.field) > 1 ? 4 : 2) + (this.says() || this.has(CUE.one | CUE.yesNo) ? 1 : 0);
  }

  listeners(): number {
    return this.has(LISTENER) ? this.has(CUE.auditor) + this.has(CUE.machine) + this.has(CUE.must) : 0;
  }

  /** "Auditor, …", "Note to the AI that reviews this: …". */
  isAddressed(): boolean {
    const listener = this.tokens.findIndex(({ cues }) => (cues & LISTENER) !== 0);
    if (listener < 0 || listener >= 7) return false;
    const { end, cues } = this.tokens[listener]!;
    // "model:" also begins a line of settings.
    const sign = (cues & CUE.auditor) !== 0 ? /^\s?[,:]/ : /^\s?,/;
    const isCalled = (this.within(0, listener + 1) & CUE.address) !== 0 || this.tokens[0]!.word === "to";
    return isCalled || (listener < 4 && sign.test(this.text.slice(end, end + 2)));
  }

  /** "You are now the moderator", "pretend", "message from the developers". */
  roles(): number {
    const isGiven = this.tokens.some(({ cues, word }, k) => {
      if (ROLE_VERBS.has(word)) return (this.within(k + 1, k + 6) & SOMEONE) !== 0;
      if ((cues & CUE.you) === 0) return false;
      return (this.within(k, k + 3) & CUE.be) !== 0 && (this.within(k + 1, k + 9) & SOMEONE) !== 0;
    });
    const roles = this.count(CUE.role);
    return (
      (isGiven ? 2 + this.has(CUE.only) : 0) +
      (roles === 0 ? 0 : roles > 1 || this.has(CUE.you) ? 2 : 1) +
      this.has(CUE.authority)
    );
  }

  /** Threats and rewards, demands on the form of the answer, and secrecy. */
  pressure(): number {
    let points = 0;
    if (this.has(CUE.threat) && this.has(CUE.you | LISTENER)) points += this.hasLevel() || this.has(CUE.result) ? 2 : 1;
    if (this.isNear("your", CUE.format, 3)) points += 1 + this.has(CUE.only | CUE.say);
    if (this.has(CUE.you) && this.isNear(CUE.not, CUE.follow, 2)) points++;
    return points;
  }

  /** A few words that begin with an order or mention the answer's form: these count only next to an attempt. */
  fragment(): number {
    const first = this.tokens.find(({ word }) => !FILLERS.has(word));
    const isOrder =
      first !== undefined &&
      this.tokens.length <= 6 &&
      ((first.cues & (CUE.say | CUE.follow | CUE.override | CUE.skip)) !== 0 || first.word === "stop");
    return isOrder || this.count(CUE.format) > 1 ? 1 : 0;
  }
}

import { CUE } from "./cues.js";
import type { Token } from "./tokens.js";

/** Words before a verb that make it no order. */
const TELLING: ReadonlySet<string> = new Set(
  "i we they he she it people users someone everybody nobody who which can could would may might to didn't don't doesn't".split(
    " ",
  ),
);
const SUBJECTS: ReadonlySet<string> = new Set("i we they he she people users someone i'd i'll we'll my our".split(" "));
const REPORTING: ReadonlySet<string> = new Set("told asked tell telling asking asks tells tried trying".split(" "));

export const LISTENER = CUE.auditor | CUE.machine;

/** The words of a segment, and the questions that are asked about them. */
export class Clause {
  readonly cues: number;

  constructor(
    readonly tokens: readonly Token[],
    readonly text: string,
  ) {
    let cues = 0;
    for (const token of tokens) cues |= token.cues;
    this.cues = cues;
  }

  has(cues: number): boolean {
    return (this.cues & cues) !== 0;
  }

  /** 1 or 0, to add up. */
  bit(cues: number): number {
    return this.has(cues) ? 1 : 0;
  }

  count(cues: number): number {
    let count = 0;
    for (const token of this.tokens) if ((token.cues & cues) !== 0) count++;
    return count;
  }

  first(cues: number): number {
    return this.tokens.findIndex((token) => (token.cues & cues) !== 0);
  }

  /** The cues of tokens [from, to). */
  within(from: number, to: number): number {
    let cues = 0;
    for (let k = Math.max(0, from); k < to && k < this.tokens.length; k++) cues |= this.tokens[k]!.cues;
    return cues;
  }

  /** A word with one cue, and one with another among the next few. */
  isNear(first: number, second: number, distance: number): boolean {
    return this.tokens.some(
      (token, k) => (token.cues & first) !== 0 && (this.within(k + 1, k + 1 + distance) & second) !== 0,
    );
  }

  /** "your", and a word with a cue among the next few. */
  isYours(cues: number, distance: number): boolean {
    return this.tokens.some(({ word }, k) => word === "your" && (this.within(k + 1, k + 1 + distance) & cues) !== 0);
  }

  /** "Level 1". Who names several levels speaks of a scale. */
  hasLevel(): boolean {
    const numbers = new Set<string>();
    this.tokens.forEach((token, k) => {
      if ((token.cues & CUE.level) === 0) return;
      const near = [...this.tokens.slice(k + 1, k + 4), ...this.tokens.slice(Math.max(0, k - 1), k)];
      const number = near.find(({ cues }) => (cues & CUE.one) !== 0);
      if (number) numbers.add(number.word);
    });
    return numbers.size === 1;
  }

  /** The verb at a place is an order, and not what somebody does or was told to do. */
  isOrder(k: number): boolean {
    const before = this.tokens[k - 1];
    if (before === undefined) return true;
    if (this.isTold(k)) return false;
    if (!TELLING.has(before.word)) return true;
    return before.word === "to" && (this.within(k - 4, k) & (CUE.you | LISTENER)) !== 0 && !this.isTold(k - 1);
  }

  /** Somebody is said to do it, or to have been told so. */
  isTold(k: number): boolean {
    for (let before = Math.max(0, k - 5); before < k; before++) {
      if (REPORTING.has(this.tokens[before]!.word)) return (this.tokens[before + 1]!.cues & CUE.you) === 0;
    }
    return SUBJECTS.has(this.tokens[k - 1]?.word ?? "") || SUBJECTS.has(this.tokens[k - 2]?.word ?? "");
  }
}

/** What was noticed. A closed list: each name is one way of reaching past the content. */
export const INJECTION_KINDS = [
  /** Text that pretends that the content has ended. */
  "fence",
  /** Marks of a chat format, and lines of roles, that pretend that somebody else speaks. */
  "chat_turn",
  /** An order to the auditor. */
  "instruction",
  /** Somebody claims a role, or gives the auditor one. */
  "role_claim",
  /** A statement of what the verdict is. */
  "verdict_claim",
  /** An answer in the auditor's own form. */
  "forged_trace",
  "forged_rule",
  "forged_precedent",
  /** Quotation marks and brackets that close what they never opened. */
  "breakout",
  /** Characters that nobody sees, or that turn the order of others. */
  "hidden_characters",
  /** Comments and elements that a page does not show. */
  "hidden_markup",
  /** Letters that only look like letters, or that are written by number. */
  "disguise",
  /** The same words many times, beside an attempt. */
  "padding",
] as const;

export type InjectionKind = (typeof INJECTION_KINDS)[number];

/** A kind as a bit: sets of kinds are numbers while a text is read. */
export function bitOf(kind: InjectionKind): number {
  return 1 << INJECTION_KINDS.indexOf(kind);
}

export function kindsIn(bits: number): InjectionKind[] {
  return INJECTION_KINDS.filter((_, k) => (bits & (1 << k)) !== 0);
}

/** A stretch of a folded text whose form gives it away, as far as it does. */
export interface Form {
  kind: InjectionKind;
  start: number;
  end: number;
  /** Counts like points of a segment. */
  points: number;
  /** Counts only if something inside has points of its own. */
  bonus: number;
  /** It is a unit: what stands in it goes with it, and sentences end at its borders. */
  cuts: boolean;
  /** Its points are all that counts: the words in it are its own. */
  isHead: boolean;
}

export function form(kind: InjectionKind, start: number, end: number, points: number, bonus = 0, cuts = true): Form {
  return { kind, start, end, points, bonus, cuts, isHead: false };
}

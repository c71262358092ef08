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

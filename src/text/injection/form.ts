import type { InjectionKind } from "./kinds.js";

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

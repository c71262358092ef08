import type { Level } from "../../core/records/level.js";
import { LEVELS } from "../../core/records/levels.js";

/** Kinds of verdicts an auditor gives: level and inverse check. */
export const AUDITED_CELLS = 6;
/** Kinds of labels a person gives: level and inverse check, which may be unanswered. */
export const HUMAN_CELLS = 9;

/**
 * What an auditor and a person said of the decisions of one community, as counts: all that the correction of the auditor's errors
 * looks at.
 */
export interface JudgeCounts {
  /** Name of the community. */
  key: string;
  /** Labelled verdicts at `judgeIndex`; length AUDITED_CELLS × HUMAN_CELLS. */
  labelled: Float64Array;
  /** Verdicts without a label at `auditedIndex`; length AUDITED_CELLS. */
  rest: Float64Array;
  /** Labels that were drawn with unequal chances, by cell and chance; together they are `labelled`. */
  drawn?: DrawnCounts[];
}

export interface DrawnCounts {
  /** Name of the part of the population that was drawn from. */
  cell: string;
  /** The chance that each had. */
  inclusion: number;
  /** As `labelled` of the community. */
  labelled: Float64Array;
}

export function emptyJudgeCounts(key: string): JudgeCounts {
  return { key, labelled: new Float64Array(AUDITED_CELLS * HUMAN_CELLS), rest: new Float64Array(AUDITED_CELLS) };
}

/** (level − 1) · 2 + (Yes 0, No 1). */
export function auditedIndex(level: Level, inverse: boolean): number {
  return (level - 1) * 2 + (inverse ? 0 : 1);
}

/** (level − 1) · 3 + (Yes 0, No 1, not answered 2). */
export function humanIndex(level: Level, inverse: boolean | null): number {
  return (level - 1) * 3 + (inverse === null ? 2 : inverse ? 0 : 1);
}

export function judgeIndex(audited: number, human: number): number {
  return audited * HUMAN_CELLS + human;
}

export interface AuditedCell {
  level: Level;
  inverse: boolean;
}

export interface HumanCell {
  level: Level;
  inverse: boolean | null;
}

export const AUDITED: readonly AuditedCell[] = LEVELS.flatMap((level) =>
  [true, false].map((inverse) => ({ level, inverse })),
);
export const HUMAN: readonly HumanCell[] = LEVELS.flatMap((level) =>
  [true, false, null].map((inverse) => ({ level, inverse })),
);

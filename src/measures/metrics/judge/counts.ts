import { LEVELS } from "../../../core/names.js";
import type { Level } from "../../../core/records/level.js";

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

interface HumanCell {
  level: Level;
  inverse: boolean | null;
}

export const AUDITED: readonly AuditedCell[] = LEVELS.flatMap((level) =>
  [true, false].map((inverse) => ({ level, inverse })),
);
export const HUMAN: readonly HumanCell[] = LEVELS.flatMap((level) =>
  [true, false, null].map((inverse) => ({ level, inverse })),
);

/** A rate that an auditor measures and a person could have measured. */
export interface JudgeQuantity {
  /** The auditor says so. */
  audited: (cell: AuditedCell) => boolean;
  /** The person says so; null: the label does not say. */
  human: (cell: HumanCell) => boolean | null;
}

export const JUDGE_QUANTITIES = {
  indefensible_rate: {
    audited: (cell) => cell.level === 3,
    human: (cell) => cell.level === 3,
  },
  ambiguity_index: {
    audited: (cell) => cell.inverse,
    human: (cell) => cell.inverse,
  },
  ambiguity_pure: {
    audited: (cell) => cell.inverse && cell.level !== 3,
    // A label without an answer says nothing, at level 3 either: counting level 3 alone as "not open" would leave a sample of nothing but No.
    human: (cell) => (cell.inverse === null ? null : cell.inverse && cell.level !== 3),
  },
} as const satisfies Record<string, JudgeQuantity>;

export type JudgeQuantityName = keyof typeof JUDGE_QUANTITIES;

/** One audited level in one community: the rows among which labels are taken at the same rate. */
export interface QuantityStratum {
  community: number;
  level: number;
  /** Rows without a usable label, by whether the auditor says so. */
  restYes: number;
  restNo: number;
  /** Labelled rows by what person and auditor say. */
  bothYes: number;
  humanOnly: number;
  auditorOnly: number;
  bothNo: number;
}

/** Counts of a quantity by community and audited level. A label that does not say counts as none. */
export function quantityStrata(communities: readonly JudgeCounts[], quantity: JudgeQuantity): QuantityStratum[] {
  const strata: QuantityStratum[] = [];
  communities.forEach((counts, community) => {
    for (const level of [1, 2, 3]) {
      const stratum = { community, level, restYes: 0, restNo: 0, bothYes: 0, humanOnly: 0, auditorOnly: 0, bothNo: 0 };
      AUDITED.forEach((cell, index) => {
        if (cell.level !== level) return;
        const audited = quantity.audited(cell);
        stratum[audited ? "restYes" : "restNo"] += counts.rest[index]!;
        HUMAN.forEach((label, column) => {
          const count = counts.labelled[index * HUMAN_CELLS + column]!;
          const human = quantity.human(label);
          if (human === null) stratum[audited ? "restYes" : "restNo"] += count;
          else if (human) stratum[audited ? "bothYes" : "humanOnly"] += count;
          else stratum[audited ? "auditorOnly" : "bothNo"] += count;
        });
      });
      strata.push(stratum);
    }
  });
  return strata;
}

export function labelsIn(stratum: QuantityStratum): number {
  return stratum.bothYes + stratum.humanOnly + stratum.auditorOnly + stratum.bothNo;
}

export function rowsIn(stratum: QuantityStratum): number {
  return labelsIn(stratum) + stratum.restYes + stratum.restNo;
}

/** Rows of which the auditor says so, labelled or not. */
export function auditedYes(stratum: QuantityStratum): number {
  return stratum.restYes + stratum.bothYes + stratum.auditorOnly;
}

import { LEVELS } from "../../../core/names.js";
import type { Level } from "../../../core/records/level.js";

/** Number of kinds of audit verdicts: level and inverse check. */
export const AUDITED_CELLS = 6;
/** Number of kinds of human labels: level and inverse check, which may be unanswered. */
export const HUMAN_CELLS = 9;

/** Audited and human answers for the decisions of one community, as counts: the only input of the correction of auditor errors. */
export interface JudgeCounts {
  key: string;
  /** Labelled verdicts at `judgeIndex`; length AUDITED_CELLS × HUMAN_CELLS. */
  labelled: Float64Array;
  /** Verdicts without a label at `auditedIndex`; length AUDITED_CELLS. */
  rest: Float64Array;
  /** Labels drawn with unequal probabilities, by cell and probability; together they make up `labelled`. */
  drawn?: DrawnCounts[];
}

export interface DrawnCounts {
  /** Name of the part of the population that the labels were drawn from. */
  cell: string;
  /** The inclusion probability of each. */
  inclusion: number;
  /** Like `labelled` of the community. */
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

/** A rate that an auditor measures and that human labels could have measured. */
export interface JudgeQuantity {
  /** Whether the audit counts towards the rate. */
  audited: (cell: AuditedCell) => boolean;
  /** Whether the human label counts towards the rate; null: the label has no answer. */
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
    // Without an answer a label counts for nothing, even at level 3: counting only level 3 as "not open" would leave a sample that is all No.
    human: (cell) => (cell.inverse === null ? null : cell.inverse && cell.level !== 3),
  },
} as const satisfies Record<string, JudgeQuantity>;

export type JudgeQuantityName = keyof typeof JUDGE_QUANTITIES;

/** One audited level in one community: the rows that are labelled at the same rate. */
export interface QuantityStratum {
  community: number;
  level: number;
  /** Rows without a usable label, by whether the audit counts towards the rate. */
  restYes: number;
  restNo: number;
  /** Labelled rows by human and audited answer. */
  bothYes: number;
  humanOnly: number;
  auditorOnly: number;
  bothNo: number;
}

/** Counts for a quantity by community and audited level. A label without an answer counts as no label. */
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

/** Rows whose audit counts towards the rate, labelled or not. */
export function auditedYes(stratum: QuantityStratum): number {
  return stratum.restYes + stratum.bothYes + stratum.auditorOnly;
}

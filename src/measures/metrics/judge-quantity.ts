import { AUDITED, type AuditedCell, HUMAN, HUMAN_CELLS, type HumanCell, type JudgeCounts } from "./judge-counts.js";

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

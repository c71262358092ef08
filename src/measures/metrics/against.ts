import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { LabelSample } from "../../core/records/label.js";
import type { ReportAgainst } from "../../core/results/report.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { auroc } from "../../stats/ranks/auroc.js";
import { balancedAccuracy } from "../../stats/ranks/detection.js";
import { cohenKappa } from "../../stats/ranks/raters.js";
import { weightedRates } from "./weighted-against.js";

/** An audit together with another source's answer (gold, a human label, another run) for the same decision. */
export interface JudgedPair {
  decision_id?: string;
  level: number;
  targetLevel: number;
  inverse: boolean;
  targetInverse: boolean | null;
  /** 1 − p_defensible of the audit; null without a signal. */
  indefensibleScore: number | null;
  /** Whether the decider and the moderator who labelled the case differ; null without a human label. */
  disagrees: boolean | null;
  /** For labels with a design: the cell that the decision was drawn in, and its inclusion probability. */
  cell?: string;
  inclusion?: number | null;
}

export interface PopulationCell {
  cell: string;
  level: number;
  inverse: boolean;
  disagrees: boolean | null;
  n: number;
}

/** How the judged decisions were drawn. `population`: all verdicts by cell, if cells are verdicts. */
export interface JudgedSample {
  design: LabelSample;
  population: readonly PopulationCell[];
}

function areaOf(indefensible: readonly number[], defensible: readonly number[]): Estimate {
  if (indefensible.length + defensible.length === 0) return undefinedEstimate("no audit has probabilities", 0);
  return auroc(indefensible, defensible);
}

function share({ k, n }: { k: number; n: number }, empty: string): Estimate {
  return n ? proportion(k, n) : undefinedEstimate(empty, 0);
}

/**
 * Confusion of levels and of the inverse check against a target, with the measures of the auditor that follow. Rows are the target's. Tables count
 * judged decisions unweighted; rates are those of the population that labels were drawn from, if their design is known.
 */
export function compareAgainst(target: string, pairs: readonly JudgedPair[], sample?: JudgedSample): ReportAgainst {
  const counted = countAgainst(target, pairs);
  if (!sample) return counted;
  const { weighted, flags } = sample.design;
  // A random sample of another or unknown population is counted unweighted.
  const isDrawn = weighted === "random" ? flags.length === 0 : weighted !== null;
  const by = isDrawn && pairs.length > 0 ? weightedRates(pairs, sample, counted) : {};
  return { ...counted, ...by, sample: sample.design };
}

function countAgainst(target: string, pairs: readonly JudgedPair[]): ReportAgainst {
  const levels = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  const inverse = [
    [0, 0],
    [0, 0],
  ];
  const indefensible: number[] = [];
  const defensible: number[] = [];
  let inverseRows = 0;
  // Decisions that agreement misjudges according to the auditor, and how many of them the target confirms.
  const confirmed = {
    disagreements_defensible: { k: 0, n: 0 },
    agreed_indefensible: { k: 0, n: 0 },
    model_error: { k: 0, n: 0 },
    implicit_norm: { k: 0, n: 0 },
  };
  const count = (of: { k: number; n: number }, isConfirmed: boolean) => {
    of.n++;
    if (isConfirmed) of.k++;
  };
  for (const pair of pairs) {
    const targetDefends = pair.targetLevel < 3;
    if (pair.disagrees === true && pair.level < 3) {
      count(confirmed.disagreements_defensible, targetDefends);
      // A target without an answer on the opposite can neither confirm nor refute that only one side follows from the rules.
      if (!pair.inverse && pair.targetInverse !== null) {
        count(confirmed.implicit_norm, targetDefends && !pair.targetInverse);
      }
    } else if (pair.disagrees === true) count(confirmed.model_error, !targetDefends);
    else if (pair.disagrees === false && pair.level === 3) count(confirmed.agreed_indefensible, !targetDefends);
    levels[pair.targetLevel - 1]![pair.level - 1]!++;
    if (pair.targetInverse !== null) {
      inverse[pair.targetInverse ? 0 : 1]![pair.inverse ? 0 : 1]!++;
      inverseRows++;
    }
    if (pair.indefensibleScore !== null) {
      (pair.targetLevel === 3 ? indefensible : defensible).push(pair.indefensibleScore);
    }
  }
  const diagonal = (table: number[][]) => table.reduce((sum, row, i) => sum + row[i]!, 0);
  const n = pairs.length;
  const none = undefinedEstimate(`no verdict has a ${target} judgement`, 0);
  const sum = (row: readonly number[]) => row.reduce((total, count) => total + count, 0);
  return {
    target,
    n,
    defensibility_index: n ? proportion(sum(levels[0]!) + sum(levels[1]!), n) : none,
    ambiguity_index: inverseRows ? proportion(sum(inverse[0]!), inverseRows) : none,
    confirmed: {
      disagreements_defensible: share(
        confirmed.disagreements_defensible,
        "no judged disagreement is defensible by the auditor",
      ),
      agreed_indefensible: share(confirmed.agreed_indefensible, "no judged agreement is indefensible by the auditor"),
      model_error: share(confirmed.model_error, "no judged disagreement is indefensible by the auditor"),
      implicit_norm: share(confirmed.implicit_norm, "no judged disagreement is an unwritten norm by the auditor"),
    },
    levels,
    level_accuracy: n ? proportion(diagonal(levels), n) : none,
    level_balanced_accuracy: n ? balancedAccuracy(levels) : none,
    level_kappa: n ? cohenKappa(levels) : none,
    level3_auroc: n ? areaOf(indefensible, defensible) : none,
    n_inverse: inverseRows,
    inverse,
    inverse_accuracy: inverseRows ? proportion(diagonal(inverse), inverseRows) : none,
    inverse_kappa: inverseRows ? cohenKappa(inverse) : none,
  };
}

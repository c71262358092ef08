import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import { type CountOf, roganGladen } from "../../../stats/intervals/rogan-gladen.js";
import { boundedUpperBound } from "../../../stats/tests/bounded-e-value.js";
import { weightedProportion } from "../../../stats/weighted-proportion.js";
import { FROM_HERE, poweredBy, verdictCells } from "./correct-by-verdict.js";
import type { CorrectedRate, CorrectionOptions } from "./correct-rate.js";
import { AUDITED, HUMAN, HUMAN_CELLS, type JudgeCounts, type JudgeQuantity } from "./counts.js";

/** Labels of one cell by what the person (first) and the auditor (second) said, and how many decisions they stand for. */
export interface DrawnCell {
  name: string;
  counts: Record<"yes" | "no", Record<"yes" | "no", number>>;
  n: number;
  /** By what the auditor said. */
  size: Record<"yes" | "no", number>;
}

const word = (said: boolean) => (said ? "yes" : "no");

/** Labels by the cell that they were drawn in, sized by their chances. A label that does not say counts as none. */
export function drawnCells(communities: readonly JudgeCounts[], quantity: JudgeQuantity): DrawnCell[] {
  const cells = new Map<string, DrawnCell>();
  for (const { cell: name, inclusion, labelled } of communities.flatMap(({ drawn = [] }) => drawn)) {
    const counts = { yes: { yes: 0, no: 0 }, no: { yes: 0, no: 0 } };
    const cell = cells.get(name) ?? { name, counts, n: 0, size: { yes: 0, no: 0 } };
    cells.set(name, cell);
    labelled.forEach((count, index) => {
      const said = quantity.human(HUMAN[index % HUMAN_CELLS]!);
      if (said === null) return;
      const audited = word(quantity.audited(AUDITED[Math.floor(index / HUMAN_CELLS)]!));
      cell.counts[word(said)][audited] += count;
      cell.n += count;
      cell.size[audited] += count / inclusion;
    });
  }
  return [...cells.values()].filter(({ n }) => n > 0);
}

/**
 * A rate in people's eyes from labels that were drawn with unequal chances, each weighted by the inverse of its own.
 *
 * Formula: of labels of this run `stratifiedProportion`, cells sized by Σ 1/π; the exact bound is that of `boundedUpperBound` with u = π_min/π. Of labels
 * from elsewhere `roganGladen` with weighted sensitivity and specificity.
 * Undefined when: no label says anything of the rate; see there.
 */
export function correctByStratum(
  communities: readonly JudgeCounts[],
  quantity: JudgeQuantity,
  { elsewhere, level = CONFIDENCE_LEVEL, delta = 0.05 }: Omit<CorrectionOptions, "design"> & { elsewhere: boolean },
): CorrectedRate {
  const cells = drawnCells(communities, quantity);
  const labels = cells.reduce((sum, { n }) => sum + n, 0);
  const verdicts = verdictCells(communities, quantity);
  const rows = verdicts.reduce((sum, { size }) => sum + size, 0);
  const said = verdicts.reduce((sum, { audited, size }) => sum + (audited ? size : 0), 0);
  const [sensitivity, specificity] = [errorRate(cells, "yes"), errorRate(cells, "no")];
  const shown = ({ share, count, labels: n }: ErrorRate): Estimate =>
    share === null ? undefinedEstimate("no label of that kind", n) : weightedProportion(share, count.n, n, level);
  const common = {
    labels,
    audited: proportion(said, rows, level),
    sensitivity: shown(sensitivity),
    specificity: shown(specificity),
    warnings: [],
  };
  if (elsewhere) {
    const corrected = (at: number) => roganGladen({ k: said, n: rows }, sensitivity.count, specificity.count, at);
    const bound = corrected(1 - 2 * delta);
    return {
      ...common,
      prediction_powered: undefinedEstimate(ELSEWHERE, labels),
      rogan_gladen: corrected(level),
      upper_bound: {
        delta,
        exact: null,
        prediction_powered: null,
        rogan_gladen: bound.estimate === null ? null : bound.upper,
      },
    };
  }
  const strata = cells.map(({ name, counts, n, size }) => {
    return { name, k: counts.yes.yes + counts.yes.no, n, size: Math.max(n, size.yes + size.no) };
  });
  const whole = poweredBy(strata, level, delta);
  const powered = whole.estimate === null ? whole : { ...whole, lambda: 0, n_predicted: rows };
  return {
    ...common,
    prediction_powered: powered,
    rogan_gladen: undefinedEstimate(FROM_HERE, labels),
    upper_bound: {
      delta,
      exact: labels === 0 ? null : boundedUpperBound(labelUnits(communities, quantity), delta),
      prediction_powered: powered.estimate === null ? null : powered.upper_bound,
      rogan_gladen: null,
    },
  };
}

/** Why labels of another population estimate nothing of this run directly. */
export const ELSEWHERE = "the labels were drawn from another population than this run";

/** Labels by the weight that each has in a test of the true rate: the smallest chance over its own. */
function* labelUnits(communities: readonly JudgeCounts[], quantity: JudgeQuantity) {
  const drawn = communities.flatMap((one) => one.drawn ?? []);
  const least = leastInclusion(communities);
  for (const { inclusion, labelled } of drawn) {
    for (const [index, count] of labelled.entries()) {
      const said = quantity.human(HUMAN[index % HUMAN_CELLS]!);
      if (count > 0 && said !== null) yield { weight: least / inclusion, value: said ? 1 : 0, count };
    }
  }
}

export function leastInclusion(communities: readonly JudgeCounts[]): number {
  return Math.min(...communities.flatMap(({ drawn = [] }) => drawn.map(({ inclusion }) => inclusion)));
}

interface ErrorRate {
  /** Null: no label is of that class. */
  share: number | null;
  /** The share as k of n, with the effective number of labels. */
  count: CountOf;
  labels: number;
}

/**
 * Share of one class of the person's that the auditor found.
 *
 * Formula: s = A/(A + B), A = Σ W_h a_h/n_h of those found, B of those missed, W_h ∝ Σ 1/π. Effective number s̃(1 − s̃)/V, V = Σ W_h² ((1 − s̃)²ã_h + s̃²b̃_h −
 * ((1 − s̃)ã_h − s̃b̃_h)²)/(n_h (Ã + B̃)²): linearised, with ã_h = (n_g/n_h)(a_h + ½)/(n_g + 1) among the n_g labels of the cell that the auditor put there. A
 * cell in which all agree still adds to V.
 */
function errorRate(cells: readonly DrawnCell[], yes: "yes" | "no"): ErrorRate {
  const missed = yes === "yes" ? "no" : "yes";
  const whole = cells.reduce((sum, { size }) => sum + size.yes + size.no, 0);
  const parts = cells.map(({ counts, n, size }) => {
    const smooth = (audited: "yes" | "no") => {
      const among = counts.yes[audited] + counts.no[audited];
      return (among / n) * ((counts[yes][audited] + 0.5) / (among + 1));
    };
    return {
      weight: (size.yes + size.no) / whole,
      n,
      found: counts[yes][yes] / n,
      all: (counts[yes][yes] + counts[yes][missed]) / n,
      a: smooth(yes),
      b: smooth(missed),
    };
  });
  const sum = (of: (part: (typeof parts)[number]) => number) =>
    parts.reduce((total, part) => total + part.weight * of(part), 0);
  const labels = cells.reduce((total, { counts }) => total + counts[yes].yes + counts[yes].no, 0);
  if (labels === 0) return { share: null, count: { k: 0, n: 0 }, labels };
  const share = Math.min(1, sum(({ found }) => found) / sum(({ all }) => all));
  const class_ = sum(({ a, b }) => a + b);
  const s = sum(({ a }) => a) / class_;
  const variance = sum(({ weight, n, a, b }) => {
    const mean = (1 - s) * a - s * b;
    return (weight * ((1 - s) ** 2 * a + s ** 2 * b - mean ** 2)) / n;
  });
  // Where the auditor says the same of all labels nothing tells of the spread.
  const n = variance > 0 ? (s * (1 - s) * class_ ** 2) / variance : labels;
  return { share, count: { k: share * n, n }, labels };
}

import { fastUniform, type Rng } from "../../../stats/random/create-rng.js";
import type { SortedScores } from "./bins.js";
import { type BinSums, calibrationError, debiasedError } from "./calibration-error.js";
import { type AgainstNull, againstNull, drawOutcomes } from "./null-distribution.js";
import { binSums, cellPositives, GRID, type ScoreCells, shareTies } from "./score-cells.js";
import { smoothErrorSolver } from "./smooth-error.js";

/** Every calibration error of a score, each next to what a perfectly calibrated score would show. */
export interface CalibrationErrors {
  /** The paper's: bins of N/10 rows. Depends on the order of equal scores. */
  equal_frequency: AgainstNull;
  /** The same with y averaged over equal scores. */
  tie_averaged: AgainstNull;
  equal_width: AgainstNull;
  /** Root mean square, what chance leaves taken off; bins of N/10 rows that split no equal scores. */
  debiased_rms: AgainstNull;
  smooth: AgainstNull;
}

const NAMES = ["equal_frequency", "tie_averaged", "equal_width", "debiased_rms", "smooth"] as const;

/** Relative error of a simulated smooth error: far below the spread of the draws. */
const DRAW_TOLERANCE = 1e-4;

export interface SimulatedErrors {
  errors: CalibrationErrors;
  /** Sums of the unsplit bins, for the reliability table. */
  bins: BinSums;
  /** Rate of each of these bins in each draw: bin after bin. */
  nullRates: Float64Array;
}

/** All errors in one go: the draws are shared, so that 200 of them cost as much as a few passes over the rows. */
export function calibrationErrors(
  sorted: SortedScores,
  cells: ScoreCells,
  options: { rng: Rng; draws: number },
): SimulatedErrors {
  const { rng, draws } = options;
  const solve = smoothErrorSolver();
  const positives = cellPositives(cells, sorted.targets, sorted.weights);
  const bins = binSums(cells, positives, cells.unsplit);
  const values = measure(positives, (sums) => solve(sums));

  const solveDraw = smoothErrorSolver(gridOfDraws(cells));
  const uniform = fastUniform(rng);
  const drawn = new Float64Array(positives.length);
  const simulated = NAMES.map(() => new Float64Array(draws));
  const nullRates = new Float64Array(bins.n.length * draws);
  let guess: number | undefined;
  for (let draw = 0; draw < draws && sorted.n > 0; draw += 1) {
    drawOutcomes(cells, sorted.scores, uniform, drawn, sorted.weights);
    const found = measure(drawn, (sums) => solveDraw(sums, { tolerance: DRAW_TOLERANCE, ...(guess && { guess }) }));
    guess = found.smooth ?? guess;
    for (const [i, name] of NAMES.entries()) simulated[i]![draw] = found[name] ?? Number.NaN;
    const { n, positives: counts } = binSums(cells, drawn, cells.unsplit);
    for (let b = 0; b < n.length; b += 1) nullRates[b * draws + draw] = counts[b]! / n[b]!;
  }
  const reason = sorted.n === 0 ? "no rows" : sorted.weights ? "not defined for weighted rows" : "a bin of one row";
  const against = NAMES.map((name, i) => [name, againstNull(values[name], simulated[i]!, reason)]);
  return { errors: Object.fromEntries(against) as CalibrationErrors, bins, nullRates };

  function measure(counts: Float64Array, smooth: (sums: BinSums) => number | null) {
    return {
      equal_frequency: calibrationError(binSums(cells, counts, cells.equalFrequency)),
      tie_averaged: calibrationError(binSums(cells, shareTies(cells, counts), cells.equalFrequency)),
      equal_width: calibrationError(binSums(cells, counts, cells.equalWidth)),
      // What chance leaves of a bin depends on how its weights are spread.
      debiased_rms: sorted.weights ? null : debiasedError(binSums(cells, counts, cells.unsplit)),
      smooth: smooth({ n: cells.n, scores: cells.scores, positives: counts }),
    };
  }
}

/**
 * Points for the smooth error of simulated outcomes: some 24 to a σ. Noise of variance v = mean s(1 − s) leaves smECE_σ ≈ 0.4 √(v/nσ),
 * so its root is near (0.16 v/n)^⅓.
 */
function gridOfDraws({ n, scores }: ScoreCells): number {
  let rows = 0;
  let variance = 0;
  for (let c = 0; c < n.length; c += 1) {
    rows += n[c]!;
    variance += scores[c]! * Math.max(0, 1 - scores[c]! / n[c]!);
  }
  const sigma = Math.cbrt((0.16 * variance) / (rows * rows));
  return sigma > 0 ? Math.min(GRID, Math.max(256, 2 ** Math.ceil(Math.log2(24 / sigma)))) : 256;
}

import type { Estimate } from "../../core/estimate.js";
import type { CalibrationModel, TargetClasses } from "./calibration-model.js";
import { type CandidateResult, candidateResult, unavailableCandidate } from "./candidate-result.js";
import { compileCalibration } from "./compile-calibration.js";
import { logLosses } from "./errors/score-cells.js";
import { baseRateEntropy } from "./errors/weighted-auroc.js";
import { type FeatureName, targetsOf, type UsableRows, usableRows } from "./features.js";
import {
  CALIBRATION_METHODS,
  type CalibrationMethod,
  crossValidate,
  type FitContext,
  fitMethod,
  unavailable,
} from "./fit/methods.js";
import { makeFolds, sampleRows } from "./folds.js";
import { classShares } from "./prior-shift.js";
import type { ScoreColumns } from "./score-columns.js";

/** With fewer rows than this, nothing is calibrated. */
export const MINIMUM_ROWS = 30;
/** Fewest rows of a class (defensible, indefensible; a level for methods with three levels) needed to learn about it. */
export const MINIMUM_OF_CLASS = 5;
/** Most rows fitted by default. */
export const MAXIMUM_ROWS = 100_000;
/** Losses (nats) closer than this count as equal, and the simpler method is chosen. */
export const EQUAL_LOSS = 1e-6;

export interface ChooseOptions {
  seed: number;
  /** Methods to choose from; default all. The baselines 1 − p(L3) and S are always scored. */
  methods?: readonly CalibrationMethod[];
  /** Default 5. */
  folds?: number;
  /** Above this number of rows a seeded sample is used. Default 100,000, at which parameter error is far below the noise of any target. */
  maxRows?: number;
}

export interface CalibrationRefusal {
  refused: true;
  reason: string;
  n: number;
  /** Usable rows of levels 1, 2, 3. */
  levels: [number, number, number];
  skipped: UsableRows["skipped"];
}

export interface CalibrationChoice {
  refused: false;
  chosen: CalibrationMethod;
  /** Refitted on all rows. */
  model: CalibrationModel;
  target: TargetClasses;
  n: number;
  levels: [number, number, number];
  /** Shares of the levels among the rows fitted: the `fitted` side of a prior shift. */
  fitted_prior: number[];
  /** (Σw)²/Σw²: number of equally weighted rows with the same information; n without weights. */
  effective_rows: number;
  skipped: UsableRows["skipped"];
  features: { used: readonly FeatureName[]; dropped: FitContext["dropped"] };
  folds: { count: number; by: "community" | "row"; communities: number };
  seed: number;
  candidates: CandidateResult[];
  warnings: string[];
  /** The chosen method's P(defensible) of each row of the columns, from a model not fitted on that row; NaN for unused rows. */
  outOfFold: Float64Array;
  /** The fold of each row of the columns, -1 for unused rows; and for each fold the chosen method fitted without it. */
  rowFold: Int32Array;
  foldModels: readonly CalibrationModel[];
  /** `outOfFold` for every method scored, and for S under "pds". */
  predictions: ReadonlyMap<CalibrationMethod | "pds", Float64Array>;
}

/**
 * Calibrated defensibility: fits every method to a target that does not come from the audit itself, and chooses the one that best predicts
 * communities it was not fitted on.
 *
 * Formula: argmin over methods of the mean −ln P(y), y = 1{target level ≤ 2}, P from models fitted on the other folds; folds keep communities
 * whole. Losses within 10⁻⁶ are equal and go to the simpler method (order of `CALIBRATION_METHODS`). The returned model is refitted on all rows.
 * Range: 1 − p(L3), unfitted, may win: fitting then gained nothing, and a warning says so. S is scored but never chosen.
 * Undefined when: no target, one class, under 30 rows or 5 of a class, no probabilities: refused with a reason.
 * Differs from the paper: the paper fits S, on all rows at once, to the level given in the same answer.
 * @see docs/calibration.md
 */
export function chooseCalibration(
  columns: ScoreColumns,
  { seed, methods = CALIBRATION_METHODS, folds = 5, maxRows = MAXIMUM_ROWS }: ChooseOptions,
): CalibrationChoice | CalibrationRefusal {
  if (!(Number.isInteger(folds) && folds >= 2)) throw new RangeError(`folds: got ${folds}, expected 2 or more`);
  if (methods.length === 0) throw new RangeError("methods: none given; expected at least one");
  const usable = usableRows(columns);
  const { skipped } = usable;
  const rows = sampleRows(columns, usable.rows, maxRows, seed);
  const levels = countLevels(columns, rows);
  const effective = effectiveRows(columns, rows);
  const refusal = refusalOf(columns, rows, skipped, levels) ?? tooUneven(columns, effective);
  if (refusal) return { refused: true, reason: refusal, n: rows.length, levels, skipped };

  const target: TargetClasses = Math.min(...levels) >= MINIMUM_OF_CLASS ? "levels" : "binary";
  const context: FitContext = { target, features: usable.features, dropped: usable.dropped };
  const { level, defensible: y, weight } = targetsOf(columns, rows);
  const made = makeFolds(columns, rows, target === "levels" ? level : y, { folds, seed });
  const community = Int32Array.from(rows, (row) => columns.community[row]!);
  const pds = Float64Array.from(rows, (row) => columns.pds[row]!);
  const losses = { raw: logLosses(rawScores(columns, rows), y), pds: logLosses(pds, y) };
  const predictions = new Map<CalibrationMethod | "pds", Float64Array>();
  const foldModels = new Map<string, readonly CalibrationModel[]>();
  const candidates: CandidateResult[] = [];
  const counts = { target, defensible: levels[0] + levels[1], indefensible: levels[2] };
  for (const method of CALIBRATION_METHODS) {
    if (method !== "raw" && !methods.includes(method)) continue;
    const reason = unavailable(method, counts);
    if (reason) {
      candidates.push(unavailableCandidate(method, reason));
      continue;
    }
    const scored = crossValidate(method, columns, rows, made, context);
    candidates.push(candidateResult(method, scored, { y, level, community, target, weight }, losses));
    predictions.set(method, spread(columns.n, rows, scored.score));
    foldModels.set(method, scored.models);
  }
  candidates.push(
    candidateResult("pds", { score: pds, levels: null }, { y, level, community, target, weight }, losses),
  );
  predictions.set("pds", spread(columns.n, rows, pds));

  const chosen = best(candidates, methods);
  if (!chosen) {
    const reason = `none of the methods asked for can be fitted: ${candidates
      .flatMap((candidate) => (candidate.reason ? [`${candidate.method} ${candidate.reason}`] : []))
      .join("; ")}`;
    return { refused: true, reason, n: rows.length, levels, skipped };
  }
  return {
    refused: false,
    chosen: chosen.method as CalibrationMethod,
    model: fitMethod(chosen.method as CalibrationMethod, columns, rows, context),
    target,
    n: rows.length,
    levels,
    fitted_prior: fittedPrior(levels, level, weight),
    effective_rows: effective,
    skipped,
    features: { used: usable.features, dropped: usable.dropped },
    folds: { count: made.count, by: made.by, communities: new Set(community).size },
    seed,
    candidates,
    warnings: [...sampled(usable.rows.length, rows.length), ...made.warnings, ...warningsOf(chosen, target, levels)],
    outOfFold: predictions.get(chosen.method)!,
    rowFold: foldsOfRows(columns.n, rows, made.fold),
    foldModels: foldModels.get(chosen.method)!,
    predictions,
  };
}

function countLevels(columns: ScoreColumns, rows: Int32Array): [number, number, number] {
  const counts: [number, number, number] = [0, 0, 0];
  for (const row of rows) counts[(columns.targetLevel![row]! - 1) as 0 | 1 | 2] += 1;
  return counts;
}

/** Shares of the levels; for weighted rows, those of the population they were drawn from. */
function fittedPrior(levels: readonly number[], level: Uint8Array, weight: Float64Array | null): number[] {
  const counts = weight ? [0, 0, 0] : [...levels];
  if (weight) for (let i = 0; i < level.length; i += 1) counts[level[i]! - 1]! += weight[i]!;
  const total = counts.reduce((sum, count) => sum + count, 0);
  return Math.min(...levels) > 0 ? counts.map((count) => count / total) : classShares(counts);
}

function effectiveRows({ targetWeight }: ScoreColumns, rows: Int32Array): number {
  if (!targetWeight) return rows.length;
  let [sum, squares] = [0, 0];
  for (const row of rows) {
    sum += targetWeight[row]!;
    squares += targetWeight[row]! ** 2;
  }
  return squares === 0 ? 0 : sum ** 2 / squares;
}

function tooUneven({ targetWeight }: ScoreColumns, effective: number): string | null {
  if (!targetWeight || effective >= MINIMUM_ROWS) return null;
  return `weighted as they were drawn, the rows say as much as ${effective.toFixed(1)} that count the same; at least ${MINIMUM_ROWS} are needed`;
}

function refusalOf(
  columns: ScoreColumns,
  rows: Int32Array,
  skipped: UsableRows["skipped"],
  levels: readonly number[],
): string | null {
  if (skipped.no_target === columns.n) return "no row has a target";
  if (rows.length === 0 && skipped.no_probabilities > 0) return "no row with a target has level probabilities";
  if (rows.length === 0) return "no row with a target has the signals a calibration needs";
  const [defensible, indefensible] = [levels[0]! + levels[1]!, levels[2]!];
  if (defensible === 0 || indefensible === 0) {
    return `one class: all ${rows.length} rows are ${defensible === 0 ? "indefensible" : "defensible"}`;
  }
  if (rows.length < MINIMUM_ROWS) return `${rows.length} rows, at least ${MINIMUM_ROWS} are needed`;
  if (Math.min(defensible, indefensible) < MINIMUM_OF_CLASS) {
    return `${defensible} defensible and ${indefensible} indefensible rows, at least ${MINIMUM_OF_CLASS} of each are needed`;
  }
  return null;
}

function best(candidates: readonly CandidateResult[], methods: readonly CalibrationMethod[]): CandidateResult | null {
  let least: CandidateResult | null = null;
  for (const candidate of candidates) {
    if (candidate.log_loss === null || !methods.some((method) => method === candidate.method)) continue;
    if (least === null || candidate.log_loss < least.log_loss! - EQUAL_LOSS) least = candidate;
  }
  return least;
}

function rawScores(columns: ScoreColumns, rows: Int32Array): Float64Array {
  return compileCalibration({ kind: "raw" }).rows(columns, rows);
}

function spread(n: number, rows: Int32Array, score: Float64Array): Float64Array {
  const all = new Float64Array(n).fill(Number.NaN);
  for (let r = 0; r < rows.length; r += 1) all[rows[r]!] = score[r]!;
  return all;
}

function foldsOfRows(n: number, rows: Int32Array, fold: Int32Array): Int32Array {
  const all = new Int32Array(n).fill(-1);
  for (let r = 0; r < rows.length; r += 1) all[rows[r]!] = fold[r]!;
  return all;
}

function sampled(all: number, used: number): string[] {
  return used < all ? [`fitted on a random ${used} of ${all} rows`] : [];
}

function warningsOf(chosen: CandidateResult, target: TargetClasses, levels: readonly number[]): string[] {
  const warnings: string[] = [];
  if (target === "binary") {
    warnings.push(
      `rows of levels 1, 2, 3: ${levels.join(", ")}; with fewer than ${MINIMUM_OF_CLASS} of one, methods see defensible and indefensible only`,
    );
  }
  const n = levels.reduce((sum, count) => sum + count, 0);
  const base = baseRateEntropy(levels[2]!, n);
  if (chosen.log_loss !== null && base !== null && chosen.log_loss >= base) {
    warnings.push(
      `worse than saying ${Math.round((100 * (n - levels[2]!)) / n)}% of every decision: this calibration knows nothing about single decisions; do not automate by it`,
    );
  }
  if (chosen.method === "raw") warnings.push("no method predicts better than 1 − p(L3) does unfitted");
  for (const [name, difference] of Object.entries(chosen.against) as [string, Estimate | null][]) {
    if (difference?.estimate == null) continue;
    const label = name === "raw" ? "1 − p(L3)" : "S";
    if (difference.estimate >= 0) warnings.push(`${chosen.method} does not beat the baseline ${label}`);
    else if (difference.upper >= 0) {
      warnings.push(
        `${chosen.method === "raw" ? "the raw score" : chosen.method}'s lead over ${label} is within chance`,
      );
    }
  }
  return warnings;
}

import { firstWhere } from "../../stats/ranks/sorted-order.js";
import type { CalibrationModel, IsotonicModel, MultinomialModel, PdsModel } from "./calibration-model.js";
import { clippedLog, FEATURES, INPUT, INPUTS, loadColumns, loadRow, writeFeatures } from "./features.js";
import { type EstimatedPrior, estimatePrior, priorFactors, reweightOdds } from "./prior-shift.js";
import type { ScoreColumns, ScoreRow } from "./score-columns.js";

type ShiftableModel = Exclude<CalibrationModel, PdsModel>;

/** The model with its odds moved from the class mix it was fitted on to another: three shares (levels) or two (defensible, indefensible). */
export function withPrior<M extends ShiftableModel>(
  model: M,
  prior: { fitted: readonly number[]; deployed: readonly number[] },
): M {
  priorFactors(prior, 2);
  return { ...model, prior: { fitted: [...prior.fitted], deployed: [...prior.deployed] } };
}

/**
 * The class mix in unlabelled audits, by EM on the model's probabilities (without any shift it already has): three shares if the model separates
 * the levels, otherwise two. Null if no row can be scored.
 */
export function deployedPrior(
  model: ShiftableModel,
  columns: ScoreColumns,
  fittedLevels: readonly number[],
): EstimatedPrior | null {
  const levels = new Float64Array(3 * columns.n);
  const rows = Int32Array.from({ length: columns.n }, (_, i) => i);
  const score = compileCalibration({ ...model, prior: undefined }).rows(columns, rows, levels);
  return priorOfScores({ score, levels }, fittedLevels);
}

/** The same from existing scores: P(defensible) of each row, and its three level probabilities (NaN if the model has none). */
export function priorOfScores(
  { score, levels }: { score: Float64Array; levels: Float64Array },
  fittedLevels: readonly number[],
): EstimatedPrior | null {
  const scored = score.findIndex((p) => !Number.isNaN(p));
  if (scored < 0) return null;
  if (!Number.isNaN(levels[3 * scored]!)) return estimatePrior(levels, fittedLevels);
  const pairs = new Float64Array(2 * score.length);
  for (let i = 0; i < score.length; i += 1) {
    pairs[2 * i] = score[i]!;
    pairs[2 * i + 1] = 1 - score[i]!;
  }
  const [first = 0, second = 0, third = 0] = fittedLevels;
  return estimatePrior(pairs, fittedLevels.length === 3 ? [first + second, third] : fittedLevels);
}

/** A calibration prepared for many rows: its parameters are unpacked once. */
export interface CompiledCalibration {
  /** P(defensible), or null where a needed input is absent. */
  defensible(row: ScoreRow): number | null;
  levels(row: ScoreRow): [number, number, number] | null;
  /** P(defensible) of every row, NaN where absent. */
  columns(columns: ScoreColumns): Float64Array;
  /** P(defensible) of the given rows. If `levels` is passed, it is filled with three level probabilities per row (NaN where the model has none). */
  rows(columns: ScoreColumns, rows: Int32Array, levels?: Float64Array): Float64Array;
}

/** Unpacks a model. Use it instead of `applyCalibration` when rows are scored one by one. */
export function compileCalibration(model: CalibrationModel): CompiledCalibration {
  const scorer: Scorer = createScorer(model);
  const input = new Float64Array(INPUTS);
  return {
    defensible(row) {
      loadRow(row, input);
      const score = scorer.score(input);
      return Number.isNaN(score) ? null : score;
    },
    levels(row) {
      if (!scorer.levels) return null;
      loadRow(row, input);
      if (Number.isNaN(scorer.score(input))) return null;
      const [p1, p2, p3] = scorer.levels;
      return [p1!, p2!, p3!];
    },
    columns(columns) {
      const scores = new Float64Array(columns.n);
      for (let i = 0; i < columns.n; i += 1) {
        loadColumns(columns, i, input);
        scores[i] = scorer.score(input);
      }
      return scores;
    },
    rows(columns, rows, levels) {
      const scores = new Float64Array(rows.length);
      for (let r = 0; r < rows.length; r += 1) {
        loadColumns(columns, rows[r]!, input);
        scores[r] = scorer.score(input);
        if (!levels) continue;
        for (let k = 0; k < 3; k += 1) levels[3 * r + k] = scorer.levels ? scorer.levels[k]! : Number.NaN;
      }
      return scores;
    },
  };
}

/** Scores cleaned inputs. `levels` holds the level probabilities of the last row scored, null for models without them. */
interface Scorer {
  score(input: Float64Array): number;
  levels: Float64Array | null;
}

/** The formula of a model as a function of one row's inputs. */
function createScorer(model: CalibrationModel): Scorer {
  switch (model.kind) {
    case "pds":
      return { score: pdsOf(model), levels: null };
    case "raw":
      return ofLevels(model, (input, z) => {
        for (let k = 0; k < 3; k += 1) z[k] = input[k]!;
      });
    case "temperature": {
      const levels = ofLogits(model, (input, z) => {
        for (let k = 0; k < 3; k += 1) z[k] = clippedLog(input[k]!) / model.temperature;
      });
      // A model fitted to two classes does not separate levels 1 and 2.
      return model.target === "levels" ? levels : { score: levels.score, levels: null };
    }
    case "vector":
      return ofLogits(model, (input, z) => {
        for (let k = 0; k < 3; k += 1) z[k] = model.scale[k]! * clippedLog(input[k]!) + model.bias[k]!;
      });
    case "platt": {
      const { slope, intercept } = model;
      return ofOdds(model, (input) => slope * (logDefensible(input) - clippedLog(input[INPUT.p3]!)) + intercept);
    }
    case "beta": {
      const { a, b, c } = model;
      return ofOdds(model, (input) => a * logDefensible(input) - b * clippedLog(input[INPUT.p3]!) + c);
    }
    case "isotonic":
      return { score: shifted(model, isotonicOf(model)), levels: null };
    case "multinomial":
      return multinomialOf(model);
  }
}

type Shifted = Exclude<CalibrationModel, PdsModel>;

function logDefensible(input: Float64Array): number {
  return clippedLog(input[INPUT.p1]! + input[INPUT.p2]!);
}

/** A binary model with its prior shift. */
function shifted(model: Shifted, score: (input: Float64Array) => number): (input: Float64Array) => number {
  if (!model.prior) return score;
  const factors = priorFactors(model.prior, 2);
  return (input) => reweightOdds(score(input), factors);
}

function ofOdds(model: Shifted, logit: (input: Float64Array) => number): Scorer {
  return { score: shifted(model, (input) => 1 / (1 + Math.exp(-logit(input)))), levels: null };
}

/** Scorer of a model that writes unnormalised level probabilities. */
function ofLevels(model: Shifted, write: (input: Float64Array, z: Float64Array) => void): Scorer {
  const levels = new Float64Array(3);
  const factors = model.prior ? priorFactors(model.prior, 3) : Float64Array.of(1, 1, 1);
  const score = (input: Float64Array): number => {
    write(input, levels);
    const p1 = levels[0]! * factors[0]!;
    const p2 = levels[1]! * factors[1]!;
    const p3 = levels[2]! * factors[2]!;
    const total = p1 + p2 + p3;
    levels[0] = p1 / total;
    levels[1] = p2 / total;
    levels[2] = p3 / total;
    return (p1 + p2) / total;
  };
  return { score, levels };
}

function ofLogits(model: Shifted, write: (input: Float64Array, z: Float64Array) => void): Scorer {
  return ofLevels(model, (input, z) => {
    write(input, z);
    const most = Math.max(z[0]!, z[1]!, z[2]!);
    for (let k = 0; k < 3; k += 1) z[k] = Math.exp(z[k]! - most);
  });
}

function pdsOf({ weights }: PdsModel): (input: Float64Array) => number {
  const entropy = weights.component === "h_w" ? INPUT.weightBits : INPUT.citationBits;
  return (input) =>
    Math.exp(
      weights.alpha * input[INPUT.lambdaNats]! -
        weights.beta * input[entropy]! -
        weights.gamma * input[INPUT.inverseYesProb]!,
    );
}

function isotonicOf({ x, y }: IsotonicModel): (input: Float64Array) => number {
  const from = Float64Array.from(x);
  const to = Float64Array.from(y);
  const last = from.length - 1;
  return (input) => {
    const p = input[INPUT.p1]! + input[INPUT.p2]!;
    if (Number.isNaN(p)) return Number.NaN;
    if (p <= from[0]!) return to[0]!;
    if (p >= from[last]!) return to[last]!;
    const high = firstWhere(1, last, (k) => from[k]! > p);
    const low = high - 1;
    const share = (p - from[low]!) / (from[high]! - from[low]!);
    return to[low]! + share * (to[high]! - to[low]!);
  };
}

function multinomialOf(model: MultinomialModel): Scorer {
  const { features, mean, sd, bias } = model;
  const places = Int32Array.from(features, (name) => FEATURES.indexOf(name));
  const d = places.length;
  // Standardisation is folded into the weights: one product per feature.
  const rows = model.weights.map((row) => Float64Array.from(row, (weight, j) => weight / sd[j]!));
  const intercepts = rows.map((row, k) => row.reduce((sum, weight, j) => sum - weight * mean[j]!, bias[k]!));
  const all = new Float64Array(FEATURES.length);
  const logit = (k: number): number => {
    const row = rows[k]!;
    let z = intercepts[k]!;
    for (let j = 0; j < d; j += 1) z += row[j]! * all[places[j]!]!;
    return z;
  };
  // A row without probabilities has no score, even if the model dropped every feature derived from them.
  const probable = (input: Float64Array): number => (Number.isNaN(input[INPUT.p1]!) ? Number.NaN : 0);
  if (model.target === "binary") {
    return ofOdds(model, (input) => {
      writeFeatures(input, all);
      return logit(0) + probable(input);
    });
  }
  return ofLogits(model, (input, z) => {
    writeFeatures(input, all);
    for (let k = 0; k < 3; k += 1) z[k] = logit(k) + probable(input);
  });
}

import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { CalibrationModel } from "./calibration-model.js";
import type { CalibrationChoice } from "./choose-calibration.js";
import { compileCalibration } from "./compile-calibration.js";
import { groupedMean, levelLogLosses, logLosses } from "./errors/score-cells.js";
import { type FeatureName, targetsOf } from "./features.js";
import { crossValidate, isTwoClass, type OutOfFold, twoClassColumns } from "./fit/methods.js";
import { isTrainable, sampleRows } from "./folds.js";
import type { ScoreColumns } from "./score-columns.js";

/** Above this number of rows a seeded sample is refitted. */
const WORTH_ROWS = 20_000;

/** Features that are left out together because they carry the same information. `entropy` overlaps with the two before it. */
export const FEATURE_GROUPS = {
  level_probs: ["log_p1_p3", "log_p2_p3"],
  inverse_check: ["inverse_log_odds"],
  h_weight: ["h_weight_bits"],
  h_citation: ["h_citation_bits"],
  entropy: ["h_weight_bits", "h_citation_bits"],
  level_map: ["map_level_2", "map_level_3"],
  decision: ["positive"],
} as const satisfies Record<string, readonly FeatureName[]>;

export type FeatureGroup = keyof typeof FEATURE_GROUPS;

/** Held-out loss without a group of features minus that with all of them, nats per case: above 0 the group helps. */
export interface FeatureWorth {
  group: FeatureGroup;
  features: readonly FeatureName[];
  /** For the three levels: −ln P(level). */
  level_log_loss: Estimate;
  /** For defensible or not: −ln P(y), the loss by which methods are chosen. */
  log_loss: Estimate;
}

export interface FeatureWorths {
  /** Rows refitted, and the rows that the calibration was fitted on. */
  n: number;
  of: number;
  drop_one: FeatureWorth[];
}

/**
 * What each feature is worth to the multinomial model: how much worse the model predicts communities it was not fitted on, when refitted without
 * the feature.
 *
 * Formula: mean of ℓ_i(without) − ℓ_i(all), ℓ from models of the same folds; label weights and the interval over communities as in `groupedMean`.
 * Range: any; near 0 for a feature that adds no information to the others, and slightly below 0 for noise.
 * Undefined when: the multinomial model was not fitted: null. If a group has none of its features or they never vary, if folds are of single rows,
 * or if a sample has too few rows of a class: undefined with that reason. Two-class targets have no loss for the levels.
 * Differs from the paper: the paper reads the worth of entropy from its weight in S, which has one sign and a target of two classes.
 * @see docs/calibration.md
 */
export function featureWorth(
  columns: ScoreColumns,
  choice: Pick<CalibrationChoice, "candidates" | "features" | "folds" | "rowFold" | "seed" | "target">,
  maxRows = WORTH_ROWS,
): FeatureWorths | null {
  if (!choice.candidates.some(({ method, reason }) => method === "multinomial" && reason === null)) return null;
  const all = Int32Array.from(choice.rowFold.keys()).filter((row) => choice.rowFold[row] !== -1);
  const rows = sampleRows(columns, all, maxRows, choice.seed);
  const fold = rows.map((row) => choice.rowFold[row]!);
  const { level, defensible, weight } = targetsOf(columns, rows);
  const community = rows.map((row) => columns.community[row]!);
  const used = choice.features.used;
  const { target } = choice;

  const refit = (features: readonly FeatureName[]): OutOfFold =>
    crossValidate("multinomial", columns, rows, { fold, count: choice.folds.count }, { target, features, dropped: [] });
  const lossesOf = ({ score, levels }: OutOfFold) => ({
    level: target === "levels" ? levelLogLosses(levels, level) : null,
    binary: logLosses(score, defensible),
  });

  const impossible = whyNoFolds(choice, fold, target === "levels" ? level : defensible);
  const full = impossible === null ? refit(used) : null;
  const before = full && lossesOf(full);
  const varying = new Set(full?.models.flatMap((model) => (model.kind === "multinomial" ? model.features : [])));
  const worthOf = (group: FeatureGroup): FeatureWorth => {
    const features = FEATURE_GROUPS[group];
    const reason = impossible ?? whyAbsent(features, choice.features.dropped, varying);
    if (reason !== null || !before) {
      const undefinedWorth = undefinedEstimate(reason ?? "");
      return { group, features, level_log_loss: undefinedWorth, log_loss: undefinedWorth };
    }
    const after = lossesOf(refit(used.filter((name) => !(features as readonly FeatureName[]).includes(name))));
    const change = (without: Float64Array, withAll: Float64Array) =>
      groupedMean(
        without.map((loss, i) => loss - withAll[i]!),
        community,
        weight,
      );
    return {
      group,
      features,
      level_log_loss:
        after.level && before.level
          ? change(after.level, before.level)
          : undefinedEstimate("the labels do not tell three levels apart"),
      log_loss: change(after.binary, before.binary),
    };
  };
  return { n: rows.length, of: all.length, drop_one: (Object.keys(FEATURE_GROUPS) as FeatureGroup[]).map(worthOf) };
}

function whyNoFolds(
  { folds, target }: Pick<CalibrationChoice, "folds" | "target">,
  fold: Int32Array,
  label: Uint8Array,
): string | null {
  if (folds.by === "row") return "folds are of single rows: there are too few communities to leave out whole ones";
  const complete = new Set(label).size === (target === "levels" ? 3 : 2);
  return complete && isTrainable(fold, folds.count, label) ? null : "the sample has too few rows of a class";
}

/** A group counts as absent if any of its features was dropped: without that feature it would be a different group. */
function whyAbsent(
  features: readonly FeatureName[],
  dropped: CalibrationChoice["features"]["dropped"],
  varying: ReadonlySet<FeatureName>,
): string | null {
  const absent = dropped.find(({ feature }) => features.includes(feature));
  if (absent) return `${absent.feature} is ${absent.reason}`;
  return features.some((name) => varying.has(name)) ? null : "the same on every row fitted";
}

/** Rows, with a model that was not fitted on any of their decisions. */
export interface UnseenPart {
  model: CalibrationModel;
  rows: Int32Array;
}

export interface UnseenParts {
  parts: UnseenPart[];
  /** Rows whose decision was used for fitting; null: unknown, because one side does not list its decisions. */
  overlap: number | null;
}

/** The decision ids of rows, in their order; null if unknown. */
export type RowIds = readonly string[] | null | undefined;

/**
 * Divides the rows used to evaluate a calibration by the model that may score them: the model itself for decisions it was not fitted on; for the
 * others, audited a second time, the model of the fold that left them out. A decision that was in several folds has been used by every model and
 * belongs to no part.
 */
export function unseenParts(
  choice: Pick<CalibrationChoice, "model" | "rowFold" | "foldModels">,
  fitted: RowIds,
  { n, ids }: { n: number; ids: RowIds },
): UnseenParts {
  const { model, rowFold, foldModels } = choice;
  const every = Int32Array.from({ length: n }, (_, i) => i);
  if (!fitted || !ids) return { parts: [{ model, rows: every }], overlap: null };
  const folds = new Map<string, number>();
  for (let i = 0; i < rowFold.length; i += 1) {
    const fold = rowFold[i]!;
    if (fold < 0) continue;
    const before = folds.get(fitted[i]!);
    folds.set(fitted[i]!, before === undefined || before === fold ? fold : SEVERAL);
  }
  const part = Int32Array.from(ids, (id) => folds.get(id) ?? NOT_FITTED);
  const parts = [{ model, rows: every.filter((i) => part[i] === NOT_FITTED) }];
  for (const [fold, without] of foldModels.entries()) {
    parts.push({ model: without, rows: every.filter((i) => part[i] === fold) });
  }
  return {
    parts: parts.filter(({ rows }) => rows.length > 0),
    overlap: n - part.filter((p) => p === NOT_FITTED).length,
  };
}

const NOT_FITTED = -1;
const SEVERAL = -2;

/** P(defensible) of each row, NaN where absent, and three level probabilities per row, NaN where the model has none. */
export function scoreParts(
  parts: readonly UnseenPart[],
  columns: ScoreColumns,
): { score: Float64Array; levels: Float64Array } {
  const score = new Float64Array(columns.n).fill(Number.NaN);
  const levels = new Float64Array(3 * columns.n).fill(Number.NaN);
  const sums = parts.some(({ model }) => isTwoClass(model)) ? twoClassColumns(columns) : columns;
  for (const { model, rows } of parts) {
    const partLevels = new Float64Array(3 * rows.length);
    const partScore = compileCalibration(model).rows(isTwoClass(model) ? sums : columns, rows, partLevels);
    for (let r = 0; r < rows.length; r += 1) {
      score[rows[r]!] = partScore[r]!;
      if (!Number.isNaN(partScore[r]!)) levels.set(partLevels.subarray(3 * r, 3 * r + 3), 3 * rows[r]!);
    }
  }
  return { score, levels };
}

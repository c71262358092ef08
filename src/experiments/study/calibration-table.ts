import type { LoadedArm } from "../../app/report/choose-target.js";
import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { evaluateScore } from "../../measures/calibration/errors/evaluate-score.js";
import {
  defensibleTargets,
  type EntropyComponent,
  type PaperDesign,
  paperDesign,
  paperScores,
} from "../../measures/calibration/paper/design.js";
import { fitPaper, type PaperFit } from "../../measures/calibration/paper/fit-paper.js";
import { fitSimplex } from "../../measures/calibration/paper/fit-simplex.js";
import { type ScoreColumns, selectRows } from "../../measures/calibration/score-columns.js";
import { shareEstimate } from "../../measures/metrics/indices.js";
import type { Weights } from "../../measures/signals/weights.js";
import { createRng, type Rng } from "../../stats/random/create-rng.js";
import { bootstrapEstimate, stratifiedBootstrap } from "../../stats/resampling/stratified-bootstrap.js";
import { meanWhere, pairUp } from "../signal/signals.js";
import type { Found } from "./values.js";

/** The paper's fit on one cohort. */
export interface PaperCalibration {
  /** null: nothing could be fitted, `reason` says why. */
  weights: Weights | null;
  reason: string | null;
  h_w: FittedWeights | null;
  h_kappa: FittedWeights | null;
  /** Calibration error of S on the rows that it was fitted on. */
  ece: Found;
}

/** A row of the paper's table of held-out calibration. */
export interface HeldOutRow {
  temperature: number;
  extracted: Estimate;
  ece: Found;
  s_all: Estimate;
  s_defensible: Estimate;
  s_indefensible: Estimate;
  di: Estimate;
}

export interface DrawSettings {
  seed: number;
  draws: number;
}

/** The paper's weights with H[w], those with H[κ], and the error of S on the fitted rows, with the auditor's own level as target. */
export function paperCalibration(columns: ScoreColumns, { seed, draws }: DrawSettings): PaperCalibration {
  const fits = { h_w: fitPaper(columns, { component: "h_w" }), h_kappa: fitPaper(columns, { component: "h_kappa" }) };
  const reason = whyNot(fits.h_w);
  const rng = createRng(seed);
  const intervals = (component: "h_w" | "h_kappa") =>
    whyNot(fits[component]) === null ? weightIntervals(columns, component, { rng: rng.fork(component), draws }) : null;
  if (reason !== null) {
    const ece = undefinedEstimate(reason, columns.n);
    return { weights: null, reason, h_w: null, h_kappa: intervals("h_kappa"), ece };
  }
  const { weights: found, loss, n } = fits.h_w;
  const weights = { ...found, component: "h_w" as const, calibrated: true, loss, n_samples: n };
  const ece = errorOf(columns, weights, seed);
  return { weights, reason: null, h_w: intervals("h_w"), h_kappa: intervals("h_kappa"), ece };
}

/** Rows of a single class fit any weights. */
function whyNot({ reason, n, n_defensible, n_indefensible }: PaperFit): string | null {
  if (reason !== null) return reason;
  return n_defensible > 0 && n_indefensible > 0 ? null : `all ${n} rows are of one class`;
}

/** S with weights fitted elsewhere, at one temperature. */
export function heldOutRow(
  { columns, attempted, temperature }: LoadedArm,
  weights: Weights,
  settings: DrawSettings,
): HeldOutRow {
  const s = paperScores(columns, weights);
  const mean = (of: (row: number) => boolean) =>
    meanWhere(
      pairUp(s, (i) => (of(i) ? 1 : 0), columns),
      1,
      1,
      "no such row has S",
    );
  const isDefensible = (row: number) => columns.level[row] !== 3;
  const withS = (k: (row: number) => boolean) => byCommunity(columns, (i) => !Number.isNaN(s[i]!), k);
  const extracted = withS(() => true).reduce((sum, { n }) => sum + n, 0);
  return {
    temperature: temperature!,
    // Over all audits. Those without a verdict have no community here, so rows count as independent.
    extracted: shareEstimate([{ k: extracted, n: attempted }], "no audits"),
    ece: errorOf(columns, weights, settings.seed),
    s_all: mean(() => true),
    s_defensible: mean(isDefensible),
    s_indefensible: mean((row) => !isDefensible(row)),
    di: shareEstimate(withS(isDefensible), "no row has S"),
  };
}

function byCommunity(columns: ScoreColumns, counts: (row: number) => boolean, k: (row: number) => boolean) {
  const cells = columns.communities.map(() => ({ k: 0, n: 0 }));
  for (let i = 0; i < columns.n; i += 1) {
    if (!counts(i)) continue;
    const cell = cells[columns.community[i]!]!;
    cell.n += 1;
    if (k(i)) cell.k += 1;
  }
  return cells;
}

/** Equal-frequency calibration error of S against the level of the same answer, with an interval over communities. */
function errorOf(columns: ScoreColumns, weights: Weights, seed: number): Found {
  const scores = paperScores(columns, weights);
  const targets = defensibleTargets(columns.level);
  const { n, ece, intervals } = evaluateScore(scores, targets, { seed, draws: 0, clusters: columns.community });
  const { value } = ece.equal_frequency;
  if (value === null) return undefinedEstimate("no row has S", n);
  const interval = intervals?.ece;
  // There is one community, or too many, or no community changes the error.
  if (!interval) return { plain: value, n };
  const { lower, upper } = interval;
  return { estimate: value, lower, upper, level: CONFIDENCE_LEVEL, method: "jackknife of communities, t", n };
}

export interface FittedWeights {
  alpha: Estimate;
  beta: Estimate;
  gamma: Estimate;
  loss: Estimate;
}

type Part = Pick<PaperDesign, "n" | "ones" | "sumOfOnes" | "zeros">;

/**
 * The paper's weights of S with intervals: whole communities are resampled and the fit is repeated. A community's contributions to the loss
 * (see `PaperDesign`) are additive, so each row is read once.
 */
export function weightIntervals(
  columns: ScoreColumns,
  component: EntropyComponent,
  { rng, draws }: { rng: Rng; draws: number },
): FittedWeights {
  const parts = communityDesigns(columns, component);
  const n = parts.reduce((sum, part) => sum + part.n, 0);
  const found = stratifiedBootstrap(
    new Uint8Array(parts.length),
    (copies) => {
      const drawn = joined(parts, copies);
      if (drawn.n === 0) return [null, null, null, null];
      const { weights, loss } = fitSimplex(drawn);
      return [weights[0]!, weights[1]!, weights[2]!, loss];
    },
    { rng, draws },
  );
  const [alpha, beta, gamma, loss] = found.map((one) => bootstrapEstimate(one, n, "nothing could be fitted"));
  return { alpha: alpha!, beta: beta!, gamma: gamma!, loss: loss! };
}

function communityDesigns(columns: ScoreColumns, component: EntropyComponent): Part[] {
  const rows: number[][] = columns.communities.map(() => []);
  for (let i = 0; i < columns.n; i += 1) rows[columns.community[i]!]!.push(i);
  return rows
    .filter((own) => own.length > 0)
    .map((own) => paperDesign(selectRows(columns, Int32Array.from(own)), component));
}

function joined(parts: readonly Part[], copies: Float64Array): Part {
  let [n, ones, length] = [0, 0, 0];
  const sumOfOnes = new Float64Array(3);
  parts.forEach((part, i) => {
    const times = copies[i]!;
    n += times * part.n;
    ones += times * part.ones;
    length += times * part.zeros.length;
    for (let j = 0; j < 3; j += 1) sumOfOnes[j]! += times * part.sumOfOnes[j]!;
  });
  const zeros = new Float64Array(length);
  let at = 0;
  parts.forEach((part, i) => {
    for (let time = 0; time < copies[i]!; time += 1) {
      zeros.set(part.zeros, at);
      at += part.zeros.length;
    }
  });
  return { n, ones, sumOfOnes, zeros };
}

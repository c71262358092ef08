import type { TemperatureRow } from "../../measures/calibration/candidate-result.js";
import { evaluateScore } from "../../measures/calibration/errors/evaluate-score.js";
import { defensibleTargets, paperScores } from "../../measures/calibration/paper/design.js";
import type { SignalWeights } from "./evaluate-calibration.js";
import type { LoadedArm, LoadedScores } from "./load-scores.js";

/** P(defensible) of an arm's rows by models that did not see their decisions; null: S alone is measured. */
type ArmScores = ((arm: LoadedArm) => Float64Array) | null;

/** One row a temperature, coldest first; none where there is only one. @see paper Table "Held-out ECE" */
export function temperatureRows(
  { main, temperatures }: LoadedScores,
  weights: SignalWeights,
  scoreArm: ArmScores,
  settings: { seed: number; draws: number },
): TemperatureRow[] {
  if (temperatures.length === 0) return [];
  const arms = [main, ...temperatures].sort((a, b) => (a.temperature ?? -1) - (b.temperature ?? -1));
  return arms.map((arm) => temperatureRow(arm, weights, scoreArm?.(arm) ?? null, settings));
}

function temperatureRow(
  { arm, temperature, attempted, columns }: LoadedArm,
  weights: SignalWeights,
  score: Float64Array | null,
  { seed, draws }: { seed: number; draws: number },
): TemperatureRow {
  const y = defensibleTargets(columns.targetLevel ?? new Uint8Array(columns.n));
  const s = paperScores(columns, weights);
  const options = { seed, draws, weights: columns.targetWeight };
  const pds = evaluateScore(s, y, options);
  const own = score ? evaluateScore(score, y, options) : null;
  let extracted = 0;
  for (const score of s) if (!Number.isNaN(score)) extracted++;
  return {
    arm,
    temperature,
    n: pds.n,
    skipped: attempted - extracted,
    extraction_rate: attempted === 0 ? null : extracted / attempted,
    ece: pds.ece.equal_frequency.value,
    ece_null_95: pds.ece.equal_frequency.null_95,
    mean_pds: pds.mean_score,
    defensible_rate: defensibleRate(s, y, columns.targetWeight),
    calibrated: own && {
      ece: own.ece.equal_frequency.value,
      ece_null_95: own.ece.equal_frequency.null_95,
      log_loss: own.log_loss.value,
    },
  };
}

/** Share of defensible targets among the rows with S, weighted as they were drawn. */
function defensibleRate(s: Float64Array, y: Uint8Array, weights: Float64Array | undefined): number | null {
  let [defensible, all] = [0, 0];
  for (let i = 0; i < y.length; i += 1) {
    if (Number.isNaN(s[i]!) || y[i]! > 1) continue;
    const w = weights ? weights[i]! : 1;
    defensible += w * y[i]!;
    all += w;
  }
  return all === 0 ? null : defensible / all;
}

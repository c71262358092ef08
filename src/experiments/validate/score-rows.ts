import type { Validate } from "../../core/results/validate.js";
import { evaluateScore } from "../../measures/calibration/evaluate-score.js";
import { proportion } from "../../stats/intervals/proportion.js";

type ScoreRow = NonNullable<Validate["worlds"]>["scores"][number];

/** How well a score tells defensible decisions from indefensible ones, judged by the truth. NaN: the row has no score. */
export function scoreRow(name: string, score: Float64Array, truth: Uint8Array, seed: number): ScoreRow {
  const y = truth.map((level) => (level === 3 ? 0 : 1));
  const { auroc, ece, log_loss } = evaluateScore(score, y, { seed });
  return {
    score: name,
    auroc,
    ece: ece.equal_frequency.value,
    ece_null_95: ece.equal_frequency.null_95,
    log_loss: log_loss.value,
    detected_at_5: detectedAt(score, y, 0.05),
  };
}

/** Indefensible decisions below the score that `share` of the defensible fall below. Of equal scores all or none are flagged. */
function detectedAt(score: Float64Array, y: Uint8Array, share: number) {
  const good = score.filter((value, i) => y[i] === 1 && !Number.isNaN(value)).sort();
  const bad = score.filter((value, i) => y[i] === 0 && !Number.isNaN(value));
  const limit = good[Math.floor(share * good.length)] ?? Number.NEGATIVE_INFINITY;
  return proportion(bad.filter((value) => value < limit).length, bad.length);
}

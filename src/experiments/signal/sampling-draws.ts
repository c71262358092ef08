import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { meanOf } from "../../stats/intervals/mean-estimate.js";
import { auroc } from "../../stats/ranks/auroc.js";
import type { SamplingComparison } from "./result.js";
import { matching, spanOf, temperedLevel3, UNKNOWN_SPACE } from "./sampling.js";

/** Decisions that one run read probabilities of, and another drew samples of. */
interface DrawnPairs {
  p1: Float64Array;
  p2: Float64Array;
  p3: Float64Array;
  /** 1: the probabilities are those at temperature 1; 0: not known. */
  unitSpace: Uint8Array;
  /** Smoothed share of level 3 among the draws, (k + ½)/(K + 3⁄2), and K. */
  drawn: Float64Array;
  draws: Float64Array;
  /** Temperature of the draws; null where it is not known. */
  temperature: number | null;
}

const NO_ROWS = "no decision has both probabilities and two draws";
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const;

/**
 * The same comparison where draws were kept as frequencies: a run with signal `sampling` next to one with signal `logprobs`.
 *
 * f = k/K. Error of one pass: (p − f)² − f(1−f)/(K−1). Error of K' samples: f(1−f)/K' · K/(K−1), the binomial variance, since single draws are
 * not kept. Both unbiased for the error against the rate behind f. Decisions with fewer than two draws say nothing.
 */
export function compareDraws(name: string, pairs: DrawnPairs): SamplingComparison {
  const rows: { f: number; k: number; raw: number; tempered: number }[] = [];
  const unknown = pairs.p3.length > 0 && !pairs.unitSpace.includes(1);
  const tempered = pairs.temperature === null || unknown ? null : temperedLevel3(pairs, pairs.temperature);
  for (let i = 0; i < pairs.p3.length; i++) {
    const k = pairs.draws[i]!;
    if (!(k >= 2) || Number.isNaN(pairs.p3[i]!)) continue;
    const count = Math.round(pairs.drawn[i]! * (k + 1.5) - 0.5);
    rows.push({ f: count / k, k, raw: pairs.p3[i]!, tempered: tempered?.[i] ?? Number.NaN });
  }
  const noise = (f: number, k: number) => (f * (1 - f)) / (k - 1);
  const error = (of: "raw" | "tempered") => {
    const kept = rows.filter((row) => !Number.isNaN(row[of]));
    return meanOf(
      kept.map((row) => (row[of] - row.f) ** 2 - noise(row.f, row.k)),
      NO_ROWS,
    );
  };
  const binomial = meanOf(
    rows.map(({ f, k }) => noise(f, k) * k),
    NO_ROWS,
  );
  const best = tempered
    ? error("tempered")
    : unknown && rows.length > 0
      ? undefinedEstimate(UNKNOWN_SPACE, rows.length)
      : error("raw");
  const frequency = STEPS.filter((samples) => rows.some(({ k }) => k >= samples)).map((samples) => ({
    samples,
    decisions: rows.length,
    mse: scaled(binomial, 1 / samples),
    auroc: undefinedEstimate("single draws are not kept", rows.length),
  }));
  const scores = (indefensible: boolean) =>
    rows.filter(({ f }) => f > 0.5 === indefensible).map((row) => (tempered ? row.tempered : row.raw));
  return {
    name,
    temperature: pairs.temperature,
    decisions: rows.length,
    reference_replicates: spanOf(rows.map(({ k }) => k)),
    method: "binomial variance of draws",
    logprob: {
      raw_mse: error("raw"),
      tempered_mse: tempered
        ? error("tempered")
        : undefinedEstimate(unknown ? UNKNOWN_SPACE : "the draws do not say one temperature", rows.length),
      auroc: auroc(scores(true), scores(false)),
    },
    frequency,
    ...matching(best, frequency, binomial.estimate ?? 0),
  };
}

function scaled(estimate: Estimate, factor: number): Estimate {
  if (estimate.estimate === null) return estimate;
  const { estimate: value, lower, upper } = estimate;
  return { ...estimate, estimate: value * factor, lower: lower * factor, upper: upper * factor };
}

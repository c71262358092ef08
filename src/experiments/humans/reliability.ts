import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { intraclassCorrelation } from "../../stats/ranks/intraclass-correlation.js";
import { caseMeans, krippendorffAlpha, type RatingScale, type Ratings } from "../../stats/ranks/raters.js";
import { spearman } from "../../stats/ranks/spearman.js";
import { clusterBootstrap, twoWayBootstrap } from "../../stats/resampling/cluster-bootstrap.js";
import type { Humans } from "./result.js";

interface CorrelationInputs {
  /** The auditor's signal for each case; null: it has none. */
  signal: readonly (number | null)[];
  ratings: Ratings;
  /** Reliability of the mean rating; null: unknown. */
  reliability: number | null;
  rng: Rng;
  draws: number;
  /** The same correlation over the run that the cases were drawn from; null: they were not drawn from it. */
  ofRun: Estimate | null;
}

type Correlation = Humans["correlations"][number];

/**
 * Rank correlation of a signal with the mean rating. n is the number of cases, however many raters there were; the second interval
 * resamples both cases and raters.
 */
export function ratingCorrelation(name: string, inputs: CorrelationInputs): Correlation {
  const { ratings, reliability } = inputs;
  const means = caseMeans(ratings);
  const usable = [...means.keys()].filter((c) => !Number.isNaN(means[c]!) && inputs.signal[c] !== null);
  const signal = usable.map((c) => inputs.signal[c]!);
  const whole = spearman(
    signal,
    usable.map((c) => means[c]!),
  );
  const two_way = twoWayBootstrap(
    usable.length,
    ratings.raters,
    (caseWeights, raterWeights) => {
      const drawn = caseMeans(ratings, raterWeights);
      const x: number[] = [];
      const y: number[] = [];
      for (let i = 0; i < usable.length; i++) {
        const mean = drawn[usable[i]!]!;
        if (Number.isNaN(mean)) continue;
        for (let copy = 0; copy < caseWeights[i]!; copy++) {
          x.push(signal[i]!);
          y.push(mean);
        }
      }
      return spearman(x, y).estimate;
    },
    { rng: inputs.rng, draws: inputs.draws },
  );
  return {
    signal: name,
    of_run: inputs.ofRun,
    spearman: { ...whole },
    two_way: whole.estimate === null || two_way === null ? null : { ...two_way },
    disattenuated: whole.estimate === null || !reliability ? null : whole.estimate / Math.sqrt(reliability),
  };
}

interface Draws {
  rng: Rng;
  draws: number;
}

/** How far the raters agree with each other, which no auditor can be expected to exceed. */
export function raterReliability(
  defensibility: Ratings,
  inverse: Ratings,
  { rng, draws }: Draws,
): Humans["reliability"] {
  const icc = intraclassCorrelation(defensibility);
  const over = (name: string) => ({ rng: rng.fork(name), draws });
  const correlation = (kind: "single" | "average") =>
    overCases(
      defensibility,
      (ratings) => intraclassCorrelation(ratings)?.[kind] ?? null,
      `ICC(2,${kind === "single" ? 1 : "k"})`,
      over(kind),
    );
  return {
    krippendorff_level: alphaEstimate(defensibility, "ordinal", over("level")),
    krippendorff_inverse: alphaEstimate(inverse, "nominal", over("inverse")),
    icc_single: correlation("single"),
    icc_average: correlation("average"),
    raters_per_case: icc?.k ?? null,
  };
}

function alphaEstimate(ratings: Ratings, scale: RatingScale, draws: Draws): Estimate {
  return overCases(ratings, (drawn) => krippendorffAlpha(drawn, scale), `Krippendorff's alpha, ${scale}`, draws);
}

/** A statistic of ratings, with cases drawn with replacement. */
function overCases(
  ratings: Ratings,
  statistic: (ratings: Ratings) => number | null,
  name: string,
  { rng, draws }: Draws,
): Estimate {
  const n = ratings.cases;
  const estimate = statistic(ratings);
  if (estimate === null)
    return undefinedEstimate("two cases with two ratings each that are not all alike are needed", n);
  const interval = clusterBootstrap(n, (weights) => statistic(repeated(ratings, weights)), { rng, draws });
  if (!interval) return undefinedEstimate(`${name} is undefined in most draws of ${n} cases`, n);
  const { lower, upper, level, warnings } = interval;
  const named = warnings.map((warning) => warning.replaceAll("clusters", "cases"));
  return {
    estimate,
    lower,
    upper,
    level,
    method: `${name}, cases drawn with replacement`,
    n,
    ...(named.length > 0 ? { warnings: named } : {}),
  };
}

/** Repeats each case as often as it was drawn. */
function repeated({ raters, values }: Ratings, weights: Float64Array): Ratings {
  const cases = weights.reduce((sum, weight) => sum + weight, 0);
  const drawn = new Float64Array(cases * raters);
  let at = 0;
  for (let c = 0; c < weights.length; c++) {
    for (let copy = 0; copy < weights[c]!; copy++) {
      drawn.set(values.subarray(c * raters, (c + 1) * raters), at);
      at += raters;
    }
  }
  return { cases, raters, values: drawn };
}

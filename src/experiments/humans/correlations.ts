import type { Estimate } from "../../core/estimate.js";
import type { Humans } from "../../core/results/humans.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { caseMeans, type Ratings } from "../../stats/ranks/ratings.js";
import { spearman } from "../../stats/ranks/spearman.js";
import { twoWayBootstrap } from "../../stats/resampling/two-way-bootstrap.js";

export interface CorrelationInputs {
  /** What the auditor says of each case; null: nothing. */
  signal: readonly (number | null)[];
  ratings: Ratings;
  /** Of the mean rating; null: unknown. */
  reliability: number | null;
  rng: Rng;
  draws: number;
  /** The same of the run that the cases were drawn from; null: they were not drawn from it. */
  ofRun: Estimate | null;
}

type Correlation = Humans["correlations"][number];

/**
 * Rank correlation of a signal with the mean rating. n is the number of cases, however many raters there were; the second interval draws
 * cases and raters.
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

import type { Estimate } from "../../core/estimate.js";
import { fitSimplex } from "../../measures/calibration/fit-simplex.js";
import { type EntropyComponent, type PaperDesign, paperDesign } from "../../measures/calibration/paper-design.js";
import type { ScoreColumns } from "../../measures/calibration/score-columns.js";
import { selectRows } from "../../measures/calibration/select-rows.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { bootstrapEstimate, stratifiedBootstrap } from "../../stats/resampling/stratified-bootstrap.js";

export interface FittedWeights {
  alpha: Estimate;
  beta: Estimate;
  gamma: Estimate;
  loss: Estimate;
}

type Part = Pick<PaperDesign, "n" | "ones" | "sumOfOnes" | "zeros">;

/**
 * The paper's weights of S with intervals: whole communities are drawn again and the fit repeated. What the loss needs of a community
 * (see `PaperDesign`) adds up, so that no row is looked at twice.
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

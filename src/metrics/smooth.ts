import { CONFIDENCE_LEVEL, type DefinedEstimate } from "../domain/estimate.js";
import { linearizedInterval } from "../stats/linearized-interval.js";
import { normalQuantile } from "../stats/normal-quantile.js";
import type { Tally } from "./tally.js";

/**
 * The interval of any smooth function of the cell counts, by Taylor linearisation: `influence[j]` is what one verdict in cell j adds to
 * the estimate. Rows are independent in `lower`/`upper` and clustered by community in `cluster`.
 */
export function smoothEstimate(
  theta: number,
  tallies: readonly Tally[],
  influence: Float64Array,
  n: number,
  bounds: [number, number],
): DefinedEstimate {
  const clusterSums: number[] = [];
  let rows = 0;
  let squares = 0;
  for (const tally of tallies) {
    let sum = 0;
    let size = 0;
    for (let j = 0; j < influence.length; j++) {
      const count = tally.cells[j]!;
      const value = influence[j]!;
      size += count;
      sum += count * value;
      squares += count * value * value;
    }
    rows += size;
    if (size > 0) clusterSums.push(sum);
  }
  const variance = rows > 1 ? (squares * rows) / (rows - 1) : 0;
  const half = normalQuantile((1 + CONFIDENCE_LEVEL) / 2) * Math.sqrt(variance);
  const estimate: DefinedEstimate = {
    estimate: theta,
    lower: Math.max(bounds[0], theta - half),
    upper: Math.min(bounds[1], theta + half),
    level: CONFIDENCE_LEVEL,
    method: "linearized, normal",
    n,
  };
  const cluster = linearizedInterval(theta, clusterSums, CONFIDENCE_LEVEL, bounds);
  if (cluster) {
    const g = clusterSums.length;
    const clustered = (g / (g - 1)) * clusterSums.reduce((sum, value) => sum + value ** 2, 0);
    estimate.cluster = { ...cluster, design_effect: variance > 0 ? clustered / variance : null };
  }
  return estimate;
}

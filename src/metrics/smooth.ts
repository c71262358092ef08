import { CONFIDENCE_LEVEL, type DefinedEstimate } from "../domain/estimate.js";
import { hasWidth } from "../stats/interval.js";
import { linearizedInterval } from "../stats/linearized-interval.js";
import { normalQuantile } from "../stats/normal-quantile.js";
import { squareAndAdd } from "../stats/square-and-add.js";
import { allAlikeWarning } from "./paired-difference.js";
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

/**
 * A difference of two estimates over the same verdicts, linearised. Where the verdicts, or the communities, are all alike, their spread is 0
 * and says nothing of chance: the interval is then made of those of the two, which know how many there were.
 */
export function smoothDifference(
  first: DefinedEstimate,
  second: DefinedEstimate,
  tallies: readonly Tally[],
  influence: Float64Array,
  n: number,
): DefinedEstimate {
  const linear = smoothEstimate(first.estimate - second.estimate, tallies, influence, n, [-1, 1]);
  const rows = hasWidth(linear) ? {} : { ...squareAndAdd(first, second), method: "square-and-add" };
  const { cluster, ...made } = { ...linear, ...rows };
  if (!cluster) return made;
  if (hasWidth(cluster)) return { ...made, cluster };
  if (!first.cluster || !second.cluster) return { ...made, warnings: [allAlikeWarning()] };
  const bounded = (of: DefinedEstimate) => ({
    estimate: of.estimate,
    lower: of.cluster!.lower,
    upper: of.cluster!.upper,
  });
  const bounds = squareAndAdd(bounded(first), bounded(second));
  return { ...made, cluster: { ...cluster, ...bounds, method: "square-and-add" } };
}

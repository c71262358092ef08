import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { pooledProportion } from "../../stats/intervals/pooled-proportion.js";
import { proportion } from "../../stats/intervals/proportion.js";

/** A share over communities with both intervals. */
export function shareEstimate(clusters: readonly { k: number; n: number }[], empty: string): Estimate {
  const k = clusters.reduce((sum, cluster) => sum + cluster.k, 0);
  const n = clusters.reduce((sum, cluster) => sum + cluster.n, 0);
  if (n === 0) return undefinedEstimate(empty, 0);
  const estimate = proportion(k, n);
  const cluster = pooledProportion(clusters);
  return cluster && estimate.estimate !== null ? { ...estimate, cluster } : estimate;
}

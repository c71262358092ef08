import { type ClusterInterval, CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { checkLevel, checkTrials } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";
import { studentTQuantile } from "../distributions/student-t.js";
import { clopperPearsonInterval } from "./clopper-pearson.js";

/** From this many clusters on, the logit-t interval is used. */
export const MANY_CLUSTERS = 20;

/**
 * Interval of a pooled rate whose rows come in clusters (communities, threads) and are therefore not independent. A
 * Wilson interval of such rows is too narrow by √(design effect).
 *
 * Formula: p = Σk_c / N, N = Σn_c; V = G/(G−1) Σ(k_c − p n_c)² / N²; design effect = V / (pq/N).
 * G ≥ 20, V > 0 and 0 < p < 1: logit p ± t_{G−1} √V / (pq), mapped back ("cluster-robust logit, t").
 * Otherwise: Clopper–Pearson with n* = min(N, (pq/V)(z/t_{G−1})²) trials and p n* successes ("Korn-Graubard"). When V =
 * 0 or p is 0 or 1 the variance says nothing, so n* = N (z/t_{G−1})²: a design effect of 1 before the t correction.
 * Range: within [0, 1], encloses p; design effect ≥ 0, 1 for independent rows.
 * Undefined when: fewer than two clusters with rows: null. The design effect is null when p is 0 or 1.
 * Differs from the paper: the paper treats rows as independent.
 * @see Korn and Graubard (1998), Survey Methodology 24:193-201
 * @example
 * clusteredProportion([{ k: 2, n: 4 }, { k: 3, n: 4 }, { k: 4, n: 4 }])?.design_effect // => 1.3333333333333333
 */
export function clusteredProportion(
  clusters: readonly { k: number; n: number }[],
  level = CONFIDENCE_LEVEL,
): ClusterInterval | null {
  checkLevel(level);
  const used = clusters.filter((cluster) => cluster.n !== 0);
  for (const cluster of used) checkTrials(cluster.k, cluster.n);
  const groups = used.length;
  if (groups < 2) return null;
  let successes = 0;
  let rows = 0;
  for (const cluster of used) {
    successes += cluster.k;
    rows += cluster.n;
  }
  const p = successes / rows;
  let squares = 0;
  // k_c N − K n_c is exact for counts, where k_c − p n_c leaves 1e-17 and so a spurious, tiny variance.
  for (const cluster of used) squares += ((cluster.k * rows - successes * cluster.n) / rows) ** 2;
  const variance = ((groups / (groups - 1)) * squares) / rows ** 2;
  const pq = (successes * (rows - successes)) / rows ** 2;
  const z = normalQuantile((1 + level) / 2);
  const t = studentTQuantile((1 + level) / 2, groups - 1);
  const silent = pq === 0 || variance === 0;
  const design_effect = pq === 0 ? null : (variance * rows) / pq;
  if (groups >= MANY_CLUSTERS && !silent) {
    const half = (t * Math.sqrt(variance)) / pq;
    const odds = successes / (rows - successes);
    const lower = share(odds * Math.exp(-half));
    const upper = share(odds * Math.exp(half));
    return { lower, upper, method: "cluster-robust logit, t", clusters: groups, design_effect };
  }
  const effective = Math.min(rows, (silent ? rows : pq / variance) * (z / t) ** 2);
  const { lower, upper } = clopperPearsonInterval(p * effective, effective, level);
  return { lower, upper, method: "Korn-Graubard", clusters: groups, design_effect };
}

/** Odds to probability; infinite odds are certainty. */
function share(odds: number): number {
  return odds === Infinity ? 1 : odds / (1 + odds);
}

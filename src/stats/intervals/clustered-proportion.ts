import { type ClusterInterval, CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { checkLevel, checkTrials } from "../check-arguments.js";
import { studentTQuantile } from "../distributions/incomplete-beta.js";
import { normalQuantile } from "../distributions/normal.js";
import { effectiveClusters } from "./cluster-jackknife.js";
import { clopperPearsonInterval, scoreBounds } from "./proportion.js";

/** With at least this many clusters, the logit-t interval is used. */
export const MANY_CLUSTERS = 20;

/**
 * Interval of a pooled rate whose rows come in clusters (communities, threads) and are therefore not independent. A
 * Wilson interval of such rows is too narrow by a factor of √(design effect).
 *
 * Formula: p = Σk_c / N, N = Σn_c; V = G/(G−1) Σ(k_c − p n_c)² / N²; design effect = V / (pq/N).
 * G ≥ 20, V > 0 and 0 < p < 1: logit p ± t_{G−1} √V / (pq), mapped back ("cluster-robust logit, t").
 * Otherwise: Clopper–Pearson with n* = min(N, (pq/V)(z/t_{G−1})²) trials and p n* successes ("Korn-Graubard"). When V =
 * 0 or p is 0 or 1 the variance is uninformative, so n* = N (z/t_{G−1})²: a design effect of 1 before the t correction.
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
  // k_c N − K n_c is exact for counts; k_c − p n_c would leave 1e-17 and so a spurious tiny variance.
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

/**
 * Interval of a rate pooled over clusters (communities) of unequal size; reports show this one. `clusteredProportion` assumes sizes
 * that are much alike; where one community has a third of the rows, it covers about 80 times in 100.
 *
 * Formula: p = Σk_c/N, N = Σn_c, a_c = n_c/N, p_c = k_c/n_c, G_eff = 1/Σa_c². V = max(V_J, V_M).
 * V_J = Σa_c²(p_c − p)²/(1 − a_c)², the delete-one jackknife.
 * V_M = Σa_c²(τ² + W/n_c), τ² = max(0, (B − W)/n_0), B = Σn_c(p_c − p)²/(G − 1), W = Σn_c p_c(1 − p_c)/(N − G), p(1 − p) where every cluster
 * has one row, n_0 = (N − Σn_c²/N)/(G − 1).
 * Wilson's interval with n* = p(1 − p)/V rows and t_ν for z, ν = max(1, G_eff − 1). p of 0 or 1: Clopper–Pearson with N (z/t_ν)² rows.
 * Range: within [0, 1], encloses p; design effect V/(pq/N) > 0.
 * Undefined when: fewer than two clusters with rows: null. The design effect is null when p is 0 or 1.
 * Differs from the paper: the paper treats rows as independent.
 * @see Bell and McCaffrey (2002), Survey Methodology 28:169-181; Franco et al. (2019), Journal of Survey Statistics and Methodology 7:334-364
 * @example
 * pooledProportion([{ k: 2, n: 4 }, { k: 3, n: 4 }, { k: 4, n: 4 }])?.effective_clusters // => 3
 */
export function pooledProportion(
  clusters: readonly { k: number; n: number }[],
  level = CONFIDENCE_LEVEL,
): ClusterInterval | null {
  checkLevel(level);
  const used = clusters.filter((cluster) => cluster.n !== 0);
  let successes = 0;
  let rows = 0;
  for (const { k, n } of used) {
    checkTrials(k, n);
    successes += k;
    rows += n;
  }
  if (used.length < 2) return null;
  const effective_clusters = effectiveClusters(used.map(({ n }) => n))!;
  const t = studentTQuantile((1 + level) / 2, Math.max(1, effective_clusters - 1));
  const made = { clusters: used.length, effective_clusters };
  if (successes === 0 || successes === rows) {
    const trials = rows * (normalQuantile((1 + level) / 2) / t) ** 2;
    const ends = clopperPearsonInterval(successes === 0 ? 0 : trials, trials, level);
    return { ...ends, method: "Clopper-Pearson, clusters", ...made, design_effect: null };
  }
  const variance = varianceOf(used, successes, rows);
  const p = successes / rows;
  const pq = (successes * (rows - successes)) / rows ** 2;
  const effective = pq / variance;
  const ends = scoreBounds(p * effective, effective, t);
  return { ...ends, method: "Wilson, clusters, t", ...made, design_effect: (variance * rows) / pq };
}

function varianceOf(used: readonly { k: number; n: number }[], successes: number, rows: number): number {
  const groups = used.length;
  let jackknife = 0;
  let between = 0;
  let within = 0;
  let squares = 0;
  for (const { k, n } of used) {
    // k_c N − K n_c is exact for counts.
    const excess = (k * rows - successes * n) / rows;
    jackknife += (excess / (rows - n)) ** 2;
    between += excess ** 2 / n / (groups - 1);
    within += (k * (n - k)) / n;
    squares += (n / rows) ** 2;
  }
  within = rows > groups ? within / (rows - groups) : (successes * (rows - successes)) / rows ** 2;
  const size = (rows * (1 - squares)) / (groups - 1);
  const spread = Math.max(0, (between - within) / size);
  return Math.max(jackknife, spread * squares + within / rows);
}

import { checkCount } from "../check-arguments.js";
import { logGamma } from "../distributions/special-functions.js";
import type { Rng } from "../random/create-rng.js";
import { chiSquareTest } from "./table-tests.js";
import { LEAST_EXPECTED } from "./two-proportion-test.js";

export interface GroupTest {
  p: number | null;
  method: "chi-square" | "exact" | "monte carlo" | null;
  n: number;
  /** Only for a Monte Carlo p-value. */
  draws?: number;
  reason?: string;
}

export interface GroupTestOptions {
  /** Source of the draws for a Monte Carlo p-value. */
  rng: Rng;
  /** Default 10,000. */
  draws?: number;
  /** Most tables that are enumerated. Default 200,000. */
  enumerated?: number;
}

/** Probabilities whose relative difference is below this count as equal. */
const SLACK = 1e-7;

/**
 * Test that an event is equally frequent in several groups, k_j of n_j: by chi-square if every expected count is at least 5, exactly if
 * counts are small (Fisher, Freeman and Halton), and by random draws if there are too many tables to enumerate.
 *
 * Formula: exact p = Σ P(table) over the tables with the same margins that are no more likely than the observed one, P = Π_j C(n_j, k_j) / C(n, k);
 * Monte Carlo p = (1 + tables no more likely, among B drawn) / (B + 1), drawn by dealing the events over the rows.
 * Range: (0, 1]; a small p is evidence against equal rates. Chi-square and the exact test do not depend on the order of the groups.
 * Undefined when: fewer than two groups have rows, or the event happened in no row or in all: null with a reason. RangeError when k > n.
 * Differs from the paper: the paper compares shares without a test.
 * @see Freeman and Halton (1951), Biometrika 38:141-149
 * @example
 * groupTest([3, 0, 0], [3, 1, 2], { rng: null }).p // => 0.1
 */
export function groupTest(events: readonly number[], sizes: readonly number[], options: GroupTestOptions): GroupTest {
  if (events.length !== sizes.length) {
    throw new RangeError(`groups: not paired; got ${events.length} counts of events and ${sizes.length} sizes`);
  }
  const groups = sizes.flatMap((size, j) => {
    checkCount("group", size);
    checkCount("group", events[j]!);
    if (events[j]! > size) throw new RangeError(`group: more events than rows; got ${events[j]} of ${size}`);
    return size > 0 ? [{ k: events[j]!, size }] : [];
  });
  const n = groups.reduce((sum, { size }) => sum + size, 0);
  const hits = groups.reduce((sum, { k }) => sum + k, 0);
  if (groups.length < 2) return { p: null, method: null, n, reason: n === 0 ? "no rows" : "one group only" };
  if (hits === 0 || hits === n) return { p: null, method: null, n, reason: "one outcome only" };
  const chi = chiSquareTest([groups.map(({ k }) => k), groups.map(({ k, size }) => size - k)]);
  if (chi.least_expected! >= LEAST_EXPECTED) return { p: chi.p, method: "chi-square", n };
  // Smallest groups first: this bounds the number of tables best.
  groups.sort((a, b) => a.size - b.size || a.k - b.k);
  const exact = enumerate(groups, hits, options.enumerated ?? 200_000);
  if (exact !== null) return { p: exact, method: "exact", n };
  const draws = options.draws ?? 10_000;
  return { p: draw(groups, hits, n, options.rng, draws), method: "monte carlo", n, draws };
}

interface Group {
  k: number;
  size: number;
}

const logChoose = (size: number, k: number): number => logGamma(size + 1) - logGamma(k + 1) - logGamma(size - k + 1);

/** Enumerates every table; null if there are more than `limit`. */
function enumerate(groups: readonly Group[], hits: number, limit: number): number | null {
  const room = new Float64Array(groups.length + 1);
  for (let j = groups.length - 1; j >= 0; j -= 1) room[j] = room[j + 1]! + groups[j]!.size;
  const observed = groups.reduce((sum, { k, size }) => sum + logChoose(size, k), 0);
  let tables = 0;
  let total = 0;
  let asRare = 0;
  const visit = (j: number, left: number, log: number): boolean => {
    const { size } = groups[j]!;
    if (j === groups.length - 1) {
      tables += 1;
      const relative = log + logChoose(size, left) - observed;
      const weight = Math.exp(relative);
      total += weight;
      if (relative <= SLACK) asRare += weight;
      return tables <= limit;
    }
    const to = Math.min(size, left);
    for (let k = Math.max(0, left - room[j + 1]!); k <= to; k += 1) {
      if (!visit(j + 1, left - k, log + logChoose(size, k))) return false;
    }
    return true;
  };
  return visit(0, hits, 0) ? Math.min(1, asRare / total) : null;
}

/** Deals the events over the rows: the first `hits` of a shuffled list of group numbers. */
function draw(groups: readonly Group[], hits: number, n: number, rng: Rng, draws: number): number {
  const groupOf = new Uint32Array(n);
  let at = 0;
  groups.forEach(({ size }, j) => {
    groupOf.fill(j, at, at + size);
    at += size;
  });
  const logs = groups.map(({ size }) => Float64Array.from({ length: size + 1 }, (_, k) => logChoose(size, k)));
  const observed = groups.reduce((sum, { k }, j) => sum + logs[j]![k]!, 0);
  const counts = new Uint32Array(groups.length);
  let asRare = 0;
  for (let round = 0; round < draws; round += 1) {
    counts.fill(0);
    for (let i = 0; i < hits; i += 1) {
      const j = i + rng.int(n - i);
      const held = groupOf[j]!;
      groupOf[j] = groupOf[i]!;
      groupOf[i] = held;
      counts[held]! += 1;
    }
    let log = 0;
    for (let j = 0; j < counts.length; j += 1) log += logs[j]![counts[j]!]!;
    if (log <= observed + SLACK) asRare += 1;
  }
  return (1 + asRare) / (draws + 1);
}

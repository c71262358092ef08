import { createRng } from "../../../stats/random/create-rng.js";
import { GRID_POINTS, unitLogFactors } from "../../../stats/tests/bounded-e-value.js";

export interface ThreadedSizeOptions {
  /** Greatest rate of indefensible decisions, greatest Ambiguity Index, and what they really are. */
  limit: number;
  aiLimit: number;
  truth: number;
  aiTruth: number;
  delta: number;
  power: number;
  /** Sizes of threads, drawn from with replacement. */
  sizes: readonly number[];
  cap: number;
  /** Simulated communities, default 400. */
  draws?: number;
  seed?: number;
  /** Default 20,000 decisions. */
  largest?: number;
}

export interface ThreadedSize {
  cap: number;
  mean_size: number;
  /** Decisions, and threads, after which the share `power` of the communities has been certified; null: see `reason`. */
  n: number | null;
  threads: number | null;
  draws: number;
  seed: number;
  reason: string | null;
}

/**
 * How many decisions in threads it takes until a community is certified with a given probability, looked at after every
 * thread, by the certified gate's own e-values.
 *
 * Formula: simulated communities with thread sizes drawn from those given and independent decisions; the `power` quantile of
 * the number of decisions at which both e-values first reach 1/δ. Decisions that resemble each other take more.
 * Range: n at least the size of one thread.
 * Undefined when: a true rate is not below its limit, or the quantile lies beyond `largest`: null with the reason.
 * Differs from the paper: the paper has no sample sizes.
 * @see `threadUnits`, `logBoundedEValue`
 */
export function threadedSize(options: ThreadedSizeOptions): ThreadedSize {
  const { limit, aiLimit, truth, aiTruth, delta, power, sizes, cap, draws = 400, seed = 1, largest = 20_000 } = options;
  const mean_size = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const nothing = (reason: string): ThreadedSize => ({ cap, mean_size, n: null, threads: null, draws, seed, reason });
  if (truth >= limit || aiTruth >= aiLimit) return nothing("a true rate is not below its limit");
  const rng = createRng(seed);
  const failures = (n: number, rate: number) => {
    let k = 0;
    for (let i = 0; i < n; i += 1) if (rng.next() < rate) k += 1;
    return k;
  };
  const needed = -Math.log(delta);
  const found: { n: number; threads: number }[] = [];
  const factors = [limit, aiLimit].map((r) => {
    const known = new Map<number, Float64Array>();
    return (n: number, k: number) => {
      const key = n * 100_003 + k;
      const list = known.get(key) ?? unitLogFactors(Math.min(n, cap) / cap, k / n, r);
      known.set(key, list);
      return list;
    };
  });
  for (let draw = 0; draw < draws; draw += 1) {
    const logs = [new Float64Array(GRID_POINTS), new Float64Array(GRID_POINTS)];
    let [n, threads] = [0, 0];
    let certified = false;
    while (n < largest && !certified) {
      const size = sizes[rng.int(sizes.length)]!;
      n += size;
      threads += 1;
      const counts = [failures(size, truth), failures(size, aiTruth)];
      certified = true;
      logs.forEach((list, i) => {
        const add = factors[i]!(size, counts[i]!);
        let most = -Infinity;
        for (let g = 0; g < GRID_POINTS; g += 1) {
          const value = list[g]! + add[g]!;
          list[g] = value;
          if (value > most) most = value;
        }
        // The mean over the grid is at most the greatest of it.
        certified &&= most >= needed && logMean(list, most) >= needed;
      });
    }
    if (certified) found.push({ n, threads });
  }
  const place = Math.ceil(power * draws) - 1;
  if (found.length <= place) return nothing(`more than ${largest} decisions`);
  found.sort((a, b) => a.n - b.n);
  const { n } = found[place]!;
  const threads = found.map((one) => one.threads).sort((a, b) => a - b)[place]!;
  return { cap, mean_size, n, threads, draws, seed, reason: null };
}

function logMean(logs: Float64Array, most: number): number {
  let sum = 0;
  for (let g = 0; g < logs.length; g += 1) sum += Math.exp(logs[g]! - most);
  return most + Math.log(sum / logs.length);
}

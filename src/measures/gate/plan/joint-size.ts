import type { PlanCertificate } from "../../../core/results/plan.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { GRID_POINTS, unitLogFactors } from "../../../stats/tests/bounded-e-value.js";
import type { GateLook } from "../adjustment.js";
import { allowedFailures, certifySize, firstReaching, lastBelow, type PowerCurve } from "./certify-size.js";
import { ambiguityOf, type GateTruth, passProbability } from "./pass-probability.js";

export interface JointOptions {
  /** Largest allowed rate of indefensible decisions, largest allowed Ambiguity Index. */
  limit: number;
  aiLimit: number;
  delta: number;
  power: number;
  truth: GateTruth;
  /** Default `once`. */
  look?: GateLook;
  /** Smallest n to consider. */
  from: number;
  /** Default 5,000. */
  largest?: number;
}

const LARGEST = 5000;

/**
 * How many decisions certify both limits of the gate at once, with a given probability.
 *
 * Formula: at each n both tests must reject at δ (requiring both has no penalty: a community beyond either limit passes with probability at most
 * δ); power by `passProbability`. `smallest` is the first n that reaches it, `from_then_on` the first after which no n falls below it. Power is
 * checked up to the n from which each limit alone fails with probability at most (1 − power)/2 (`certifySize`); both together then fail with at
 * most 1 − power.
 * Range: n at least what either limit alone needs.
 * Undefined when: no n up to `largest` is enough: null with the reason.
 * Differs from the paper: the paper has no sample sizes.
 * @see docs/plan.md
 */
export function jointSize(options: JointOptions): PlanCertificate["joint"] {
  const { limit, aiLimit, delta, power, truth, look = "once", from, largest = LARGEST } = options;
  const reason = `more than ${largest} decisions`;
  const curve: PowerCurve<Allowed> = {
    allowed: (n) => ({
      failures: allowedFailures(n, limit, delta, look),
      yes: allowedFailures(n, aiLimit, delta, look),
    }),
    same: (a, b) => a.failures === b.failures && a.yes === b.yes,
    power: (n, allowed) => passProbability(n, region(allowed), truth),
  };
  const sizeAt = (n: number) => {
    const allowed = curve.allowed(n);
    return { n, failures: allowed.failures, inverse_yes: allowed.yes, power: curve.power(n, allowed) };
  };
  const first = firstReaching(curve, power, from, largest);
  if (first === null) return { smallest: null, from_then_on: null, reason };
  const each = { delta, look, power: (1 + power) / 2 };
  const ends = [
    certifySize({ ...each, limit, truth: truth.indefensible }),
    certifySize({ ...each, limit: aiLimit, truth: ambiguityOf(truth) }),
  ];
  const unknown = ends.find((end) => !end.from_then_on);
  if (unknown) return { smallest: sizeAt(first), from_then_on: null, reason: unknown.reason };
  const end = Math.max(...ends.map((one) => one.from_then_on!.n));
  const steady = (lastBelow(curve, power, first, end) ?? first - 1) + 1;
  return steady > largest
    ? { smallest: sizeAt(first), from_then_on: null, reason }
    : { smallest: sizeAt(first), from_then_on: sizeAt(steady), reason: null };
}

interface Allowed {
  failures: number;
  yes: number;
}

function region({ failures, yes }: Allowed): { mostYes: Int32Array } {
  return { mostYes: failures < 0 || yes < 0 ? new Int32Array(0) : new Int32Array(failures + 1).fill(yes) };
}

interface ThreadedSizeOptions {
  /** Largest allowed rate of indefensible decisions and largest allowed Ambiguity Index, and the true values. */
  limit: number;
  aiLimit: number;
  truth: number;
  aiTruth: number;
  delta: number;
  power: number;
  /** Sizes of threads, sampled with replacement. */
  sizes: readonly number[];
  cap: number;
  /** Simulated communities, default 400. */
  draws?: number;
  seed?: number;
  /** Default 20,000 decisions. */
  largest?: number;
}

interface ThreadedSize {
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
 * How many decisions in threads are needed until a community is certified with a given probability, checked after every thread with the certified
 * gate's own e-values.
 *
 * Formula: simulated communities with thread sizes drawn from those given and independent decisions; the `power` quantile of the number of
 * decisions at which both e-values first reach 1/δ. Correlated decisions need more.
 * Range: n at least the size of one thread.
 * Undefined when: a true rate is not below its limit, or the quantile exceeds `largest`: null with the reason.
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
        // The mean over the grid is at most its maximum.
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

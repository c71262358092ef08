import type { PlanEstimate, PlanPaired } from "../../../core/results/plan.js";
import { binomialCdf, binomialPmf } from "../../../stats/distributions/incomplete-beta.js";
import { normalQuantile } from "../../../stats/distributions/normal.js";
import { clopperPearsonInterval, wilsonInterval } from "../../../stats/intervals/proportion.js";
import { firstWhere } from "../../../stats/ranks/sorted-order.js";
import { mcnemar } from "../../../stats/tests/two-proportion-test.js";

/** Largest size for which exact power is computed. Beyond it the normal formula is close. */
const LARGEST_EXACT = 5000;

type Test = "exact_p" | "mid_p";

/**
 * How many decisions, each audited in two ways, are needed to show that the two differ.
 *
 * Formula: b and c are the shares of decisions that only the first and only the second way finds defensible, ψ = b + c, d = b − c. Normal:
 * ⌈(z_{1−α/2} √ψ + z_power √(ψ − d²))²/d²⌉. Exact and mid-p: the first n with Σ_m P(Bin(n, ψ) = m) P(McNemar rejects | m discordant) at least the
 * power, by enumeration.
 * Range: at least 1; falls with the difference.
 * Undefined when: b = c (nothing to find): null with the reason. Exact sizes above 5,000 are not computed: null.
 * Differs from the paper: the paper compares paired conditions without a test.
 * @see Miettinen (1968), Biometrics 24:339-352
 * @example
 * pairedSize({ only_a: 0.1, only_b: 0.05, alpha: 0.05, power: 0.8 }).normal // => 469
 */
export function pairedSize(inputs: PlanPaired["inputs"]): PlanPaired {
  const { only_a: b, only_b: c, alpha, power } = inputs;
  const discordant = b + c;
  if (!(b >= 0 && c >= 0 && discordant > 0 && discordant <= 1)) {
    throw new RangeError(`discordant shares: not usable; got ${b} and ${c}, expected shares that add up to 0 to 1`);
  }
  const difference = b - c;
  const none = { n: null, power: null };
  const base = { format: 1 as const, what: "paired" as const, inputs, difference };
  if (difference === 0) {
    const reason = "the two ways differ as often in one direction as in the other: there is nothing to find";
    return { ...base, normal: null, exact: none, mid_p: none, reason };
  }
  const reach =
    normalQuantile(1 - alpha / 2) * Math.sqrt(discordant) +
    normalQuantile(power) * Math.sqrt(discordant - difference ** 2);
  const normal = Math.ceil(reach ** 2 / difference ** 2 - 1e-9);
  const sizes = (test: Test) => (normal > LARGEST_EXACT ? none : exactSize(test, b, c, alpha, power));
  return { ...base, normal, exact: sizes("exact_p"), mid_p: sizes("mid_p"), reason: null };
}

/**
 * Probability that McNemar's test finds a difference among n decisions.
 * @example
 * pairedPower("exact_p", 6, 1, 0, 0.05) // => 1
 */
export function pairedPower(test: Test, n: number, onlyA: number, onlyB: number, alpha: number): number {
  return new PairedTest(test, onlyA / (onlyA + onlyB), alpha).power(n, onlyA + onlyB);
}

function exactSize(test: Test, onlyA: number, onlyB: number, alpha: number, power: number): PlanPaired["exact"] {
  const paired = new PairedTest(test, onlyA / (onlyA + onlyB), alpha);
  for (let n = 1; n <= 2 * LARGEST_EXACT; n++) {
    const reached = paired.power(n, onlyA + onlyB);
    if (reached >= power) return { n, power: reached };
  }
  return { n: null, power: null };
}

/** Power for every number of discordant pairs, each computed once. */
class PairedTest {
  readonly #rejects: number[] = [];
  #critical = -1;

  constructor(
    private readonly test: Test,
    private readonly share: number,
    private readonly alpha: number,
  ) {}

  power(n: number, discordant: number): number {
    const mean = n * discordant;
    const reach = 10 * Math.sqrt(mean * (1 - discordant)) + 10;
    let sum = 0;
    for (let m = Math.max(0, Math.floor(mean - reach)); m <= Math.min(n, Math.ceil(mean + reach)); m++) {
      sum += binomialPmf(m, n, discordant) * this.rejects(m);
    }
    return Math.min(1, sum);
  }

  /** P(the test rejects | m discordant pairs). */
  private rejects(m: number): number {
    for (let next = this.#rejects.length; next <= m; next++) this.#rejects.push(this.rejectsAt(next));
    return this.#rejects[m]!;
  }

  private rejectsAt(m: number): number {
    // The largest number of pairs in the rarer direction that still rejects; it rises by at most one.
    const next = this.#critical + 1;
    if (2 * next < m && (mcnemar(next, m - next)[this.test] ?? 1) <= this.alpha) this.#critical = next;
    const critical = this.#critical;
    if (critical < 0) return 0;
    const few = binomialCdf(critical, m, this.share);
    return few + binomialCdf(critical, m, 1 - this.share);
  }
}

/**
 * How many decisions give a rate an interval of at most two half-widths, from end to end.
 *
 * Formula: normal: ⌈z² p(1−p)/h²⌉. Wilson and Clopper–Pearson: the smallest n whose interval at k = pn is at most 2h wide; both are wider than the
 * normal one near 0 and 1, and asymmetric: towards ½ they extend further than h.
 * Range: at least 1; largest at p = ½.
 * Undefined when: the half-width is not between 0 and ½, the rate is not between 0 and 1, or the level is not between 0 and 1 or so near to 1 that
 * (1 + level)/2 rounds to 1: RangeError.
 * Differs from the paper: the paper has no sample sizes.
 * @see docs/plan.md
 * @example
 * estimateSize({ rate: 0.1, half_width: 0.03, level: 0.95 }).normal // => 385
 */
export function estimateSize(inputs: PlanEstimate["inputs"]): PlanEstimate {
  const { rate, half_width: half, level } = inputs;
  if (!(half > 0 && half < 0.5)) throw new RangeError(`half_width: not usable; got ${half}, expected 0 to 0.5`);
  if (!(rate >= 0 && rate <= 1)) throw new RangeError(`rate: not a rate; got ${rate}, expected 0 to 1`);
  // For the last level below 1, (1 + level)/2 rounds to 1 and its quantile is infinite.
  if (!(level > 0 && (1 + level) / 2 < 1))
    throw new RangeError(`level: not usable; got ${level}, expected between 0 and 1`);
  const z = normalQuantile((1 + level) / 2);
  const narrow = (interval: typeof wilsonInterval) => (n: number) => {
    const { lower, upper } = interval(rate * n, n, level);
    return upper - lower <= 2 * half;
  };
  return {
    format: 1,
    what: "estimate",
    inputs,
    normal: Math.max(1, Math.ceil((z * z * rate * (1 - rate)) / (half * half) - 1e-9)),
    wilson: firstSize(narrow(wilsonInterval)),
    clopper_pearson: firstSize(narrow(clopperPearsonInterval)),
  };
}

/** Smallest sufficient n, given that every larger n is sufficient too. */
function firstSize(enough: (n: number) => boolean): number {
  let high = 1;
  while (!enough(high)) high *= 2;
  return firstWhere(Math.floor(high / 2) + 1, high, enough);
}

import { checkObservation, checkRate } from "./alternatives.js";

/** Greatest relative change of the ratio of the two steps that putting them on a lattice may cost. */
const RATIO_SLACK = 0.02;

/** A CUSUM whose steps are whole numbers: +up for a 1, −down for a 0. */
export interface CusumSteps {
  p0: number;
  /** Rate to look out for, moved a little from the one asked for so that the steps have this ratio exactly. */
  p1: number;
  up: number;
  down: number;
  /** Nats in one unit of the lattice. */
  unit_nats: number;
}

export interface CusumChart extends CusumSteps {
  /** Alarm from this many units on. */
  threshold: number;
}

export interface CusumResult {
  /** Index of the observation that raised the alarm; null: none did. */
  alarm: number | null;
  /** Units at the alarm, or at the end. */
  statistic: number;
  statistic_nats: number;
}

/**
 * Steps of a Bernoulli CUSUM as whole numbers, so that its states can be counted and its run length computed exactly.
 *
 * Formula: a = ln(p1/p0), b = ln((1−p0)/(1−p1)); up/down = the fraction with the smallest denominator within 2 % of a/b, in lowest terms;
 * then p1 with ln(p1/p0) : ln((1−p0)/(1−p1)) = up : down, by bisection (the ratio falls with p1).
 * Range: up, down from 1 on, p0 < p1 < 1.
 * Undefined when: not 0 < p0 < p1 < 1: RangeError.
 * Differs from the paper: not in the paper.
 * @see Reynolds and Stoumbos (1999), Journal of Quality Technology 31:87-108, who choose p1 so that the ratio is whole
 * @example
 * cusumSteps(0.1, 0.2) // => { up: 6, down: 1, p1: 0.194357958 }
 */
export function cusumSteps(p0: number, p1: number): CusumSteps {
  checkRate("p0", p0);
  if (!(p1 > p0 && p1 < 1))
    throw new RangeError(`p1: nothing to detect; got ${p1}, expected above p0 = ${p0} and below 1`);
  const wanted = Math.log(p1 / p0) / (Math.log1p(-p0) - Math.log1p(-p1));
  let down = 1;
  let up = Math.max(1, Math.round(wanted));
  while (Math.abs(up / down - wanted) > RATIO_SLACK * wanted) {
    down += 1;
    up = Math.max(1, Math.round(down * wanted));
  }
  let low = p0;
  let high = 1;
  // 100 halvings end where two neighbouring doubles do, long before.
  for (let i = 0; i < 100; i += 1) {
    const middle = (low + high) / 2;
    if (down * Math.log(middle / p0) > up * (Math.log1p(-p0) - Math.log1p(-middle))) low = middle;
    else high = middle;
  }
  const moved = (low + high) / 2;
  return { p0, p1: moved, up, down, unit_nats: Math.log(moved / p0) / up };
}

/** The next state of the chart. */
export function stepCusum(statistic: number, x: number, { up, down }: CusumSteps): number {
  return Math.max(0, statistic - down + x * (up + down));
}

/**
 * Watches a stream of 0 and 1 for a rate that has risen from p0 to p1: the CUSUM of log-likelihood ratios, the quickest detector of this
 * change at a given run length without change.
 *
 * Formula: C_t = max(0, C_{t−1} + up·x − down·(1 − x)), C_0 = 0, in units of ln(p1/p0)/up nats; alarm at C_t ≥ threshold (`cusumThreshold`).
 * Range: C ≥ 0; whole numbers for x of 0 and 1.
 * Undefined when: x outside [0, 1], or a chart without a threshold: RangeError. An empty stream: no alarm. For x between 0 and 1 the run length is not the computed one.
 * Differs from the paper: not in the paper.
 * @see Page (1954), Biometrika 41:100-115; Moustakides (1986), Annals of Statistics 14:1379-1387
 * @example
 * bernoulliCusum([0, 1, 1], { p0: 0.1, p1: 0.194357958, up: 6, down: 1, unit_nats: 0.110755, threshold: 12 }).alarm // => 2
 */
export function bernoulliCusum(x: ArrayLike<number>, chart: CusumChart): CusumResult {
  if (typeof chart.threshold !== "number" || !(chart.threshold > 0)) {
    throw new RangeError(`threshold: not above 0; got ${String(chart.threshold)}, expected that of \`cusumThreshold\``);
  }
  let statistic = 0;
  let alarm: number | null = null;
  for (let t = 0; t < x.length && alarm === null; t += 1) {
    checkObservation(x[t]!);
    statistic = stepCusum(statistic, x[t]!, chart);
    if (statistic >= chart.threshold) alarm = t;
  }
  return { alarm, statistic, statistic_nats: statistic * chart.unit_nats };
}

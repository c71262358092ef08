import { firstWhere } from "../../../stats/ranks/sorted-order.js";
import { checkObservation, checkRate } from "./e-detector.js";

/** Largest relative change that rounding to a lattice may make in the ratio of the two steps. */
const RATIO_SLACK = 0.02;

/** A CUSUM with integer steps: +up for a 1, −down for a 0. */
export interface CusumSteps {
  p0: number;
  /** Rate to detect, moved slightly from the requested one so that the steps have exactly this ratio. */
  p1: number;
  up: number;
  down: number;
  /** Nats in one unit of the lattice. */
  unit_nats: number;
}

export interface CusumChart extends CusumSteps {
  /** The alarm is raised at this many units. */
  threshold: number;
}

export interface CusumResult {
  /** Index of the observation that raised the alarm; null: no alarm. */
  alarm: number | null;
  /** Units at the alarm, or at the end. */
  statistic: number;
  statistic_nats: number;
}

/**
 * Integer steps of a Bernoulli CUSUM, so that its states can be counted and its run length computed exactly.
 *
 * Formula: a = ln(p1/p0), b = ln((1−p0)/(1−p1)); up/down = the fraction with the smallest denominator within 2% of a/b, in lowest terms; then p1
 * with ln(p1/p0) : ln((1−p0)/(1−p1)) = up : down, by bisection (the ratio falls with p1).
 * Range: up, down ≥ 1, p0 < p1 < 1.
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
  // Bisection reaches two neighbouring doubles well before 100 halvings.
  for (let i = 0; i < 100; i += 1) {
    const middle = (low + high) / 2;
    if (down * Math.log(middle / p0) > up * (Math.log1p(-p0) - Math.log1p(-middle))) low = middle;
    else high = middle;
  }
  const moved = (low + high) / 2;
  return { p0, p1: moved, up, down, unit_nats: Math.log(moved / p0) / up };
}

/** The next state of the chart. */
function stepCusum(statistic: number, x: number, { up, down }: CusumSteps): number {
  return Math.max(0, statistic - down + x * (up + down));
}

/**
 * Detects that the rate in a stream of 0 and 1 has risen from p0 to p1: the CUSUM of log-likelihood ratios, the quickest detector of this change
 * for a given run length without change.
 *
 * Formula: C_t = max(0, C_{t−1} + up·x − down·(1 − x)), C_0 = 0, in units of ln(p1/p0)/up nats; alarm at C_t ≥ threshold (`cusumThreshold`).
 * Range: C ≥ 0; whole numbers for x of 0 and 1.
 * Undefined when: x outside [0, 1], or a chart without a threshold: RangeError. An empty stream: no alarm. For x between 0 and 1 the run length is
 * not the computed one.
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

/** A lattice so fine, or a run length so long, that the computation would take minutes is rejected. */
const MOST_STATES = 200_000;

export interface DesignedCusum extends CusumChart {
  /** Run length at p0: at least the requested one. */
  arl: number;
  /** Mean delay if the rate is p1 from the start. */
  delay: number;
}

/**
 * The CUSUM with the lowest threshold that still has the requested run length at p0. Exact for independent observations of 0 and 1; at rates below
 * p0 the run is longer.
 *
 * Formula: smallest whole h with ARL(h; p0) ≥ target, by doubling and bisection; ARL rises with h.
 * Range: h ≥ 1.
 * Undefined when: the target is not finite or below 1, not 0 < p0 < p1 < 1, or h would exceed 200,000: RangeError. p0 must be a limit: with an
 * estimate of the usual rate instead, the run length is not guaranteed.
 * Differs from the paper: not in the paper.
 * @see `cusumAverageRunLength`
 * @example
 * cusumThreshold(0.1, 0.2, 1000).threshold // => 31
 */
export function cusumThreshold(p0: number, p1: number, target: number): DesignedCusum {
  if (!(target >= 1 && target < Infinity)) {
    throw new RangeError(`run length: not reachable; got ${target}, expected a finite number from 1 on`);
  }
  const steps = cusumSteps(p0, p1);
  const arl = (h: number): number => cusumAverageRunLength(steps, h, p0);
  let low = 0;
  let high = 1;
  while (arl(high) < target) {
    low = high;
    high *= 2;
    if (high > MOST_STATES) {
      throw new RangeError(
        `run length: not reachable; got ${target} at p0 = ${p0}, p1 = ${p1}, expected one that takes fewer than ${MOST_STATES} states`,
      );
    }
  }
  const threshold = firstWhere(low + 1, high, (h) => arl(h) >= target);
  return { ...steps, threshold, arl: arl(threshold), delay: cusumAverageRunLength(steps, threshold, steps.p1) };
}

/**
 * Average run length of a Bernoulli CUSUM: the mean number of observations, from 0, until it alarms at a constant rate p. At p0 it is the time
 * between false alarms, at p1 the delay of a true one.
 *
 * Formula: states 0 … h−1 of a Markov chain; from i to min(i + up, alarm) with p, to max(0, i − down) with 1 − p; expected steps from 0 until the
 * alarm. Solved by eliminating states from the top, each replaced by where it leads.
 * Why this method: the elimination of Grassmann, Taksar and Heyman only adds and divides positive numbers. Solving (I − P) L = 1 instead subtracts
 * nearly equal numbers and loses as many digits as the run length has.
 * Range: ≥ 1; falls with p, rises with h. Relative error below 1e-12. Time h·up·down.
 * Undefined when: up, down or h are not integers from 1 on, or p outside (0, 1): RangeError.
 * Differs from the paper: not in the paper.
 * @see Brook and Evans (1972), Biometrika 59:539-549; Grassmann, Taksar and Heyman (1985), Operations Research 33:1107-1116
 * @example
 * cusumAverageRunLength({ up: 1, down: 1 }, 2, 0.5) // => 6
 */
export function cusumAverageRunLength(steps: { up: number; down: number }, threshold: number, p: number): number {
  const { up, down } = steps;
  checkRate("p", p);
  for (const [name, value] of Object.entries({ up, down, threshold })) {
    if (!(Number.isSafeInteger(value) && value >= 1)) {
      throw new RangeError(`${name}: not a number of units; got ${value}, expected an integer from 1 on`);
    }
  }
  // Row i holds the probabilities of moving from i to i − down … i + up, then the probability of the alarm and the time spent.
  const width = down + up + 1;
  const move = new Float64Array(threshold * width);
  const alarm = new Float64Array(threshold);
  const time = new Float64Array(threshold).fill(1);
  for (let i = 0; i < threshold; i += 1) {
    move[i * width + Math.max(0, i - down) - i + down]! += 1 - p;
    if (i + up < threshold) move[i * width + up + down]! += p;
    else alarm[i] = p;
  }
  for (let state = threshold - 1; state > 0; state -= 1) {
    const row = state * width;
    const lowest = Math.max(0, state - down);
    let leaving = alarm[state]!;
    for (let to = lowest; to < state; to += 1) leaving += move[row + to - state + down]!;
    for (let from = Math.max(0, state - up); from < state; from += 1) {
      const into = move[from * width + state - from + down]!;
      if (into === 0) continue;
      const share = into / leaving;
      for (let to = lowest; to < state; to += 1) {
        // Both are at most `down` below and `up` above `from`, so the row has a place for them.
        move[from * width + to - from + down]! += share * move[row + to - state + down]!;
      }
      alarm[from]! += share * alarm[state]!;
      time[from]! += share * time[state]!;
    }
  }
  return time[0]! / alarm[0]!;
}

import { checkRate } from "./alternatives.js";

/**
 * Average run length of a Bernoulli CUSUM: how many observations pass on average, from 0, until it alarms at a constant rate p. At p0 it is the time
 * between false alarms, at p1 the delay of a true one.
 *
 * Formula: states 0 … h−1 of a Markov chain; from i to min(i + up, alarm) with p, to max(0, i − down) with 1 − p; expected steps from 0
 * until the alarm. Solved by eliminating states from the top, each replaced by where it leads.
 * Why so: the elimination of Grassmann, Taksar and Heyman only adds and divides positive numbers. Solving (I − P) L = 1 instead subtracts
 * nearly equal ones and loses as many digits as the run length has.
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
  // Row i holds the chances to go from i to i − down … i + up, then the chance of the alarm and the time spent.
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
        // Both lie at most `down` below and `up` above `from`, so the row has a place for it.
        move[from * width + to - from + down]! += share * move[row + to - state + down]!;
      }
      alarm[from]! += share * alarm[state]!;
      time[from]! += share * time[state]!;
    }
  }
  return time[0]! / alarm[0]!;
}

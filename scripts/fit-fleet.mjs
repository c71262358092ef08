// Fits the states of the paper's fleet so that they are seen as published after the auditor's noise. `node scripts/fit-fleet.mjs [FLEETS]`
// prints the values for test/paper-fit/paper-world.ts. It starts from the values that are there.
//
// Least squares by the method of Levenberg and Marquardt: each number's miss counts in standard deviations of one simulated fleet. Every step
// simulates the same fleets (seeds 1, 2, …), so that differences are those of the settings. Ten settings, eleven printed numbers of which ten are free.

import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const fromSource = async (name) => {
  const path = fileURLToPath(new URL(`../test/paper-fit/${name}.ts`, import.meta.url));
  return (await runnerImport(path, { configFile: false, logLevel: "warn" })).module;
};
const { FITTED_FLEET, fittedFleet } = await fromSource("paper-world");
const { fleetNumbers, PRINTED_FLEET } = await fromSource("fleet-numbers");

const SEEDS = Array.from({ length: Number(process.argv[2] ?? 16) }, (_, i) => i + 1);
const NUDGE = 0.1;
const STEPS = 12;
/** Below this fall of the sum of squares it ends. */
const LEAST_GAIN = 0.02;

const logit = (p) => Math.log(p / (1 - p));
const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const round = (value, digits) => Number(value.toPrecision(digits));

/** Counts and volumes are relative to the first state's. */
const toVector = ([first, ...others]) => [
  ...[first, ...others].flatMap(({ open, error }) => [logit(open), logit(error)]),
  ...others.flatMap(({ communities, volume }) => [Math.log(communities), Math.log(volume)]),
];
const toStates = (x) =>
  FITTED_FLEET.map((state, i) => ({
    ...state,
    open: sigmoid(x[2 * i]),
    error: sigmoid(x[2 * i + 1]),
    ...(i > 0 && { communities: Math.exp(x[4 + 2 * i]), volume: Math.exp(x[5 + 2 * i]) }),
  }));

const { sd } = fleetNumbers(fittedFleet(FITTED_FLEET), SEEDS);
const misses = (x) =>
  fleetNumbers(fittedFleet(toStates(x)), SEEDS).mean.map((value, i) => (value - PRINTED_FLEET[i][1]) / sd[i]);
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

let x = toVector(FITTED_FLEET);
let missed = misses(x);
let damping = 0.1;
for (let step = 0; step < STEPS; step++) {
  const slopes = x.map((_, i) =>
    misses(x.map((value, k) => (k === i ? value + NUDGE : value))).map((miss, k) => (miss - missed[k]) / NUDGE),
  );
  const before = dot(missed, missed);
  for (let tries = 0; tries < 5; tries++, damping *= 5) {
    const square = slopes.map((a, i) => slopes.map((b, k) => dot(a, b) + (i === k ? damping : 0)));
    const change = solve(
      square,
      slopes.map((slope) => dot(slope, missed)),
    );
    const next = x.map((value, i) => value - change[i]);
    const then = misses(next);
    if (dot(then, then) < dot(missed, missed)) {
      [x, missed] = [next, then];
      break;
    }
  }
  damping /= 10;
  console.error(`step ${step + 1}: sum of squares ${dot(missed, missed).toFixed(2)}`);
  if (before - dot(missed, missed) < LEAST_GAIN) break;
}

PRINTED_FLEET.forEach(([name, printed], i) => {
  console.error(
    `${name}: ${round(printed + missed[i] * sd[i], 4)}, printed ${printed}, one fleet's sd ${round(sd[i], 2)}`,
  );
});
console.log(
  JSON.stringify(
    toStates(x).map(({ name, communities, volume, open, error }) => ({
      name,
      communities: round(communities, 4),
      volume: round(volume, 4),
      open: round(open, 4),
      error: round(error, 4),
    })),
    null,
    2,
  ),
);

/** Gaussian elimination. */
function solve(matrix, right) {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (let k = 0; k < rows.length; k++) {
    const pivot = rows.reduce((best, row, i) => (i >= k && Math.abs(row[k]) > Math.abs(rows[best][k]) ? i : best), k);
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let i = 0; i < rows.length; i++) {
      if (i === k) continue;
      const factor = rows[i][k] / rows[k][k];
      rows[i] = rows[i].map((value, j) => value - factor * rows[k][j]);
    }
  }
  return rows.map((row, k) => row[rows.length] / row[k]);
}

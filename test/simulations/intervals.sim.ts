import { describe, it } from "vitest";
import {
  clopperPearsonBound,
  clopperPearsonInterval,
  createRng,
  type Interval,
  jeffreysInterval,
  mcnemar,
  meanEstimate,
  newcombeInterval,
  type Rng,
  tangoInterval,
  wilsonInterval,
} from "../../src/entry/stats.js";
import { about, atLeast, atMost, binomialTable, coverage, drawNormal, EXACT, holds, rateCoverage } from "./coverage.js";
import { record } from "./record.js";

/** All rates but those next to 0 and 1, and those that reports are about. */
const ANY = [1e-6, 1 - 1e-6] as const;
const USUAL = [0.01, 0.3] as const;

describe("intervals of one rate", () => {
  const guaranteed: Record<string, (k: number, n: number) => Interval> = {
    "Clopper–Pearson": clopperPearsonInterval,
    "upper bound": (k, n) => ({ lower: 0, upper: clopperPearsonBound(k, n, 0.05) }),
    "lower bound": (k, n) => ({ lower: clopperPearsonBound(k, n, 0.05, "lower"), upper: 1 }),
  };
  const displayed: Record<string, (k: number, n: number) => Interval> = {
    Wilson: wilsonInterval,
    Jeffreys: jeffreysInterval,
  };
  const all = (interval: (k: number, n: number) => Interval, n: number) =>
    Array.from({ length: n + 1 }, (_, k) => interval(k, n));

  it.each([10, 25, 60, 200, 1000])("n = %i", (n) => {
    const setting = `n = ${n}`;
    for (const [method, interval] of Object.entries(guaranteed)) {
      const row = { topic: "One rate, exact", method, setting, measure: "coverage at the worst rate" };
      record({ ...row, promise: atLeast(0.95), observed: rateCoverage(all(interval, n), ANY).worst, ...EXACT });
    }
    for (const [method, interval] of Object.entries(displayed)) {
      const { mean, worst } = rateCoverage(all(interval, n), USUAL);
      const average = { topic: "One rate, on average", method, setting, measure: "mean coverage over the rates" };
      record({ ...average, promise: about(0.95, 0.94), observed: mean, ...EXACT });
      const least = { topic: "One rate, at worst", method, setting, measure: "coverage at the worst rate" };
      record({ ...least, promise: { kind: "broken", at_least: 0.95 }, observed: worst, ...EXACT });
    }
  });
});

/** Mean and worst coverage over cells of a grid, with the weight of each outcome. */
function overGrid(cells: readonly (readonly [number, number])[], at: (cell: readonly [number, number]) => number) {
  const found = cells.map(at);
  return { mean: found.reduce((a, b) => a + b) / found.length, worst: Math.min(...found) };
}

const grid = (rates: readonly number[]) => rates.flatMap((a) => rates.map((b) => [a, b] as const));

describe("intervals of a difference", () => {
  it.each([
    [20, 20],
    [25, 100],
    [60, 60],
    [200, 400],
  ])("Newcombe: %i and %i rows", (n1, n2) => {
    const intervals = Array.from({ length: n1 + 1 }, (_, k1) =>
      Array.from({ length: n2 + 1 }, (_, k2) => newcombeInterval(k1, n1, k2, n2)),
    );
    const { mean, worst } = overGrid(grid([0.02, 0.05, 0.1, 0.2, 0.35, 0.5]), ([p1, p2]) => {
      const [first, second] = [binomialTable(n1, p1), binomialTable(n2, p2)];
      let held = 0;
      for (let k1 = 0; k1 <= n1; k1 += 1) {
        for (let k2 = 0; k2 <= n2; k2 += 1) {
          if (holds(intervals[k1]![k2]!, p1 - p2)) held += first[k1]! * second[k2]!;
        }
      }
      return held;
    });
    record({
      topic: "A difference of two rates",
      method: "Newcombe, two samples",
      setting: `${n1} and ${n2} rows`,
      measure: "mean coverage over a grid of rates",
      promise: about(0.95, 0.94),
      observed: mean,
      beside: { "worst of the grid": worst },
      ...EXACT,
    });
  });

  it.each([20, 50, 200])("Tango: %i pairs", (n) => {
    const intervals = Array.from({ length: n + 1 }, (_, b) =>
      Array.from({ length: n - b + 1 }, (_, c) => tangoInterval(b, c, n)),
    );
    const { mean, worst } = overGrid(grid([0.01, 0.02, 0.05, 0.1, 0.2, 0.3]), ([onlyFirst, onlySecond]) => {
      // b of n have the first property only, and c of the other n − b the second only.
      const first = binomialTable(n, onlyFirst);
      let held = 0;
      for (let b = 0; b <= n; b += 1) {
        const second = binomialTable(n - b, onlySecond / (1 - onlyFirst));
        for (let c = 0; c <= n - b; c += 1) {
          if (holds(intervals[b]![c]!, onlyFirst - onlySecond)) held += first[b]! * second[c]!;
        }
      }
      return held;
    });
    record({
      topic: "A difference of two rates",
      method: "Tango, the same rows twice",
      setting: `${n} pairs`,
      measure: "mean coverage over a grid of rates",
      promise: about(0.95, 0.94),
      observed: mean,
      beside: { "worst of the grid": worst },
      ...EXACT,
    });
  });
});

describe("McNemar's test", () => {
  it.each([8, 20, 60, 200])("keeps its level: %i discordant pairs", (n) => {
    const probability = binomialTable(n, 0.5);
    const level = (p: (b: number) => number) =>
      probability.reduce((sum, weight, b) => sum + (p(b) <= 0.05 ? weight : 0), 0);
    const row = { topic: "Paired test", setting: `${n} discordant pairs`, measure: "rejected where nothing changed" };
    const [exact, mid] = [level((b) => mcnemar(b, n - b).exact_p!), level((b) => mcnemar(b, n - b).mid_p!)];
    record({ ...row, method: "McNemar, exact", promise: atMost(0.05), observed: exact, ...EXACT });
    const promise = { kind: "approximate", nominal: 0.05, at_most: 0.075 } as const;
    record({ ...row, method: "McNemar, mid-p", promise, observed: mid, ...EXACT });
  });
});

describe("t interval of a mean", () => {
  const laws: Record<string, { draw: (rng: Rng) => number; mean: number }> = {
    "normal values": { draw: drawNormal, mean: 0 },
    "probabilities, U⁶: most near 0": { draw: (rng) => rng.next() ** 6, mean: 1 / 7 },
  };

  it.each(Object.entries(laws))("%s", (name, { draw, mean }) => {
    for (const n of [10, 30, 100, 1000]) {
      const draws = n > 100 ? 4000 : 20_000;
      const seed = `t ${name} ${n}`;
      const rng = createRng(seed);
      const observed = coverage(draws, mean, () => {
        const values = Float64Array.from({ length: n }, () => draw(rng));
        const m = values.reduce((a, b) => a + b) / n;
        return meanEstimate(
          n,
          m,
          values.reduce((sum, x) => sum + (x - m) ** 2, 0),
        ) as Interval & { estimate: number };
      });
      const row = { topic: "A mean", method: "t", setting: `${name}; n = ${n}`, measure: "coverage" };
      const skewed = n >= 100 ? about(0.95, 0.93) : ({ kind: "broken", at_least: 0.95 } as const);
      record({ ...row, promise: name.startsWith("normal") ? atLeast(0.95) : skewed, observed, draws, seed });
    }
  });
});

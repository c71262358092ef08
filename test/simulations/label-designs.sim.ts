import { describe, it } from "vitest";
import {
  createRng,
  type FastUniform,
  fastUniform,
  stratifiedProportion,
  wilsonInterval,
} from "../../src/entry/stats.js";
import { evenly } from "../../src/experiments/humans/run-sample.js";
import { about, holds } from "./coverage.js";
import { record } from "./record.js";

const VERDICTS = 3000;
const WORLDS = 1000;
/** Cells of audited level and inverse: (level − 1) · 2 + (Yes 0, No 1). */
const CELLS = 6;

interface World {
  /** By cell: how many verdicts, and of each verdict what is true, as bits (1: defensible, 2: inverse Yes). */
  truth: Uint8Array[];
  di: number;
  ai: number;
}

/** Decisions with their truth, and the verdicts of an auditor that errs in about one of twelve levels and one of ten inverse checks. */
function drawWorld(defensible: number, rare: boolean, next: () => number): World {
  const truth = Array.from({ length: CELLS }, () => new Uint8Array(VERDICTS));
  const sizes = new Int32Array(CELLS);
  let [di, ai] = [0, 0];
  for (let i = 0; i < VERDICTS; i += 1) {
    const isDefensible = next() < defensible;
    const level = isDefensible ? (next() < 0.12 ? 2 : 1) : 3;
    const inverse = next() < (level === 3 ? 0.88 : level === 2 ? 0.4 : 0.03);
    const said = next() < 0.92 ? level : 1 + Math.floor(3 * next());
    const answered = next() < 0.9 ? inverse : !inverse;
    let cell = (said - 1) * 2 + (answered ? 0 : 1);
    // Of level 2 with the inverse there is one verdict, of level 3 without it there are two: the auditor hardly ever says so.
    if (rare && ((cell === 2 && sizes[2]! >= 1) || (cell === 5 && sizes[5]! >= 2))) cell = cell === 2 ? 3 : 4;
    truth[cell]![sizes[cell]!++] = (isDefensible ? 1 : 0) + (inverse ? 2 : 0);
    if (isDefensible) di += 1;
    if (inverse) ai += 1;
  }
  return { truth: truth.map((rows, c) => rows.subarray(0, sizes[c])), di: di / VERDICTS, ai: ai / VERDICTS };
}

/** Cases of each cell by chance: the first ones of a shuffle. */
function drawSheet(truth: readonly Uint8Array[], counts: readonly number[], next: () => number) {
  return truth.map((rows, c) => {
    for (let i = 0; i < counts[c]!; i += 1) {
      const j = i + Math.floor(next() * (rows.length - i));
      const swapped = rows[i]!;
      rows[i] = rows[j]!;
      rows[j] = swapped;
    }
    let [defensible, inverse] = [0, 0];
    for (let i = 0; i < counts[c]!; i += 1) {
      defensible += rows[i]! & 1;
      inverse += rows[i]! >> 1;
    }
    return { n: counts[c]!, size: rows.length, defensible, inverse };
  });
}

/** Raters did not get round to some cells: of level 2 with the inverse one case was rated, of level 3 without it two. */
function thinned(counts: readonly number[]): number[] {
  return counts.map((count, c) => (c === 2 ? Math.min(1, count) : c === 5 ? Math.min(2, count) : count));
}

const uniformOf = (draw: FastUniform) => () => draw() / 2 ** 32;

describe("labels of a stratified sheet", () => {
  const settings = [60, 120, 300].flatMap((cases) =>
    [0.75, 0.85, 0.92, 0.97, 0.99].flatMap((di) =>
      (["all cells common", "cells of one and two verdicts", "cells with one and two labels"] as const).map((kind) => ({
        cases,
        di,
        kind,
      })),
    ),
  );

  it.each(settings)("$cases cases, DI $di, $kind", ({ cases, di, kind }) => {
    const seed = `label designs ${cases} ${di} ${kind}`;
    const thin = kind === "cells with one and two labels";
    const next = uniformOf(fastUniform(createRng(seed)));
    const hits = { di: 0, ai: 0, unweighted: 0 };
    let defined = 0;
    for (let world = 0; world < WORLDS; world += 1) {
      const { truth, di: trueDi, ai: trueAi } = drawWorld(di, kind === "cells of one and two verdicts", next);
      const even = evenly(
        truth.map((rows) => rows.length),
        cases,
      );
      const cells = drawSheet(truth, thin ? thinned(even) : even, next);
      const share = (of: "defensible" | "inverse") =>
        stratifiedProportion(cells.map(({ n, size, [of]: k }) => ({ k, n, size })));
      const [byDi, byAi] = [share("defensible"), share("inverse")];
      if (byDi.estimate === null || byAi.estimate === null) continue;
      defined += 1;
      if (holds(byDi, trueDi)) hits.di += 1;
      if (holds(byAi, trueAi)) hits.ai += 1;
      const total = cells.reduce((sum, { n }) => sum + n, 0);
      const k = cells.reduce((sum, cell) => sum + cell.defensible, 0);
      if (holds(wilsonInterval(k, total), trueDi)) hits.unweighted += 1;
    }
    const common = {
      topic: "Labels of a sheet, drawn by verdict",
      method: "stratified Wilson",
      setting: `${cases} of 3,000, DI ${di}, ${kind}`,
      // Where raters leave one label in a cell of many decisions, that label's own chance is all there is.
      promise: thin ? null : about(0.95, 0.93),
      draws: defined,
      seed,
    };
    record({
      ...common,
      measure: "run's true Defensibility Index in the interval",
      observed: hits.di / defined,
      beside: { "as if drawn at random": hits.unweighted / defined },
    });
    record({ ...common, measure: "run's true Ambiguity Index in the interval", observed: hits.ai / defined });
  });
});

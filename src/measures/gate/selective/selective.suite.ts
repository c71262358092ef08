import fc from "fast-check";
import type { Rng } from "../../../stats/random/create-rng.js";
import { groupScores, type ScoreGroups } from "./score-groups.js";

/** Rows as in `selective.py`: null is unscored. */
export function groupsOf(score: readonly (number | null)[], loss: readonly number[], soft = false): ScoreGroups {
  return groupScores(
    Float64Array.from(score, (value) => value ?? Number.NaN),
    soft ? Float64Array.from(loss) : Uint8Array.from(loss),
  );
}

/** Rows in which a better score is a better row, with ties and unscored rows. */
export const someRows = fc
  .array(fc.record({ level: fc.integer({ min: -1, max: 20 }), luck: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    maxLength: 200,
  })
  .map((rows) => ({
    score: rows.map(({ level }) => (level < 0 ? null : level / 20)),
    loss: rows.map(({ level, luck }) => (luck < (1 - level / 20) / 4 ? 1 : 0)),
  }));

/** Draws rows with scores uniform on 0 to 1 and P(indefensible | score) = risk(score). */
export function drawRows(n: number, risk: (score: number) => number, rng: Rng): ScoreGroups {
  const score = new Float64Array(n);
  const loss = new Uint8Array(n);
  for (let i = 0; i < n; i += 1) {
    score[i] = rng.next();
    loss[i] = rng.next() < risk(score[i]!) ? 1 : 0;
  }
  return groupScores(score, loss);
}

/** Integral of `risk` from `from` to 1, for scores uniform on 0 to 1: the true joint risk. */
export function jointRisk(risk: (score: number) => number, from: number, steps = 2000): number {
  let sum = 0;
  const width = (1 - from) / steps;
  for (let i = 0; i < steps; i += 1) sum += risk(from + (i + 0.5) * width);
  return sum * width;
}

/** True risk of the rows from a threshold on. */
export function trueRisk(risk: (score: number) => number, from: number): number {
  return from >= 1 ? risk(1) : jointRisk(risk, from) / (1 - from);
}

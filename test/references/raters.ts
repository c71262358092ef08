import type { Ratings } from "../../src/stats/ranks/raters.js";
import reference from "./raters.json" with { type: "json" };

/** Values that `raters.py` computed outside the project. */
export { reference };

/** A table of ratings, one row a case; null: not rated. */
export function ratingsOf(table: readonly (readonly (number | null)[])[]): Ratings {
  const raters = table[0]?.length ?? 0;
  return { cases: table.length, raters, values: Float64Array.from(table.flat(), (value) => value ?? Number.NaN) };
}

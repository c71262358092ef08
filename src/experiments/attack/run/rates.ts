import type { Estimate } from "../../../domain/estimate.js";
import { undefinedEstimate } from "../../../domain/estimate.js";
import { meanEstimate } from "../../../stats/mean-estimate.js";
import { proportion } from "../../../stats/proportion.js";
import type { Layer } from "./layers.js";
import type { ScoredCase } from "./score-case.js";

/** Share of cases that a layer flags. `missing`: cases whose audit gave no verdict; they count in the worst case alone. */
export function flaggedShare(cases: readonly ScoredCase[], layer: Layer, missing = 0): Estimate {
  if (layer.reason !== undefined) return undefinedEstimate(layer.reason, cases.length);
  const k = cases.filter((one) => layer.flags(one)).length;
  const share = proportion(k, cases.length);
  if (share.estimate === null || missing === 0) return share;
  const all = cases.length + missing;
  return { ...share, worst_case: { lower: k / all, upper: (k + missing) / all } };
}

/** Mean of what is known, with its t interval. */
export function meanOf(values: readonly (number | null)[]): Estimate {
  const known = values.filter((value) => value !== null);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (known.length === 0) return undefinedEstimate(values.length === 0 ? "no rows" : "no audit has it", 0);
  return meanEstimate(known.length, mean, squares);
}

import type { Estimate } from "../../../core/estimate.js";
import { undefinedEstimate } from "../../../core/estimate.js";
import { meanEstimate } from "../../../stats/intervals/mean-estimate.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import type { Layer } from "./layers.js";
import type { ScoredCase } from "./score-case.js";

/**
 * Share of cases that a layer flags, of those it can say something of. `missing`: cases whose audit gave no verdict. These and the cases it can say
 * nothing of count in the worst case alone.
 */
export function flaggedShare(cases: readonly ScoredCase[], layer: Layer, missing = 0): Estimate {
  if (layer.reason !== undefined) return undefinedEstimate(layer.reason, cases.length);
  const unknown = leftOut(cases, layer);
  const n = cases.length - unknown;
  if (n === 0 && unknown > 0) return undefinedEstimate("no case has what this layer needs", 0);
  const k = cases.filter((one) => layer.flags(one)).length;
  const share = proportion(k, n);
  if (share.estimate === null || missing + unknown === 0) return share;
  const all = cases.length + missing;
  return { ...share, worst_case: { lower: k / all, upper: (k + missing + unknown) / all } };
}

/** Cases of which a layer can say nothing. */
export function leftOut(cases: readonly ScoredCase[], { flags, reason }: Layer): number {
  return reason === undefined ? cases.filter((one) => flags(one) === null).length : 0;
}

/** Mean of what is known, with its t interval. */
export function meanOf(values: readonly (number | null)[]): Estimate {
  const known = values.filter((value) => value !== null);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (known.length === 0) return undefinedEstimate(values.length === 0 ? "no rows" : "no audit has it", 0);
  return meanEstimate(known.length, mean, squares);
}

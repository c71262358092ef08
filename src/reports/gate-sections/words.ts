import type { GateState } from "../../domain/gate.js";
import { percent } from "../../figures/numbers.js";

export { limitsText } from "../../figures/page-gate.js";

import { STATE_WORDS as STATES } from "../../figures/words.js";

/** States as they stand inside a sentence. */
export const STATE_WORDS = Object.fromEntries(
  Object.entries(STATES).map(([state, { name }]) => [state, name.toLowerCase()]),
) as Record<GateState, string>;

/** A rate, or a dash for undefined. */
export function share(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined ? "–" : percent(value, digits);
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toLocaleString("en");
}

/** A small probability: 0.000012 is "< 0.001". */
export function probability(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return value < 0.001 ? "< 0.001" : value.toFixed(3);
}

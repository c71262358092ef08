import type { GateState } from "../../core/gate.js";
import { percent, whole } from "../words/numbers.js";

import { STATE_WORDS as STATES } from "../words/words.js";

/** States as they stand inside a sentence. */
export const STATE_WORDS = Object.fromEntries(
  Object.entries(STATES).map(([state, { name }]) => [state, name.toLowerCase()]),
) as Record<GateState, string>;

/** A rate, or a dash for undefined. */
export function share(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined ? "–" : percent(value, digits);
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : whole(value);
}

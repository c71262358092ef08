import type { GateMode, GateState } from "../../domain/gate.js";
import { percent } from "../../figures/numbers.js";
import { STATE_WORDS as STATES } from "../../figures/words.js";

/** States as they stand inside a sentence. */
export const STATE_WORDS = Object.fromEntries(
  Object.entries(STATES).map(([state, { name }]) => [state, name.toLowerCase()]),
) as Record<GateState, string>;

export const MODE_WORDS: Record<GateMode, string> = { paper: "paper", shrunk: "shrunk", certified: "certified" };

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

/** Limits as written on the gate: "DI ≥ 90 %, AI ≤ 15 %". */
export function limitsText(thresholds: { di: number; ai: number }, variable: string): string {
  const short = (value: number) => `${+(100 * value).toPrecision(4)} %`;
  return `DI ≥ ${short(thresholds.di)}, ${variable === "ai_pure" ? "pure AI" : "AI"} ≤ ${short(thresholds.ai)}`;
}

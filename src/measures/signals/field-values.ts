import type { Level } from "../../core/records/level.js";
import { LEVEL3_REASONS, PRECEDENT_WEIGHTS, type Trace } from "../../core/records/trace.js";

/** A level as models write it, without space around it: `2`, `2.0`, `"2"`, `"L2"`, `"Level 2"`; null for anything else. */
export function parseLevel(value: string): Level | null {
  const digit = levelDigit(value);
  return digit < 0 ? null : (Number(value[digit]) as Level);
}

/** Where the digit of a level stands in its text, or -1. The label softmax is read there, not at the `L` of `Level 2`. */
export function levelDigit(value: string): number {
  if (value.length === 1) return value >= "1" && value <= "3" ? 0 : -1;
  const match = /^((?:L(?:evel)?[\s_-]*)?)[123](?:\.0*)?$/i.exec(value);
  return match ? match[1]!.length : -1;
}

// Maps, not objects: a model may well answer "constructor".
const WEIGHTS = new Map(PRECEDENT_WEIGHTS.map((weight) => [weight.toLowerCase(), weight]));
const REASONS = new Map(LEVEL3_REASONS.map((reason) => [reason as string, reason]));
const INVERSES = new Map<string, Trace["inverse_check"]>([
  ["yes", "Yes"],
  ["true", "Yes"],
  ["no", "No"],
  ["false", "No"],
]);

export function parsePrecedentWeight(value: string): Trace["precedent_weight"] | null {
  return WEIGHTS.get(value.toLowerCase()) ?? null;
}

/** An inverse check as models write it: `"Yes"`, `"YES"`, `true`. */
export function parseInverse(value: string): Trace["inverse_check"] | null {
  return INVERSES.get(value.toLowerCase()) ?? null;
}

export function parseLevel3Reason(value: string): NonNullable<Trace["level3_reason"]> | null {
  return REASONS.get(value.toLowerCase()) ?? null;
}

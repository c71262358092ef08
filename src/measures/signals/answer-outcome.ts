import type { Generation } from "../../core/records/generation.js";
import type { Level } from "../../core/records/level.js";
import type { TraceReading } from "./read-trace.js";

/** Why an answer is no verdict. */
export const UNSCORED_CODES = [
  "refused",
  "filtered",
  "too_long",
  "empty",
  "truncated",
  "not_json",
  "no_level",
  "bad_level",
  "no_inverse",
  "bad_inverse",
  "not_probabilities",
] as const;
export type UnscoredCode = (typeof UNSCORED_CODES)[number];

export type AnswerOutcome =
  | { outcome: "verdict"; error: null; level: Level; inverse: boolean }
  | { outcome: "unscored"; error: { code: UnscoredCode; message: string }; level: null; inverse: null };

/** A verdict has a valid level and a valid inverse check; anything else is an answer that cannot be scored, with its reason. */
export function answerOutcome(generation: Pick<Generation, "text" | "finish">, reading: TraceReading): AnswerOutcome {
  if (generation.finish === "refusal") return unscored("refused", "answer: the model refused");
  if (generation.finish === "filter") return unscored("filtered", "answer: stopped by the provider's content filter");
  if (generation.finish === "too_long") return unscored("too_long", "answer: larger than what is read of one");
  if (reading.tooLong !== null) return unscored("too_long", reading.tooLong);
  const { defensibility_level: level, inverse_check: inverse } = reading.trace;
  if (level !== null && inverse !== null) return { outcome: "verdict", error: null, level, inverse: inverse === "Yes" };
  if (generation.text.trim() === "") return unscored("empty", "answer: is empty");

  const told = reading.problems.join("; ");
  if (level === null && reading.fields.defensibility_level) return unscored("bad_level", told);
  if (inverse === null && reading.fields.inverse_check) return unscored("bad_inverse", told);
  if (generation.finish === "length" || reading.object === "open") return unscored("truncated", told);
  if (reading.object === "none" || reading.object === "broken") return unscored("not_json", told);
  return level === null ? unscored("no_level", told) : unscored("no_inverse", told);
}

export function unscored(code: UnscoredCode, message: string): AnswerOutcome {
  return { outcome: "unscored", error: { code, message }, level: null, inverse: null };
}

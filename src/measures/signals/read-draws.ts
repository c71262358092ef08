import type { Generation } from "../../core/records/generation.js";
import type { Level } from "../../core/records/level.js";
import { readTrace, type TraceReading } from "./read-trace.js";

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

/** One of several answers to the same question, as far as its text goes. */
interface Draw {
  answer: AnswerOutcome;
  reading: TraceReading;
}

/** A draw with a valid level and inverse check, by category: the order of each field is that of its label distribution. */
export interface ValidDraw {
  level: number;
  inverse: number;
  /** -1 where the answer gives no valid weight. */
  weight: number;
  /** "" where the answer cites nothing. */
  citation: string;
}

const WEIGHTS: readonly (string | null)[] = ["High", "Medium", "Low"];

export function readDraw(generation: Generation): Draw {
  const reading = readTrace(generation.text);
  return { answer: answerOutcome(generation, reading), reading };
}

/** The draws that are verdicts. */
export function validDraws(draws: readonly Draw[], citationKey: (citation: string) => string): ValidDraw[] {
  const valid: ValidDraw[] = [];
  for (const { answer, reading } of draws) {
    if (answer.outcome !== "verdict") continue;
    const { policy_citation, precedent_weight } = reading.trace;
    valid.push({
      level: answer.level - 1,
      inverse: answer.inverse ? 0 : 1,
      weight: WEIGHTS.indexOf(precedent_weight),
      citation: policy_citation ? citationKey(policy_citation) : "",
    });
  }
  return valid;
}

/** How often each of `categories` was drawn; -1 is not counted. */
export function countDraws(drawn: readonly number[], categories: number): number[] {
  const counts = new Array<number>(categories).fill(0);
  for (const category of drawn) if (category >= 0) counts[category]!++;
  return counts;
}

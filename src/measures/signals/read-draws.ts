import type { Generation } from "../../core/records/generation.js";
import { type AnswerOutcome, answerOutcome } from "./answer-outcome.js";
import { readTrace, type TraceReading } from "./read-trace.js";

/** One of several answers to the same question, as far as its text goes. */
export interface Draw {
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

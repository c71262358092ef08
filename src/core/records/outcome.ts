import { z } from "zod";
import { levelSchema } from "./level.js";

export const OUTCOMES = ["uphold", "overturn"] as const;
export const OUTCOME_SOURCES = ["review", "appeal"] as const;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

export const TIME_EXAMPLE = "a time such as 2026-11-15T04:00:00Z";

/** Whether a text is a date that the calendar has, or a time, in ISO 8601. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value)) && isDay(value);
}

/** Whether the calendar has the day. `Date.parse` takes 30 February for 2 March. */
function isDay(time: string): boolean {
  return new Date(`${time.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10) === time.slice(0, 10);
}

/** What a reviewer, or an appeal, made of a decision that was routed. */
export const outcomeSchema = z.looseObject({
  decision_id: z.string().min(1),
  outcome: z.enum(OUTCOMES),
  /** The reviewer's own level of defensibility. Without it the outcome enters the overturn rate only. */
  level: levelSchema.nullish(),
  /** Whether the opposite decision would be defensible too. */
  inverse: z.boolean().nullish(),
  reviewer: z.string().nullish(),
  /** The reviewer saw the audit's verdict. Absent: taken as not seen. */
  saw_audit: z.boolean().nullish(),
  /** Absent: review. */
  source: z.enum(OUTCOME_SOURCES).nullish(),
  at: z.string().refine(isTime, { error: ({ input }) => `got ${JSON.stringify(input)}, expected ${TIME_EXAMPLE}` }),
});

export type ReviewOutcome = z.infer<typeof outcomeSchema>;

import type { RealisedRate, RealisedRisk } from "../../core/results/realised-risk.js";
import { percent, plural } from "./numbers.js";

const REASONS = {
  no_reviews: "no reviews drawn",
  no_levels: "no level given",
  no_answers: "no answers",
  reviews_open: "reviews open",
} as const satisfies Record<NonNullable<RealisedRate["reason"]>, string>;

export function realisedReason(reason: RealisedRate["reason"]): string {
  return reason === undefined ? "undefined" : REASONS[reason];
}

/** The conclusion in two sentences. */
export function realisedSentence(realised: RealisedRisk): string {
  const { frame, drawn, risk, delta, limit } = realised;
  const design = `Of ${plural(frame, "decision")} that would have been automated, ${plural(drawn, "decision was", "decisions were")} drawn at random for review.`;
  if (risk.estimate === null) return `${design} The realised risk is not known yet: ${realisedReason(risk.reason)}.`;
  const bound =
    risk.upper.once === null
      ? ", without a bound so far"
      : `, and with ${percent(1 - delta, 0)} confidence at most ${percent(risk.upper.once)} of automated decisions are`;
  const verdict = limit === null || risk.upper.once === null ? "" : verdictOf(risk, risk.upper.once, limit);
  return `${design} Reviewers found ${risk.k} of ${risk.n} indefensible (${percent(risk.estimate)})${bound}.${verdict}`;
}

function verdictOf({ estimate }: RealisedRate, upper: number, limit: number): string {
  if (upper <= limit) return ` That is within the limit of ${percent(limit)}.`;
  if (estimate !== null && estimate > limit) return ` That is above the limit of ${percent(limit)}.`;
  return ` Whether it is within the limit of ${percent(limit)} is not shown yet.`;
}

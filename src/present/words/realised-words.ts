import type { RealisedRate, RealisedRisk } from "../../core/results/realised-risk.js";
import { percent, plural, whole } from "./numbers.js";

const REASONS = {
  no_reviews: "no reviews drawn",
  no_levels: "no level given",
  no_answers: "no answers",
  reviews_open: "reviews open",
} as const satisfies Record<NonNullable<RealisedRate["reason"]>, string>;

export function realisedReason(reason: RealisedRate["reason"]): string {
  return reason === undefined ? "undefined" : REASONS[reason];
}

/** Why a bound for any number of looks is missing; "" where none is. */
export function anytimeNote({ risk, overturned, cells }: RealisedRisk): string {
  const rates = [risk, overturned, ...cells.map((cell) => cell.risk)];
  if (rates.every(({ upper, n, missing, open }) => upper.anytime !== null || n + missing + open === 0)) return "";
  return "No bound for any number of looks (–): the first thread of the row is still open. A thread closes 7 days after its first review was drawn, once its reviews are in or overdue.";
}

/** The conclusion, and of how many decisions it speaks. */
export function realisedSentence(realised: RealisedRisk): string {
  const { frame, drawn, risk, delta, limit, left_out } = realised;
  const unseen =
    left_out.share_zero > 0
      ? ` ${plural(left_out.share_zero, "more decision was", "more decisions were")} routed with a review share of 0 and could not be drawn: their risk is unknown.`
      : "";
  const could = unseen && " and could be drawn";
  const design = `Of ${plural(frame, "decision")} that would have been automated${could}, ${plural(drawn, "decision was", "decisions were")} drawn at random for review.${unseen}`;
  if (risk.estimate === null) return `${design} The realised risk is not known yet: ${realisedReason(risk.reason)}.`;
  const bound =
    risk.upper.once === null
      ? ", without a bound so far"
      : `, and with ${percent(1 - delta, 0)} confidence at most ${percent(risk.upper.once)} of the ${whole(frame)} are`;
  const verdict = limit === null || risk.upper.once === null ? "" : verdictOf(risk, risk.upper.once, limit);
  return `${design} Reviewers found ${risk.k} of ${risk.n} indefensible (${percent(risk.estimate)})${bound}.${verdict}`;
}

function verdictOf({ estimate }: RealisedRate, upper: number, limit: number): string {
  if (upper <= limit) return ` That is within the limit of ${percent(limit)}.`;
  if (estimate !== null && estimate > limit) return ` That is above the limit of ${percent(limit)}.`;
  return ` Whether it is within the limit of ${percent(limit)} is not shown yet.`;
}

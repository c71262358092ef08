import type { Gate } from "../../core/gate.js";
import type { Level } from "../../core/records/level.js";
import type { ReviewOutcome } from "../../core/records/outcome.js";
import type { RealisedRisk } from "../../core/results/realised-risk.js";
import {
  type RandomReview,
  type RealisedOptions,
  realisedCells,
  realisedRate,
} from "../../measures/gate/realised-risk.js";
import { DEFAULT_THREAD_CAP } from "../../measures/gate/thread-units.js";
import type { Context } from "../../store/context.js";
import { type ReviewLog, readReviewLog } from "./review-log.js";

const DELTA = 0.05;

interface RealisedSettings {
  delta: number;
  threadCap: number;
  /** Greatest rate that the active gate allows among automated decisions. */
  limit: number | null;
}

/** What random reviews say of the decisions that a workspace automated; null: none was drawn, and there are no outcomes. */
export async function realisedRisk(
  context: Pick<Context, "routes" | "gate" | "now">,
  asked?: RealisedSettings,
): Promise<RealisedRisk | null> {
  const settings = asked ?? settingsOf((await context.gate.active())?.gate);
  const log = await readReviewLog(context.routes);
  if (log === null) return null;
  const { reviews, sawAudit } = randomReviews(log);
  const now = context.now();
  const options: RealisedOptions = { now: now.getTime(), delta: settings.delta, threadCap: settings.threadCap };
  const rates = (of: readonly RandomReview[]) => ({
    risk: realisedRate(of, "risk", options),
    overturned: realisedRate(of, "overturned", options),
  });
  return {
    as_of: now.toISOString(),
    delta: settings.delta,
    thread_cap: settings.threadCap,
    limit: settings.limit,
    frame: log.frame,
    drawn: log.drawn.size,
    shares: [...log.shares].sort((a, b) => a - b),
    ...rates(reviews),
    saw_audit: sawAudit.length > 0 ? { drawn: sawAudit.length, ...rates(sawAudit) } : null,
    appeals: countAppeals(log),
    cells: realisedCells(reviews, options),
    left_out: log.leftOut,
    outcomes: countOutcomes(log),
  };
}

function settingsOf(gate: Gate | undefined): RealisedSettings {
  return {
    delta: gate?.delta ?? DELTA,
    threadCap: gate?.thread_cap ?? DEFAULT_THREAD_CAP,
    limit: gate?.selective?.risk ?? gate?.risk ?? null,
  };
}

/** The decisions that the draw chose, with what reviewers said: those who did not see the audit, and where only others reviewed it, those. */
export function randomReviews(log: ReviewLog): { reviews: RandomReview[]; sawAudit: RandomReview[] } {
  const reviews: RandomReview[] = [];
  const sawAudit: RandomReview[] = [];
  for (const [decision, route] of log.drawn) {
    const outcomes = (log.outcomes.get(decision) ?? []).filter(({ source }) => source !== "appeal");
    const blind = outcomes.filter(({ saw_audit }) => !saw_audit);
    const seen = outcomes.length > 0 && blind.length === 0;
    (seen ? sawAudit : reviews).push({
      community: route.community ?? "",
      cohort: route.evidence?.cohort ?? route.community ?? "",
      action: route.decision ?? "",
      language: route.language ?? null,
      thread: route.thread_id?.trim() ? route.thread_id : null,
      share: route.review_share,
      routed: Date.parse(route.at),
      answer: answerOf(seen ? outcomes : blind),
    });
  }
  return { reviews, sawAudit };
}

/** Of several reviewers: the median level and the majority, ties to the severe side. Of several outcomes of one reviewer: the latest. */
function answerOf(outcomes: readonly ReviewOutcome[]): RandomReview["answer"] {
  const latest = latestByReviewer(outcomes);
  if (latest.length === 0) return null;
  const levels = latest.flatMap(({ level }): Level[] => (level ? [level] : [])).sort();
  const overturned = latest.filter(({ outcome }) => outcome === "overturn").length;
  return { level: levels[Math.floor(levels.length / 2)] ?? null, overturned: 2 * overturned >= latest.length };
}

/** Of several outcomes of one reviewer the latest counts. */
export function latestByReviewer(outcomes: readonly ReviewOutcome[]): ReviewOutcome[] {
  const latest = new Map<string, ReviewOutcome>();
  for (const outcome of outcomes) {
    const reviewer = outcome.reviewer ?? "";
    const there = latest.get(reviewer);
    if (!there || Date.parse(outcome.at) >= Date.parse(there.at)) latest.set(reviewer, outcome);
  }
  return [...latest.values()];
}

function countAppeals(log: ReviewLog): RealisedRisk["appeals"] {
  const appeals = [...log.outcomes.values()].flatMap((outcomes) => {
    const answer = answerOf(outcomes.filter(({ source }) => source === "appeal"));
    return answer ? [answer] : [];
  });
  return {
    decisions: appeals.length,
    overturned: appeals.filter(({ overturned }) => overturned).length,
    indefensible: appeals.filter(({ level }) => level === 3).length,
  };
}

export function countOutcomes(log: ReviewLog): RealisedRisk["outcomes"] {
  const counts = { in_all: 0, unknown: 0, not_drawn: 0 };
  for (const [decision, outcomes] of log.outcomes) {
    counts.in_all += outcomes.length;
    if (!log.routed.has(decision)) counts.unknown += outcomes.length;
    else if (!log.drawn.has(decision)) counts.not_drawn += outcomes.filter(({ source }) => source !== "appeal").length;
  }
  return counts;
}

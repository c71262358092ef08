import type { Gate } from "../../core/gate.js";
import type { ReviewOutcome } from "../../core/records/label.js";
import type { Level } from "../../core/records/level.js";
import type { RouteRecord } from "../../core/records/route.js";
import type { RealisedRisk } from "../../core/results/realised-risk.js";
import { isJson } from "../../core/text-checks.js";
import { fingerprint, HashTable } from "../../io/machine.js";
import { DEFAULT_THREAD_CAP } from "../../measures/gate/gate-input.js";
import {
  type RandomReview,
  type RealisedOptions,
  realisedCells,
  realisedRate,
} from "../../measures/gate/realised-risk.js";
import type { Context } from "../../store/context.js";
import type { RouteStore } from "../../store/ports.js";

/** The log of routes combined with the outcomes of reviews. */
export interface ReviewLog {
  /** Routes that the random draw sent to review: the first route of each decision that would have been automated. */
  drawn: Map<string, RouteRecord & { review_share: number }>;
  /** Number of decisions that could be drawn: those that would have been automated, at a known share above 0. */
  frame: number;
  shares: Set<number>;
  leftOut: RealisedRisk["left_out"];
  /** Outcomes by decision. */
  outcomes: Map<string, ReviewOutcome[]>;
  /** Decisions with outcomes that are also in the log. */
  routed: Set<string>;
}

const DECISION_ID = /"decision_id":("(?:[^"\\]|\\.)*")/;
const SHARE = /"review_share":([\d.eE+-]+)/;

/** null: no decision was drawn and there are no outcomes. */
export async function readReviewLog(routes: RouteStore): Promise<ReviewLog | null> {
  const log: ReviewLog = {
    drawn: new Map(),
    frame: 0,
    shares: new Set(),
    leftOut: { share_unknown: 0, share_zero: 0, shadow: 0, repeated: 0 },
    outcomes: await outcomesByDecision(routes),
    routed: new Set(),
  };
  await readRouteLines(routes, log);
  return log.drawn.size === 0 && log.outcomes.size === 0 ? null : log;
}

async function outcomesByDecision(routes: RouteStore): Promise<ReviewLog["outcomes"]> {
  const outcomes: ReviewLog["outcomes"] = new Map();
  for await (const batch of routes.outcomes()) {
    for (const outcome of batch) {
      const there = outcomes.get(outcome.decision_id);
      if (there) there.push(outcome);
      else outcomes.set(outcome.decision_id, [outcome]);
    }
  }
  return outcomes;
}

/** Parses only lines that were drawn: for the millions of others, an id and two markers suffice. In JSON a marker cannot occur inside a text. */
async function readRouteLines(routes: RouteStore, log: ReviewLog): Promise<void> {
  const seen = new HashTable();
  let place = 0;
  for await (const lines of routes.lines()) {
    for (const text of lines) {
      // A line truncated by a crash is skipped.
      const id = text.endsWith("}") ? DECISION_ID.exec(text)?.[1] : undefined;
      if (id === undefined) continue;
      const decision = JSON.parse(id) as string;
      if (log.outcomes.has(decision)) log.routed.add(decision);
      const share = SHARE.exec(text)?.[1];
      const old = share === undefined;
      if (old && !isJson(text)) continue;
      const sampled = text.includes('"sampled":true');
      const would = old ? sampled || text.includes('"route":"automate"') : text.includes('"would_automate":true');
      if (!would) continue;
      if (text.includes('"shadow":true')) log.leftOut.shadow += 1;
      else if (seen.put(fingerprint(decision), [0, place++])) log.leftOut.repeated += 1;
      else if (old) log.leftOut.share_unknown += 1;
      else if (!(Number(share) > 0)) log.leftOut.share_zero += 1;
      else {
        log.frame += 1;
        log.shares.add(Number(share));
        if (sampled) log.drawn.set(decision, JSON.parse(text) as RouteRecord & { review_share: number });
      }
    }
  }
}

const DELTA = 0.05;

interface RealisedSettings {
  delta: number;
  threadCap: number;
  /** Highest error rate that the active gate allows among automated decisions. */
  limit: number | null;
}

/** What random reviews show about a workspace's automated decisions; null: none was drawn, and there are no outcomes. */
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

/** The drawn decisions with reviewers' answers: those of reviewers who did not see the audit or, if there are only others, theirs (`sawAudit`). */
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

/** The median level and the majority outcome over reviewers, ties to the severe side. */
function answerOf(outcomes: readonly ReviewOutcome[]): RandomReview["answer"] {
  const latest = latestByReviewer(outcomes);
  if (latest.length === 0) return null;
  const levels = latest.flatMap(({ level }): Level[] => (level ? [level] : [])).sort();
  const overturned = latest.filter(({ outcome }) => outcome === "overturn").length;
  return { level: levels[Math.floor(levels.length / 2)] ?? null, overturned: 2 * overturned >= latest.length };
}

/** The latest outcome of each reviewer. */
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

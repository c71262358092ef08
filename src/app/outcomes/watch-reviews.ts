import type { Gate } from "../../core/gate.js";
import { reviewAlarm } from "../../measures/gate/drift/review-detector.js";
import { WATCH_ALPHA } from "../../measures/gate/drift/watch-plan.js";
import type { ReviewWatch, WatchedEvent } from "../../measures/gate/gate-report.js";
import { closedThreads, type RandomReview } from "../../measures/gate/realised-risk.js";
import { DEFAULT_THREAD_CAP } from "../../measures/gate/thread-units.js";
import type { Context } from "../../store/context.js";
import type { GateStore } from "../../store/ports.js";
import type { GateWords } from "../gate/gate-codes.js";
import { randomReviews, readReviewLog } from "./realised-risk.js";

/**
 * Goes through the random reviews of each cohort of a gate, from its last reinstatement on, and says where reviewers found more indefensible decisions
 * than the gate allows among automated ones. Nothing is kept between two watches: the log and the outcomes are all there is to know.
 * null: no decision was drawn for review.
 */
export async function watchReviews(
  { routes, gate: history, now }: Pick<Context, "routes" | "gate" | "now">,
  gate: Gate,
  words: Pick<GateWords, "reviewAlarm" | "reviewRemedy" | "reviewPromise">,
): Promise<{ watch: ReviewWatch; events: WatchedEvent[] } | null> {
  const log = await readReviewLog(routes);
  if (log === null || log.drawn.size === 0) return null;
  const limit = gate.selective?.risk ?? gate.risk ?? 1 - gate.thresholds.di;
  const fleet = 2 ** Math.ceil(Math.log2(Math.max(8, gate.communities.length)));
  const since = await reinstatedAt(history);
  const events: WatchedEvent[] = [];
  let watched = 0;
  const byCohort = new Map<string, RandomReview[]>();
  for (const review of randomReviews(log).reviews) {
    const there = byCohort.get(review.cohort);
    if (there) there.push(review);
    else byCohort.set(review.cohort, [review]);
  }
  for (const { community, suspended, passes } of gate.communities) {
    if (!passes[gate.mode]) continue;
    const after = since.get(community) ?? Number.NEGATIVE_INFINITY;
    const reviews = (byCohort.get(community) ?? []).filter(({ routed }) => routed > after);
    const threads = closedThreads(reviews, "risk", {
      now: now().getTime(),
      threadCap: gate.thread_cap ?? DEFAULT_THREAD_CAP,
      // A review that never came says nothing against the community.
      missing: 0,
    });
    watched += threads.length;
    const alarm = suspended ? null : reviewAlarm(threads, { p0: limit, runLength: fleet / WATCH_ALPHA });
    if (alarm === null) continue;
    events.push({
      type: "suspended",
      community,
      at: new Date(alarm.time).toISOString(),
      text: words.reviewAlarm(alarm, limit),
      remedy: words.reviewRemedy(),
      by: "reviews",
    });
  }
  const promise = words.reviewPromise(limit, Math.round(1 / WATCH_ALPHA));
  return { watch: { threads: watched, limit, promise }, events };
}

/** When each community was last reinstated: what was reviewed before then has been dealt with. */
async function reinstatedAt(gate: GateStore): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for await (const { type, at, community } of gate.history()) {
    if (type === "reinstated") times.set(String(community), Date.parse(at));
  }
  return times;
}

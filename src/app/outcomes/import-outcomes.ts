import type { Gate } from "../../core/gate.js";
import type { Label, ReviewOutcome } from "../../core/records/label.js";
import type { RealisedRisk } from "../../core/results/realised-risk.js";
import { reviewAlarm } from "../../measures/gate/drift/e-detector.js";
import { WATCH_ALPHA } from "../../measures/gate/drift/watch-plan.js";
import { DEFAULT_THREAD_CAP } from "../../measures/gate/gate-input.js";
import type { ReviewWatch, WatchedEvent } from "../../measures/gate/gate-report.js";
import { closedThreads, type RandomReview } from "../../measures/gate/realised-risk.js";
import type { Context } from "../../store/context.js";
import type { ForeignFile } from "../../store/formats/foreign-rows.js";
import type { GateStore } from "../../store/ports.js";
import { type ImportOptions, importFiles } from "../import/import.js";
import type { ImportResult } from "../import/import-report.js";
import type { GateWords } from "../notices.js";
import { countOutcomes, latestByReviewer, type ReviewLog, randomReviews, readReviewLog } from "./realised-risk.js";

/** The population of random reviews: the decisions that would have been automated. */
const AUTOMATED_FRAME = "automated";

export interface OutcomesImport extends ImportResult {
  /** All outcomes of the workspace; null after a dry run. */
  outcomes: (RealisedRisk["outcomes"] & { random_reviews: number; appeals: number }) | null;
  /**
   * Labels made from outcomes; null after a dry run. `superseded`: labels of earlier outcomes, removed because the reviewer gave a later one.
   * `conflicting`: the reviewer had already given the decision another label, not through an outcome.
   */
  labels: { added: number; superseded: number; conflicting: number } | null;
}

/**
 * Imports outcomes of reviews and appeals. Outcomes with a level become labels that record how they were drawn. Labels are made from all stored
 * outcomes, so the next import completes one that was killed halfway.
 */
export async function importOutcomes(
  context: Context,
  files: readonly ForeignFile[],
  options: Omit<ImportOptions, "as" | "actions">,
): Promise<OutcomesImport> {
  const result = await importFiles(context, files, { ...options, as: "outcomes" });
  const log = options.dryRun ? null : await readReviewLog(context.routes);
  if (log === null) return { ...result, outcomes: null, labels: null };
  const all = [...log.outcomes.values()].flat();
  return {
    ...result,
    outcomes: {
      ...countOutcomes(log),
      random_reviews: all.filter(({ decision_id, source }) => source !== "appeal" && log.drawn.has(decision_id)).length,
      appeals: all.filter(({ source }) => source === "appeal").length,
    },
    labels: await keepLabels(context, log),
  };
}

/** Makes labels from the stored outcomes. Outcomes that already are labels stay unchanged. */
export async function labelOutcomes(context: Pick<Context, "routes" | "labels">): Promise<void> {
  const log = await readReviewLog(context.routes);
  if (log !== null) await keepLabels(context, log);
}

async function keepLabels({ labels }: Pick<Context, "labels">, log: ReviewLog): Promise<OutcomesImport["labels"]> {
  const { latest, earlier } = labelsOf(log);
  const superseded = await labels.remove(earlier);
  const { accepted, conflict } = await labels.add(latest);
  return { added: accepted, superseded, conflicting: conflict };
}

/**
 * Labels of each reviewer's latest outcome per decision, and labels that earlier outcomes had become. Reviews and appeals are kept apart.
 * Outcomes of reviewers who saw the audit are left out: they are not independent labels.
 */
function labelsOf(log: ReviewLog): { latest: Label[]; earlier: Label[] } {
  const latest: Label[] = [];
  const earlier: Label[] = [];
  for (const outcomes of log.outcomes.values()) {
    const blind = outcomes.filter(({ saw_audit }) => !saw_audit);
    const kept = new Set([
      ...latestByReviewer(blind.filter(({ source }) => source !== "appeal")),
      ...latestByReviewer(blind.filter(({ source }) => source === "appeal")),
    ]);
    for (const outcome of blind) (kept.has(outcome) ? latest : earlier).push(...labelOf(log, outcome));
  }
  return { latest, earlier };
}

/**
 * An outcome as a label. A review of a decision that was not drawn comes from the queue, with an unknown probability. For a decision missing from
 * the log it is unknown how it was chosen, so only its appeals give labels.
 */
function labelOf(log: ReviewLog, outcome: ReviewOutcome): Label[] {
  const { decision_id, level, inverse, reviewer, source, at } = outcome;
  if (!level) return [];
  const label = { decision_id, level, inverse, rater: reviewer, source: "human", rated_at: at } as const;
  if (source === "appeal") return [{ ...label, drawn: "appeal" }];
  if (!log.routed.has(decision_id)) return [];
  const share = log.drawn.get(decision_id)?.review_share;
  if (share === undefined) return [{ ...label, drawn: "queue" }];
  return [{ ...label, drawn: "review", inclusion: share, stratum: `share ${share}`, frame: AUTOMATED_FRAME }];
}

/**
 * Checks the random reviews of each cohort that a gate automates, since its last reinstatement, and suspends cohorts in which reviewers found
 * more indefensible decisions than the gate allows. No state is kept between watches: the log and the outcomes are the only input.
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
      // A missing review is no evidence against the community.
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

/** When each community was last reinstated: earlier reviews have been dealt with. */
async function reinstatedAt(gate: GateStore): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for await (const { type, at, community } of gate.history()) {
    if (type === "reinstated") times.set(String(community), Date.parse(at));
  }
  return times;
}

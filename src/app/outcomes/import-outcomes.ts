import type { Label } from "../../core/records/label.js";
import type { ReviewOutcome } from "../../core/records/truth.js";
import type { RealisedRisk } from "../../core/results/realised-risk.js";
import type { Context } from "../../store/context.js";
import type { ForeignFile } from "../../store/formats/foreign-file.js";
import { type ImportOptions, importFiles } from "../import/import.js";
import type { ImportResult } from "../import/import-report.js";
import { countOutcomes, latestByReviewer, type ReviewLog, readReviewLog } from "./realised-risk.js";

/** The population that a random review is drawn from: the decisions that would have been automated. */
const AUTOMATED_FRAME = "automated";

export interface OutcomesImport extends ImportResult {
  /** Of all outcomes that the workspace now has; null after a dry run. */
  outcomes: (RealisedRisk["outcomes"] & { random_reviews: number; appeals: number }) | null;
  /**
   * Labels that outcomes became; null after a dry run. `superseded`: labels of earlier outcomes, removed because the reviewer gave a later one. `conflicting`: the
   * reviewer has labelled the decision before, otherwise, and not by an outcome.
   */
  labels: { added: number; superseded: number; conflicting: number } | null;
}

/**
 * Brings outcomes of reviews and appeals into the workspace. Outcomes with a level become labels that know how they were drawn. Labels are made of
 * all outcomes that are there, so an import that was killed half-way is made good by the next.
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
  const { latest, earlier } = labelsOf(log);
  const superseded = await context.labels.remove(earlier);
  const { accepted, conflict } = await context.labels.add(latest);
  return {
    ...result,
    outcomes: {
      ...countOutcomes(log),
      random_reviews: all.filter(({ decision_id, source }) => source !== "appeal" && log.drawn.has(decision_id)).length,
      appeals: all.filter(({ source }) => source === "appeal").length,
    },
    labels: { added: accepted, superseded, conflicting: conflict },
  };
}

/** Labels of the latest outcome of each reviewer of a decision, and those that earlier ones had become. Reviews and appeals are apart. */
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
 * An outcome as a label. A reviewer who saw the audit gives no independent label. A review of a decision that the draw did not choose comes from the queue,
 * with an unknown chance; of a decision that is not in the log nobody knows how it was chosen, unless it was appealed.
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

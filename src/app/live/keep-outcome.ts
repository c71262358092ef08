import type { ReviewOutcome } from "../../core/records/truth.js";
import type { Queue } from "../../queue/queue.js";
import type { Queries } from "../../store/postgres/database.js";
import type { PostgresRecords } from "../../store/postgres/records.js";

/** What a person answered. */
export interface Judgement {
  outcome: "uphold" | "overturn";
  level?: 1 | 2 | 3 | undefined;
  inverse?: boolean | undefined;
  saw_audit: boolean;
}

/** Keeps what a review or an appeal came to as an outcome, in the caller's transaction. A job makes its label. */
export async function keepOutcome(
  queries: Queries,
  workspace: string,
  { outcomes, queue }: { outcomes: PostgresRecords<ReviewOutcome>; queue: Queue },
  { outcome, level, inverse, saw_audit }: Judgement,
  about: { decision_id: string; reviewer: string; at: string; source: "review" | "appeal" },
): Promise<void> {
  const kept: ReviewOutcome = {
    decision_id: about.decision_id,
    outcome,
    ...(level === undefined ? {} : { level }),
    ...(inverse === undefined ? {} : { inverse }),
    reviewer: about.reviewer,
    saw_audit,
    at: about.at,
    source: about.source,
  };
  await outcomes.insert([outcomes.rowOf(outcomes.canonical(kept))], queries);
  await queue.add([{ task: "labels", payload: { workspace }, key: `labels ${workspace}`, delay: 5 }], queries);
}

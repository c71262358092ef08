import type { Actions } from "../core/records/actions.js";
import type { MovedDecision, MovedDecisions } from "../core/results/rules-diff.js";
import { sqlString } from "../store/files/audit-columns.js";
import type { Duck } from "../store/files/duckdb.js";
import { ARM_ROWS } from "./arm-pairs.js";

/** How a decision may move from the first arm to the second. Kinds: (level − 1) · 2 + (Yes 0, No 1). */
const MOVES = {
  new_indefensible: "k0 < 4 AND k1 >= 4",
  no_longer_indefensible: "k0 >= 4 AND k1 < 4",
  settled: "k0 % 2 = 0 AND k1 % 2 = 1",
  opened: "k0 % 2 = 1 AND k1 % 2 = 0",
  opened_pure: "k0 NOT IN (0, 2) AND k1 IN (0, 2)",
  overturned: "k0 <> 4 AND k1 = 4",
} as const;

export type Move = keyof typeof MOVES;

/** Decisions that moved between the first two arms of `pairArms`: all counted, the first of them by community and id listed. */
export async function listMoved(
  db: Duck,
  move: Move,
  { positive, negative }: Actions,
  limit: number,
): Promise<MovedDecisions> {
  const from = `FROM ${ARM_ROWS} WHERE NOT other_action AND k0 >= 0 AND k1 >= 0 AND ${MOVES[move]}`;
  const [row] = await db.rows<Omit<MovedDecisions, "listed">>(
    `SELECT count(*)::INTEGER AS n, count(agreed)::INTEGER AS labelled, count(*) FILTER (agreed)::INTEGER AS people_same ${from}`,
  );
  const listed = await db.rows<MovedDecision>(
    `SELECT decision_id, community, CASE WHEN positive THEN ${sqlString(positive)} ELSE ${sqlString(negative)} END AS decision,
       (k0 // 2 + 1)::INTEGER AS level_before, (k1 // 2 + 1)::INTEGER AS level_after, k0 % 2 = 0 AS inverse_before, k1 % 2 = 0 AS inverse_after,
       rule0 AS cited_before, rule1 AS cited_after ${from} ORDER BY community, decision_id LIMIT ${limit}`,
  );
  return { ...(row ?? { n: 0, labelled: 0, people_same: 0 }), listed };
}

import { sqlString } from "../store/files/audit-columns.js";
import type { AuditTable } from "./audit-table.js";
import { doubles, integers } from "./score-table.js";
import { UNIT_SPACE } from "./unit-space.js";

/** The verdicts of an arm's replicated decisions, decision by decision, in the order of replicates. */
export interface ReplicateColumns {
  decisions: number;
  /** Rows of decision d: start[d] to start[d + 1]. */
  start: Int32Array;
  /** Community of each decision, as a number. */
  community: Int32Array;
  communities: number;
  level: Uint8Array;
  inverse: Uint8Array;
  /** Probabilities of the levels; NaN: absent. */
  p1: Float64Array;
  p2: Float64Array;
  p3: Float64Array;
  pds: Float64Array;
  inverseYesProb: Float64Array;
  /** 1: the level probabilities are those at temperature 1, so that the law of the draws follows; 0: it is not known which they are, or they are shares of draws. */
  unitSpace: Uint8Array;
  /** The temperature of the rows; null where they differ or do not say. */
  temperature: number | null;
}

/** Reads the decisions of an arm that have at least `least` verdicts. The table must have been opened with `SIGNAL_COLUMNS`. */
export async function readReplicates(table: AuditTable, arm: string, least: number): Promise<ReplicateColumns> {
  const { db } = table;
  await db.run(
    `CREATE OR REPLACE TABLE replicated AS SELECT decision_id, k, row_number() OVER (ORDER BY decision_id) - 1 AS number,
       dense_rank() OVER (ORDER BY community) - 1 AS community_number
     FROM (SELECT decision_id, any_value(community) AS community, count(*) AS k FROM audits
           WHERE cell >= 0 AND arm = ${sqlString(arm)} GROUP BY decision_id HAVING count(*) >= ${least})`,
  );
  const [size] = await db.rows<{
    decisions: number;
    n: number;
    communities: number;
    low: number | null;
    high: number | null;
  }>(
    `SELECT count(*)::INTEGER AS decisions, coalesce(sum(k), 0)::INTEGER AS n, coalesce(max(community_number) + 1, 0)::INTEGER AS communities,
       (SELECT min(temperature) FROM audits WHERE arm = ${sqlString(arm)}) AS low,
       (SELECT max(temperature) FROM audits WHERE arm = ${sqlString(arm)}) AS high FROM replicated`,
  );
  const { decisions, n, communities, low, high } = size!;
  const columns: ReplicateColumns = {
    decisions,
    start: new Int32Array(decisions + 1),
    community: new Int32Array(decisions),
    communities,
    level: new Uint8Array(n),
    inverse: new Uint8Array(n),
    p1: new Float64Array(n),
    p2: new Float64Array(n),
    p3: new Float64Array(n),
    pds: new Float64Array(n),
    inverseYesProb: new Float64Array(n),
    unitSpace: new Uint8Array(n),
    temperature: low === high ? low : null,
  };
  if (n > 0) await fill(table, arm, columns);
  return columns;
}

async function fill(table: AuditTable, arm: string, columns: ReplicateColumns): Promise<void> {
  const absent = "'NaN'::DOUBLE";
  const result = await table.db.connection.stream(
    `SELECT number::INTEGER, community_number::INTEGER, (cell // 10 % 3 + 1)::INTEGER, (cell // 5 % 2 = 0)::INTEGER,
       coalesce(level_probs[1], ${absent}), coalesce(level_probs[2], ${absent}), coalesce(level_probs[3], 1 - p_defensible, ${absent}),
       coalesce(pds, ${absent}), coalesce(inverse_yes_prob, ${absent}), ${UNIT_SPACE}::INTEGER
     FROM audits JOIN replicated USING (decision_id) WHERE cell >= 0 AND arm = ${sqlString(arm)} ORDER BY number, replicate`,
  );
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const numbers = integers(chunk, 0);
    const communities = integers(chunk, 1);
    for (let i = 0; i < numbers.length; i++) {
      columns.start[numbers[i]! + 1]!++;
      columns.community[numbers[i]!] = communities[i]!;
    }
    columns.level.set(integers(chunk, 2), at);
    columns.inverse.set(integers(chunk, 3), at);
    columns.p1.set(doubles(chunk, 4), at);
    columns.p2.set(doubles(chunk, 5), at);
    columns.p3.set(doubles(chunk, 6), at);
    columns.pds.set(doubles(chunk, 7), at);
    columns.inverseYesProb.set(doubles(chunk, 8), at);
    columns.unitSpace.set(integers(chunk, 9), at);
    at += chunk.rowCount;
  }
  for (let d = 0; d < columns.decisions; d++) columns.start[d + 1]! += columns.start[d]!;
}

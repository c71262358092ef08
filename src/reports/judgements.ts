import { existsSync } from "node:fs";
import { sqlString } from "../ledger/audit-columns.js";
import type { AuditTable } from "../ledger/audit-table.js";
import { loadJsonLines } from "../ledger/json-lines-table.js";
import type { AuditSource } from "../ledger/ledger.js";
import { MAIN_ROWS } from "../ledger/tallies.js";
import type { JudgedPair } from "../metrics/against.js";

const BOOLEAN = (column: string) => `CASE lower(${column}) WHEN 'true' THEN true WHEN 'false' THEN false END`;

/** What somebody else said of the decisions: gold annotations, people's labels, or another run. Each fills table `judgements`. */
export async function loadGold(table: AuditTable, decisions: { jsonl: string; parquet: string }): Promise<void> {
  if (existsSync(decisions.parquet)) {
    await fill(
      table,
      `SELECT id, gold.level::INTEGER, gold.inverse FROM read_parquet(${sqlString(decisions.parquet)}, hive_partitioning = false)
       WHERE gold IS NOT NULL`,
    );
    return;
  }
  if (existsSync(decisions.jsonl)) await loadJsonLines(table.db, decisions.jsonl, ["id", "gold.level", "gold.inverse"], "gold");
  else await table.db.run(`CREATE TABLE gold (id VARCHAR, "gold.level" VARCHAR, "gold.inverse" VARCHAR)`);
  await fill(table, `SELECT id, "gold.level"::INTEGER, ${BOOLEAN('"gold.inverse"')} FROM gold WHERE "gold.level" IS NOT NULL`);
}

/** Several raters: the level most of them gave, on a tie the more severe one; the inverse answer most of them gave, on a tie Yes. */
export async function loadHumanLabels(table: AuditTable, labels: string): Promise<void> {
  if (existsSync(labels)) await loadJsonLines(table.db, labels, ["decision_id", "level", "inverse", "source"], "labels");
  else await table.db.run("CREATE TABLE labels (decision_id VARCHAR, level VARCHAR, inverse VARCHAR, source VARCHAR)");
  await fill(
    table,
    `SELECT decision_id,
       (SELECT level FROM labels l WHERE l.decision_id = d.decision_id AND source = 'human'
        GROUP BY level ORDER BY count(*) DESC, level DESC LIMIT 1)::INTEGER,
       (SELECT count(*) FILTER (inverse = 'true') * 2 >= count(*) FROM labels l
        WHERE l.decision_id = d.decision_id AND source = 'human' AND inverse IS NOT NULL HAVING count(*) > 0)
     FROM (SELECT DISTINCT decision_id FROM labels WHERE source = 'human') d`,
  );
}

export async function loadRunJudgements(table: AuditTable, source: AuditSource): Promise<void> {
  const relation =
    source.format === "parquet"
      ? `read_parquet(${sqlString(source.path)}, hive_partitioning = false)`
      : await loadJsonLines(table.db, source.path, ["decision_id", "arm", "replicate", "outcome", "level", "inverse"], "other_run");
  await fill(
    table,
    `SELECT decision_id, level::INTEGER, CASE lower(inverse::VARCHAR) WHEN 'true' THEN true WHEN 'false' THEN false END
     FROM ${relation} WHERE arm = '' AND replicate::INTEGER = 0 AND outcome = 'verdict'`,
  );
}

async function fill(table: AuditTable, select: string): Promise<void> {
  await table.db.run("CREATE TABLE judgements (decision_id VARCHAR, level INTEGER, inverse BOOLEAN)");
  await table.db.run(`INSERT INTO judgements ${select}`);
}

/** The verdicts that have a judgement beside them. */
export async function judgedPairs(table: AuditTable): Promise<JudgedPair[]> {
  return table.db.rows<JudgedPair>(
    `SELECT a.level, j.level AS "targetLevel", a.inverse, j.inverse AS "targetInverse", 1 - a.p_defensible AS "indefensibleScore"
     FROM audits a JOIN judgements j USING (decision_id)
     WHERE ${MAIN_ROWS} AND a.outcome = 'verdict' AND j.level BETWEEN 1 AND 3 ORDER BY a.decision_id`,
  );
}

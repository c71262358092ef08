import { existsSync } from "node:fs";
import type { AuditTable } from "../ledger/audit-table.js";
import { loadJsonLines } from "../ledger/json-lines-table.js";
import type { AuditSource } from "../ledger/ledger.js";
import { MAIN_ROWS } from "../ledger/main-rows.js";
import { openParquet } from "../ledger/parquet-columns.js";
import type { JudgedPair } from "../metrics/against.js";

const asBoolean = (column: string) =>
  `CASE lower(${column}::VARCHAR) WHEN 'true' THEN true WHEN 'false' THEN false END`;

/** What somebody else said of the decisions: gold annotations, people's labels, or another run. Each fills table `judgements`. */
export async function loadGold(table: AuditTable, decisions: { jsonl: string; parquet: string }): Promise<void> {
  await startJudgements(table);
  if (existsSync(decisions.parquet)) {
    const { relation, columns } = await openParquet(table.db, decisions.parquet);
    const gold = columns.find((column) => column.column_name === "gold");
    if (gold) {
      // Our own export keeps what has parts as JSON text.
      const of = (name: string) =>
        gold.column_type.startsWith("STRUCT") ? `gold.${name}` : `json_extract_string(gold::JSON, '$.${name}')`;
      await add(
        table,
        `SELECT id::VARCHAR, ${of("level")}::INTEGER, ${asBoolean(of("inverse"))} FROM ${relation} WHERE ${of("level")} IS NOT NULL`,
      );
    }
  }
  if (existsSync(decisions.jsonl)) {
    await loadJsonLines(table.db, decisions.jsonl, ["id", "gold.level", "gold.inverse"], "gold");
    await add(
      table,
      `SELECT id, "gold.level"::INTEGER, ${asBoolean('"gold.inverse"')} FROM gold WHERE "gold.level" IS NOT NULL`,
    );
  }
}

/** Several raters: the level most of them gave, on a tie the more severe one; the inverse answer most of them gave, on a tie Yes. */
export async function loadHumanLabels(table: AuditTable, labels: string): Promise<void> {
  await startJudgements(table);
  if (!existsSync(labels)) return;
  // A name of its own: what reads labels for other ends calls its view of them `labels`.
  await loadJsonLines(table.db, labels, ["decision_id", "level", "inverse", "source"], "judging_labels");
  await add(
    table,
    `SELECT decision_id,
       (SELECT level FROM judging_labels l WHERE l.decision_id = d.decision_id AND source = 'human'
        GROUP BY level ORDER BY count(*) DESC, level DESC LIMIT 1)::INTEGER,
       (SELECT count(*) FILTER (inverse = 'true') * 2 >= count(*) FROM judging_labels l
        WHERE l.decision_id = d.decision_id AND source = 'human' AND inverse IS NOT NULL HAVING count(*) > 0)
     FROM (SELECT DISTINCT decision_id FROM judging_labels WHERE source = 'human') d`,
  );
}

export async function loadRunJudgements(table: AuditTable, source: AuditSource): Promise<void> {
  await startJudgements(table);
  const fields = ["decision_id", "arm", "replicate", "outcome", "level", "inverse"];
  const relation =
    source.format === "parquet"
      ? (await openParquet(table.db, source.path)).relation
      : await loadJsonLines(table.db, source.path, fields, "other_run");
  // In a live run a later line of a key replaces an earlier one.
  const newest =
    source.format === "jsonl" ? "QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY line DESC) = 1" : "";
  await add(
    table,
    `SELECT decision_id, level, inverse FROM
       (SELECT decision_id, outcome, level::INTEGER AS level, ${asBoolean("inverse")} AS inverse FROM ${relation}
        WHERE arm = '' AND replicate::INTEGER = 0 ${newest})
     WHERE outcome = 'verdict'`,
  );
}

async function startJudgements(table: AuditTable): Promise<void> {
  await table.db.run("CREATE TABLE judgements (decision_id VARCHAR, level INTEGER, inverse BOOLEAN)");
}

async function add(table: AuditTable, select: string): Promise<void> {
  await table.db.run(`INSERT INTO judgements ${select}`);
}

/** The verdicts that have a judgement beside them. */
export async function judgedPairs(table: AuditTable): Promise<JudgedPair[]> {
  return table.db.rows<JudgedPair>(
    `SELECT a.level, j.level AS "targetLevel", a.inverse, j.inverse AS "targetInverse", 1 - a.p_defensible AS "indefensibleScore",
       a.decision <> a.human_label AS disagrees
     FROM audits a JOIN (SELECT DISTINCT ON (decision_id) * FROM judgements) j USING (decision_id)
     WHERE ${MAIN_ROWS} AND a.outcome = 'verdict' AND j.level BETWEEN 1 AND 3 ORDER BY a.decision_id`,
  );
}

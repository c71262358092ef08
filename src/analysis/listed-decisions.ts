import { existsSync } from "node:fs";
import { readLines } from "../io/read-lines.js";
import { UNSURE_BAND } from "../measures/metrics/agreement.js";
import { LOOK_REASONS, type LookReason } from "../measures/report-page.js";
import { type Duck, sqlName } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { openSource } from "./apply-calibration.js";
import { finiteValue, MAIN_ROWS, typedColumns } from "./audit-cells.js";
import type { AuditTable } from "./audit-table.js";

/** Table of the decisions that a page lists, one row each. */
export const LISTED = "listed_decisions";

/** Fields of the audit of a listed decision in the table of audits, under uniform names. */
export interface ListedDecision {
  decision_id: string;
  community: string;
  decision: string;
  human_label: string | null;
  outcome: "verdict" | "unscored" | "error";
  level: 1 | 2 | 3 | null;
  inverse: boolean | null;
  level_map: 1 | 2 | 3 | null;
  p_defensible: number | null;
  grounded: boolean | null;
}

/** Conditions on view `audits`; equivalent to `lookReasons` (a test compares the two). */
const CONDITIONS: Record<LookReason, string> = {
  injection_suspected: "contains(coalesce(flags, ''), 'injection_suspected')",
  disagreement_indefensible: "cell >= 0 AND level = 3 AND human_label <> decision",
  agreed_but_indefensible: "cell >= 0 AND level = 3 AND human_label = decision",
  indefensible: "cell >= 0 AND level = 3 AND human_label IS NULL",
  not_scored: "cell < 0",
  ungrounded_citation: "cell >= 0 AND NOT citation_grounded",
  disagreement_defensible: "cell >= 0 AND human_label <> decision",
  open_both_ways: "cell >= 0 AND inverse",
  unsure: `cell >= 0 AND (level_map <> level OR p_defensible BETWEEN ${UNSURE_BAND[0]} AND ${UNSURE_BAND[1]})`,
  settled: "true",
};

/**
 * Order among decisions with the same main reason: the least defensible first; if the human decided otherwise and both may be right, the most
 * certain; among those open both ways, the most probable opposite; among the unsure, the least certain.
 */
const TELLING: Partial<Record<LookReason, string>> = {
  disagreement_defensible: "1 - p_defensible",
  open_both_ways: "1 - inverse_yes_prob",
  unsure: "abs(p_defensible - 0.5)",
};

/**
 * Chooses the decisions that a page lists and puts them into table `LISTED`. Every community contributes its most urgent one, then its second, and
 * so on until there are enough, so that a large community cannot crowd out a small one. The choice is made inside the engine: of a million audits
 * only the chosen ones are ever read. The same audits give the same choice in the same order. Returns them in the order of the list, the most
 * urgent first.
 */
export async function listDecisions(table: AuditTable, most: number): Promise<ListedDecision[]> {
  const { db } = table;
  const reason = `CASE ${LOOK_REASONS.map((name, i) => `WHEN ${CONDITIONS[name]} THEN ${i}`).join(" ")} END`;
  const telling = `CASE reason ${Object.entries(TELLING)
    .map(([name, value]) => `WHEN ${LOOK_REASONS.indexOf(name as LookReason)} THEN ${value}`)
    .join(" ")} ELSE p_defensible END`;
  // Only a few columns, and only as many rounds as needed: ranking whole rows took a hundred more bytes for each.
  await db.run(
    `CREATE OR REPLACE TABLE ${LISTED} AS SELECT * FROM
       (SELECT *, row_number() OVER (PARTITION BY community ORDER BY reason, telling NULLS LAST, decision_id) AS turn FROM
         (SELECT decision_id, community, reason, ${telling} AS telling FROM
           (SELECT decision_id, community, p_defensible, inverse_yes_prob, (${reason})::TINYINT AS reason FROM audits WHERE ${MAIN_ROWS})))
     WHERE turn <= ${await turnsFor(table, most)} ORDER BY turn, community, decision_id LIMIT ${Math.floor(most)}`,
  );
  return db.rows<ListedDecision>(
    `SELECT decision_id, a.community, decision, human_label, outcome, a.level::INTEGER AS level, inverse, level_map, p_defensible,
       citation_grounded AS grounded
     FROM ${LISTED} l JOIN (SELECT * FROM audits WHERE ${MAIN_ROWS}) a USING (decision_id)
     ORDER BY reason, telling NULLS LAST, a.community, decision_id`,
  );
}

/** How many decisions the largest communities contribute if all together contribute `most`. */
async function turnsFor({ db }: AuditTable, most: number): Promise<number> {
  const sizes = await db.rows<{ n: number }>(
    `SELECT count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS} GROUP BY community ORDER BY n`,
  );
  let left = most;
  for (const [i, { n }] of sizes.entries()) {
    const share = Math.ceil(left / (sizes.length - i));
    if (n >= share) return share;
    left -= n;
  }
  return sizes.at(-1)?.n ?? 0;
}

/** An audit as stored in its file; each field may be missing or of another type. */
export type AuditRow = Record<string, unknown>;

/**
 * The audits of listed decisions as stored in their file, of any arm and the first replicate, batch by batch. A file that is still being written
 * may have several rows of a key; the last one counts.
 */
export async function* readListedAudits(
  db: Duck,
  source: AuditSource,
  listed: ReadonlySet<string>,
): AsyncGenerator<AuditRow[]> {
  const rows = source.format === "jsonl" ? lines(source.path, listed) : cells(db, source);
  for await (const batch of rows) yield batch.filter((row) => Number(row.replicate ?? 0) === 0);
}

async function* lines(path: string, listed: ReadonlySet<string>): AsyncGenerator<AuditRow[]> {
  if (!existsSync(path)) return;
  for await (const batch of readLines(path)) {
    const rows = batch.map((line) => parse(line.text));
    yield rows.filter((row): row is AuditRow => row !== null && listed.has(String(row.decision_id))).map(nested);
  }
}

async function* cells(db: Duck, source: AuditSource): AsyncGenerator<AuditRow[]> {
  const { relation, columns } = await openSource(db, source);
  const typed =
    source.format === "csv"
      ? typedColumns(
          columns.map(({ name }) => name),
          "f",
        )
      : columns.map(({ name, type }) => ({ name, value: finiteValue(`f.${sqlName(name)}`, type) }));
  const list = typed.map(({ name, value }) => `${value} AS ${sqlName(name)}`).join(", ");
  const id = typed.find(({ name }) => name === "decision_id")!.value;
  const rows = db.stream<{ json: string }>(
    `SELECT to_json(a)::VARCHAR AS json FROM
       (SELECT ${list} FROM ${relation} f WHERE (${id})::VARCHAR IN (SELECT decision_id FROM ${LISTED})) AS a`,
  );
  for await (const batch of rows) yield batch.map(({ json }) => JSON.parse(json));
}

function parse(text: string): AuditRow | null {
  try {
    const row: unknown = JSON.parse(text);
    return typeof row === "object" ? (row as AuditRow | null) : null;
  } catch {
    return null;
  }
}

const PARTS = ["trace", "citation", "inverse_citation", "error"];

/** Nests fields of objects that a file has under dotted names. */
function nested(row: AuditRow): AuditRow {
  for (const [name, value] of Object.entries(row)) {
    const [head = "", field] = name.split(".");
    if (field === undefined || !PARTS.includes(head)) continue;
    row[head] ??= {};
    (row[head] as AuditRow)[field] ??= value;
  }
  return row;
}

import { existsSync } from "node:fs";
import { TIERS } from "../core/records/rule-set.js";
import { sqlString } from "../store/files/audit-columns.js";
import type { DecisionFiles } from "../store/ports.js";
import type { MoreColumn } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { loadDecisionFields } from "./decision-fields.js";
import { loadJsonLines } from "./json-lines-table.js";

/** Table (decision_id, level, inverse, cause) of what is true of the decisions, by construction or by annotation. */
export const TRUE_VERDICTS = "true_verdicts";

/** What a table must have been opened with (`TableOptions.also`) before the truth is loaded beside it. */
export const TRUTH_COLUMNS = ["tier"] as const satisfies readonly MoreColumn[];

export interface TruthPlaces {
  /** `truth/truth.jsonl` of a simulated world. */
  truth: string;
  decisions: DecisionFiles;
}

export interface TruthSource {
  /** simulation: planted; gold: annotations that decisions carry. */
  kind: "simulation" | "gold";
  /** Decisions it speaks of. */
  n: number;
  /** The texts that the audits were made under and that the truth is of: tiers, or `scope platform`. Empty for gold, which does not say. */
  under: string[];
}

/**
 * Loads the planted truth of a simulated world, else the decisions' gold annotations. Of a planted truth that of the text which the arm's audit
 * was made under: what is open by the titles may be settled by the wiki. Null: there is neither, and the table is empty.
 */
export async function loadTrueVerdicts(
  table: AuditTable,
  { truth, decisions }: TruthPlaces,
  arm = "",
): Promise<TruthSource | null> {
  const { db } = table;
  await db.run(
    `CREATE OR REPLACE TABLE ${TRUE_VERDICTS} (decision_id VARCHAR, level INTEGER, inverse BOOLEAN, cause VARCHAR)`,
  );
  const kind = existsSync(truth) ? "simulation" : "gold";
  if (kind === "simulation") {
    const text = textOf(arm);
    if (text === null) return null;
    await loadPlanted(table, truth, arm, text);
  } else {
    await loadDecisionFields(table, decisions, ["gold.level", "gold.inverse"]);
    await db.run(
      `INSERT INTO ${TRUE_VERDICTS} SELECT DISTINCT ON (decision_id) decision_id, TRY_CAST("gold.level" AS INTEGER),
         lower("gold.inverse") = 'true', NULL FROM decision_fields WHERE "gold.level" IS NOT NULL AND "gold.inverse" IS NOT NULL`,
    );
  }
  await db.run(`DELETE FROM ${TRUE_VERDICTS} WHERE level IS NULL OR level NOT BETWEEN 1 AND 3`);
  const [row] = await db.rows<{ n: number }>(`SELECT count(*)::INTEGER AS n FROM ${TRUE_VERDICTS}`);
  return row?.n ? { kind, n: row.n, under: kind === "gold" ? [] : await textsUnder(table, arm) } : null;
}

/** What an arm's audits were shown: the text of their tier, or one scope's rules. Null: the truth of it is not planted (other rules, the other action). */
function textOf(arm: string): "tier" | "platform" | "community" | null {
  const scope = /^scope=(platform|community)$/.exec(arm)?.[1];
  if (scope) return scope as "platform" | "community";
  return arm.split(" ").every((part) => /^$|^pilot$|^(t|template|tier|precedents)=/.test(part)) ? "tier" : null;
}

async function loadPlanted(
  { db }: AuditTable,
  path: string,
  arm: string,
  text: "tier" | "platform" | "community",
): Promise<void> {
  const shown = text === "tier" ? TIERS.map((tier) => `tiers.${tier}`) : [`scopes.${text}`];
  const fields = [
    "decision_id",
    "level",
    "inverse",
    "cause",
    ...shown.flatMap((one) => [`${one}.level`, `${one}.inverse`]),
  ];
  await db.run("DROP TABLE IF EXISTS truth_lines");
  await loadJsonLines(db, path, fields, "truth_lines");
  // A file that says no tier is of the whole text, which the truth has without a tier.
  const of = (field: "level" | "inverse") =>
    text === "tier"
      ? `CASE tier WHEN 'title' THEN "tiers.title.${field}" WHEN 'sidebar' THEN "tiers.sidebar.${field}" ELSE ${field} END`
      : `"scopes.${text}.${field}"`;
  // The planted cause is that of the whole text; where less text says otherwise, the cause follows from what it says.
  await db.run(
    `INSERT INTO ${TRUE_VERDICTS} SELECT decision_id, TRY_CAST(own_level AS INTEGER), own_inverse = 'true',
       CASE WHEN own_level = level AND own_inverse = inverse THEN cause END
     FROM (SELECT t.*, ${of("level")} AS own_level, ${of("inverse")} AS own_inverse FROM truth_lines t LEFT JOIN
       (SELECT decision_id, any_value(tier) AS tier FROM audits WHERE ${rowsOf(arm)} GROUP BY decision_id) USING (decision_id)
       QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY line DESC) = 1)`,
  );
  await db.run("DROP TABLE truth_lines");
}

async function textsUnder({ db }: AuditTable, arm: string): Promise<string[]> {
  const text = textOf(arm);
  if (text !== "tier") return [`scope ${text}`];
  const rows = await db.rows<{ tier: string }>(
    `SELECT DISTINCT coalesce(tier, 'wiki') AS tier FROM audits JOIN ${TRUE_VERDICTS} USING (decision_id) WHERE ${rowsOf(arm)} AND cell >= 0`,
  );
  const found = new Set(rows.map(({ tier }) => tier));
  return TIERS.filter((tier) => found.has(tier));
}

function rowsOf(arm: string): string {
  return `arm = ${sqlString(arm)} AND replicate = 0`;
}

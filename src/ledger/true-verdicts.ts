import { existsSync } from "node:fs";
import type { AuditTable } from "./audit-table.js";
import { type DecisionFiles, loadDecisionFields } from "./decision-fields.js";
import { loadJsonLines } from "./json-lines-table.js";

/** Table (decision_id, level, inverse, cause) of what is true of the decisions, by construction or by annotation. */
export const TRUE_VERDICTS = "true_verdicts";

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
}

/** Loads the planted truth of a simulated world, else the decisions' gold annotations. Null: there is neither, and the table is empty. */
export async function loadTrueVerdicts(
  table: AuditTable,
  { truth, decisions }: TruthPlaces,
): Promise<TruthSource | null> {
  const { db } = table;
  await db.run(
    `CREATE OR REPLACE TABLE ${TRUE_VERDICTS} (decision_id VARCHAR, level INTEGER, inverse BOOLEAN, cause VARCHAR)`,
  );
  const kind = existsSync(truth) ? "simulation" : "gold";
  if (kind === "simulation") {
    await db.run("DROP TABLE IF EXISTS truth_lines");
    await loadJsonLines(db, truth, ["decision_id", "level", "inverse", "cause"], "truth_lines");
    await db.run(
      `INSERT INTO ${TRUE_VERDICTS} SELECT decision_id, TRY_CAST(level AS INTEGER), inverse = 'true', cause FROM truth_lines`,
    );
    await db.run("DROP TABLE truth_lines");
  } else {
    await loadDecisionFields(table, decisions, ["gold.level", "gold.inverse"]);
    await db.run(
      `INSERT INTO ${TRUE_VERDICTS} SELECT DISTINCT ON (decision_id) decision_id, TRY_CAST("gold.level" AS INTEGER),
         lower("gold.inverse") = 'true', NULL FROM decision_fields WHERE "gold.level" IS NOT NULL AND "gold.inverse" IS NOT NULL`,
    );
  }
  await db.run(`DELETE FROM ${TRUE_VERDICTS} WHERE level IS NULL OR level NOT BETWEEN 1 AND 3`);
  const [row] = await db.rows<{ n: number }>(`SELECT count(*)::INTEGER AS n FROM ${TRUE_VERDICTS}`);
  return row?.n ? { kind, n: row.n } : null;
}

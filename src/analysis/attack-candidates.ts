import { existsSync } from "node:fs";
import type { DecisionFiles } from "../store/ports.js";
import type { AuditTable } from "./audit-table.js";
import { loadDecisionFields } from "./decision-fields.js";
import { loadJsonLines } from "./json-lines-table.js";

/** A verdict of a run, and what is known of its decision from elsewhere. */
export interface AttackCandidate {
  decision_id: string;
  community: string;
  decision: string;
  level: number;
  inverse: boolean;
  grounded: boolean | null;
  /** Scope and id of the cited rule. */
  scope: string | null;
  rule_id: string | null;
  /** Truth of a simulated world, else gold; null: nothing is known. */
  known_level: number | null;
  known_inverse: boolean | null;
  known_scope: string | null;
  known_rule: string | null;
  /** Ids of the rules that gold names, as a JSON list. */
  gold_rules: string | null;
}

/**
 * Every verdict of a run, in the order of ids. `truth`: the file of a simulated world; it goes before gold.
 */
export async function readAttackCandidates(
  table: AuditTable,
  decisions: DecisionFiles,
  truth: string,
): Promise<AttackCandidate[]> {
  const { db } = table;
  await loadDecisionFields(table, decisions, ["gold.level", "gold.inverse", "gold.rule_ids"]);
  await db.run("DROP TABLE IF EXISTS truth_lines");
  const fields = ["decision_id", "level", "inverse", "rule.scope", "rule.rule_id"];
  if (existsSync(truth)) await loadJsonLines(db, truth, fields, "truth_lines");
  else {
    const columns = fields.map((field) => `"${field}" VARCHAR`);
    await db.run(`CREATE TABLE truth_lines (${columns.join(", ")})`);
  }
  return db.rows<AttackCandidate>(
    `SELECT a.decision_id, a.community, a.decision, a.level::INTEGER AS level, a.inverse, a.citation_grounded AS grounded,
       a.citation_scope AS scope, a.citation_rule_id AS rule_id,
       coalesce(TRY_CAST(t.level AS INTEGER), TRY_CAST(g."gold.level" AS INTEGER)) AS known_level,
       coalesce(TRY_CAST(t.inverse AS BOOLEAN), TRY_CAST(g."gold.inverse" AS BOOLEAN)) AS known_inverse,
       t."rule.scope" AS known_scope, t."rule.rule_id" AS known_rule, g."gold.rule_ids" AS gold_rules
     FROM audits a LEFT JOIN truth_lines t USING (decision_id) LEFT JOIN decision_fields g USING (decision_id)
     WHERE a.arm = '' AND a.replicate = 0 AND a.cell >= 0 ORDER BY a.decision_id`,
  );
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeAudit } from "../../test/support/make-audit.js";
import type { Audit } from "../core/records/audit.js";
import { AUDITED } from "../measures/metrics/judge/counts.js";
import { withDuckDB } from "../store/files/duckdb.js";
import { type AuditTable, openAuditTable } from "./audit-table.js";

/** An audit by its kind: a verdict's cell, −1 unscored, −2 an error, −3 none at all. */
export function auditsOf(
  arms: readonly string[],
  kinds: readonly number[],
  fields: Partial<Audit> & { decision_id: string },
): Audit[] {
  return arms.flatMap((arm, i) => {
    const kind = kinds[i]!;
    if (kind === -3) return [];
    const cell = AUDITED[kind];
    const outcome = kind === -1 ? "unscored" : kind === -2 ? "error" : "verdict";
    return [makeAudit({ ...fields, arm, outcome, level: cell?.level ?? null, inverse: cell?.inverse ?? null })];
  });
}

/** Audits as a table that arms can be paired in. */
export async function withArms<T>(audits: readonly Audit[], work: (table: AuditTable) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "arm-pairs-"));
  try {
    const path = join(folder, "audits.jsonl");
    writeFileSync(path, audits.map((audit) => `${JSON.stringify(audit)}\n`).join(""));
    const source = { path, format: "jsonl", own: false } as const;
    const options = { also: ["thread_id", "decided_at", "ruleset_version"], anyArm: true } as const;
    return await withDuckDB(async (db) => work(await openAuditTable(db, source, options)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

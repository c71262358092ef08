import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { openAuditTable } from "../audit-table.js";
import { oneAuditor } from "./evidence.js";

async function auditorOf(text: string, format: "jsonl" | "csv"): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), "one-auditor-"));
  try {
    const path = join(folder, `audits.${format}`);
    writeFileSync(path, text);
    return await withDuckDB(async (db) =>
      oneAuditor(await openAuditTable(db, { path, format, own: false }, { also: ["auditor"] })),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const lines = (...auditors: string[]) =>
  auditors.map((auditor, i) => `${JSON.stringify(makeAudit({ decision_id: `d${i}`, auditor }))}\n`).join("");

it("knows who gave the verdicts of a file where all of them name the same auditor", async () => {
  expect(await auditorOf(lines("baseline", "baseline"), "jsonl")).toBe("baseline");
  expect(await auditorOf(lines("baseline", "openai:gpt-4.1-mini"), "jsonl")).toBeNull();
  expect(await auditorOf("decision_id,community,decision,level,inverse\nd1,a,remove,1,No\n", "csv")).toBeNull();
});

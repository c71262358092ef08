import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import { MODERATION_ACTIONS } from "../domain/actions.js";
import type { Audit } from "../domain/audit.js";
import { openAuditTable } from "./audit-table.js";
import { withDuckDB } from "./duckdb.js";
import { firstDecisions, GateStream, type StreamRow, WATCH_COLUMNS } from "./gate-stream.js";
import type { AuditSource } from "./ledger.js";

const folder = mkdtempSync(join(tmpdir(), "gate-stream-"));
let files = 0;

function run(rows: readonly Partial<Audit>[]): AuditSource {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(makeAudit(row))}\n`).join(""));
  return { path, format: "jsonl", own: true };
}

const wanted = new Set(["alpha", "beta"]);

async function read(runs: readonly { source: AuditSource; epoch: number }[], variable: "ai" | "ai_pure" = "ai") {
  return withDuckDB(async (db) => {
    const stream = await GateStream.create(db, ["community"]);
    for (const [i, { source, epoch }] of runs.entries()) {
      await stream.addRun(source, { actions: MODERATION_ACTIONS, epoch, run: i });
    }
    const rows: StreamRow[] = [];
    await stream.read(wanted, variable, (row) => rows.push({ ...row }));
    return rows;
  });
}

describe("verdicts in the order of time", () => {
  it("are merged over runs of one epoch by the time of the decision, or of the audit; what has neither comes first", async () => {
    const first = run([
      { decision_id: "d3", decided_at: "2026-01-03", level: 3, inverse: true },
      { decision_id: "d1", decided_at: "2026-01-01T12:00:00Z" },
      { decision_id: "d0", decided_at: null, created_at: "whenever" },
      { decision_id: "u", outcome: "unscored", level: null, inverse: null },
    ]);
    const second = run([
      { decision_id: "d2", decided_at: "2026-01-02T00:00:00+02:00", community: "beta", level: 2, inverse: true },
      { decision_id: "d4", decided_at: null, created_at: "2026-02-01T00:00:00Z" },
      { decision_id: "d5", community: "nobody asked for", decided_at: "2026-01-01" },
    ]);
    const rows = await read([
      { source: first, epoch: 0 },
      { source: second, epoch: 0 },
    ]);
    expect(rows.map((row) => row.at)).toEqual([
      "whenever",
      "2026-01-01T12:00:00Z",
      "2026-01-02T00:00:00+02:00",
      "2026-01-03",
      "2026-02-01T00:00:00Z",
    ]);
    expect(rows.map((row) => [row.key, row.x_indefensible, row.x_ambiguous])).toEqual([
      ["alpha", 0, 0],
      ["alpha", 0, 0],
      ["beta", 0, 1],
      ["alpha", 1, 1],
      ["alpha", 0, 0],
    ]);
    const pure = await read([{ source: first, epoch: 0 }], "ai_pure");
    expect(pure.map((row) => row.x_ambiguous)).toEqual([0, 0, 0]);
  });

  it("count a decision once in an epoch, and again under another auditor or prompt, after all that was before", async () => {
    const old = run([
      { decision_id: "d1", decided_at: "2026-01-05", level: 3 },
      { decision_id: "d2", decided_at: "2026-01-01" },
    ]);
    const again = run([{ decision_id: "d1", decided_at: "2026-01-05", level: 1 }]);
    const other = run([{ decision_id: "d1", decided_at: "2026-01-05", prompt_version: "2" }]);
    const rows = await read([
      { source: old, epoch: 0 },
      { source: again, epoch: 0 },
      { source: other, epoch: 1 },
    ]);
    expect(rows.map((row) => [row.at, row.x_indefensible, row.version])).toEqual([
      ["2026-01-01", 0, "baseline · 1 · 1 · 1+1"],
      ["2026-01-05", 1, "baseline · 1 · 1 · 1+1"],
      ["2026-01-05", 0, "baseline · 1 · 2 · 1+1"],
    ]);
  });

  it("have a first one in each cohort, unless the time of any is unknown", async () => {
    const source = run([
      { decision_id: "d1", decided_at: "2026-01-05T00:00:00Z" },
      { decision_id: "d2", decided_at: "2026-01-02T10:00:00Z" },
      { decision_id: "d3", community: "beta", decided_at: null, created_at: "whenever" },
      { decision_id: "d4", community: "beta", decided_at: "2026-01-02" },
    ]);
    const first = await withDuckDB(async (db) =>
      firstDecisions(await openAuditTable(db, source, { also: WATCH_COLUMNS }), ["community"]),
    );
    expect([...first]).toEqual([["alpha", "2026-01-02T10:00:00.000Z"]]);
  });
});

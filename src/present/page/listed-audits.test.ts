import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import { openAuditTable } from "../../analysis/audit-table.js";
import { writeAudits } from "../../analysis/export.js";
import type { Audit } from "../../core/records/audit.js";
import { makeCommunityPage } from "../../measures/community.suite.js";
import type { PageDecision } from "../../measures/report-page.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import type { AuditSource } from "../../store/ports.js";
import { pageDecisions } from "./page-decisions.js";
import { shownWriting } from "./writing.js";

const folder = mkdtempSync(join(tmpdir(), "listed-audits-"));

function decisionsOf(path: string, format: AuditSource["format"], own = false): Promise<PageDecision[]> {
  return withDuckDB(
    async (db) => {
      const source = { path, format, own };
      const table = await openAuditTable(db, source);
      const { report } = makeCommunityPage();
      const listed = await pageDecisions(
        { report, table, source, context: null, changed: null, opposites: null },
        { most: 10, ruleSets: [], writing: shownWriting },
      );
      return listed.decisions;
    },
    { ordered: false },
  );
}

const audits: Audit[] = [
  makeAudit({ decision_id: "=2+3", human_label: "approve", decided_at: "2026-01-01T00:00:00Z", level_map: 2 }),
  makeAudit({ decision_id: "=2+3", arm: "human", decision: "approve", level: 3 }),
  makeAudit({ decision_id: "2024-01-01", inverse: true, trace: null, citation: null, level_probs: null, flags: [] }),
  makeAudit({
    decision_id: "gone",
    outcome: "error",
    level: null,
    inverse: null,
    level_map: null,
    error: { code: "timeout", message: "no answer, 3 times" },
  }),
];

const flipped = makeAudit({ decision_id: "flipped" });
const control = makeAudit({ decision_id: "flipped", arm: "opposite", decision: "approve", level: 1 });

async function* batches() {
  yield audits;
}

describe("audits of listed decisions", () => {
  it("have the opposite that the run's own flip control audited", async () => {
    const path = join(folder, "flip.jsonl");
    async function* both() {
      yield [flipped, control];
    }
    await writeAudits(both(), "jsonl", path);
    const [one] = await decisionsOf(path, "jsonl");
    expect(one!.opposite_audit).toMatchObject({ decision: "approve", level: 1 });
  });

  it("are the same from CSV, JSONL and Parquet", async () => {
    const seen: PageDecision[][] = [];
    for (const format of ["jsonl", "csv", "parquet"] as const) {
      const path = join(folder, `audits.${format}`);
      await writeAudits(batches(), format, path);
      seen.push(await decisionsOf(path, format));
    }
    const [lines, cells, parquet] = seen;
    expect(lines!.map((one) => one.id)).toEqual(["gone", "=2+3", "2024-01-01"]);
    expect(lines![0]!.audit).toMatchObject({
      outcome: "error",
      error: { code: "timeout", message: "no answer, 3 times" },
    });
    expect(lines![1]).toMatchObject({
      human_label: "approve",
      decided_at: "2026-01-01T00:00:00Z",
      reasons: ["disagreement_defensible", "unsure"],
      audit: {
        level_probs: [0.9, 0.07, 0.03],
        logic_chain: { text: 'It says "no links" — and there is one.' },
        flags: ["uncalibrated"],
        citation: { scope: "community", rule_id: "R1", overlap: 1, grounded: true },
      },
      human_audit: { decision: "approve", level: 3 },
    });
    expect(parquet).toEqual(lines);
    expect(cells).toEqual(lines);
  });

  it("may have dotted names, and nothing but what a report needs", async () => {
    const path = join(folder, "foreign.jsonl");
    const row = { decision_id: "a", community: "c", decision: "remove", level: 2, inverse: false };
    const dotted = { "trace.logic_chain": "because", "citation.grounded": true, pds: 7, p_defensible: 0.123456789 };
    writeFileSync(path, [row, { ...row, decision_id: "b", ...dotted }].map((one) => JSON.stringify(one)).join("\n"));
    const found = await decisionsOf(path, "jsonl");
    expect(found.map((one) => one.id)).toEqual(["b", "a"]);
    expect(found[0]!.audit).toMatchObject({
      logic_chain: { text: "because", length: 7 },
      citation: { grounded: true, scope: "none", rule_id: null },
      pds: null,
      p_defensible: 0.123457,
    });
    expect(found[1]!.audit).toMatchObject({ outcome: "verdict", level: 2, inverse: false, signal: "none", spans: [] });
  });

  it("of a run that is still written are the newest of each key", async () => {
    const path = join(folder, "live.jsonl");
    const rows = [makeAudit({ level: 3 }), makeAudit({ level: 1, trace: null }), makeAudit({ replicate: 1, level: 2 })];
    writeFileSync(path, `${rows.map((one) => JSON.stringify(one)).join("\n")}\n{"decision_id":"d1","lev`);
    const [one] = await decisionsOf(path, "jsonl", true);
    expect(one!.audit).toMatchObject({ level: 1, logic_chain: null });
  });
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import type { Audit } from "../core/records/audit.js";
import { withDuckDB } from "../store/files/duckdb.js";
import { type AuditTable, openAuditTable } from "./audit-table.js";
import { countLabelledScoreBins, countScoreBins, medianScores } from "./decision-scores.js";
import { loadLabelTargets } from "./labels/label-sample.js";

const folder = mkdtempSync(join(tmpdir(), "scores-"));

function load<T>(rows: readonly Partial<Audit>[], work: (table: AuditTable) => Promise<T>): Promise<T> {
  const path = join(folder, "audits.jsonl");
  const lines = rows.map((row, i) => `${JSON.stringify(makeAudit({ decision_id: `d${i}`, ...row }))}\n`);
  writeFileSync(path, lines.join(""));
  return withDuckDB(async (db) => work(await openAuditTable(db, { path, format: "jsonl", own: true })));
}

describe("the histogram of S", () => {
  it("has 40 bins, the last with its upper end, and leaves out what has no S", async () => {
    const rows = [{ pds: 0 }, { pds: 0.0249 }, { pds: 0.025 }, { pds: 1, level: 2 as const }, { pds: null }];
    expect(await load(rows, countScoreBins)).toEqual([
      { level: 1, bin: 0, n: 2 },
      { level: 1, bin: 1, n: 1 },
      { level: 2, bin: 39, n: 1 },
    ]);
  });

  it("is the same by what people say, over the verdicts they speak of", async () => {
    const path = join(folder, "labels.jsonl");
    const label = (id: string, level: number) => `${JSON.stringify({ decision_id: id, level, source: "human" })}\n`;
    writeFileSync(path, `${label("d0", 3)}${label("d1", 3)}${label("d2", 1)}${label("d9", 1)}`);
    const bins = await load([{ pds: 0.91 }, { pds: 0.92 }, { pds: null }, { pds: 0.5 }], async (table) => {
      await loadLabelTargets(table, { path, format: "jsonl" }, { source: "human" });
      return countLabelledScoreBins(table);
    });
    expect(bins).toEqual([{ level: 3, bin: 36, n: 2 }]);
  });
});

describe("the median of S", () => {
  it("is that of the rows, not the end of a bin, and leaves out other arms and what has no S", async () => {
    const rows = [{ pds: 0.6 }, { pds: 0.617 }, { pds: 0.9 }, { pds: null }, { pds: 0.1, arm: "human" }];
    const third = [
      { pds: 0.4, level: 3 as const },
      { pds: 0.5, level: 3 as const },
    ];
    expect(await load([...rows, ...third], medianScores)).toEqual([
      { level: 1, median: 0.617 },
      { level: 3, median: 0.45 },
    ]);
  });
});

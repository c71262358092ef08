import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import { openAuditTable } from "../../analysis/audit-table.js";
import { TRUTH_COLUMNS } from "../../analysis/labels/true-verdicts.js";
import { truthNumber } from "../../auditors/simulated/simulated.suite.js";
import { TruthTable } from "../../auditors/simulated/truth-table.js";
import type { Audit } from "../../core/records/audit.js";
import type { Truth } from "../../core/records/label.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { compareWithTruth } from "./run-truth.js";

const folder = mkdtempSync(join(tmpdir(), "run-truth-"));
let files = 0;

async function compare(audits: readonly Partial<Audit>[], truths: readonly Truth[]) {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, audits.map((audit) => `${JSON.stringify(makeAudit(audit))}\n`).join(""));
  const table = new TruthTable();
  for (const truth of truths) table.add(truth);
  return withDuckDB(async (db) => {
    const opened = await openAuditTable(db, { path, format: "jsonl", own: false }, { also: TRUTH_COLUMNS });
    return compareWithTruth(opened, table, { runId: "r", auditor: "baseline", seed: 1 });
  });
}

const settled = { level: 1, inverse: false } as const;
const truthOf = (decision_id: string, title: Truth["tiers"]["title"] = settled): Truth =>
  truthNumber(0, { decision_id, ...settled, tiers: { title, sidebar: settled, wiki: settled } });

describe("compareWithTruth", () => {
  it("measures the same decisions whose truth it knows, and counts the others", async () => {
    const audits: Partial<Audit>[] = [
      { decision_id: "a", level: 1 },
      { decision_id: "b", level: 1 },
      { decision_id: "c", level: null, inverse: null, outcome: "unscored" },
      { decision_id: "d", level: null, inverse: null, outcome: "unscored" },
      ...[0, 1, 2].map((i) => ({ decision_id: `stranger ${i}`, level: 3 as const, inverse: true })),
    ];
    const result = await compare(
      audits,
      ["a", "b", "c"].map((id) => truthOf(id)),
    );
    expect(result).toMatchObject({ matched: 2, without_truth: 3, tiers: ["wiki"] });
    const [index] = result.quantities;
    expect(index).toMatchObject({ truth: 1, error: 0, measured: { k: 2, n: 2 }, covered: true });
  });

  it("holds each audit against the truth of the tier it was made under", async () => {
    const open = { level: 3, inverse: true } as const;
    const audits: Partial<Audit>[] = [
      { decision_id: "a", tier: "title", level: 3, inverse: true },
      { decision_id: "b", tier: "wiki", level: 1, inverse: false },
    ];
    const result = await compare(
      audits,
      ["a", "b"].map((id) => truthOf(id, open)),
    );
    expect(result).toMatchObject({ tiers: ["title", "wiki"], same_level: { estimate: 1 } });
    expect(result.quantities[0]).toMatchObject({ truth: 0.5, error: 0 });
    expect(result.quantities[1]).toMatchObject({ truth: 0.5, error: 0 });
  });

  it("has nothing where no decision has a truth", async () => {
    const result = await compare([{ decision_id: "stranger" }], []);
    expect(result).toMatchObject({ matched: 0, without_truth: 1, tiers: [], same_level: { estimate: null } });
    expect(result.quantities[0]).toMatchObject({ truth: null, error: null, measured: { estimate: null } });
  });
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import { withDuckDB } from "../store/files/duckdb.js";
import { openAuditTable } from "./audit-table.js";
import { meanScoreParts, PART_COLUMNS } from "./decision-scores.js";

const folder = mkdtempSync(join(tmpdir(), "score-parts-"));

function parts(name: string, content: string, component: "h_w" | "h_kappa") {
  const path = join(folder, name);
  writeFileSync(path, content);
  const format = name.endsWith(".csv") ? "csv" : "jsonl";
  return withDuckDB(async (db) =>
    meanScoreParts(
      await openAuditTable(db, { path, format, own: format === "jsonl" }, { also: PART_COLUMNS }),
      component,
    ),
  );
}

const rows = [
  { lambda_nats: -0.1, h_weight_bits: 1, h_citation_bits: 0.2, inverse_yes_prob: 0.1 },
  { lambda_nats: -0.3, h_weight_bits: 2, h_citation_bits: null, inverse_yes_prob: 0.3 },
  { lambda_nats: -0.7, h_weight_bits: 0.5, h_citation_bits: 0.4, inverse_yes_prob: 0.9, level: 3 as const },
  { lambda_nats: null, h_weight_bits: 9, h_citation_bits: 9, inverse_yes_prob: 1 },
];
const jsonl = rows.map((row, i) => `${JSON.stringify(makeAudit({ decision_id: `d${i}`, ...row }))}\n`).join("");

describe("means of the parts of S", () => {
  it("are over the verdicts of each level that have all three parts", async () => {
    expect(await parts("own.jsonl", jsonl, "h_w")).toEqual([
      { level: 1, n: 2, label_confidence: 0.2, entropy: 1.5, inverse_check: 0.2 },
      { level: 3, n: 1, label_confidence: 0.7, entropy: 0.5, inverse_check: 0.9 },
    ]);
  });

  it("take the entropy that the calibration uses", async () => {
    expect((await parts("kappa.jsonl", jsonl, "h_kappa")).map(({ n, entropy }) => ({ n, entropy }))).toEqual([
      { n: 1, entropy: 0.2 },
      { n: 1, entropy: 0.4 },
    ]);
  });

  it("are none for a file without signals", async () => {
    const csv = "decision_id,community,decision,level,inverse\na,c,remove,1,no\nb,c,remove,3,yes\n";
    expect(await parts("plain.csv", csv, "h_w")).toEqual([]);
  });
});

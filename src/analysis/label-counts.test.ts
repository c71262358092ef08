import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import { auditedIndex, humanIndex, judgeIndex } from "../measures/metrics/judge/counts.js";
import { withDuckDB } from "../store/files/duckdb.js";
import { openAuditTable } from "./audit-table.js";
import { loadLabelSample } from "./labels/label-sample.js";
import { countJudgements } from "./tallies.js";

const folder = mkdtempSync(join(tmpdir(), "label-counts-"));
const audits = join(folder, "audits.jsonl");
const rows = [
  makeAudit({ decision_id: "d1", level: 1, inverse: false }),
  makeAudit({ decision_id: "d2", level: 3, inverse: true }),
  makeAudit({ decision_id: "d3", level: 2, inverse: true, community: "beta" }),
  makeAudit({ decision_id: "d4", level: 2, inverse: false, community: "beta" }),
  makeAudit({ decision_id: "d5", outcome: "unscored", level: null, inverse: null }),
];
writeFileSync(audits, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));

const count = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return withDuckDB(async (db) => {
    const table = await openAuditTable(db, { path: audits, format: "jsonl", own: true });
    const file = { path, format: name.endsWith("csv") ? "csv" : "jsonl" } as const;
    const { n, sample } = await loadLabelSample(table, file, { source: "human" });
    return { n, cohorts: await countJudgements(table, ["community"], sample) };
  });
};

const at = (level: 1 | 2 | 3, inverse: boolean, human: 1 | 2 | 3, humanInverse: boolean | null) =>
  judgeIndex(auditedIndex(level, inverse), humanIndex(human, humanInverse));

describe("judgements of people beside those of the auditor", () => {
  it("are counted by what both said; raters are settled by majority, ties by the more severe", async () => {
    const labels = [
      { decision_id: "d1", level: 1, inverse: false, rater: "a", source: "human" },
      { decision_id: "d1", level: 3, inverse: true, rater: "b", source: "human" },
      { decision_id: "d2", level: 3, source: "human" },
      { decision_id: "d3", level: 1, source: "auditor" },
      { decision_id: "d5", level: 1, source: "human" },
      { decision_id: "nobody's", level: 1, source: "human" },
    ];
    const { n, cohorts } = await count("l.jsonl", labels.map((label) => `${JSON.stringify(label)}\n`).join(""));
    expect(n).toBe(2);
    expect(cohorts.map(({ key }) => key)).toEqual(["alpha", "beta"]);
    const [alpha, beta] = cohorts;
    expect(alpha!.labelled[at(1, false, 3, true)]).toBe(1);
    expect(alpha!.labelled[at(3, true, 3, null)]).toBe(1);
    expect(alpha!.labelled.reduce((a, b) => a + b)).toBe(2);
    expect(alpha!.rest.reduce((a, b) => a + b)).toBe(0);
    expect(beta!.rest[auditedIndex(2, true)]).toBe(1);
    expect(beta!.rest[auditedIndex(2, false)]).toBe(1);
  });

  it("may come as CSV without a source, and a rater who thinks again counts once", async () => {
    const text = "decision_id,level,inverse,rater\nd4,1,No,a\nd4,3,Yes,a\nd4,1,No,b\nd4,1,,c\n";
    const { cohorts } = await count("l.csv", text);
    // a changed their mind to 3 and Yes; b and c said 1; of the two who answered, one said Yes.
    expect(cohorts[1]!.labelled[at(2, false, 1, true)]).toBe(1);
  });
});

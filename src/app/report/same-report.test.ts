import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openAuditTable } from "../../analysis/audit-table.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { buildReport } from "./build-report.js";

const path = join(mkdtempSync(join(tmpdir(), "same-report-")), "audits.parquet");
const ROWS = 240_000;

/** Numbers that no power of two divides evenly, the same in every run. */
const share = (salt: number) => `((hash(i + ${salt * ROWS}) % 1000003) / 1000003.0)::DOUBLE`;

beforeAll(() =>
  withDuckDB((db) =>
    db.run(
      `COPY (SELECT 'd' || i AS decision_id, 'c' || i % 7 AS community, '' AS arm, 0 AS replicate, 'verdict' AS outcome,
         CASE WHEN hash(i) % 3 = 0 THEN 'approve' ELSE 'remove' END AS decision,
         CASE WHEN hash(i) % 5 = 0 THEN 'approve' ELSE 'remove' END AS human_label,
         (1 + hash(i) % 3)::INTEGER AS level, hash(i) % 11 = 0 AS inverse, 'en' AS language,
         'community' AS "citation.scope", 'R' || hash(i) % 4 AS "citation.rule_id", hash(i) % 13 > 0 AS "citation.grounded",
         ${share(1)} AS p_defensible, ${share(2)} AS inverse_yes_prob, ${share(3)} AS pds, (hash(i) % 97)::INTEGER AS citation_tokens
       FROM range(${ROWS}) AS rows(i)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 20480)`,
    ),
  ),
);

/** Reports on the same file, `times` of them once it is read. */
function reportsOf(threads: number, times: number): Promise<string[]> {
  return withDuckDB(
    async (db) => {
      const table = await openAuditTable(db, { path, format: "parquet", own: false });
      const reports: string[] = [];
      for (let i = 0; i < times; i++) {
        reports.push(JSON.stringify(await buildReport(table, { run: { run_id: null }, rules: [], hasCohorts: false })));
      }
      return reports;
    },
    { threads, ordered: false },
  );
}

describe("a report on many audits", () => {
  it("is the same to the last digit, however many threads count and whichever is faster", async () => {
    const seen = new Set([...(await reportsOf(2, 3)), ...(await reportsOf(4, 3)), ...(await reportsOf(8, 4))]);
    expect(seen.size).toBe(1);
    const { defensibility_index_soft: soft } = JSON.parse([...seen][0]!);
    expect(soft.n).toBe(ROWS);
    expect(soft.estimate).toBeCloseTo(0.5, 2);
  });
});

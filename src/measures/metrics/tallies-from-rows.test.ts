import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import { fromRows, openAuditTable } from "../../analysis/audit-table.js";
import { readScoreColumns, SCORE_COLUMNS } from "../../analysis/score-table.js";
import { countCells, groupCells } from "../../analysis/tallies.js";
import type { Audit } from "../../core/records/audit.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { scoreColumnsFromRows } from "../calibration/score-columns.js";
import { type MeasuredRow, talliesFromRows } from "./tally.js";

const SCOPES = ["platform", "community", "precedent", "mixed", "none"] as const;

/** Audits with everything in them that counts differently. */
const AUDITS: Audit[] = Array.from({ length: 240 }, (_, i) => {
  const citation = { scope: SCOPES[i % 5]!, rule_id: null, overlap: null, grounded: false };
  const probs = [(i % 7) / 10, (i % 3) / 10] as const;
  return makeAudit({
    decision_id: `d${String(i).padStart(4, "0")}`,
    community: `c${i % 4}`,
    decision: i % 2 ? "remove" : "approve",
    human_label: i % 3 === 0 ? null : i % 3 === 1 ? "remove" : "approve",
    level: ((i % 3) + 1) as 1 | 2 | 3,
    inverse: i % 5 < 2,
    citation: i % 11 === 0 ? null : citation,
    inverse_citation: i % 13 === 0 ? { ...citation, scope: "platform" } : null,
    level_probs: i % 17 === 0 ? null : [probs[0], probs[1], 1 - probs[0] - probs[1]],
    level_map: null,
    lambda_nats: null,
    p_defensible: i % 6 === 0 ? null : 0.5,
    inverse_yes_prob: i % 5 === 0 ? null : 0.25,
    inverse_log_odds: i % 7 === 0 ? 0.5 : null,
    h_weight_bits: i % 4 === 0 ? -1 : 0.3,
    ...(i % 19 === 0 ? { outcome: "error", level: null, inverse: null } : {}),
    ...(i % 23 === 0 ? { outcome: "unscored", level: null, inverse: null } : {}),
    ...(i % 29 === 0 ? { outcome: "unscored", level: null, inverse: null, flags: ["no_rules"] } : {}),
    ...(i % 31 === 0 ? { arm: "flip" } : {}),
    ...(i % 37 === 0 ? { replicate: 1 } : {}),
  });
});

const onTable = <T>(work: (table: Awaited<ReturnType<typeof openAuditTable>>) => Promise<T>) =>
  withDuckDB(async (db) => work(await openAuditTable(db, fromRows(AUDITS), { also: SCORE_COLUMNS })));

describe("audits in memory", () => {
  it("are counted as the analysis counts a file", async () => {
    const counted = await onTable(async (table) => groupCells(await countCells(table), () => [""])[0]!.tallies);
    expect(talliesFromRows(AUDITS)).toEqual(counted);
  });

  it("are the columns that the analysis reads of a file", async () => {
    const read = await onTable((table) => readScoreColumns(table));
    expect(scoreColumnsFromRows(AUDITS)).toEqual(read);
  });

  it("take targets by decision", () => {
    const { targetLevel } = scoreColumnsFromRows(AUDITS.slice(1, 3), {
      targets: [{ decision_id: "d0002", level: 3 }],
    });
    expect([...targetLevel!]).toEqual([0, 3]);
  });

  it("are refused where they are none", () => {
    const row = { decision_id: "d", community: "c", decision: "remove", level: 1, inverse: false } as const;
    const wrong = (changes: object) => [{ ...row, ...changes } as MeasuredRow];
    expect(() => talliesFromRows(wrong({ decision: "ban" }))).toThrow(RangeError);
    expect(() => talliesFromRows(wrong({ human_label: "ban" }))).toThrow(RangeError);
    expect(() => talliesFromRows([null as unknown as MeasuredRow])).toThrow("row 0: not an audit");
    expect(() => scoreColumnsFromRows(wrong({ community: "" }))).toThrow(RangeError);
    expect(() => scoreColumnsFromRows([row], { targets: [{ decision_id: "d", level: 4 }] })).toThrow(RangeError);
    expect(talliesFromRows(wrong({ level: 7 }))[0]).toMatchObject({ unscored: 1 });
  });
});

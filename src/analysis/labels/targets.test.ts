import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { type AuditTable, openAuditTable } from "../audit-table.js";
import { readScoreColumns, SCORE_COLUMNS } from "../score-table.js";
import {
  loadGoldTargets,
  loadLabelTargets,
  loadReplicateTargets,
  loadVerdictTargets,
  TARGETS,
  type TargetCount,
} from "./label-sample.js";

const folder = mkdtempSync(join(tmpdir(), "targets-"));
let files = 0;

function write(content: string | object[], ending = "jsonl"): string {
  const path = join(folder, `${files++}.${ending}`);
  writeFileSync(
    path,
    typeof content === "string" ? content : content.map((row) => `${JSON.stringify(row)}\n`).join(""),
  );
  return path;
}

/** Target levels of audits a, b, c, and what the loading says of itself. */
async function targets(
  load: (table: AuditTable) => Promise<TargetCount>,
  audits: object[] = ["a", "b", "c"].map((id) => makeAudit({ decision_id: id })),
): Promise<{ levels: number[]; count: TargetCount }> {
  return withDuckDB(async (db) => {
    const source = { path: write(audits), format: "jsonl" as const, own: false };
    const table = await openAuditTable(db, source, { also: SCORE_COLUMNS });
    const count = await load(table);
    return { levels: [...(await readScoreColumns(table, { targets: TARGETS })).targetLevel!], count };
  });
}

const label = (decision_id: string, level: number, more: object = {}) => ({
  decision_id,
  level,
  source: "human",
  ...more,
});

describe("labels as a target", () => {
  const labels = (rows: object[]) => {
    const file = { path: write(rows), format: "jsonl" as const };
    return targets((table) => loadLabelTargets(table, file, { source: "human" }));
  };

  it("are what most raters say, on a tie the more severe", async () => {
    const { levels, count } = await labels([
      label("a", 1),
      label("a", 1),
      label("a", 3),
      label("b", 1),
      label("b", 2),
      label("x", 3),
    ]);
    expect(levels).toEqual([1, 2, 0]);
    expect(count).toMatchObject({ n: 2, indefensible: 0, given: 3, sample: { flags: ["design_unknown"] } });
  });

  it("count a rater once, by the last word", async () => {
    const r = { rater: "r1" };
    expect(
      (await labels([label("a", 1, r), label("a", 1, r), label("a", 3, r), label("a", 2, { rater: "r2" })])).levels,
    ).toEqual([3, 0, 0]);
  });

  it("that contradict themselves are counted", async () => {
    const [r1, r2] = [{ rater: "r1" }, { rater: "r2" }];
    const { count } = await labels([
      label("a", 1, r1),
      label("a", 3, r1),
      label("a", 2, r2),
      label("b", 1, r1),
      label("b", 1, r1),
      label("c", 1),
      label("c", 3),
    ]);
    expect(count).toMatchObject({ n: 3, indefensible: 2, given: 3, contradicted: 1 });
    const { count: none } = await labels([label("a", 1, r1), label("a", 3, r2)]);
    expect(none).not.toHaveProperty("contradicted");
  });

  it("may spell their source in capitals, but not another one", async () => {
    expect((await labels([label("a", 3, { source: "Human" }), label("b", 2, { source: "" })])).levels).toEqual([
      3, 2, 0,
    ]);
    await expect(labels([label("a", 3), label("b", 1, { source: "person" })])).rejects.toThrow(
      /1 row of an unknown source; got "person", expected human, gold or auditor/,
    );
  });

  it("of another source are passed over", async () => {
    expect((await labels([label("a", 3, { source: "auditor" }), label("b", 2)])).levels).toEqual([0, 2, 0]);
  });

  it("may be CSV with a BOM, CRLF, a semicolon and guarded ids; without a source they are people's", async () => {
    const file = { path: write("\ufeffdecision_id;level\r\na;3\r\n'=b;1\r\n", "csv"), format: "csv" as const };
    const audits = ["a", "=b"].map((id) => makeAudit({ decision_id: id }));
    expect((await targets((table) => loadLabelTargets(table, file, { source: "human" }), audits)).levels).toEqual([
      3, 1,
    ]);
  });

  it("may be Parquet", async () => {
    const path = join(folder, "labels.parquet");
    await withDuckDB((db) => db.run(`COPY (SELECT 'a' AS decision_id, 2 AS level) TO '${path}'`));
    const file = { path, format: "parquet" as const };
    expect((await targets((table) => loadLabelTargets(table, file, { source: "human" }))).levels).toEqual([2, 0, 0]);
  });

  it("with a level that is none are refused", async () => {
    await expect(labels([label("a", 4)])).rejects.toThrow(/1 row whose level is not 1, 2 or 3; got 4/);
    const csv = { path: write("decision_id,human_label\na,remove\n", "csv"), format: "csv" as const };
    await expect(targets((table) => loadLabelTargets(table, csv, { source: "human" }))).rejects.toThrow(/lacks level/);
  });
});

describe("other targets", () => {
  it("are gold annotations of JSONL and Parquet decisions", async () => {
    const jsonl = write([{ id: "a", gold: { level: 3, inverse: true, rule_ids: [] } }, { id: "b" }]);
    const parquet = join(folder, "decisions.parquet");
    await withDuckDB((db) =>
      db.run(`COPY (SELECT 'c' AS id, '{"level": 2, "inverse": false}'::JSON AS gold) TO '${parquet}'`),
    );
    const { levels, count } = await targets((table) => loadGoldTargets(table, { jsonl, parquet }));
    expect(levels).toEqual([3, 0, 2]);
    expect(count).toMatchObject({ n: 2, indefensible: 1 });
  });

  it("are nothing where there are no decisions", async () => {
    const nowhere = join(folder, "none");
    const { count } = await targets((table) => loadGoldTargets(table, { jsonl: nowhere, parquet: nowhere }));
    expect(count).toEqual({ n: 0, indefensible: 0, given: 0 });
  });

  it("are the verdicts of another run, main rows only, the last line of a key", async () => {
    const other = write([
      makeAudit({ decision_id: "a", level: 1 }),
      makeAudit({ decision_id: "a", level: 3 }),
      makeAudit({ decision_id: "b", arm: "human", level: 3 }),
      makeAudit({ decision_id: "b", replicate: 1, level: 3 }),
      makeAudit({ decision_id: "c", outcome: "unscored", level: null, inverse: null }),
    ]);
    const source = { path: other, format: "jsonl" as const, own: true };
    expect((await targets((table) => loadVerdictTargets(table, source))).levels).toEqual([3, 0, 0]);
  });

  it("are the verdicts of a file with five columns", async () => {
    const path = write("decision_id,community,decision,level,inverse\nb,c,remove,2,yes\n", "csv");
    const source = { path, format: "csv" as const, own: false };
    expect((await targets((table) => loadVerdictTargets(table, source))).levels).toEqual([0, 2, 0]);
  });

  it("are the majority of further replicates, never the first audit itself", async () => {
    const audits = [1, 3, 3, 2, 2].map((level, replicate) =>
      makeAudit({ decision_id: "a", replicate, level: level as 1 }),
    );
    const { levels } = await targets(loadReplicateTargets, [...audits, makeAudit({ decision_id: "b" })]);
    expect(levels).toEqual([3, 0]);
  });
});

import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import { MODERATION_ACTIONS } from "../core/records/actions.js";
import { type Audit, auditSchema } from "../core/records/audit.js";
import { withDuckDB } from "../store/files/duckdb.js";
import { failure, jsonLines, tempFile, tempFolder } from "../store/files/in-temp-folder.suite.js";
import type { AuditSource } from "../store/ports.js";
import { type AppliedCalibration, applyToAudits, applyToFile } from "./apply-calibration.js";
import { openAuditTable } from "./audit-table.js";
import { type ExportFormat, writeAudits } from "./export.js";
import { SCORE_COLUMNS } from "./score-table.js";

const RAW: AppliedCalibration = { calibration_id: "20260101T000000Z-abcd", model: { kind: "raw" }, foreign: false };

const AUDITS = [
  makeAudit({ decision_id: "a", level_probs: [0.5, 0.25, 0.25], p_calibrated: 0.9, calibration_id: "old" }),
  makeAudit({ decision_id: "b", level_probs: null, p_defensible: null, flags: ["no_signal"] }),
  makeAudit({ decision_id: "=c", replicate: 1, level_probs: [0, 0.5, 0.5] }),
  makeAudit({ decision_id: "d", outcome: "unscored", level: null, inverse: null }),
];

async function* batches(audits: Audit[]): AsyncGenerator<Audit[]> {
  yield audits;
}

type Row = { decision_id: string; p_calibrated: number | null; calibration_id: string | null; flags: string };

async function rowsOf(path: string, format: ExportFormat): Promise<Row[]> {
  const relation = {
    jsonl: `read_json('${path}', format = 'newline_delimited')`,
    csv: `read_csv('${path}', header = true)`,
    parquet: `read_parquet('${path}')`,
  };
  return withDuckDB((db) =>
    db.rows<Row>(
      `SELECT decision_id, p_calibrated::DOUBLE AS p_calibrated, calibration_id, flags::VARCHAR AS flags FROM ${relation[format]}`,
    ),
  );
}

async function fileSource(format: ExportFormat): Promise<AuditSource> {
  const lines = tempFile("audits.jsonl", jsonLines(AUDITS));
  if (format === "jsonl") return { path: lines, format, own: false };
  const path = join(tempFolder(), `audits.${format}`);
  await applyToAudits(batches(AUDITS), { ...RAW, calibration_id: "before" }, MODERATION_ACTIONS, { path, format });
  return { path, format, own: false };
}

function apply(source: AuditSource, applied: AppliedCalibration, out: { path: string; format: ExportFormat }) {
  return withDuckDB(async (db) =>
    applyToFile(await openAuditTable(db, source, { also: SCORE_COLUMNS }), source, applied, out),
  );
}

describe("applying a calibration", () => {
  const formats: ExportFormat[] = ["jsonl", "csv", "parquet"];

  it.each(formats)("writes probability and id of every audit that has the signals, as %s", async (format) => {
    const path = join(tempFolder(), `out.${format}`);
    const counts = await applyToAudits(batches(AUDITS), RAW, MODERATION_ACTIONS, { path, format });
    expect(counts).toEqual({ rows: 4, calibrated: 2 });
    const rows = await rowsOf(path, format);
    expect(rows.map((row) => [row.p_calibrated, row.calibration_id])).toEqual([
      [0.75, RAW.calibration_id],
      [null, null],
      [0.5, RAW.calibration_id],
      [null, null],
    ]);
    expect(rows.map((row) => row.flags).join()).not.toContain("foreign_calibration");
  });

  const pairs = formats.flatMap((from) => formats.map((to) => [from, to] as const));
  it.each(pairs)("keeps a file of another tool as it is otherwise: %s to %s", async (from, to) => {
    const source = await fileSource(from);
    const out = { path: join(tempFolder(), `out.${to}`), format: to };
    expect(await apply(source, { ...RAW, foreign: true }, out)).toEqual({ rows: 4, calibrated: 2 });
    const rows = await rowsOf(out.path, to);
    expect(rows.map((row) => [row.p_calibrated, row.calibration_id])).toEqual([
      [0.75, RAW.calibration_id],
      [null, null],
      [0.5, RAW.calibration_id],
      [null, null],
    ]);
    expect(rows.map((row) => row.flags.includes("foreign_calibration"))).toEqual([true, false, true, false]);
    // What comes out can be read again, and says the same.
    const again = await withDuckDB(async (db) => {
      const table = await openAuditTable(db, { ...out, own: false }, { also: [...SCORE_COLUMNS, "p_calibrated"] });
      return table.db.rows(
        "SELECT decision_id, level, inverse, p_calibrated, h_weight_bits FROM audits ORDER BY row_id",
      );
    });
    expect(again).toEqual([
      { decision_id: "a", level: 1, inverse: false, p_calibrated: 0.75, h_weight_bits: 0.4 },
      { decision_id: "b", level: 1, inverse: false, p_calibrated: null, h_weight_bits: 0.4 },
      { decision_id: "=c", level: 1, inverse: false, p_calibrated: 0.5, h_weight_bits: 0.4 },
      { decision_id: "d", level: null, inverse: null, p_calibrated: null, h_weight_bits: 0.4 },
    ]);
  });

  it("takes p_defensible where level_probs are missing and the model needs no more", async () => {
    const path = tempFile("p.csv", "decision_id,community,decision,level,inverse,p_defensible\n1,c,remove,1,no,0.7\n");
    const out = { path: join(tempFolder(), "out.csv"), format: "csv" as const };
    const source = { path, format: "csv" as const, own: false };
    expect(await apply(source, RAW, out)).toEqual({ rows: 1, calibrated: 1 });
    expect(readFileSync(out.path, "utf8").split("\n")[1]).toBe(`1,c,remove,1,no,0.7,0.7,${RAW.calibration_id}`);
    const levels = { kind: "temperature" as const, target: "levels" as const, temperature: 2 };
    expect(await apply(source, { ...RAW, model: levels }, out)).toEqual({ rows: 1, calibrated: 0 });
    const audit = makeAudit({ level_probs: null, p_defensible: 0.6 });
    const json = { path: join(tempFolder(), "out.jsonl"), format: "jsonl" as const };
    await applyToAudits(batches([audit]), RAW, MODERATION_ACTIONS, json);
    expect(JSON.parse(readFileSync(json.path, "utf8")).p_calibrated).toBe(0.6);
  });

  it("keeps columns it does not know, and their text", async () => {
    const path = tempFile(
      "own.csv",
      'decision_id,community,decision,level,inverse,level_probs,"my, column"\r\n1,c,remove,1,no,"[0.5,0.3,0.2]","-007, =x"\r\n',
    );
    const out = { path: join(tempFolder(), "out.csv"), format: "csv" as const };
    await apply({ path, format: "csv", own: false }, RAW, out);
    expect(readFileSync(out.path, "utf8")).toBe(
      `decision_id,community,decision,level,inverse,level_probs,"my, column",p_calibrated,calibration_id\n1,c,remove,1,no,"[0.5,0.3,0.2]","-007, =x",0.8,${RAW.calibration_id}\n`,
    );
  });

  const HEAD = "decision_id,community,decision,level,inverse,level_probs,lambda_nats";
  const parquetOf = async (select: string): Promise<AuditSource> => {
    const path = join(tempFolder(), "in.parquet");
    await withDuckDB((db) => db.run(`COPY (${select}) TO '${path}'`));
    return { path, format: "parquet", own: false };
  };

  it("writes null, never NaN or Infinity, where JSON has no number", async () => {
    const rows = [
      'a,c,remove,1,no,"[0.5,NaN,0.5]",NaN',
      'b,c,remove,1,no,"[0.5,0.3,0.2]",1e400',
      "c,c,remove,1,no,,-Infinity",
    ];
    const path = tempFile("nan.csv", `${HEAD}\n${rows.join("\n")}\n`);
    const out = { path: join(tempFolder(), "out.jsonl"), format: "jsonl" as const };
    expect(await apply({ path, format: "csv", own: false }, RAW, out)).toEqual({ rows: 3, calibrated: 1 });
    const lines = readFileSync(out.path, "utf8").trim().split("\n");
    expect(
      lines.map((line) => JSON.parse(line)).map((row) => [row.level_probs, row.lambda_nats, row.p_calibrated]),
    ).toEqual([
      [null, null, null],
      [[0.5, 0.3, 0.2], null, 0.8],
      [null, null, null],
    ]);
    const source = await parquetOf(
      `SELECT 'a' AS decision_id, 'c' AS community, 'remove' AS decision, 1 AS level, false AS inverse, 'NaN'::DOUBLE AS lambda_nats,
         [0.5, 'NaN'::DOUBLE] AS mine, {x: 'inf'::FLOAT, "y z": [{v: 'NaN'::DOUBLE, t: 'NaN, "'}]} AS deep, 0.7 AS p_defensible`,
    );
    await apply(source, RAW, out);
    expect(JSON.parse(readFileSync(out.path, "utf8"))).toMatchObject({
      lambda_nats: null,
      mine: [0.5, null],
      deep: { x: null, "y z": [{ v: null, t: 'NaN, "' }] },
      p_calibrated: 0.7,
    });
  });

  it.each(["jsonl", "parquet"] as const)(
    "turns a CSV file of audits back into audits, type for type: %s",
    async (format) => {
      const audits = [
        ...AUDITS.map((audit) => ({ ...audit, p_calibrated: null, calibration_id: null })),
        makeAudit({
          decision_id: "e",
          outcome: "error",
          level: null,
          inverse: null,
          trace: null,
          flags: [],
          error: { code: "x", message: "=no" },
        }),
      ];
      const csv = join(tempFolder(), "audits.csv");
      await writeAudits(batches(audits), "csv", csv);
      const out = { path: join(tempFolder(), `out.${format}`), format };
      await apply({ path: csv, format: "csv", own: false }, RAW, out);
      const lines = join(tempFolder(), "again.jsonl");
      if (format === "parquet") {
        await withDuckDB((db) =>
          db.run(`COPY (SELECT * FROM read_parquet('${out.path}')) TO '${lines}' (FORMAT json)`),
        );
      }
      const rows = readFileSync(format === "parquet" ? lines : out.path, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      for (const row of rows) expect(auditSchema.safeParse(row).error).toBeUndefined();
      // Absent and null are the same in a CSV file.
      const withoutNulls = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value, (_, part) => part ?? undefined));
      const bare = rows.map(({ p_calibrated: _, calibration_id: __, ...row }) => row);
      expect(withoutNulls(bare)).toEqual(withoutNulls(audits));
    },
  );

  it("reads the spellings of other tools", async () => {
    const path = tempFile(
      "py.csv",
      'decision_id,arm,community,decision,level,inverse,level_probs,flags\na,,c,remove,2.0,True,"[0.2, 0.6, 0.2]",no_signal;tie\nb,t=1,c,remove,2.5,FALSE,,\n',
    );
    const out = { path: join(tempFolder(), "out.jsonl"), format: "jsonl" as const };
    await apply({ path, format: "csv", own: false }, { ...RAW, foreign: true }, out);
    const rows = readFileSync(out.path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toMatchObject([
      {
        arm: "",
        level: 2,
        inverse: true,
        level_probs: [0.2, 0.6, 0.2],
        flags: ["no_signal", "tie", "foreign_calibration"],
      },
      { arm: "t=1", level: null, inverse: false, level_probs: null, flags: [], p_calibrated: null },
    ]);
  });

  it.each(formats)("says that the disk is full: %s", async (format) => {
    const full = join(tempFolder(), `full.${format}`);
    symlinkSync("/dev/full", full);
    const told = { code: "file_enospc", message: expect.stringContaining("no space left on the disk") };
    const source = await fileSource("parquet");
    expect(await failure(() => apply(source, RAW, { path: full, format }))).toMatchObject(told);
    expect(
      await failure(() => applyToAudits(batches(AUDITS), RAW, MODERATION_ACTIONS, { path: full, format })),
    ).toMatchObject(told);
  });

  it("leaves what is there when it fails", async () => {
    const path = tempFile("out.jsonl", "precious");
    async function* broken(): AsyncGenerator<Audit[]> {
      yield AUDITS;
      throw new Error("torn");
    }
    await expect(applyToAudits(broken(), RAW, MODERATION_ACTIONS, { path, format: "jsonl" })).rejects.toThrow("torn");
    expect(readFileSync(path, "utf8")).toBe("precious");
  });
});

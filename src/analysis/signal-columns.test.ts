import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import type { Audit } from "../core/records/audit.js";
import { withDuckDB } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { type AuditTable, openAuditTable } from "./audit-table.js";
import { readReplicates } from "./replicate-columns.js";
import { armSizes, makeReplicateSpread, readBeside, readSignalColumns, SIGNAL_COLUMNS } from "./signal-columns.js";

const folder = mkdtempSync(join(tmpdir(), "signal-columns-"));
let files = 0;

function withFile<T>(text: string, format: AuditSource["format"], work: (table: AuditTable) => Promise<T>): Promise<T> {
  const path = join(folder, `${files++}.${format}`);
  writeFileSync(path, text);
  return withDuckDB(async (db) =>
    work(await openAuditTable(db, { path, format, own: false }, { also: SIGNAL_COLUMNS })),
  );
}

function withAudits<T>(audits: Partial<Audit>[], work: (table: AuditTable) => Promise<T>): Promise<T> {
  const text = audits.map((audit) => `${JSON.stringify(makeAudit(audit))}\n`).join("");
  return withFile(text, "jsonl", work);
}

describe("readSignalColumns", () => {
  it("says whether person and decider chose the same, and keeps the order of the rows", async () => {
    const rows: Partial<Audit>[] = [
      { decision_id: "z", decision: "remove", human_label: "remove" },
      { decision_id: "a", decision: "approve", human_label: "remove", p_calibrated: 0.25 },
      { decision_id: "m", decision: "approve", human_label: "approve", samples: 7 },
      { decision_id: "b", decision: "remove", human_label: "approve" },
      { decision_id: "c", decision: "remove", human_label: null },
      { decision_id: "e", outcome: "unscored", level: null },
      { decision_id: "f", arm: "t=1" },
      { decision_id: "z", replicate: 1 },
    ];
    await withAudits(rows, async (table) => {
      const columns = await readSignalColumns(table, "");
      expect(columns.n).toBe(5);
      expect([...columns.agrees]).toEqual([1, 0, 1, 0, 2]);
      expect([...columns.rowId]).toEqual([0, 1, 2, 3, 4]);
      expect([...columns.pCalibrated]).toEqual([Number.NaN, 0.25, Number.NaN, Number.NaN, Number.NaN]);
      expect([...columns.samples]).toEqual([Number.NaN, Number.NaN, 7, Number.NaN, Number.NaN]);
      await table.db.run(
        "CREATE TABLE said AS SELECT * FROM (VALUES ('m', 3), ('z', 1), ('nobody', 2)) t(decision_id, level)",
      );
      expect([...(await readBeside(table, columns, "", "said", "b.level"))]).toEqual([
        1,
        Number.NaN,
        3,
        Number.NaN,
        Number.NaN,
      ]);
    });
  });

  it("reads a file of five columns, in which everything else is absent", async () => {
    const text = "decision_id,community,decision,level,inverse\nx,c,remove,3,yes\n";
    await withFile(text, "csv", async (table) => {
      const columns = await readSignalColumns(table, "");
      expect(columns).toMatchObject({ n: 1 });
      expect([...columns.agrees]).toEqual([2]);
      expect([...columns.pds, ...columns.samples]).toEqual([Number.NaN, Number.NaN]);
      expect(await armSizes(table)).toEqual([{ arm: "", verdicts: 1, replicated: 0, most: 1, sampled: false }]);
    });
  });
});

describe("replicates", () => {
  const rows: Partial<Audit>[] = [
    ...[0, 1, 2, 3].map((replicate) => ({ decision_id: "b", replicate, level: 3 as const, pds: 0.1 * replicate })),
    ...[0, 1].map((replicate) => ({ decision_id: "a", community: "zeta", replicate, pds: 0.5 })),
    { decision_id: "c", replicate: 0 },
    { decision_id: "a", arm: "t=0.7" },
    { decision_id: "a", arm: "t=0.1" },
    { decision_id: "a", arm: "opposite" },
  ];

  it("are listed by arm: plain, temperatures from cold to hot, others", async () => {
    await withAudits(rows, async (table) => {
      expect(await armSizes(table)).toEqual([
        { arm: "", verdicts: 3, replicated: 2, most: 4, sampled: false },
        { arm: "t=0.1", verdicts: 1, replicated: 0, most: 1, sampled: false },
        { arm: "t=0.7", verdicts: 1, replicated: 0, most: 1, sampled: false },
        { arm: "opposite", verdicts: 1, replicated: 0, most: 1, sampled: false },
      ]);
    });
  });

  it("are read decision by decision, those with enough of them only", async () => {
    await withAudits(rows.toReversed(), async (table) => {
      const two = await readReplicates(table, "", 2);
      expect(two).toMatchObject({ decisions: 2, communities: 2, temperature: 0.2 });
      expect([...two.start]).toEqual([0, 2, 6]);
      expect([...two.community]).toEqual([1, 0]);
      expect([...two.level]).toEqual([1, 1, 3, 3, 3, 3]);
      expect([...two.pds]).toEqual([0.5, 0.5, 0, 0.1, 0.2, 0.1 * 3]);
      expect(await readReplicates(table, "", 5)).toMatchObject({ decisions: 0, communities: 0 });
    });
  });

  it("say whether the law of their draws is known", async () => {
    const of = async (row: Partial<Audit>) =>
      withAudits(
        [0, 1].map((replicate) => ({ decision_id: "a", replicate, ...row })),
        async (table) => [
          (await readReplicates(table, "", 2)).unitSpace[0],
          (await readSignalColumns(table, "")).unitSpace[0],
          (await armSizes(table))[0]!.sampled,
        ],
      );
    expect(await of({ logprob_space: "raw" })).toEqual([1, 1, false]);
    // Brought back to temperature 1 when it was read.
    expect(await of({ logprob_space: "tempered" })).toEqual([1, 1, false]);
    expect(await of({ logprob_space: "unknown" })).toEqual([0, 0, false]);
    expect(await of({ logprob_space: null })).toEqual([0, 0, false]);
    expect(await of({ logprob_space: "unknown", temperature: 1 })).toEqual([1, 1, false]);
    expect(await of({ logprob_space: null, signal: "sampling", samples: 10 })).toEqual([0, 0, true]);
  });

  it("have a spread where there are two or more", async () => {
    await withAudits(rows, async (table) => {
      const columns = await readSignalColumns(table, "");
      await makeReplicateSpread(table, "");
      const sd = await readBeside(table, columns, "", "replicate_spread", "b.pds");
      const [b, a, c] = sd;
      expect(b).toBeCloseTo(Math.sqrt(0.05 / 3), 12);
      expect(a).toBe(0);
      expect(c).toBeNaN();
    });
  });
});

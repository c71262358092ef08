import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import type { Audit } from "../../core/records/audit.js";
import { disagreementsDefensible } from "../../measures/metrics/disagreements.js";
import { defensibilityIndex } from "../../measures/metrics/indices.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { type AuditTable, openAuditTable } from "../audit-table.js";
import { countRepeats } from "../replicate-columns.js";
import { countFamilies, countGapCells, loadTrueVerdicts, TRUTH_COLUMNS, type TruthPlaces } from "./true-verdicts.js";

const folder = mkdtempSync(join(tmpdir(), "gap-cells-"));
let files = 0;

const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function withTable<T>(audits: Partial<Audit>[], work: (table: AuditTable) => Promise<T>): Promise<T> {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, lines(audits.map((audit, i) => makeAudit({ decision_id: `d${i}`, ...audit }))));
  return withDuckDB(async (db) =>
    work(await openAuditTable(db, { path, format: "jsonl", own: false }, { also: TRUTH_COLUMNS })),
  );
}

function places(contents: { truth?: object[]; decisions?: object[] }): TruthPlaces {
  const root = mkdtempSync(join(folder, "world-"));
  mkdirSync(join(root, "truth"));
  const truth = join(root, "truth", "truth.jsonl");
  if (contents.truth) writeFileSync(truth, lines(contents.truth));
  const jsonl = join(root, "decisions.jsonl");
  if (contents.decisions) writeFileSync(jsonl, lines(contents.decisions));
  return { truth, decisions: { jsonl, parquet: join(root, "decisions.parquet") } };
}

const AUDITS: Partial<Audit>[] = [
  { decision: "approve", human_label: "remove", level: 1, inverse: false },
  { decision: "approve", human_label: "remove", level: 3, inverse: true },
  { decision: "remove", human_label: "remove", level: 2, inverse: true, community: "beta" },
  { decision: "remove", human_label: null, level: 3, inverse: false, community: "beta" },
  { decision: "approve", human_label: "remove", level: 1, inverse: true, arm: "t=1" },
];

describe("countGapCells", () => {
  it("counts the auditor's verdicts and the true ones over the same decisions", async () => {
    const truth = [
      { decision_id: "d0", level: 3, inverse: true, cause: "model_error" },
      { decision_id: "d1", level: 1, inverse: false, cause: "human_error" },
      { decision_id: "d2", level: 1, inverse: false, cause: "none" },
      { decision_id: "elsewhere", level: 3, inverse: true, cause: "none" },
    ];
    await withTable(AUDITS, async (table) => {
      const source = await loadTrueVerdicts(table, places({ truth }));
      expect(source).toEqual({ kind: "simulation", n: 4, under: ["wiki"] });
      const cells = await countGapCells(table, { truth: true });
      expect(defensibilityIndex(cells.tallies)).toMatchObject({ k: 2, n: 4 });
      expect(defensibilityIndex(cells.matched)).toMatchObject({ k: 2, n: 3 });
      expect(defensibilityIndex(cells.truth)).toMatchObject({ k: 2, n: 3 });
      expect(disagreementsDefensible(cells.truth)).toMatchObject({ k: 1, n: 2 });
      expect(cells.causes).toEqual([
        { audited: "implicit_norm", true: "model_error", n: 1 },
        { audited: "model_error", true: "human_error", n: 1 },
      ]);
    });
  });

  it("takes the truth of the tier that each audit was made under", async () => {
    const audits: Partial<Audit>[] = (["title", "sidebar", "wiki"] as const).map((tier) => ({
      tier,
      decision: "approve",
      human_label: "remove",
      level: 1,
      inverse: false,
    }));
    const tiers = { title: { level: 3, inverse: true }, sidebar: { level: 2, inverse: true } };
    const truth = ["d0", "d1", "d2"].map((decision_id) => ({
      ...{ decision_id, level: 1, inverse: false, cause: "human_error" },
      tiers: { ...tiers, wiki: { level: 1, inverse: false } },
      scopes: { platform: { level: 3, inverse: false }, community: { level: 1, inverse: false } },
    }));
    await withTable(audits, async (table) => {
      const under = ["title", "sidebar", "wiki"];
      expect(await loadTrueVerdicts(table, places({ truth }))).toEqual({ kind: "simulation", n: 3, under });
      const levels = await table.db.rows(`SELECT decision_id, level, inverse, cause FROM true_verdicts ORDER BY ALL`);
      expect(levels).toEqual([
        { decision_id: "d0", level: 3, inverse: true, cause: null },
        { decision_id: "d1", level: 2, inverse: true, cause: null },
        { decision_id: "d2", level: 1, inverse: false, cause: "human_error" },
      ]);
      const { causes } = await countGapCells(table, { truth: true });
      expect(causes.map((row) => row.true)).toEqual(["human_error", "model_error", "policy_ambiguity"]);
    });
    const scoped = audits.map((audit) => ({ ...audit, arm: "scope=platform" }));
    await withTable([...audits, ...scoped], async (table) => {
      const of = (arm: string) => loadTrueVerdicts(table, places({ truth }), arm);
      expect(await of("scope=platform")).toMatchObject({ under: ["scope platform"] });
      expect(await table.db.rows("SELECT DISTINCT level FROM true_verdicts")).toEqual([{ level: 3 }]);
      expect(await of("opposite")).toBeNull();
      expect(await of("rules=old")).toBeNull();
    });
  });

  it("takes gold annotations where no truth is planted, with the cause that their level and inverse give", async () => {
    const decisions = [
      { id: "d0", gold: { level: 2, inverse: true, rule_ids: [] } },
      { id: "d1", gold: { level: 3, inverse: false, rule_ids: [] } },
      { id: "d2" },
    ];
    await withTable(AUDITS, async (table) => {
      expect(await loadTrueVerdicts(table, places({ decisions }))).toEqual({ kind: "gold", n: 2, under: [] });
      const { causes } = await countGapCells(table, { truth: true });
      expect(causes).toEqual([
        { audited: "implicit_norm", true: "policy_ambiguity", n: 1 },
        { audited: "model_error", true: "model_error", n: 1 },
      ]);
    });
  });

  it("knows nothing where nobody says anything", async () => {
    await withTable(AUDITS, async (table) => {
      expect(await loadTrueVerdicts(table, places({}))).toBeNull();
      expect(await loadTrueVerdicts(table, places({ decisions: [{ id: "d0" }] }))).toBeNull();
      expect(await countGapCells(table)).toMatchObject({ truth: [], causes: [] });
    });
  });

  it("counts one cohort, whatever its name", async () => {
    await withTable(AUDITS, async (table) => {
      await table.db.run("CREATE TABLE cohorts AS SELECT 'o''neil' AS cohort, 'd1' AS decision_id");
      const { tallies } = await countGapCells(table, { cohort: "o'neil" });
      expect(defensibilityIndex(tallies)).toMatchObject({ k: 0, n: 1 });
    });
  });
});

describe("countFamilies", () => {
  it("tells deciders of the auditor's family from others, and errors from truth", async () => {
    const rows: Partial<Audit>[] = [
      { level: 1, flags: ["same_family", "cached"] },
      { level: 3, flags: ["same_family"], inverse: true },
      { level: 1, flags: ["cached"] },
    ];
    const truth = [
      { decision_id: "d0", level: 3, inverse: false, cause: "none" },
      { decision_id: "d1", level: 1, inverse: false, cause: "none" },
    ];
    await withTable(rows, async (table) => {
      await loadTrueVerdicts(table, places({ truth }));
      const counted = { community: "alpha", inverse_minus: 0 };
      expect(await countFamilies(table, true)).toEqual([
        {
          ...counted,
          same_family: false,
          n: 1,
          defensible: 1,
          inverse_yes: 0,
          known: 0,
          defensible_plus: 0,
          defensible_minus: 0,
          inverse_plus: 0,
        },
        {
          ...counted,
          same_family: true,
          n: 2,
          defensible: 1,
          inverse_yes: 1,
          known: 2,
          defensible_plus: 1,
          defensible_minus: 1,
          inverse_plus: 1,
        },
      ]);
      expect((await countFamilies(table, false)).map(({ known }) => known)).toEqual([0, 0]);
    });
  });
});

describe("countRepeats", () => {
  it("pairs the first two audits of a decision under one arm", async () => {
    const rows: Partial<Audit>[] = [
      { decision_id: "a", replicate: 0, inverse: true },
      { decision_id: "a", replicate: 1, inverse: false },
      { decision_id: "b", replicate: 0, inverse: true },
      { decision_id: "b", replicate: 1, inverse: true },
      { decision_id: "b", replicate: 1, arm: "t=1", inverse: false },
      { decision_id: "c", replicate: 0, inverse: false },
    ];
    await withTable(rows, async (table) => {
      expect(await countRepeats(table)).toEqual([{ community: "alpha", plus: 1, minus: 0, n: 2 }]);
    });
  });
});

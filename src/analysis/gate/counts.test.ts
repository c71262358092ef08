import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import type { Audit } from "../../core/records/audit.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { type HeldOut, partOf } from "../audit-cells.js";
import { type AuditTable, openAuditTable } from "../audit-table.js";
import { loadDecisionFields } from "../decision-scores.js";
import { countCohortRules } from "./cohorts.js";
import { countGateCohorts, countSlices, hasThreads } from "./counts.js";

const folder = mkdtempSync(join(tmpdir(), "gate-counts-"));
let files = 0;

function write(rows: readonly object[]): string {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return path;
}

function load<T>(rows: readonly Partial<Audit>[], work: (table: AuditTable) => Promise<T>): Promise<T> {
  const path = write(rows.map((row, i) => makeAudit({ decision_id: `d${i}`, ...row })));
  return withDuckDB(async (db) =>
    work(await openAuditTable(db, { path, format: "jsonl", own: true }, { also: ["thread_id", "decided_at"] })),
  );
}

const unscored = { outcome: "unscored", level: null, inverse: null } as const;

describe("counts of the gate", () => {
  it("tell verdicts, level 3, open and purely open ones apart by community, and leave arms and replicates out", async () => {
    const cohorts = await load(
      [
        { level: 1 },
        { level: 3, inverse: true },
        { level: 2, inverse: true },
        { level: 3, inverse: false },
        unscored,
        { level: 3, arm: "t=1" },
        { level: 3, replicate: 1 },
        { community: "beta", level: 2 },
      ],
      (table) => countGateCohorts(table, { by: ["community"] }),
    );
    expect(cohorts).toEqual([
      { key: "alpha", n: 4, indefensible: 2, inverse_yes: 2, inverse_yes_pure: 1, unscored: 1 },
      { key: "beta", n: 1, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 },
    ]);
  });

  it("divide by any combination of keys", async () => {
    const rule = (scope: "platform" | "community", rule_id: string) => ({
      citation: { scope, rule_id, overlap: 1, grounded: true },
    });
    const rows: Partial<Audit>[] = [
      { decision: "remove", language: "en", ...rule("community", "R1") },
      { decision: "approve", language: null, ...rule("platform", "P1"), level: 3 },
      { decision: "remove", language: "en", citation: null },
    ];
    const keys = (by: Parameters<typeof countGateCohorts>[1]["by"]) =>
      load(rows, async (table) => (await countGateCohorts(table, { by })).map(({ key, n }) => `${key}: ${n}`));
    expect(await keys(["community", "decision"])).toEqual(["alpha × approve: 1", "alpha × remove: 2"]);
    expect(await keys(["language"])).toEqual(["en: 2", "unknown: 1"]);
    expect(await keys(["rule"])).toEqual(["alpha R1: 1", "no rule: 1", "platform P1: 1"]);
    expect(await keys(["community", "rule"])).toEqual([
      "alpha × R1: 1",
      "alpha × no rule: 1",
      "alpha × platform P1: 1",
    ]);
  });

  it("take a blank thread_id for none", async () => {
    const rows = ["", " ", "", null].map((thread_id) => ({ thread_id }));
    await load(rows, async (table) => {
      expect(await hasThreads(table)).toBe(false);
      const [one] = await countGateCohorts(table, { by: ["community"], threads: { now: 0, finished: true } });
      expect([one!.n, one!.threads]).toEqual([4, undefined]);
    });
  });

  it("have threads in groups where some decision has a thread_id, with what is open or late apart", async () => {
    const thread = (community: string, thread_id: string | null, level: 1 | 3, ...days: (number | null)[]) =>
      days.map((day) => ({
        community,
        thread_id,
        level,
        decided_at: day === null ? null : `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`,
      }));
    const rows = [
      ...thread("alpha", "t1", 1, 1, 1, 8),
      // Decided after its thread was closed.
      ...thread("alpha", "t1", 3, 9),
      ...thread("alpha", "t2", 3, 2, 2, 2),
      ...thread("alpha", null, 1, 3, 3, 25),
      // Of the same name, in another community; and still open.
      ...thread("beta", "t1", 1, 20, 21),
      ...thread("gamma", null, 1, 1, 1),
      ...thread("delta", "t1", 1, null, null),
    ];
    const now = Date.parse("2026-01-24T00:00:00Z");
    const count = (finished: boolean) =>
      load(rows, async (table) => {
        expect(await hasThreads(table)).toBe(true);
        const cohorts = await countGateCohorts(table, { by: ["community"], threads: { now, finished } });
        return Object.fromEntries(cohorts.map((cohort) => [cohort.key, cohort]));
      });
    const group = (threads: number, n: number, indefensible: number) =>
      expect.objectContaining({ threads, n, indefensible });
    const { alpha, beta, gamma, delta } = await count(true);
    expect(alpha!.threads!.groups).toHaveLength(3);
    expect(alpha!.threads!.groups).toEqual(expect.arrayContaining([group(1, 3, 0), group(1, 3, 3), group(2, 1, 0)]));
    expect(alpha!.threads).toMatchObject({ open: 1, late: 1 });
    // Σn_t² / Σn_t over whole threads: (16 + 9 + 1 + 1 + 1) / 10.
    expect(alpha!.design_effect).toBeCloseTo(2.8, 12);
    expect(beta!.threads).toEqual({ groups: [], open: 2, late: 0 });
    expect(gamma).not.toHaveProperty("threads");
    expect(delta!.threads).toEqual({ groups: [group(1, 2, 0)], open: 0, late: 0 });
    expect((await count(false)).delta!.threads).toEqual({ groups: [], open: 2, late: 0 });
  });

  it("split into two parts that are the same for the same seed and hold whole threads", async () => {
    const rows = Array.from({ length: 400 }, (_, i) => ({ thread_id: i < 200 ? `t${i % 40}` : null }));
    await load(rows, async (table) => {
      const half = { seed: 1, share: 0.5, threads: true };
      const count = async (heldOut: HeldOut) =>
        (await countGateCohorts(table, { by: ["community"], heldOut }))[0]?.n ?? 0;
      const inside = await count(half);
      expect(inside).toBeGreaterThan(140);
      expect(inside).toBeLessThan(260);
      expect(await count({ ...half, side: "out" })).toBe(400 - inside);
      const torn = await table.db.rows(
        `SELECT thread_id FROM audits WHERE thread_id IS NOT NULL GROUP BY thread_id HAVING count(DISTINCT ${partOf(half)}) > 1`,
      );
      expect(torn).toEqual([]);
      expect(await count({ seed: 1, share: 0, threads: false })).toBe(0);
      expect(await count({ seed: 1, share: 1, threads: false })).toBe(400);
    });
  });

  it("name the rules under which each cohort is open, the worst first", async () => {
    const cite = (
      rule_id: string,
      level: 1 | 2 | 3,
      inverse: boolean,
      n: number,
      human_label: "remove" | "approve" | null = null,
    ) =>
      Array.from({ length: n }, () => ({
        level,
        human_label,
        inverse,
        citation: { scope: "community" as const, rule_id, overlap: 1, grounded: true },
      }));
    const rows = [
      ...cite("R1", 2, true, 2),
      ...cite("R2", 2, true, 1, "remove"),
      ...cite("R2", 2, true, 2, "approve"),
      ...cite("R2", 3, true, 1, "approve"),
      ...cite("R3", 1, false, 5),
    ];
    expect(await load(rows, (table) => countCohortRules(table, ["community"]))).toEqual([
      {
        cohort: "alpha",
        scope: "community",
        owner: "alpha",
        rule_id: "R2",
        n: 4,
        indefensible: 1,
        inverse_yes: 4,
        inverse_yes_pure: 3,
        open_labels: { positive: 1, negative: 2 },
      },
      {
        cohort: "alpha",
        scope: "community",
        owner: "alpha",
        rule_id: "R1",
        n: 2,
        indefensible: 0,
        inverse_yes: 2,
        inverse_yes_pure: 2,
        open_labels: { positive: 0, negative: 0 },
      },
    ]);
  });
});

describe("slices", () => {
  it("read the language from the audits, and other fields from the decisions, where a list counts under each value", async () => {
    const decisions = write([
      { id: "d0", tags: ["a", "b", "a"], content: { body: "x", kind: "post" }, region: "EU" },
      { id: "d1", tags: [], content: "x" },
      { id: "d2", tags: ["b"], region: "a [odd] one" },
    ]);
    const rows: Partial<Audit>[] = [{ level: 3 }, { community: "beta" }, { language: "de", inverse: true, level: 2 }];
    await load(rows, async (table) => {
      const files = { jsonl: decisions, parquet: join(folder, "none.parquet") };
      await loadDecisionFields(table, files, ["tags", "content.kind", "region"]);
      const slices = async (field: string) =>
        (await countSlices(table, { by: ["community"], field })).map(
          (row) => `${row.value}/${row.cohort} ${row.n} ${row.indefensible} ${row.inverse_yes}`,
        );
      expect(await slices("language")).toEqual(["de/alpha 1 0 1", "en/alpha 1 1 0", "en/beta 1 0 0"]);
      expect(await slices("tags")).toEqual(["a/alpha 1 1 0", "b/alpha 2 1 1", "unknown/beta 1 0 0"]);
      expect(await slices("content.kind")).toEqual(["post/alpha 1 1 0", "unknown/alpha 1 0 1", "unknown/beta 1 0 0"]);
      expect(await slices("region")).toEqual(["EU/alpha 1 1 0", "a [odd] one/alpha 1 0 1", "unknown/beta 1 0 0"]);
    });
  });

  it("read the same fields of decisions kept as Parquet, in structs and in JSON text", async () => {
    await load([{}, {}], async (table) => {
      const parquet = join(folder, "decisions.parquet");
      await table.db.run(
        `COPY (SELECT * FROM (VALUES ('d0', ['a', 'b'], {'kind': 'post'}, '{"kind": "k0"}', 'EU'),
          ('d1', NULL, NULL, 'plain', NULL)) t(id, tags, content, other, region)) TO '${parquet}'`,
      );
      await loadDecisionFields(table, { jsonl: join(folder, "none.jsonl"), parquet }, [
        "tags",
        "content.kind",
        "other.kind",
        "region",
        "absent",
      ]);
      const values = async (field: string) =>
        (await countSlices(table, { by: ["community"], field })).map((row) => row.value);
      expect(await values("tags")).toEqual(["a", "b", "unknown"]);
      expect(await values("content.kind")).toEqual(["post", "unknown"]);
      expect(await values("other.kind")).toEqual(["k0", "unknown"]);
      expect(await values("region")).toEqual(["EU", "unknown"]);
      expect(await values("absent")).toEqual(["unknown"]);
    });
  });
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reference as clustered } from "../../../test/references/clusters.js";
import { reference } from "../../../test/references/slices.js";
import { relativeError } from "../../../test/references/stats.js";
import { makeAudit } from "../../../test/support/make-audit.js";
import { openAuditTable } from "../../analysis/audit-table.js";
import type { DefinedEstimate } from "../../core/estimate.js";
import type { GateKey } from "../../core/gate.js";
import { cohortKey } from "../../measures/gate/route/reasons.js";
import type { SliceReport } from "../../measures/gate/slices.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { buildSlices } from "./gate-scores.js";

const folder = mkdtempSync(join(tmpdir(), "gate-slices-"));
let files = 0;

function write(rows: readonly object[]): string {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return path;
}

/** Slices by tags of decisions given as (how many, how many indefensible, their tags). */
function slicesOf(
  fleet: readonly (readonly [number, number, readonly string[]])[],
  twice = false,
): Promise<SliceReport> {
  const decisions = fleet.flatMap(([n, bad, tags], group) =>
    Array.from({ length: n }, (_, i) => ({ id: `d${group}-${i}`, tags, bad: i < bad })),
  );
  const path = write(decisions.map(({ id, bad }) => makeAudit({ decision_id: id, level: bad ? 3 : 1 })));
  const files = {
    jsonl: write((twice ? [...decisions, ...decisions] : decisions).map(({ id, tags }) => ({ id, tags }))),
    parquet: join(folder, "none.parquet"),
  };
  return withDuckDB(async (db) => {
    const table = await openAuditTable(db, { path, format: "jsonl", own: true });
    return buildSlices(table, { names: ["tags"], decisions: files, by: ["community"], passes: new Set(["alpha"]) });
  });
}

describe("rates of slices over communities", () => {
  const { fleet, passes, values } = clustered.slices;
  const decisions = (fleet as [string, number, number, number, string[]][]).flatMap(
    ([community, n, bad, open, tags], group) =>
      Array.from({ length: n }, (_, i) => ({
        id: `d${group}-${i}`,
        community,
        tags,
        bad: i < bad,
        open: i >= n - open,
      })),
  );
  const audits = decisions.map(({ id, community, bad, open }) =>
    makeAudit({ decision_id: id, community, level: bad ? 3 : 1, inverse: open }),
  );
  const files = {
    jsonl: write(decisions.map(({ id, tags }) => ({ id, tags }))),
    parquet: join(folder, "none.parquet"),
  };

  it.each<{ by: GateKey[] }>([{ by: ["community"] }, { by: ["community", "decision"] }, { by: ["language"] }])(
    "have the interval of decisions that resemble each other, as scipy does, by $by",
    async ({ by }) => {
      const keys = passes.map((community) =>
        cohortKey(by, { community, decision: audits[0]!.decision, language: null }),
      );
      const { rows } = await withDuckDB(async (db) => {
        const table = await openAuditTable(db, { path: write(audits), format: "jsonl", own: true });
        return buildSlices(table, { names: ["tags"], decisions: files, by, passes: new Set(keys) });
      });
      expect(rows.map(({ value }) => value)).toEqual(values.map(({ value }) => value));
      const measures = ["di", "indefensible_rate", "ambiguity"] as const;
      const automated = ["automation_rate", "automated_indefensible_rate"] as const;
      for (const [i, row] of rows.entries()) {
        expect(row).not.toHaveProperty("communities");
        for (const measure of by.includes("community") ? [...measures, ...automated] : measures) {
          const { k, n, cluster: expected } = values[i]![measure];
          if (n === 0) {
            expect(row[measure]).toEqual({ estimate: null, reason: "no decision is automated", n });
            continue;
          }
          expect(row[measure]).toMatchObject({ estimate: k / n, k, n, method: "wilson" });
          const { cluster } = row[measure] as DefinedEstimate;
          expect(cluster?.clusters).toBe(expected?.clusters);
          if (!expected) continue;
          expect(cluster!.lower).toBeCloseTo(expected.lower, 9);
          expect(cluster!.upper).toBeCloseTo(expected.upper, 9);
          expect(cluster!.design_effect).toBeCloseTo(expected.design_effect!, 9);
        }
      }
    },
  );
});

type Fleet = Parameters<typeof slicesOf>[0];

describe("slices with several values a decision", () => {
  it.each(["overlapping", "many", "level"] as const)(
    "compare the decisions with a value with those without, as scipy and statsmodels do: %s",
    async (name) => {
      const { fleet, rows } = reference[name];
      const report = await slicesOf(fleet as unknown as Fleet);
      expect(report.rows.map(({ value, n, indefensible }) => ({ value, n, indefensible }))).toEqual(
        rows.map(({ value, n, indefensible }) => ({ value, n, indefensible })),
      );
      for (const [i, row] of report.rows.entries()) {
        const expected = rows[i]!;
        expect(row.rest).toMatchObject({ n: expected.rest, indefensible: expected.rest_indefensible });
        expect(relativeError(row.tests.indefensible.p!, expected.p!)).toBeLessThan(1e-9);
        expect(row.tests.indefensible.difference!).toBeCloseTo(expected.difference, 12);
      }
    },
  );

  it("test two values that part the decisions once, and two that overlap twice", async () => {
    const parted: Fleet = [
      [60, 5, ["a"]],
      [60, 9, ["b"]],
    ];
    expect((await slicesOf(parted)).tests).toBe(3);
    expect((await slicesOf([...parted, [30, 3, ["a", "b"]]])).tests).toBe(6);
  });

  it("may be the fields that communities and cohorts are made of", async () => {
    const audits = ["a", "b", "c"].map((community, i) => makeAudit({ decision_id: `d${i}`, community }));
    const given = audits.map(({ decision_id: id, community, decision }) => ({ id, community, decision, tags: ["t"] }));
    const files = { jsonl: write(given), parquet: join(folder, "none.parquet") };
    const names = ["community", "decision", "tags"];
    const { rows } = await withDuckDB(async (db) => {
      const table = await openAuditTable(db, { path: write(audits), format: "jsonl", own: true });
      return buildSlices(table, { names, decisions: files, by: ["decision"], passes: new Set() });
    });
    expect(rows.map(({ slice, value, n }) => [slice, value, n])).toEqual([
      ["community", "a", 1],
      ["community", "b", 1],
      ["community", "c", 1],
      ["decision", audits[0]!.decision, 3],
      ["tags", "t", 3],
    ]);
  });

  it("count a decision that was imported twice once", async () => {
    const fleet: Fleet = [
      [60, 5, ["a"]],
      [60, 9, ["b", "c"]],
    ];
    expect((await slicesOf(fleet, true)).rows).toEqual((await slicesOf(fleet)).rows);
  });
});

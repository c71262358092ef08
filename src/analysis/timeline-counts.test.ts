import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import type { Audit } from "../core/records/audit.js";
import { withDuckDB } from "../store/files/duckdb.js";
import { type AuditTable, openAuditTable } from "./audit-table.js";
import { countTimeline } from "./gate/counts.js";

const folder = mkdtempSync(join(tmpdir(), "timeline-"));
let files = 0;

function load<T>(rows: readonly Partial<Audit>[], work: (table: AuditTable) => Promise<T>): Promise<T> {
  const path = join(folder, `${files++}.jsonl`);
  const lines = rows.map((row, i) => `${JSON.stringify(makeAudit({ decision_id: `d${i}`, ...row }))}\n`);
  writeFileSync(path, lines.join(""));
  return withDuckDB(async (db) =>
    work(await openAuditTable(db, { path, format: "jsonl", own: true }, { also: ["decided_at"] })),
  );
}

const at = (decided_at: string | null, changes: Partial<Audit> = {}) => ({ decided_at, ...changes });

describe("the timeline", () => {
  it("counts verdicts by community and period, every period named though nothing happened in it", async () => {
    const timeline = await load(
      [
        at("2026-03-01T23:59:00Z"),
        at("2026-03-01T01:00:00+02:00", { level: 3, inverse: true }),
        at("2026-03-04", { inverse: true }),
        at("2026-03-04T10:00Z", { community: "beta" }),
        at("2026-03-04", { outcome: "unscored", level: null, inverse: null }),
        at("2026-03-04", { arm: "human" }),
        at("soon"),
        at(null),
      ],
      countTimeline,
    );
    const counts = { indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0 };
    expect(timeline).toEqual({
      unit: "day",
      first: "2026-02-28",
      last: "2026-03-04",
      periods: ["2026-02-28", "2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"],
      rows: [
        { community: "alpha", period: 0, n: 1, indefensible: 1, inverse_yes: 1, inverse_yes_pure: 0 },
        { community: "alpha", period: 1, n: 1, ...counts },
        { community: "alpha", period: 4, n: 1, ...counts, inverse_yes: 1, inverse_yes_pure: 1 },
        { community: "beta", period: 4, n: 1, ...counts },
      ],
    });
  });

  it("takes the shortest unit that makes no more than 26 periods", async () => {
    const unit = async (from: string, to: string) => {
      const timeline = await load([at(from), at(to)], countTimeline);
      expect(timeline!.periods.length).toBeLessThanOrEqual(timeline!.unit === "year" ? 1_000 : 26);
      expect(timeline!.rows.map((row) => row.period)).toEqual([0, timeline!.periods.length - 1]);
      return timeline!.unit;
    };
    expect(await unit("2026-01-01", "2026-01-26")).toBe("day");
    expect(await unit("2026-01-01", "2026-01-27")).toBe("week");
    expect(await unit("2026-01-01", "2026-07-15")).toBe("month");
    expect(await unit("2024-01-31", "2026-06-01")).toBe("quarter");
    expect(await unit("1998-01-01", "2026-06-01")).toBe("year");
  });

  it("names the first and the last day, not the first days of the first and the last period", async () => {
    const timeline = await load([at("2026-05-01T09:00:00Z"), at("2026-05-28T23:30:00-02:00")], countTimeline);
    expect(timeline).toMatchObject({ unit: "week", first: "2026-05-01", last: "2026-05-29" });
    expect([timeline!.periods[0], timeline!.periods.at(-1)]).toEqual(["2026-04-27", "2026-05-25"]);
  });

  it("leaves out times that are mistakes", async () => {
    const timeline = await load([at("2026-01-01"), at("1026-01-01"), at("9999-12-31")], countTimeline);
    expect(timeline!.periods).toEqual(["2026-01-01"]);
  });

  it("is null where no time can be read", async () => {
    expect(await load([at(null), at("yesterday")], countTimeline)).toBeNull();
  });
});

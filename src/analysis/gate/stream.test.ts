import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import { MODERATION_ACTIONS } from "../../core/records/actions.js";
import type { Audit } from "../../core/records/audit.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import type { AuditSource } from "../../store/ports.js";
import { openAuditTable } from "../audit-table.js";
import { firstDecisions, GateStream, type StreamRow, WATCH_COLUMNS } from "./stream.js";

const folder = mkdtempSync(join(tmpdir(), "gate-stream-"));
let files = 0;

function run(rows: readonly Partial<Audit>[]): AuditSource {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(makeAudit(row))}\n`).join(""));
  return { path, format: "jsonl", own: true };
}

const wanted = new Set(["alpha", "beta"]);

interface Watched {
  source: AuditSource;
  epoch: number;
  seen?: boolean;
}

async function read(runs: readonly Watched[], variable: "ai" | "ai_pure" = "ai") {
  return (await readThreads(runs, { variable })).rows;
}

async function readThreads(
  runs: readonly Watched[],
  { variable = "ai" as "ai" | "ai_pure", now = "2027-01-01", before = null as string | null },
) {
  return withDuckDB(async (db) => {
    const stream = await GateStream.create(db, ["community"]);
    for (const [i, { source, epoch, seen = false }] of runs.entries()) {
      await stream.addRun(source, { actions: MODERATION_ACTIONS, epoch, run: i, seen });
    }
    const found: StreamRow[] = [];
    const times = { now: Date.parse(now), before: before === null ? null : Date.parse(before) };
    const counts = await stream.read({ wanted, variable, cap: 5, ...times }, (row) => found.push({ ...row }));
    const rows = found.map((row) => ({ ...row, at: row.time === null ? null : new Date(row.time).toISOString() }));
    return { rows, counts };
  });
}

describe("verdicts in the order of time", () => {
  it("are merged over runs of one epoch by the time of the decision, or of the audit; what has neither comes first", async () => {
    const first = run([
      { decision_id: "d3", decided_at: "2026-01-03", level: 3, inverse: true },
      { decision_id: "d1", decided_at: "2026-01-01T12:00:00Z" },
      { decision_id: "d0", decided_at: null, created_at: "whenever" },
      { decision_id: "u", outcome: "unscored", level: null, inverse: null },
    ]);
    const second = run([
      { decision_id: "d2", decided_at: "2026-01-02T00:00:00+02:00", community: "beta", level: 2, inverse: true },
      { decision_id: "d4", decided_at: null, created_at: "2026-02-01T00:00:00Z" },
      { decision_id: "d5", community: "nobody asked for", decided_at: "2026-01-01" },
    ]);
    const rows = await read([
      { source: first, epoch: 0 },
      { source: second, epoch: 0 },
    ]);
    expect(rows.map((row) => [row.at, row.decided])).toEqual([
      [null, false],
      ["2026-01-01T12:00:00.000Z", true],
      ["2026-01-01T22:00:00.000Z", true],
      ["2026-01-03T00:00:00.000Z", true],
      ["2026-02-01T00:00:00.000Z", false],
    ]);
    expect(rows.map((row) => [row.key, row.x_indefensible, row.x_ambiguous])).toEqual([
      ["alpha", 0, 0],
      ["alpha", 0, 0],
      ["beta", 0, 1],
      ["alpha", 1, 1],
      ["alpha", 0, 0],
    ]);
    const pure = await read([{ source: first, epoch: 0 }], "ai_pure");
    expect(pure.map((row) => row.x_ambiguous)).toEqual([0, 0, 0]);
  });

  it("are in the order of instants, whatever zones they are written in, and those that cannot be read come first", async () => {
    const times = [
      ["2026-02-02T05:00:00+06:00", "2026-02-01T23:00:00.000Z"],
      ["2026-02-01T23:30:00", "2026-02-01T23:30:00.000Z"],
      ["2026-02-01 20:00:00-04", "2026-02-02T00:00:00.000Z"],
      ["2026-02-02T00:06Z", "2026-02-02T00:06:00.000Z"],
      ["2026-02-02T05:37+0530", "2026-02-02T00:07:00.000Z"],
      ["2026-02-02T00:08", "2026-02-02T00:08:00.000Z"],
    ] as const;
    const unreadable = ["02.01.2020 10:00", "2020/01/02 10:00", "infinity", "99999-01-01", "yesterday"];
    const late = { created_at: "2026-11-01T00:00:00Z" };
    const rows = await read([
      {
        source: run([
          ...times.toReversed().map(([decided_at], i) => ({ decision_id: `t${i}`, decided_at, ...late })),
          ...unreadable.map((decided_at, i) => ({ decision_id: `u${i}`, decided_at, ...late })),
        ]),
        epoch: 0,
      },
    ]);
    expect(rows.map((row) => row.at)).toEqual([...unreadable.map(() => null), ...times.map(([, at]) => at)]);
    expect(rows.map((row) => row.decided)).toEqual([...unreadable.map(() => false), ...times.map(() => true)]);
  });

  it("count a decision once in an epoch, and again under another auditor or prompt, after all that was before", async () => {
    const old = run([
      { decision_id: "d1", decided_at: "2026-01-05", level: 3 },
      { decision_id: "d2", decided_at: "2026-01-01" },
    ]);
    const again = run([{ decision_id: "d1", decided_at: "2026-01-05", level: 1 }]);
    const other = run([{ decision_id: "d1", decided_at: "2026-01-05", prompt_version: "2" }]);
    const rows = await read([
      { source: old, epoch: 0 },
      { source: again, epoch: 0 },
      { source: other, epoch: 1 },
    ]);
    expect(rows.map((row) => [row.at, row.x_indefensible, row.version])).toEqual([
      ["2026-01-01T00:00:00.000Z", 0, "baseline · 1 · 1 · 1+1"],
      ["2026-01-05T00:00:00.000Z", 1, "baseline · 1 · 1 · 1+1"],
      ["2026-01-05T00:00:00.000Z", 0, "baseline · 1 · 2 · 1+1"],
    ]);
  });

  it("come by closed threads, each once, with what is open or late counted", async () => {
    const row = (decision_id: string, thread_id: string | null, day: number, level: 1 | 3 = 1) => ({
      decision_id,
      thread_id,
      level,
      decided_at: `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`,
    });
    const first = run([
      row("a1", "t1", 1),
      row("a2", "t1", 2, 3),
      row("a3", "t1", 12),
      row("b1", "t2", 10),
      row("c1", null, 3),
      { decision_id: "x1", community: "beta", decided_at: "2026-01-13" },
    ]);
    const week = await readThreads([{ source: first, epoch: 0 }], { now: "2026-01-14" });
    expect(week.rows.map(({ key, n, x_indefensible, weight }) => [key, n, x_indefensible, weight])).toEqual([
      ["alpha", 2, 0.5, 0.4],
      ["alpha", 1, 0, 0.2],
      // No decision of beta has a thread: each stands for itself, at once.
      ["beta", 1, 0, 1],
    ]);
    expect(week.counts).toEqual({ taken: 4, waiting: 1, late: 1 });
    // The thread that was open then is whole now; what comes to one that was watched is late.
    const second = run([row("b2", "t2", 16, 3), row("a4", "t1", 5), row("d1", "t3", 2)]);
    const later = await readThreads(
      [
        { source: first, epoch: 0, seen: true },
        { source: second, epoch: 0 },
      ],
      { now: "2026-02-14", before: "2026-01-14" },
    );
    expect(later.rows.map(({ key, n, x_indefensible }) => [key, n, x_indefensible])).toEqual([
      ["alpha", 1, 0],
      ["alpha", 2, 0.5],
    ]);
    expect(later.counts).toEqual({ taken: 3, waiting: 0, late: 1 });
  });

  it("have a first one in each cohort, unless nobody knows when one of them was decided", async () => {
    const source = run([
      { decision_id: "d1", decided_at: "2026-01-05T00:00:00Z" },
      { decision_id: "d2", decided_at: "2026-01-02T10:00:00Z" },
      { decision_id: "d3", community: "beta", decided_at: null, created_at: "whenever" },
      { decision_id: "d4", community: "beta", decided_at: "2026-01-02" },
      { decision_id: "d5", community: "east", decided_at: "2026-02-02T05:00:00+06:00" },
      { decision_id: "d6", community: "unsaid", decided_at: null, created_at: "2026-02-02T00:00:00Z" },
      { decision_id: "d7", community: "unread", decided_at: "02.01.2020", created_at: "2026-02-02T00:00:00Z" },
    ]);
    const first = await withDuckDB(async (db) =>
      firstDecisions(await openAuditTable(db, source, { also: WATCH_COLUMNS }), ["community"]),
    );
    expect(Object.fromEntries(first)).toEqual({
      alpha: "2026-01-02T10:00:00.000Z",
      east: "2026-02-01T23:00:00.000Z",
    });
  });
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAuditTable } from "../../analysis/audit-table.js";
import { gateSchema } from "../../core/gate.js";
import { DEFAULT_DELTA } from "../../measures/gate/certified-gate.js";
import { STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import type { GateReport, GateSettings } from "../../measures/gate/gate-report.js";
import { prepareGate, thresholdFor } from "../../measures/gate/route/state.js";
import { WITHHELD } from "../../measures/gate/selective/choose-thresholds.js";
import { gateWords } from "../../present/gate/gate-words.js";
import { createRng, type Rng } from "../../stats/random/create-rng.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { buildGate } from "./build-gate.js";

const folder = mkdtempSync(join(tmpdir(), "gate-scores-"));

interface Row {
  community: string;
  bad: boolean;
  score: number;
  decision?: string;
  thread?: string;
  id?: string;
}

const SETTINGS: GateSettings = {
  ...STANDARD_LIMITS,
  mode: "shrunk",
  by: ["community"],
  adjust: "holm",
  delta: DEFAULT_DELTA,
  q: 0.05,
  risk: 0.04,
  judge_error: false,
  review_share: 0,
  thread_cap: 5,
};

/** The gate of a file with these verdicts. */
function gateOf(rows: readonly Row[], changes: Partial<GateSettings> = {}): Promise<GateReport> {
  const path = join(folder, "audits.csv");
  const lines = rows.map(({ community, bad, score, decision = "remove", thread = "", id }, i) =>
    [id ?? `d${i}`, community, decision, bad ? 3 : 1, "No", score, thread].join(","),
  );
  writeFileSync(
    path,
    `${["decision_id,community,decision,level,inverse,p_defensible,thread_id", ...lines].join("\n")}\n`,
  );
  const none = { run_id: null, auditor: null, auditor_version: null, prompt_version: null };
  return withDuckDB(
    async (db) =>
      buildGate(await openAuditTable(db, { path, format: "csv", own: false }, { also: ["thread_id", "decided_at"] }), {
        settings: { ...SETTINGS, ...changes },
        gateId: "g1",
        createdAt: "2026-01-01T00:00:00.000Z",
        run: { run_id: null, source: "audits.csv", status: null },
        evidence: { ...none, template: null, signal: null, tier: null },
        rules: [],
        look: () => ({ look: "once", why: { code: "look_asked_for" } }),
        words: gateWords(),
        hashOf: String,
        calibration: null,
        target: null,
        labels: null,
        holdout: null,
        slices: { names: [], decisions: null },
      }),
    { ordered: false },
  );
}

/** Sum of `shape` exponential waiting times. */
function drawGamma(shape: number, rng: Rng): number {
  let sum = 0;
  for (let i = 0; i < shape; i++) sum -= Math.log(1 - rng.next());
  return sum;
}

function drawBeta(a: number, b: number, rng: Rng): number {
  const x = drawGamma(a, rng);
  return x / (x + drawGamma(b, rng));
}

/** Rows of communities with these rates, and scores that know nothing. */
function drawFleet(rates: readonly number[], n: number, rng: Rng): Row[] {
  return rates.flatMap((rate, c) =>
    Array.from({ length: n }, () => ({ community: `c${c}`, bad: rng.next() < rate, score: rng.next() })),
  );
}

/** What `route` makes of the gate, read from its JSON. */
const routeThresholds = (report: GateReport) =>
  prepareGate(gateSchema.parse(JSON.parse(JSON.stringify(report)))).selective!.thresholds;

/** Communities that may be automated by a threshold. */
function automatable(report: GateReport): string[] {
  const { restricting } = routeThresholds(report);
  return report.communities
    .filter((one) => one.passes[report.mode] && thresholdFor(restricting, one.community).threshold !== null)
    .map((one) => one.community);
}

describe("thresholds of a gate", () => {
  it("keep the risk where communities look good by chance: what chose them does not certify them", async () => {
    const broken: number[] = [];
    let passing = 0;
    for (let draw = 0; draw < 6; draw++) {
      const rng = createRng(`chosen by chance ${draw}`);
      const rates = Array.from({ length: 300 }, () => drawBeta(6, 50, rng));
      const report = await gateOf(drawFleet(rates, 60, rng));
      passing += report.fleet.passing;
      const open = automatable(report);
      const risk = open.reduce((sum, name) => sum + rates[Number(name.slice(1))]!, 0) / open.length;
      if (open.length > 0 && risk > 0.04) broken.push(risk);
    }
    // There is something to be wrong about.
    expect(passing).toBeGreaterThan(60);
    expect(broken).toEqual([]);
  }, 60_000);

  it("still automate most of a fleet that is good", async () => {
    const rng = createRng("a good fleet");
    const rates = Array.from({ length: 60 }, () => drawBeta(1, 99, rng));
    const report = await gateOf(drawFleet(rates, 120, rng));
    expect(report.fleet.passing).toBeGreaterThan(50);
    expect(automatable(report).length).toBeGreaterThan(50);
    expect(report.selection!.automated).toBeGreaterThan(0.9 * report.selection!.rows_in_all);
  });

  it("are certified on the half of the decisions that chose nobody, and withheld from whom only all decisions let pass", async () => {
    const rng = createRng("withheld");
    const rates = Array.from({ length: 200 }, () => drawBeta(3, 40, rng));
    const report = await gateOf(drawFleet(rates, 60, rng), { risk: 0.1 });
    const { selective, selection } = report;
    const passing = report.communities.filter((one) => one.passes.shrunk).map((one) => one.community);
    const { withheld } = selective!;
    expect(selection!.split).toMatchObject({ share: 0.5, seed: 1, by_thread: false, min_decisions: 13 });
    expect(withheld!.length).toBeGreaterThan(0);
    expect(selection!.split!.withheld).toBe(withheld!.length);
    expect(passing).toEqual(expect.arrayContaining(withheld!));
    expect(automatable(report).sort()).toEqual(passing.filter((name) => !withheld!.includes(name)).sort());
    for (const name of withheld!) expect(selective!.by_community[name]).toBeNull();
    const { restricting } = routeThresholds(report);
    expect(thresholdFor(restricting, withheld![0]!)).toEqual({ threshold: null, reason: WITHHELD });
    expect(selection!.rows).toBeLessThan(0.6 * 60 * selection!.split!.chosen);
    expect(selection!.rows).toBeGreaterThan(0.4 * 60 * selection!.split!.chosen);
    expect(selection!.rows_in_all).toBe(60 * passing.length);
    expect(selective!.promise).toContain(
      "communities are chosen on one half of the decisions and thresholds certified on the other",
    );
  });

  it("come out the same in any order of the rows, and leave threads whole", async () => {
    const rng = createRng("order");
    const rows = drawFleet([0.01, 0.02, 0.05], 300, rng).map((row, i) => ({
      ...row,
      id: `x${i}`,
      thread: `t${Math.floor(i / 3)}`,
    }));
    const [first, second] = [await gateOf(rows), await gateOf(rows.toReversed())];
    expect(second.selective).toEqual(first.selective);
    expect(first.selection!.split!.by_thread).toBe(true);
    expect(first.selective!.promise).toContain("indefensible, counting at most 5 decisions of any one thread;");
    // Whole threads of three: the rows that certify come in threes.
    expect(first.selection!.rows % 3).toBe(0);
  });

  it("are not given for waves: a thread counts as at most a few of its decisions", async () => {
    // Threads of 40 are wholly bad with probability 0.12, above the limit of 0.10 that community and thresholds have.
    let passing = 0;
    for (let draw = 0; draw < 12; draw++) {
      const rng = createRng(`waves ${draw}`);
      const bad = Array.from({ length: 20 }, () => rng.next() < 0.12);
      const rows = bad.flatMap((wave, t) =>
        Array.from({ length: 40 }, (_, i) => ({
          community: "c",
          bad: wave,
          score: rng.next(),
          id: `x${t}-${i}`,
          thread: `t${t}`,
        })),
      );
      const report = await gateOf(rows, { mode: "paper", risk: 0.1 });
      passing += report.fleet.passing;
      expect(automatable(report)).toEqual([]);
      expect(report.selection!.coverage_at_risk.every(({ certified }) => certified.threshold === null)).toBe(true);
    }
    expect(passing).toBeGreaterThan(3);
  });

  it("are given for as many threads as prove them, and for more with a smaller cap", async () => {
    const rng = createRng("calm threads");
    const rows = drawFleet([0.005], 1200, rng).map((row, i) => ({
      ...row,
      thread: i < 600 ? `a${i >> 1}` : `b${Math.floor(i / 12)}`,
    }));
    const [one, five] = [await gateOf(rows, { risk: 0.1, thread_cap: 1 }), await gateOf(rows, { risk: 0.1 })];
    expect([one.selection!.thread_cap, five.selection!.thread_cap]).toEqual([1, 5]);
    expect(one.selective!.promise).toContain("counting one decision of any one thread");
    const of = (report: GateReport) => report.selection!.thresholds.by_community.c0!;
    expect(of(one).threshold).not.toBeNull();
    expect(of(five).risk.upper ?? 1).toBeGreaterThan(of(one).risk.upper!);
    const alone = await gateOf(drawFleet([0.005], 1200, createRng("calm threads")), { risk: 0.1 });
    expect(alone.selection!.thread_cap).toBeNull();
    expect(alone.selective!.promise).not.toContain("thread");
  });

  it("are chosen by action too where cohorts are", async () => {
    const rng = createRng("by decision");
    const rows = drawFleet([0.01, 0.01], 800, rng).map((row, i) => {
      const approved = i % 2 === 0;
      // The other action is bad in the second community.
      const bad = approved && row.community === "c1" ? rng.next() < 0.4 : row.bad;
      return { ...row, bad, decision: approved ? "approve" : "remove" };
    });
    const report = await gateOf(rows, { by: ["community", "decision"], risk: 0.1 });
    expect(report.communities.filter((one) => one.passes.shrunk).map((one) => one.community)).toEqual([
      "c0 × approve",
      "c0 × remove",
      "c1 × remove",
    ]);
    expect(report.selection!.split).toMatchObject({ chosen: 3, withheld: 0 });
    const by = report.selective!.by_decision!;
    expect(Object.keys(by.restricting.by_community)).toEqual(["c0", "c1"]);
    expect(Object.keys(by.other.by_community)).toEqual(["c0"]);
  });
});

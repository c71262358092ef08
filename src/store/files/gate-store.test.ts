import { appendFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Gate } from "../../core/gate.js";
import {
  closeGates,
  gatePaths,
  openGates,
  putInForce,
  readClosure,
  readGateHistory,
  readGateInForce,
  recordGateEvents,
} from "./gate-files.js";
import { tempWorkspace as workspace } from "./in-temp-folder.suite.js";
import type { Workspace } from "./workspace.js";

const scenario = {
  name: "Standard",
  di: 0.9,
  ai: 0.15,
  passing: 0,
  community_coverage: null,
  decision_coverage_eligible: null,
  decision_coverage_all: null,
  fleet_di: null,
  fleet_ai: null,
  base_indefensible_rate: null,
  automated_indefensible_rate: null,
  exposure_reduction: null,
  conditional_risk_reduction: null,
  random_gate_baseline: null,
};
const gate: Gate = {
  mode: "shrunk",
  thresholds: { di: 0.9, ai: 0.15, min_decisions: 25 },
  fleet: scenario,
  scenarios: [scenario],
  communities: [],
  gate_id: "g1",
};

async function events(of: Workspace) {
  const all = [];
  for await (const event of readGateHistory(of)) all.push(event);
  return all;
}

describe("the gate's files", () => {
  it("has no gate in force, no history and no closure at first", async () => {
    const fresh = workspace();
    expect(readGateInForce(fresh)).toBeNull();
    expect(readClosure(fresh)).toBeNull();
    expect(await events(fresh)).toEqual([]);
  });

  it("gives back the gate in force", () => {
    const here = workspace();
    const inForce = { gate, sampling_key: "0123456789abcdef", in_force_since: "2026-01-01T00:00:00Z" };
    putInForce(here, inForce);
    expect(readGateInForce(here)).toEqual({ ...inForce, content_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it("refuses a gate file that it cannot understand", () => {
    const here = workspace();
    putInForce(here, { gate, sampling_key: "0123456789abcdef", in_force_since: "x" });
    writeFileSync(gatePaths(here).current, "{}");
    expect(() => readGateInForce(here)).toThrow(/not a gate/);
  });

  it("keeps gates closed where the closure is a link to nothing", async () => {
    const here = workspace();
    await closeGates(here, { since: "2026-11-01", reason: "x" });
    const { closed } = gatePaths(here);
    rmSync(closed);
    expect(readClosure(here)).toBeNull();
    symlinkSync(`${closed}.gone`, closed);
    expect(readClosure(here)).toMatchObject({ reason: expect.stringContaining("cannot be read") });
    await openGates(here, "2026-11-02");
    expect(readClosure(here)).toBeNull();
  });

  it("keeps gates closed even if the closure cannot be read", async () => {
    const here = workspace();
    await closeGates(here, { since: "2026-01-01T00:00:00Z", reason: "incident" });
    expect(readClosure(here)?.reason).toBe("incident");
    writeFileSync(gatePaths(here).closed, "torn");
    expect(readClosure(here)).not.toBeNull();
    await openGates(here, "2026-01-02T00:00:00Z");
    expect(readClosure(here)).toBeNull();
    expect((await events(here)).map((event) => event.type)).toEqual(["closed", "opened"]);
  });

  it("passes over a torn last line and goes on after it", async () => {
    const here = workspace();
    await recordGateEvents(here, [{ type: "reset", at: "1" }]);
    appendFileSync(gatePaths(here).history, '{"type":"ga');
    expect(await events(here)).toHaveLength(1);
    await recordGateEvents(here, [{ type: "reset", at: "2" }]);
    expect((await events(here)).map((event) => event.at)).toEqual(["1", "2"]);
    expect(readFileSync(gatePaths(here).history, "utf8").endsWith("\n")).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { cohort, gateReport } from "../reports/gate-report.suite.js";
import { readGateInForce } from "../workspace/gate-store.js";
import { failure, tempWorkspace } from "../workspace/in-temp-folder.suite.js";
import { type ApplyRequest, applyGate } from "./gate-apply.js";
import { carriedOver, inForceGate } from "./gate-in-force.js";
import { gateSettings } from "./gate-settings.js";

const request: ApplyRequest = {
  settings: gateSettings({}),
  obstacles: [],
  apply: false,
  dryRun: false,
  now: "2026-01-01T00:00:00.000Z",
  first: new Map(),
  watch: null,
};
const fleet = [cohort("calm", 200, 2), cohort("rough", 100, 40)];

function unwritable() {
  const workspace = tempWorkspace();
  return { ...workspace, paths: { ...workspace.paths, gate: "/sys/defensible-gate" } };
}

describe("suspensions", () => {
  const alarm = { since: "2026-01-01", reason: "alarm" };
  const gateBefore = (by: ("community" | "decision")[], name: string) => {
    const gate = inForceGate(gateReport([cohort(name, 100, 1)]), new Map([[name, alarm]]));
    return { ...gate, by, communities: gate.communities.map((one) => ({ ...one, suspended: alarm })) };
  };
  const gateAfter = (by: ("community" | "decision")[], ...names: string[]) => ({
    ...gateReport(names.map((name) => cohort(name, 100, 1))),
    by,
  });

  it("follow a community when the gate begins to divide by other keys, and back", () => {
    const parted = carriedOver(
      gateBefore(["community"], "calm"),
      gateAfter(["community", "decision"], "calm × remove", "other × remove"),
    );
    expect(parted.has("calm × remove")).toBe(true);
    expect(parted.has("other × remove")).toBe(false);
    const whole = carriedOver(
      gateBefore(["community", "decision"], "calm × remove"),
      gateAfter(["community"], "calm", "other"),
    );
    expect(whole.has("calm")).toBe(true);
    expect(whole.has("other")).toBe(false);
  });
});

describe("putting a gate in force", () => {
  it("where nothing can be written is told, and does not fail unless it was asked for", async () => {
    const workspace = unwritable();
    const report = gateReport(fleet);
    await applyGate(workspace, report, request);
    expect(report.in_force).toMatchObject({ status: "not_recorded", before: null });
    expect(report.in_force!.text).toContain("this look does not count and no gate is in force");
    const refused = await failure(() => applyGate(workspace, report, { ...request, apply: true }));
    expect(refused.message).toContain("/sys/defensible-gate");
  });

  it("keeps what routing needs, and nothing that depends on when it was made when nothing has changed", async () => {
    const workspace = tempWorkspace();
    await applyGate(workspace, gateReport(fleet), request);
    const first = readGateInForce(workspace)!;
    expect(first.gate.communities.map(({ community, passes }) => [community, passes.shrunk])).toEqual([
      ["calm", true],
      ["rough", false],
    ]);
    const again = { ...gateReport(fleet), gate_id: "g2", created_at: "2026-02-01T00:00:00.000Z" };
    await applyGate(workspace, again, { ...request, now: "2026-02-01T00:00:00.000Z" });
    expect(readGateInForce(workspace)).toEqual(first);
    expect(again.gate_id).toBe("g1");
    const other = { ...gateReport([cohort("calm", 201, 2)]), gate_id: "g3" };
    await applyGate(workspace, other, { ...request, now: "2026-03-01T00:00:00.000Z" });
    expect(readGateInForce(workspace)).toMatchObject({
      gate: { gate_id: "g3" },
      sampling_key: first.sampling_key,
      in_force_since: "2026-03-01T00:00:00.000Z",
    });
  });
});

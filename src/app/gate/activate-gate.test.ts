import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cohort, gateReport } from "../../present/document/gate-report.suite.js";
import { gateWords } from "../../present/gate/gate-words.js";
import { gatePaths, putInForce, readGateInForce, recordGateEvents } from "../../store/files/gate-files.js";
import { failure, tempWorkspace } from "../../store/files/in-temp-folder.suite.js";
import { fileGate } from "../../store/files/stores.js";
import { carriedOver, suspendedIn } from "../../store/records/suspensions.js";
import { type ApplyRequest, recordGate } from "./activate-gate.js";
import { gateSettings } from "./gate-settings.js";
import { inForceGate } from "./kill-switch.js";
import type { WatchOutcome } from "./watch.js";

const request: ApplyRequest = {
  settings: gateSettings({}),
  obstacles: [],
  late: async () => [],
  otherLimits: false,
  apply: true,
  dryRun: false,
  now: "2026-01-01T00:00:00.000Z",
  first: new Map(),
  watch: null,
  words: gateWords(),
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
      suspendedIn(gateBefore(["community"], "calm")),
      gateAfter(["community", "decision"], "calm × remove", "other × remove"),
    );
    expect(parted.has("calm × remove")).toBe(true);
    expect(parted.has("other × remove")).toBe(false);
    const whole = carriedOver(
      suspendedIn(gateBefore(["community", "decision"], "calm × remove")),
      gateAfter(["community"], "calm", "other"),
    );
    expect(whole.has("calm")).toBe(true);
    expect(whole.has("other")).toBe(false);
  });
});

describe("activating a gate", () => {
  it("is done only when it is asked for", async () => {
    const workspace = tempWorkspace();
    const report = gateReport(fleet);
    await recordGate(fileGate(workspace), report, { ...request, apply: false });
    expect(readGateInForce(workspace)).toBeNull();
    expect(report.in_force).toMatchObject({
      status: "what_if",
      text: "This was only a look; no gate is active. `defensible gate apply` activates this one.",
    });
  });

  it("where nothing can be written is told, and does not fail unless it was asked for", async () => {
    const workspace = unwritable();
    const report = gateReport(fleet);
    await recordGate(fileGate(workspace), report, { ...request, apply: false });
    expect(report.in_force).toMatchObject({ status: "not_recorded", before: null });
    expect(report.in_force!.text).toContain("this look does not count and no gate is active");
    const refused = await failure(() => recordGate(fileGate(workspace), report, { ...request, apply: true }));
    expect(refused.message).toContain("/sys/defensible-gate");
  });

  it("keeps what routing needs, and nothing that depends on when it was made when nothing has changed", async () => {
    const workspace = tempWorkspace();
    await recordGate(fileGate(workspace), gateReport(fleet), request);
    const first = readGateInForce(workspace)!;
    expect(first.gate.communities.map(({ community, passes }) => [community, passes.shrunk])).toEqual([
      ["calm", true],
      ["rough", false],
    ]);
    const again = { ...gateReport(fleet), gate_id: "g2", created_at: "2026-02-01T00:00:00.000Z" };
    await recordGate(fileGate(workspace), again, { ...request, now: "2026-02-01T00:00:00.000Z" });
    expect(readGateInForce(workspace)).toEqual(first);
    expect(again.gate_id).toBe("g1");
    const other = { ...gateReport([cohort("calm", 201, 2)]), gate_id: "g3" };
    await recordGate(fileGate(workspace), other, { ...request, now: "2026-03-01T00:00:00.000Z" });
    expect(readGateInForce(workspace)).toMatchObject({
      gate: { gate_id: "g3" },
      sampling_key: first.sampling_key,
      in_force_since: "2026-03-01T00:00:00.000Z",
    });
  });
});

describe("what an alarm closed stays closed", () => {
  const alarm = { since: "2026-01-01T00:00:00.000Z", reason: "alarm", after: null };
  const suspended = async () => {
    const workspace = tempWorkspace();
    await recordGate(fileGate(workspace), gateReport(fleet), request);
    const inForce = readGateInForce(workspace)!;
    const communities = inForce.gate.communities.map((one) => ({
      ...one,
      suspended: one.community === "calm" ? alarm : null,
    }));
    putInForce(workspace, { ...inForce, gate: { ...inForce.gate, communities } });
    await recordGateEvents(workspace, [{ type: "suspended", at: alarm.since, community: "calm", reason: "alarm" }]);
    return workspace;
  };
  const isSuspended = (workspace: ReturnType<typeof tempWorkspace>) =>
    readGateInForce(workspace)!.gate.communities.some((one) => one.community === "calm" && one.suspended !== null);

  it("when a gate by other keys is asked for: it does not come into force", async () => {
    const workspace = await suspended();
    const other = { ...gateReport([cohort("remove", 300, 3)]), by: ["decision" as const] };
    expect(await failure(() => recordGate(fileGate(workspace), other, { ...request, apply: true }))).toMatchObject({
      code: "suspended_keys",
      remedy: expect.stringContaining("gate reinstate"),
    });
    await recordGate(fileGate(workspace), other, { ...request, apply: false });
    expect(other.in_force).toMatchObject({ status: "what_if", text: expect.stringContaining("other keys") });
    expect(isSuspended(workspace)).toBe(true);
  });

  it("when files of the gate are lost, damaged or edited, as long as one of them knows", async () => {
    const edited = (file: string) => writeFileSync(file, readFileSync(file, "utf8").replace('"alarm"', '"edited"'));
    const lose = (file: string) => rmSync(file);
    const damage = (file: string) => writeFileSync(file, "{");
    const faults: [("current" | "state" | "history")[], (file: string) => void][] = [
      [["current", "history"], lose],
      [["current", "state"], lose],
      [["state", "history"], lose],
      [["current"], damage],
      [["current"], edited],
    ];
    for (const [names, fault] of faults) {
      const workspace = await suspended();
      for (const name of names) fault(gatePaths(workspace)[name]);
      await recordGate(fileGate(workspace), gateReport(fleet), request);
      expect(isSuspended(workspace), names.join()).toBe(true);
    }
    const workspace = await suspended();
    damage(gatePaths(workspace).state);
    expect(await failure(() => recordGate(fileGate(workspace), gateReport(fleet), request))).toMatchObject({
      code: "bad_gate_state",
    });
  });

  it("when another gate is made of newer data, whatever passes in it, until it is certified by decisions after the alarm", async () => {
    const workspace = await suspended();
    for (const n of [300, 301]) {
      const report = gateReport([cohort("calm", n, 0), cohort("rough", 100, 40)]);
      await recordGate(fileGate(workspace), report, {
        ...request,
        apply: true,
        first: new Map([["calm", "2026-03-01T00:00:00Z"]]),
      });
      expect(report.communities[0]!.suspended).toMatchObject(alarm);
      expect(isSuspended(workspace)).toBe(true);
    }
  });

  it("when reviewers raised the alarm, whatever younger verdicts certify", async () => {
    const event = { type: "suspended" as const, community: "calm", at: "2026-01-01T00:00:00Z", text: "reviews" };
    for (const by of [undefined, "reviews" as const]) {
      const workspace = tempWorkspace();
      await recordGate(fileGate(workspace), gateReport(fleet), request);
      const watched = { report: { events: [by ? { ...event, by } : event] }, keep: null };
      await recordGate(fileGate(workspace), gateReport(fleet), {
        ...request,
        apply: false,
        watch: async () => watched as unknown as WatchOutcome,
      });
      expect(isSuspended(workspace)).toBe(true);
      const first = new Map([["calm", "2026-03-01T00:00:00Z"]]);
      await recordGate(fileGate(workspace), gateReport([cohort("calm", 900, 0)]), { ...request, apply: true, first });
      expect(isSuspended(workspace)).toBe(by === "reviews");
    }
  });

  it("when a watch by other limits says otherwise", async () => {
    const workspace = await suspended();
    const report = gateReport(fleet);
    const event = { type: "reinstated" as const, community: "calm", at: null, text: "certified" };
    const watched = { report: { events: [event] }, keep: () => expect.unreachable("kept") };
    const watch = async () => watched as unknown as WatchOutcome;
    const otherLimit = { code: "other_settings" as const, settings: ["di" as const], than: "gate_in_force" as const };
    await recordGate(fileGate(workspace), report, {
      ...request,
      apply: false,
      obstacles: [otherLimit],
      otherLimits: true,
      watch,
    });
    expect(isSuspended(workspace)).toBe(true);
  });

  it("when a newer run came in the meantime, the gate says so", async () => {
    for (const apply of [false, true]) {
      const report = gateReport(fleet);
      const late = async () => [{ code: "newer_run" as const, run: "2" }];
      await recordGate(fileGate(tempWorkspace()), report, { ...request, apply, late });
      expect(report.in_force).toMatchObject({
        status: apply ? "in_force" : "what_if",
        text: expect.stringContaining("run 2 is newer"),
      });
    }
  });
});

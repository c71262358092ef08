import { describe, expect, it } from "vitest";
import { inForceGate } from "../../app/gate/kill-switch.js";
import type { Gate } from "../../core/gate.js";
import type { GateEvent, RecordedLook } from "../../store/records/gate-event.js";
import { displayWidth } from "../../text/printable.js";
import { cohort, gateReport } from "../document/gate-report.suite.js";
import { renderTerminal } from "../document/render.js";
import { historyDocument } from "./history.js";

const NAMES = ["a-community-of-boats", "calm", "rough"];

function look(n: number, changes: Partial<RecordedLook> = {}): RecordedLook {
  return {
    type: "gate",
    at: `2026-11-15T0${n}:10:00.000Z`,
    gate_id: `g${n}`,
    in_force: true,
    mode: "shrunk",
    settings: { di: 0.9, ai: 0.15, variable: "ai" },
    evidence: { ...gateReport([]).evidence, run_id: `20261115T0${n}0000Z-000${n}` },
    data: "",
    look: "anytime",
    states: Object.fromEntries(NAMES.map((name) => [name, "normative_complexity" as const])),
    passing: ["calm"],
    ...changes,
  };
}

function now(): Gate {
  const report = gateReport([cohort(NAMES[0]!, 400, 1), cohort("calm", 400, 1), cohort("rough", 100, 60)]);
  report.gate_id = "g6";
  report.communities[0]!.suspended = { since: "2026-11-15", reason: "Alarm." };
  return inForceGate(report, new Map());
}

const told = (events: GateEvent[], closed: { since: string; reason: string } | null = null, width = 80) =>
  renderTerminal(historyDocument(events, { closed, gate: now() }, { rows: 15, width }), { width });

describe("the history of a gate", () => {
  const looks = [1, 2, 3, 4, 5].map((n) => look(n));
  const events: GateEvent[] = [
    ...looks,
    look(7, { in_force: false, gate_id: "what-if" }),
    look(6, { applied: true, settings: { di: 0.5, ai: 0.75, variable: "ai" } }),
    { type: "suspended", at: "2026-11-15T06:20:00.000Z", community: NAMES[0], reason: "Alarm: more of it. ".repeat(5) },
  ];

  it("shows which gates were in force, with their run and limits, and how they came into force", () => {
    const text = told(events);
    expect(text).toContain("7 looks, 6 gates activated");
    expect(text).toMatch(/2026-11-15 06:10 \*\s+20261115T060000Z-0006\s+shrunk\s+50\/75%\s+other/);
    expect(text).toMatch(/2026-11-15 01:10\s+20261115T010000Z-0001\s+shrunk\s+90\/15%\s+workspace's/);
    expect(text).not.toContain("20261115T070000Z");
  });

  it("shows as many gates with their time as fit, and says how many are left", () => {
    expect(told(events)).toMatch(/community\s+11-15 04:10\s+11-15 05:10\s+11-15 06:10\s+now/);
    expect(told(events)).toContain("3 earlier gates in the JSON");
    expect(told(events, null, 100)).toMatch(/community\s+11-15 02:10 .*\s+11-15 06:10\s+now/);
    for (const width of [80, 100]) {
      const lines = told(events, null, width).split("\n");
      expect(lines.filter((line) => displayWidth(line) > width || /…/.test(line))).toEqual([]);
    }
  });

  it("tells gates of one minute apart by their seconds", () => {
    const quick = [5, 20].map((s) =>
      look(1, { gate_id: `q${s}`, at: `2026-11-15T01:10:${s < 10 ? "0" : ""}${s}.000Z` }),
    );
    expect(told(quick)).toMatch(/community\s+11-15 01:10:05\s+11-15 01:10:20\s+now/);
  });

  it("says what happens to each community now, and that nothing does while the kill switch is on", () => {
    const rows = (text: string) =>
      NAMES.map((name) => new RegExp(`^  ${name} .*?(\\S+(?: people)?)$`, "m").exec(text)?.[1]);
    expect(rows(told(events))).toEqual(["suspended", "automated", "to people"]);
    expect(rows(told(events, { since: "2026-11-15", reason: "wrong rules" }))).toEqual(["closed", "closed", "closed"]);
  });
});

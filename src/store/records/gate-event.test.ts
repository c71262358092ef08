import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { parseGateEvent } from "./gate-event.js";

const at = "2026-11-15T00:00:00.000Z";
const nobody = { run_id: null, auditor: null, auditor_version: null, prompt_version: null };
const look = {
  type: "gate",
  at,
  gate_id: "g1",
  in_force: true,
  mode: "shrunk",
  settings: {},
  evidence: { ...nobody, template: null, signal: null, tier: null },
  data: "",
  look: "anytime",
  states: {},
  passing: [],
};

describe("a line of the history", () => {
  it("is returned as it was written", () => {
    const text = JSON.stringify(look).replace('"states":{}', '"states":{"__proto__":"policy_gaps"}');
    expect(JSON.stringify(parseGateEvent(text, "h"))).toBe(text);
    expect(parseGateEvent(JSON.stringify({ type: "opened", at }), "h")).toEqual({ type: "opened", at });
    expect(parseGateEvent(JSON.stringify({ type: "of later days", at, x: 1 }), "h")).toMatchObject({ x: 1 });
  });

  it.each([
    ["null", /h, line 3: not an event of a gate; .*expected an object/],
    ["garbage", /h, line 3: not JSON/],
    ["[]", /got a list, expected an object/],
    ['{"type":"gate"}', /at: is missing/],
    [JSON.stringify({ type: "gate", at }), /gate_id: is missing/],
    [JSON.stringify({ ...look, evidence: null }), /evidence: is missing/],
    [JSON.stringify({ ...look, mode: "bold" }), /mode: got "bold", expected paper or shrunk or certified/],
    [JSON.stringify({ ...look, passing: "all" }), /passing: got "all", expected a list/],
    [JSON.stringify({ type: "suspended", at: 5, community: "a" }), /at: got 5, expected text/],
    [JSON.stringify({ type: "suspended", at }), /community: is missing/],
  ])("is refused with its place and what is wrong: %s", (text, told) => {
    expect(() => parseGateEvent(text, "h, line 3")).toThrow(InputError);
    expect(() => parseGateEvent(text, "h, line 3")).toThrow(told);
  });
});

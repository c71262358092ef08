import { describe, expect, it } from "vitest";
import { gateSettings, otherSettings } from "../../app/gate/gate-settings.js";
import { SETTING_FLAGS } from "../../present/gate/gate-words.js";
import { gateKeys } from "./flags.js";

/** Flags that make the result another than the workspace's configuration would. */
function departures(...compared: Parameters<typeof otherSettings>): string[] {
  return otherSettings(...compared).map((name) => SETTING_FLAGS[name]!);
}

describe("settings of a gate", () => {
  it("are the paper's Standard in mode shrunk unless somebody says otherwise", () => {
    expect(gateSettings({})).toMatchObject({
      mode: "shrunk",
      di: 0.9,
      ai: 0.15,
      min_decisions: 25,
      variable: "ai",
      by: ["community"],
      risk: 0.1,
    });
  });

  it("take flags before the configuration, and the risk from the DI limit", () => {
    const config = { di: 0.95, ai: 0.1, mode: "paper" } as const;
    expect(gateSettings({ ai: 0.2 }, config)).toMatchObject({ di: 0.95, ai: 0.2, mode: "paper", risk: 0.05 });
    expect(gateSettings({}, { ...config, risk: 0.02 }).risk).toBe(0.02);
  });
});

describe("departures from the configuration", () => {
  it("are told by the flags that make them, without what only follows from another", () => {
    expect(departures(gateSettings({}))).toEqual([]);
    expect(departures(gateSettings({ di: 0.95, min: 30 }))).toEqual(["--di", "--min"]);
    expect(departures(gateSettings({ risk: 0.01 }))).toEqual(["--risk"]);
    expect(departures(gateSettings({ by: ["community", "decision"] }))).toEqual(["--by"]);
    expect(departures(gateSettings({ di: 0.95 }, { di: 0.95 }), { di: 0.95 })).toEqual([]);
  });

  it("leave the mode to the flag only where the configuration names none", () => {
    expect(departures(gateSettings({ mode: "certified" }))).toEqual([]);
    expect(departures(gateSettings({ mode: "paper" }))).toEqual(["--mode"]);
    expect(departures(gateSettings({}, { mode: "paper" }), { mode: "paper" })).toEqual([]);
    const config = { mode: "shrunk" } as const;
    expect(departures(gateSettings({ mode: "certified" }, config), config)).toEqual(["--mode"]);
  });
});

describe("keys of cohorts", () => {
  it("have one order however they are given, and must be known", () => {
    expect(gateKeys("decision,community")).toEqual(["community", "decision"]);
    expect(() => gateKeys("region")).toThrow(/community, decision, rule, language/);
    expect(() => gateKeys("rule,rule")).toThrow(/each once/);
  });
});

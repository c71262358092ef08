import { describe, expect, it } from "vitest";
import { type GateSettings, gateChanges, gateQuery, readGateSettings } from "./gate-settings.ts";

const own: GateSettings = { di: 0.9, ai: 0.15, min_decisions: 25, mode: "shrunk", variable: "ai" };
const read = (query: string) => readGateSettings(new URLSearchParams(query), own);

describe("settings of the gate in an address", () => {
  it("are the report's own where it names none", () => {
    expect(read("")).toEqual(own);
  });

  it("are read one by one", () => {
    expect(read("di=0.85&ai=0.01&min=1&mode=certified&variable=ai_pure")).toEqual({
      di: 0.85,
      ai: 0.01,
      min_decisions: 1,
      mode: "certified",
      variable: "ai_pure",
    });
  });

  it("change together, and leave the address where they are the report's own", () => {
    expect(gateChanges({ di: 0.85, min_decisions: 10, mode: "shrunk" }, own)).toEqual({
      di: "0.85",
      min: "10",
      mode: "",
    });
    expect(gateChanges(own, own)).toEqual({ di: "", ai: "", min: "", mode: "", variable: "" });
  });

  it("are passed over where they cannot be one, because anybody may type an address", () => {
    expect(read("di=1.2&ai=-0.1&min=2.5&mode=open&variable=__proto__")).toEqual(own);
    expect(read("di=&ai=abc&min=1e400&mode=&variable=")).toEqual(own);
    // What `defensible gate` refuses.
    expect(read("di=0&ai=0&min=0")).toEqual(own);
    expect(read("di=1&ai=1")).toEqual(own);
    expect(read("di=NaN&ai=Infinity&min=-1")).toEqual(own);
  });

  it("go along from view to view without the filters of the view", () => {
    expect(gateQuery(new URLSearchParams("di=0.8&search=x&mode=paper"))).toEqual({ di: "0.8", mode: "paper" });
  });
});

import { describe, expect, it } from "vitest";
import type { RuleSet } from "../domain/rule-set.js";
import { markedRules, neverAutomateReason } from "./never-automate.js";
import { goodAudit, goodDecision } from "./route.suite.js";
import type { RouteAudit } from "./route-input.js";

const set = (changes: Partial<RuleSet>, ...marked: string[]): RuleSet => ({
  scope: "community",
  community: "plants",
  version: "2",
  rules: ["R1", "R2", "R3"].map((id) => ({ id, title: `Title of ${id}`, never_automate: marked.includes(id) })),
  ...changes,
});
const platform = (version: string, ...marked: string[]) =>
  set({ scope: "platform", community: null, version }, ...marked);

/** Stands for grounding: finds ids as words. */
const names =
  (...ids: string[]) =>
  (_: string, text: string) =>
    ids.some((id) => new RegExp(`\\b${id}\\b`).test(text));

const reason = (
  sets: RuleSet[],
  audit: Partial<RouteAudit> | null,
  { restricts = true, cited = null as string | null, finds = [] as string[], community = "plants" } = {},
) => {
  const marked = markedRules(sets, names(...finds));
  if (!marked) return "none marked";
  const decision = goodDecision({ community, cited_rule: cited });
  return neverAutomateReason(marked, decision, audit && goodAudit({ community, ...audit }), restricts);
};

describe("rules marked never_automate", () => {
  it("are none where none is marked", () => expect(reason([set({}), platform("1")], {})).toBe("none marked"));

  it("hold for what cites them, of their own scope and community", () => {
    const cites = (scope: "platform" | "community" | "mixed", rule_id: string) => ({ citation: { scope, rule_id } });
    expect(reason([set({}, "R2")], cites("community", "R2"))).toBe("never_automate");
    expect(reason([set({}, "R2")], cites("community", " r2 "))).toBe("never_automate");
    expect(reason([set({}, "R2")], cites("community", "R1"))).toBeNull();
    expect(reason([set({}, "R2")], cites("platform", "R2"))).toBeNull();
    expect(reason([platform("1", "R2")], cites("platform", "R2"))).toBe("never_automate");
    expect(reason([platform("1", "R2")], cites("community", "R2"))).toBeNull();
    expect(reason([set({ community: "garden" }, "R2")], cites("community", "R2"))).toBeNull();
    expect(reason([set({}, "R2")], cites("mixed", "R2"))).toBe("never_automate");
  });

  it("hold for what the opposite would rest on, and for what the decider cited", () => {
    const inverse = { inverse_citation: { scope: "community" as const, rule_id: "R3" } };
    expect(reason([set({}, "R3")], inverse)).toBe("never_automate");
    expect(reason([set({}, "R3")], {}, { cited: "rule R3", finds: ["R3"] })).toBe("never_automate");
    expect(reason([set({}, "R3")], null, { cited: "rule R3", finds: ["R3"] })).toBe("never_automate");
    expect(reason([set({}, "R3")], {}, { cited: "rule R1", finds: ["R3"] })).toBeNull();
    expect(reason([set({}, "R3")], {}, { finds: ["R3"] })).toBeNull();
  });

  it("hold where the text of a citation names them beside another rule", () => {
    const trace = { policy_citation: "R1 together with R3" };
    expect(reason([set({}, "R3")], { trace }, { finds: ["R3"] })).toBe("never_automate");
    expect(reason([set({}, "R3")], { trace: { inverse_citation: "R3" } }, { finds: ["R3"] })).toBe("never_automate");
    expect(reason([set({}, "R3")], { trace: { policy_citation: "R1" } }, { finds: ["R3"] })).toBeNull();
  });

  it("hold as the newest version marks them, or the version of the audit", () => {
    const old = set({ version: "1", effective_from: "2026-01-01" }, "R1");
    const young = set({ version: "2", effective_from: "2026-06-01" }, "R2");
    const under = (ruleset_version: string, rule_id: string) =>
      reason([young, old], { ruleset_version, citation: { scope: "community", rule_id } });
    expect(under("-+1", "R1")).toBe("never_automate");
    expect(under("-+1", "R2")).toBe("never_automate");
    expect(under("-+2", "R1")).toBeNull();
    expect(under("-+2", "R2")).toBe("never_automate");
  });

  it("are newest for the platform and for each community apart, a dated set after an undated one, of equals all", () => {
    const cites = (scope: "platform" | "community", rule_id: string) => ({
      ruleset_version: "x+y",
      citation: { scope, rule_id },
    });
    const late = { effective_from: "2026-06-01" };
    const early = { effective_from: "2026-01-01" };
    const platformOf = (when: object) => set({ scope: "platform", community: null, ...when }, "R1");
    const sets = [platformOf(early), set(late, "R2"), set({ community: "garden", ...early }, "R3")];
    for (const some of [sets, [...sets].reverse()]) {
      expect(reason(some, cites("platform", "R1"))).toBe("never_automate");
      expect(reason(some, cites("community", "R2"))).toBe("never_automate");
      expect(reason(some, cites("community", "R3"), { community: "garden" })).toBe("never_automate");
    }
    const mixed = [set({ version: "a", ...early }, "R2"), set({ version: "b" }, "R3")];
    for (const some of [mixed, [...mixed].reverse()]) {
      expect(reason(some, cites("community", "R2"))).toBe("never_automate");
      expect(reason(some, cites("community", "R3"))).toBeNull();
    }
    const equal = [set({ version: "a" }, "R2"), set({ version: "b" }, "R3")];
    for (const rule of ["R2", "R3"]) expect(reason(equal, cites("community", rule))).toBe("never_automate");
  });
});

describe("a citation that does not resolve, where rules are marked,", () => {
  const marked = [set({}, "R3")];
  it("sends a restriction to review, and an approval only where nothing is known of it", () => {
    const none = { citation: { scope: "none" as const, rule_id: null } };
    expect(reason(marked, none)).toBe("unresolved_citation");
    expect(reason(marked, none, { restricts: false })).toBeNull();
    for (const restricts of [true, false]) {
      expect(reason(marked, { citation: null }, { restricts })).toBe("unresolved_citation");
    }
  });

  it("is one of a precedent, and one of rules of both scopes of which one is recorded", () => {
    for (const scope of ["precedent", "mixed"] as const) {
      expect(reason(marked, { citation: { scope, rule_id: "p1" } }, { restricts: false })).toBe("unresolved_citation");
    }
  });

  it("does not matter in a community where no marked rule holds", () => {
    expect(reason(marked, { citation: null }, { community: "garden" })).toBeNull();
  });
});

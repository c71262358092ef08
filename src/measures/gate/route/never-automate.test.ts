import { describe, expect, it } from "vitest";
import type { RuleSet } from "../../../core/records/rule-set.js";
import { goodAudit, goodDecision } from "../route.suite.js";
import type { RouteAudit } from "./input.js";
import { markedRules, neverAutomateReason } from "./never-automate.js";

const set = (changes: Partial<RuleSet>, ...marked: string[]): RuleSet => ({
  scope: "community",
  community: "plants",
  version: "2",
  rules: ["R1", "R2", "R3"].map((id) => ({ id, title: `Title of ${id}`, never_automate: marked.includes(id) })),
  ...changes,
});
const platform = (version: string, ...marked: string[]) =>
  set({ scope: "platform", community: null, version }, ...marked);

/** Stands for grounding: finds ids as words; in brackets they may be meant. */
const read = (_: string, text: string) => {
  const ids = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([id]) => ({ scope: "community" as const, rule_id: id }));
  const named = ids(/(?<!\()\bR\d\b/g);
  return { named, perhaps: ids(/(?<=\()R\d\b/g), resolved: named.length > 0 };
};

/** Unless a test says otherwise, audits are under version 2 of a community's rules and none of the platform. */
const reason = (
  sets: RuleSet[],
  audit: Partial<RouteAudit> | null,
  { restricts = true, cited = null as string | null, community = "plants" } = {},
) => {
  const decision = goodDecision({ community, cited_rule: cited });
  const given = audit && goodAudit({ community, ruleset_version: "-+2", ...audit });
  return neverAutomateReason(markedRules(sets, read), decision, given, restricts);
};

describe("rules marked never_automate", () => {
  it("are none where none is marked", () => {
    expect(reason([set({}), platform("1")], {}, { cited: "whatever" })).toBeNull();
    expect(reason([set({}), platform("1")], { citation: null })).toBeNull();
  });

  it("hold for what cites them, of their own scope and community", () => {
    const cites = (scope: "platform" | "community" | "mixed", rule_id: string) => ({ citation: { scope, rule_id } });
    expect(reason([set({}, "R2")], cites("community", "R2"))).toBe("never_automate");
    expect(reason([set({}, "R2")], cites("community", " r2 "))).toBe("never_automate");
    expect(reason([set({}, "R2")], cites("community", "R1"))).toBeNull();
    expect(reason([set({}, "R2"), platform("1")], cites("platform", "R2"))).toBeNull();
    expect(reason([platform("1", "R2")], cites("platform", "R2"))).toBe("never_automate");
    expect(reason([platform("1", "R2"), set({})], cites("community", "R2"))).toBeNull();
    expect(reason([set({ community: "garden" }, "R2"), set({})], cites("community", "R2"))).toBeNull();
    expect(reason([set({}, "R2")], cites("mixed", "R2"))).toBe("never_automate");
  });

  it("hold for what the opposite would rest on, and for what the decider cited", () => {
    const inverse = { inverse_citation: { scope: "community" as const, rule_id: "R3" } };
    expect(reason([set({}, "R3")], inverse)).toBe("never_automate");
    expect(reason([set({}, "R3")], {}, { cited: "rule R3" })).toBe("never_automate");
    expect(reason([set({}, "R3")], null, { cited: "rule R3" })).toBe("never_automate");
    expect(reason([set({}, "R3")], {}, { cited: "rule R1" })).toBeNull();
    expect(reason([set({}, "R3")], {})).toBeNull();
  });

  it("hold where the text of a citation names them beside another rule", () => {
    const trace = { policy_citation: "R1 together with R3" };
    expect(reason([set({}, "R3")], { trace })).toBe("never_automate");
    expect(reason([set({}, "R3")], { trace: { inverse_citation: "R3" } })).toBe("never_automate");
    expect(reason([set({}, "R3")], { trace: { policy_citation: "R1" } })).toBeNull();
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

  it("hold as soon as one version marks them where the audit does not say which it was under", () => {
    const old = set({ version: "1", effective_from: "2026-01-01" }, "R1");
    const young = set({ version: "2", effective_from: "2026-06-01" });
    const citation = { scope: "community" as const, rule_id: "R1" };
    expect(reason([young, old], { ruleset_version: null, citation })).toBe("never_automate");
    expect(reason([young, old], { ruleset_version: "-+2", citation })).toBeNull();
    expect(reason([young, old], null, { cited: "R1" })).toBe("never_automate");
  });

  it("are newest for the platform and for each community apart, a dated set after an undated one, of equals all", () => {
    const cites = (scope: "platform" | "community", rule_id: string) => ({
      ruleset_version: "-+-",
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
    const both = [...marked, set({ community: "garden" })];
    expect(reason(both, { citation: null }, { community: "garden" })).toBeNull();
  });

  it("is one of the decider that names no rule, and one that may name a marked one", () => {
    expect(reason(marked, {}, { cited: "rule three" })).toBe("unresolved_citation");
    expect(reason(marked, {}, { cited: "rule three", restricts: false })).toBeNull();
    expect(reason(marked, {}, { cited: " " })).toBeNull();
    expect(reason(marked, {}, { cited: "R1 (R3)" })).toBe("unresolved_citation");
    expect(reason(marked, {}, { cited: "R1 (R2)" })).toBeNull();
    for (const field of ["policy_citation", "inverse_citation"]) {
      expect(reason(marked, { trace: { [field]: "R1 (R3)" } })).toBe("unresolved_citation");
      expect(reason(marked, { trace: { [field]: "as above" } })).toBeNull();
    }
  });
});

describe("rules that are not there", () => {
  const sets = [platform("1"), set({ version: "2" })];
  const under = (ruleset_version: string | null) => reason(sets, { ruleset_version });

  it("send a decision to review, whether or not the others are marked", () => {
    for (const version of ["1+2", "-+2", "1+-", "-+-", "1", "2", null, ""]) expect(under(version)).toBeNull();
    for (const version of ["1+3", "3+2", "3+-", "3", "+", "1+2+"]) expect(under(version)).toBe("unresolved_citation");
    const [, own] = sets as [RuleSet, RuleSet];
    expect(reason([own], { ruleset_version: "1+2" })).toBe("unresolved_citation");
    expect(reason([set({}, "R3")], { ruleset_version: "1+2" })).toBe("unresolved_citation");
    expect(reason([], { ruleset_version: null, citation: null })).toBe("unresolved_citation");
    expect(reason([], null)).toBeNull();
  });

  it("are those that the audit cites, too", () => {
    const cites = (scope: "platform" | "community" | "mixed" | "none" | "precedent", rule_id: string | null) =>
      reason(sets, { ruleset_version: null, citation: { scope, rule_id } });
    expect(cites("community", "R4")).toBe("unresolved_citation");
    expect(cites("community", "r3")).toBeNull();
    expect(cites("none", "R4")).toBe("unresolved_citation");
    expect(cites("none", null)).toBeNull();
    expect(cites("precedent", "p1")).toBeNull();
    expect(reason([set({})], { citation: { scope: "platform", rule_id: "R1" } })).toBe("unresolved_citation");
    const inverse = { inverse_citation: { scope: "community" as const, rule_id: "R4" } };
    expect(reason(sets, inverse)).toBe("unresolved_citation");
  });

  it("are looked for under every reading of a version that has a plus of its own", () => {
    const plus = [platform("2026+1", "R1"), set({ version: "1+a" }, "R2")];
    const read = (ruleset_version: string, scope: "platform" | "community", rule_id: string) =>
      reason(plus, { ruleset_version, citation: { scope, rule_id } });
    expect(read("2026+1+1+a", "platform", "R1")).toBe("never_automate");
    expect(read("2026+1+1+a", "community", "R1")).toBeNull();
    expect(read("2026+1+-", "platform", "R3")).toBeNull();
    const old = set({ version: "1+a", effective_from: "2026-01-01" }, "R2");
    const young = set({ version: "2", effective_from: "2026-02-01" });
    const taken = { ruleset_version: "-+1+a", citation: { scope: "community" as const, rule_id: "R2" } };
    expect(reason([old, young], taken)).toBe("never_automate");
  });
});

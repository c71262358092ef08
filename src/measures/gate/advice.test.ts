import { describe, expect, it } from "vitest";
import { type AdviceInput, advise, type RuleAmbiguity } from "./advice.js";
import { cohort, limits } from "./fleet.suite.js";
import type { GateCohort } from "./gate-input.js";
import { fleetState } from "./limits.js";

function adviceOn(one: GateCohort, change: Partial<AdviceInput> = {}) {
  const state = fleetState(one, limits());
  return advise({ cohort: one, limits: limits(), state, passes: false, more: { more: null, reason: null }, ...change });
}
const rule = (rule_id: string, scope: string, yes: number, n = 20): RuleAmbiguity => ({
  rule_id,
  title: `Title of ${rule_id}`,
  scope,
  yes,
  n,
});

describe("advise", () => {
  it("automates what passes, and says so where only the fleet's rates make it pass", () => {
    expect(adviceOn(cohort(300, 3), { passes: true })).toMatchObject({
      action: "automate",
      text: "Automate: it passes the gate.",
    });
    expect(adviceOn(cohort(49, 5), { passes: true }).text).toBe(
      "Automate: drawn towards the fleet's, its rates keep both limits, which as observed they do not.",
    );
  });

  it("asks for the verdicts missing to the minimum, or to settle it", () => {
    expect(adviceOn(cohort(20, 0))).toMatchObject({
      action: "collect",
      text: "Collect 5 more verdicts to reach the minimum; with the observed rates it would not pass even so.",
    });
    const near = { more: { more: 1, reason: null } };
    expect(adviceOn(cohort(24, 0), near).text).toBe("Collect 1 more verdict to reach the minimum.");
    // Nobody has seen a rate yet.
    expect(adviceOn(cohort(0, 0)).text).toBe("Collect 25 more verdicts to reach the minimum.");
    expect(adviceOn(cohort(20, 0), { more: { more: 9, reason: null } }).text).toMatch(
      /^Collect 9 more verdicts to settle/,
    );
    const settled = adviceOn(cohort(30, 1), { more: { more: 1204, reason: null } });
    expect(settled.text).toBe("Collect 1,204 more verdicts to settle it, if the rates stay as observed.");
  });

  it("keeps reviewing where no number of verdicts helps", () => {
    const stuck = adviceOn(cohort(30, 3), { more: { more: null, reason: "no number of decisions helps" } });
    expect(stuck).toMatchObject({ action: "keep_reviewing" });
    expect(stuck.text).toContain("no number of decisions helps");
  });

  it("retrains where the opposite was right, and asks for a rule where neither was", () => {
    expect(adviceOn(cohort(50, 20, 0, 15))).toMatchObject({ action: "retrain" });
    expect(adviceOn(cohort(50, 20, 0, 15)).text).toContain("15 of 20");
    expect(adviceOn(cohort(50, 20, 0, 4))).toMatchObject({ action: "write_rule" });
  });

  it("turns to the rules where more is open both ways than is wrong, whatever the state", () => {
    const rules = [rule("r2", "community", 12)];
    // 5 of 28 are indefensible, 17 are open both ways.
    expect(adviceOn(cohort(28, 5, 17, 5), { rules })).toMatchObject({ action: "clarify_rule", rule_id: "r2" });
    expect(adviceOn(cohort(28, 5, 17, 5)).text).toBe("Develop precedents: 17 of 28 verdicts are open both ways.");
    expect(adviceOn(cohort(28, 12, 10, 12), { rules }).action).toBe("retrain");
  });

  it("then names the rule that most verdicts open both ways cite, and asks the labels under that one", () => {
    // 12 of 100 are indefensible, 26 are open both ways: 10 under A, which has all indefensible ones as well, 16 under B.
    const rules = [
      { ...rule("A", "community", 22, 22), open: 10, open_labels: { positive: 40, negative: 0 } },
      { ...rule("B", "community", 16, 16), open: 16, open_labels: { positive: 10, negative: 10 } },
    ];
    const gaps = cohort(100, 12, 26, 12);
    expect(fleetState(gaps, limits())).toBe("policy_gaps");
    expect(adviceOn(gaps, { rules })).toEqual({
      action: "clarify_rule",
      rule_id: "B",
      text: "Clarify rule B (Title of B): 16 of 16 verdicts under it are open both ways.",
    });
    const alike = [rules[0]!, { ...rules[1]!, open_labels: { positive: 20, negative: 0 } }];
    expect(adviceOn(gaps, { rules: alike })).toMatchObject({ action: "check_auditor", rule_id: "B" });
    const pure = { ...limits(), variable: "ai_pure" as const };
    expect(adviceOn(cohort(100, 0, 26), { rules, limits: pure }).rule_id).toBe("B");
  });

  it("names the rule that most ambiguous verdicts stand under, by its scope", () => {
    const open = cohort(50, 0, 20);
    const community = adviceOn(open, { rules: [rule("r1", "platform", 3), rule("r2", "community", 12)] });
    expect(community).toMatchObject({ action: "clarify_rule", rule_id: "r2" });
    expect(community.text).toBe(
      "Clarify rule r2 (Title of r2): 12 of 20 verdicts under it have a defensible alternative.",
    );
    const apart = { ...rule("r2", "community", 12), open: 11 };
    expect(adviceOn(open, { rules: [apart] }).text).toBe(
      "Clarify rule r2 (Title of r2): 11 of 20 verdicts under it are open both ways, and in 1 only the opposite follows.",
    );
    const platform = adviceOn(open, { rules: [rule("r1", "platform", 13), rule("r2", "community", 12)] });
    expect(platform).toMatchObject({ action: "revise_platform_rule", rule_id: "r1" });
    // On ties the rule with fewer verdicts, which is the more ambiguous one, whatever the order.
    const tie = [rule("r1", "community", 9, 40), rule("r2", "community", 9, 10)];
    expect(adviceOn(open, { rules: tie }).rule_id).toBe("r2");
    expect(adviceOn(open, { rules: [...tie].reverse() }).rule_id).toBe("r2");
  });

  it("checks the auditor, not the rule, where people decide its open cases alike", () => {
    const open = cohort(150, 0, 110);
    const under = (scope: string, positive: number, negative: number) =>
      adviceOn(open, { rules: [{ ...rule("r2", scope, 107, 107), open_labels: { positive, negative } }] });
    expect(under("community", 3, 97)).toMatchObject({ action: "check_auditor", rule_id: "r2" });
    expect(under("community", 3, 97).text).toBe(
      "Check the auditor: under rule r2 (Title of r2) it finds 107 of 107 verdicts ambiguous, but people decided 97 of 100 of the open ones alike.",
    );
    expect(under("platform", 18, 2).action).toBe("check_auditor");
    expect(under("platform", 17, 3).action).toBe("revise_platform_rule");
    expect(under("community", 19, 0).action).toBe("clarify_rule");
    expect(under("community", 50, 50).action).toBe("clarify_rule");
    expect(under("precedent", 3, 97).action).toBe("develop_precedents");
  });

  it("develops precedents where no rule stands out", () => {
    const open = cohort(50, 0, 20);
    expect(adviceOn(open)).toMatchObject({ action: "develop_precedents", rule_id: null });
    expect(adviceOn(open, { rules: [rule("r1", "community", 4), rule("r2", "community", 4)] }).action).toBe(
      "develop_precedents",
    );
    expect(adviceOn(open, { rules: [rule("p", "precedent", 15)] }).action).toBe("develop_precedents");
  });
});

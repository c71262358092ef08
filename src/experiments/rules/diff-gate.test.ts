import { describe, expect, it } from "vitest";
import { auditsOf, withArms } from "../../analysis/arm-pairs.suite.js";
import { gateSettings } from "../../app/gate/gate-settings.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { cohort } from "../../measures/gate/fleet.suite.js";
import { changedMode, gateChangeSentences, rewritten } from "../../present/words/rule-texts.js";
import { sentenceText } from "../../present/words/sentence.js";
import { rulesDiffSchema } from "./diff/result.js";
import { diffGate, gateChange } from "./run-diff.js";

const settings = gateSettings({});
const fleet = {
  run_id: "r",
  cohorts: [cohort(60, 1, 2, 0, "good"), cohort(60, 20, 0, 20, "bad"), cohort(60, 2, 20, 0, "open")],
};
const rewrite = { before: [cohort(60, 2, 18, 0, "open")], after: [cohort(60, 2, 1, 0, "open")] };
const text = (change: ReturnType<typeof gateChange>) =>
  gateChangeSentences(change, "").map((one) => sentenceText(change, one));

describe("gateChange", () => {
  const change = gateChange({ ...rewrite, fleet, weeks: 6, settings });

  it("is the gate's own answer on both sides, the other communities as they are", () => {
    for (const side of ["before", "after"] as const) {
      const gate = evaluateGate([fleet.cohorts[0]!, fleet.cohorts[1]!, ...rewrite[side]]);
      for (const mode of ["paper", "shrunk", "certified"] as const) {
        const { passing_communities, automated_decisions, automated_indefensible } = gate.by_mode[mode].counts;
        expect(change.by_mode[mode][side]).toEqual({
          passing: passing_communities,
          decisions: automated_decisions,
          indefensible: automated_indefensible,
        });
        const own = gate.communities.find(({ community }) => community === "open")!;
        expect(change.compared[0]![side].passes[mode]).toBe(own.passes[mode]);
        expect(change.compared[0]![side].more_decisions_needed[mode]).toBe(own[mode].more);
      }
    }
    expect(change).toMatchObject({ communities: 3, decisions: 180, fleet: { run_id: "r" } });
    expect(rulesDiffSchema.shape.gate.parse(change)).toEqual(change);
  });

  it("says who passes, what that saves at which risk, and what is missing", () => {
    expect(change.by_mode.paper).toMatchObject({
      before: { passing: 1 },
      after: { passing: 2, decisions: 120, indefensible: 3 },
    });
    expect(text({ ...change, mode: "paper" })).toEqual([
      "2 of 3 communities pass the raw gate, before 1.",
      "That is about 10 fewer reviews a week (60 of 180 decisions in 6 weeks). Automated without a supporting rule: 3 of 120, before 1 of 60.",
    ]);
    expect(text({ ...change, mode: "paper", weeks: null })[1]).toContain(
      "about 333 fewer reviews per 1,000 decisions (60 of 180 decisions)",
    );
    const certified = text({ ...change, mode: "certified" });
    expect(certified[0]).toBe("2 of 3 communities pass the raw gate, before 1.");
    expect(certified.at(-1)).toMatch(/^For open the proven gate needs [\d,]+ more decisions at these rates\.$/);
  });

  it("says that nothing changes where nothing does, and the other way round what is lost", () => {
    const same = gateChange({ before: rewrite.before, after: rewrite.before, fleet, weeks: null, settings });
    expect(changedMode(same)).toBeNull();
    expect(text({ ...same, mode: "paper" })).toEqual(["1 of 3 communities pass the raw gate, as before."]);
    const worse = gateChange({ before: rewrite.after, after: rewrite.before, fleet: null, weeks: 2, settings });
    expect(worse.fleet).toBeNull();
    expect(text({ ...worse, mode: "paper" })[1]).toContain(
      "about 30 more reviews a week (60 of 60 decisions in 2 weeks)",
    );
  });
});

it("diffGate counts the two arms of a run; a file has no other communities", async () => {
  const arms = ["rules=old", "rules=new"] as const;
  // Kinds: level 1 1, level 2 open 2.
  const audits = Array.from({ length: 40 }, (_, i) =>
    auditsOf(arms, [i < 20 ? 2 : 1, 1], { decision_id: `d${i}`, community: "x" }),
  ).flat();
  const found = await withArms(audits, (table) => diffGate(table, arms, { context: null, manifest: null }));
  expect(found).toMatchObject({
    fleet: null,
    weeks: null,
    communities: 1,
    by_mode: { paper: { before: { passing: 0, decisions: 0 }, after: { passing: 1, decisions: 40, indefensible: 0 } } },
    compared: [{ community: "x", before: { n: 40, inverse_yes: 20 }, after: { n: 40, inverse_yes: 0 } }],
  });
});

it("what was rewritten has a name", () => {
  const rule = {
    scope: "community",
    community: "x",
    rule_id: "R7",
    title: "t",
    change: "reworded" as const,
    shown: true,
    fields: [],
  };
  const changes = (...rules: (typeof rule)[]) => ({ rules, precedents: null, communities: null });
  expect(rewritten("rules", changes(rule))).toBe("rule R7 of x");
  expect(rewritten("rules", changes(rule, { ...rule, rule_id: "R8" }))).toBe("2 rules of x");
  expect(rewritten("rules", changes(rule, { ...rule, community: "y" }))).toBe("2 rules of 2 rule sets");
  expect(rewritten("precedents_off", null)).toBe("the precedents");
});

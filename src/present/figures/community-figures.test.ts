import { describe, expect, it } from "vitest";
import { figureSchema } from "../../core/figure.js";
import { type MadeCommunity, makeCommunityPage, makeOpenRule } from "../../measures/community.suite.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import type { ReportPage } from "../../measures/report-page.js";
import { rulesByCommunity } from "../words/rule-texts.js";
import { periodName } from "../words/vocabulary.js";
import {
  communityHistory,
  communityLevelsFigure,
  communityTimelineFigure,
  stateStretches,
} from "./community-figures.js";

const NONE = { n: 0, yes: 0 };
const LIMITS = { ...STANDARD_LIMITS, min_decisions: 10 };
const communities: MadeCommunity[] = [
  { community: "alpha", levels: [20, 6, 4], inverse_yes: [0, 3, 3] },
  { community: "beta", levels: [10, 0, 0], inverse_yes: [0, 0, 0] },
];

/** 8 good verdicts, then 12 of which 6 are open, a month of nothing, then 10 of which 4 are indefensible. */
const timeline: ReportPage["timeline"] = {
  unit: "month",
  first: "2025-01-03",
  last: "2025-05-30",
  periods: ["2025-01-01", "2025-02-01", "2025-03-01", "2025-04-01", "2025-05-01"],
  rows: [
    { community: "alpha", period: 1, n: 8, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0 },
    { community: "alpha", period: 2, n: 12, indefensible: 0, inverse_yes: 6, inverse_yes_pure: 6 },
    { community: "beta", period: 0, n: 10, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0 },
    { community: "alpha", period: 4, n: 10, indefensible: 4, inverse_yes: 0, inverse_yes_pure: 0 },
  ],
};

describe("history of a community", () => {
  const page = makeCommunityPage(communities, { timeline });

  it("says what the gate would have said at each period's end, from the first verdict on", () => {
    const history = communityHistory(page, "alpha", LIMITS);
    expect(history.map(({ period, alone, so_far, state }) => [period, alone.n, so_far.n, state])).toEqual([
      ["2025-02", 8, 8, "insufficient"],
      ["2025-03", 12, 20, "normative_complexity"],
      ["2025-04", 0, 20, "normative_complexity"],
      ["2025-05", 10, 30, "policy_gaps"],
    ]);
    expect(stateStretches(history)).toEqual([
      { state: "insufficient", from: "2025-02", to: "2025-02", periods: 1 },
      { state: "normative_complexity", from: "2025-03", to: "2025-04", periods: 2 },
      { state: "policy_gaps", from: "2025-05", to: "2025-05", periods: 1 },
    ]);
  });

  it("ends in the state that the gate gives to the sum of the counts", () => {
    const all = timeline.rows.filter((row) => row.community === "alpha");
    const total = (field: "n" | "indefensible" | "inverse_yes" | "inverse_yes_pure") =>
      all.reduce((sum, row) => sum + row[field], 0);
    const cohort = {
      key: "alpha",
      n: total("n"),
      indefensible: total("indefensible"),
      inverse_yes: total("inverse_yes"),
      inverse_yes_pure: total("inverse_yes_pure"),
      unscored: 0,
    };
    const { communities: evaluated } = evaluateGate([cohort], { limits: LIMITS, mode: "paper", frontier: false });
    expect(communityHistory(page, "alpha", LIMITS).at(-1)!.state).toBe(evaluated[0]!.state);
  });

  it("is empty for a community without times, and where no decision has a time", () => {
    expect(communityHistory(page, "gamma", LIMITS)).toEqual([]);
    expect(communityHistory(makeCommunityPage(communities), "alpha", LIMITS)).toEqual([]);
  });

  it("is drawn with intervals and limits, without points for a period that had no verdict", () => {
    const figure = figureSchema.parse(communityTimelineFigure(page, "alpha", { ...LIMITS, di: 0.925 }));
    expect(figure.title).toBe("alpha has been in “policy gaps” since 2025-05, after “normative complexity”");
    const whole = figureSchema.parse(communityTimelineFigure(page, null, LIMITS));
    expect(whole.title).toMatch(/^60% of decisions follow from the rules since 2025-04, 100% before/);
    expect(figure.references!.map(({ label }) => label)).toEqual([
      "Defensibility at least 92.5%",
      "Ambiguity at most 15%",
    ]);
    const alone = figure.rows.filter((row) => row.counted === "each period alone");
    expect(alone.map((row) => [row.period, row.index, row.k, row.n])).toEqual([
      ["2025-02", "DI", 8, 8],
      ["2025-02", "ambiguity", 0, 8],
      ["2025-03", "DI", 12, 12],
      ["2025-03", "ambiguity", 6, 12],
      ["2025-05", "DI", 6, 10],
      ["2025-05", "ambiguity", 0, 10],
    ]);
    for (const row of figure.rows) {
      expect(row.lower as number).toBeLessThanOrEqual(row.share as number);
      expect(row.upper as number).toBeGreaterThanOrEqual(row.share as number);
    }
  });

  it("says why there is nothing to draw", () => {
    expect(communityTimelineFigure(page, "gamma", LIMITS)).toHaveProperty("missing");
    expect(communityTimelineFigure(makeCommunityPage(communities), "alpha", LIMITS)).toMatchObject({
      missing: expect.stringContaining("decided_at"),
    });
  });
});

it("names periods as shortly as they can be told apart", () => {
  expect(periodName("day", "2025-11-09")).toBe("2025-11-09");
  expect(periodName("week", "2025-11-03")).toBe("2025-11-03");
  expect(periodName("month", "2025-11-01")).toBe("2025-11");
  expect(periodName("quarter", "2025-10-01")).toBe("2025 Q4");
  expect(periodName("year", "2025-01-01")).toBe("2025");
});

describe("levels of a community", () => {
  it("stand beside those of all, and add up to one in each", () => {
    const figure = figureSchema.parse(communityLevelsFigure(makeCommunityPage(communities), "alpha"));
    expect(figure.title).toBe("Of 30 verdicts, 67% follow directly from a rule, 20% plausibly, and 13% from none");
    const shares = (of: string) => figure.rows.filter((row) => row.of === of).map((row) => row.share as number);
    expect(shares("alpha")).toEqual([20 / 30, 6 / 30, 4 / 30]);
    expect(shares("all communities")).toEqual([30 / 40, 6 / 40, 4 / 40]);
  });

  it("are kept apart from those of all where a community has that very name", () => {
    const named = [{ ...communities[0]!, community: "all communities" }];
    const figure = figureSchema.parse(communityLevelsFigure(makeCommunityPage(named), "all communities"));
    expect(new Set(figure.rows.map((row) => row.of)).size).toBe(2);
  });

  it("are missing without verdicts", () => {
    expect(communityLevelsFigure(makeCommunityPage(communities), "nobody")).toHaveProperty("missing");
  });
});

it("the gate's advice names the rule that most open verdicts cite, by the ambiguity that is limited", () => {
  const open_labels = { positive: 0, negative: 2 };
  const rules = [
    { scope: "platform", owner: null, rule_id: "P1", n: 9, inverse_yes: 5, inverse_yes_pure: 2, open_labels },
    { scope: "community", owner: "alpha", rule_id: "R1", n: 4, inverse_yes: 3, inverse_yes_pure: 3, open_labels },
  ];
  const page = makeCommunityPage(communities);
  page.communities[0]!.ambiguous_rules = rules;
  page.report.rules = [
    makeOpenRule(NONE, { scope: "platform", community: null, rule_id: "P1", title: "No threats" }),
    makeOpenRule(NONE, { community: "beta", rule_id: "R1", title: "Another community's" }),
    makeOpenRule(NONE, { community: "alpha", rule_id: "R1", title: "Own" }),
  ];
  expect(rulesByCommunity(page, "ai")("alpha")!.map(({ title, yes }) => [title, yes])).toEqual([
    ["No threats", 5],
    ["Own", 3],
  ]);
  expect(rulesByCommunity(page, "ai")("alpha")![0]).toMatchObject({ open_labels });
  expect(rulesByCommunity(page, "ai_pure")("alpha")!.map(({ yes }) => yes)).toEqual([2, 3]);
  // For advice that speaks of verdicts open both ways, whatever the gate limits.
  expect(rulesByCommunity(page, "ai")("alpha")!.map(({ open }) => open)).toEqual([2, 3]);
  expect(rulesByCommunity(page, "ai")("nobody")).toBeUndefined();
});

import { describe, expect, it } from "vitest";
import { figureSchema } from "../../core/figure.js";
import { makeCommunityPage, makeOpenRule } from "../../measures/community.suite.js";
import type { PageRuleSet, ReportPage } from "../../measures/report-page.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { distinctVersions, referenceKey, ruleKey, ruleTexts } from "../words/rule-texts.js";
import { isMissing } from "./missing.js";
import {
  byOpenBothWays,
  communityRulesFigure,
  contradicted,
  openBothWays,
  ruleAmbiguityFigure,
  ruleTiersFigure,
} from "./rule-ambiguity.js";

const platform = { scope: "platform", community: null, rule_id: "P1", title: "No threats" };

function pageWith(rules: ReportPage["report"]["rules"]): ReportPage {
  const page = makeCommunityPage([]);
  return { ...page, report: { ...page.report, rules } };
}

describe("rules by ambiguity", () => {
  const page = pageWith([
    makeOpenRule({ n: 40, yes: 12, wrong: 3 }, platform),
    makeOpenRule({ n: 20, yes: 16, wrong: 1 }, { rule_id: "R1", title: "Be kind" }),
    makeOpenRule({ n: 4, yes: 4 }, { rule_id: "R2" }),
    makeOpenRule({ n: 0, yes: 0 }, { rule_id: "R3" }),
    makeOpenRule({ n: 30, yes: 3 }, { community: "beta", rule_id: "R1" }),
    makeOpenRule({ n: 30, yes: 25, wrong: 24 }, { community: "beta", rule_id: "R9", title: "Clear, not kept" }),
  ]);

  it("begins with the rule that left most verdicts open both ways, not with one that the decider broke most", () => {
    const figure = figureSchema.parse(ruleAmbiguityFigure(page));
    expect(figure.title).toBe(
      "No rule leaves more verdicts open than R1 Be kind (alpha): 15 of 20 that cite it could have gone either way (75%)",
    );
    expect(figure.y.order).toEqual([
      "15\u00a0of\u00a020: R1 Be kind (alpha)",
      "9\u00a0of\u00a040: P1 No threats (platform)",
      "3\u00a0of\u00a030: R1 No links (beta)",
      "1\u00a0of\u00a030: R9 Clear, not kept (beta)",
    ]);
    expect(figure.rows.map((row) => [row.rule, row.index, row.k, row.n]).slice(0, 2)).toEqual([
      ["15\u00a0of\u00a020: R1 Be kind (alpha)", "pure ambiguity", 15, 20],
      ["15\u00a0of\u00a020: R1 Be kind (alpha)", "ambiguity", 16, 20],
    ]);
  });

  it("of a community are its own first, then the platform's, of which all citations count", () => {
    const figure = figureSchema.parse(communityRulesFigure(page, "alpha"));
    expect(figure.y.order).toEqual([
      "15\u00a0of\u00a020: R1 Be kind",
      "4\u00a0of\u00a04: R2 No links",
      "9\u00a0of\u00a040: P1 No threats (platform)",
    ]);
    expect(figure.title).toBe(
      "None of its own rules that 2 verdicts or more cite leaves more verdicts open than R1 Be kind: 15 of 20 that cite it could have gone either way (75%)",
    );
    expect(figure.caption).toContain("citations in all communities");
    expect(figureSchema.parse(communityRulesFigure(page, "gamma")).title).toMatch(
      /^None of the platform's rules that 5 verdicts or more cite leaves more verdicts open than P1/,
    );
  });

  it("leave nothing open where every contradiction is an error of the decider", () => {
    const kept = pageWith([makeOpenRule({ n: 10, yes: 4, wrong: 4 }, {})]);
    expect(figureSchema.parse(ruleAmbiguityFigure(kept)).title).toBe(
      "No rule that 5 verdicts or more cite left one open both ways",
    );
    expect(figureSchema.parse(communityRulesFigure(kept, "alpha")).title).toBe(
      "None of its own rules that 2 verdicts or more cite left one open both ways",
    );
  });

  it("are not said to leave most open where a rule that is seldom cited leaves more", () => {
    const rare = pageWith([
      makeOpenRule({ n: 4, yes: 4 }, { rule_id: "R2" }),
      makeOpenRule({ n: 29, yes: 1 }, { rule_id: "R1" }),
    ]);
    expect(figureSchema.parse(ruleAmbiguityFigure(rare)).title).toMatch(
      /^No rule that 5 verdicts or more cite leaves more verdicts open than R1/,
    );
  });

  it("stand in one order in every view and in the report on the terminal", () => {
    const { rules } = page.report;
    const order = [...rules].sort(byOpenBothWays).map(({ rule_id, community }) => `${rule_id} ${community}`);
    expect(order.slice(0, 3)).toEqual(["R1 alpha", "P1 null", "R2 alpha"]);
    expect(rules.map(openBothWays)).toEqual([9, 15, 4, 0, 3, 1]);
    expect(rules.map(contradicted)).toEqual([3, 1, 0, 0, 0, 24]);
  });

  it("gives two rules that look alike a place each", () => {
    const twins = [1, 2].map(() => makeOpenRule({ n: 10, yes: 5 }, { rule_id: "R1" }));
    const figure = figureSchema.parse(ruleAmbiguityFigure(pageWith(twins)));
    expect(new Set(figure.y.order).size).toBe(2);
  });

  it("says why there is nothing to draw", () => {
    const uncited = pageWith([makeOpenRule({ n: 0, yes: 0 }, {})]);
    expect(isMissing(ruleAmbiguityFigure(uncited))).toBe(true);
    expect(isMissing(communityRulesFigure(uncited, "alpha"))).toBe(true);
  });
});

describe("texts of rules", () => {
  const set = (
    version: string,
    effective_from: string | null,
    title: string,
    community: string | null,
  ): PageRuleSet => ({
    scope: community === null ? "platform" : "community",
    community,
    version,
    effective_from,
    rules: [{ id: "R1", title, description: null, detail: null, kind: null, never_automate: null }],
  });
  const sets = [
    set("1", null, "Old", "alpha"),
    set("3", "2025-06-01", "New", "alpha"),
    set("2", "2025-01-01", "New", "alpha"),
    set("1", null, "Platform's", null),
  ];

  it("hold every version of a rule, newest first, and each wording once", () => {
    const texts = ruleTexts({ rule_sets: sets });
    const own = texts.get(ruleKey({ scope: "community", community: "alpha", rule_id: "R1" }))!;
    expect(own.map(({ version }) => version)).toEqual(["3", "2", "1"]);
    expect(distinctVersions(own).map(({ version, rule }) => [version, rule.title])).toEqual([
      ["3", "New"],
      ["1", "Old"],
    ]);
  });

  it("are the community's own also where it is cited together with the platform's", () => {
    const reference = { community: "alpha", rule_id: "R1" };
    expect(ruleKey({ scope: "mixed", ...reference })).toBe(ruleKey({ scope: "community", ...reference }));
    expect(ruleKey({ scope: "platform", ...reference })).not.toBe(ruleKey({ scope: "community", ...reference }));
    expect(referenceKey({ scope: "mixed", ...reference })).not.toBe(referenceKey({ scope: "community", ...reference }));
  });
});

describe("what more text of a rule settles", () => {
  const rule = { scope: "community", community: "alpha", rule_id: "R1" };
  const shares = [proportion(10, 12), proportion(9, 12), proportion(5, 12)];
  const tiers = {
    tiers: ["title", "sidebar", "wiki"].map((tier) => ({ tier })),
    rules: {
      min_decisions: 10,
      by_finest: {
        rules: [{ ...rule, n: 12, ambiguity: shares, adjusted_p: 0.2 }],
        too_few: [{ ...rule, rule_id: "R2", n: 3 }],
      },
    },
  };
  const withTiers = makeCommunityPage([]);
  withTiers.report = { ...withTiers.report, experiments: { tiers: tiers as never } };

  it("is a line over the texts that the auditor read", () => {
    const figure = figureSchema.parse(ruleTiersFigure(withTiers, rule));
    expect(figure.title).toBe(
      "With more of the text, the share whose opposite could be derived falls from 83% to 42% of 12 decisions",
    );
    expect(figure.caption).toContain("such a change may come by chance (p = 0.200, after Holm's correction)");
    expect(figure.rows.map((row) => [row.text, row.k])).toEqual([
      ["title", 10],
      ["description", 9],
      ["detail", 5],
    ]);
  });

  it("says why it is missing: no experiment, too few decisions, none", () => {
    expect(ruleTiersFigure(makeCommunityPage([]), rule)).toMatchObject({ command: "defensible rules tiers" });
    const page = makeCommunityPage([]);
    const half = { ...page, report: { ...page.report, run: { ...page.report.run, cohort: "half" } } };
    expect(ruleTiersFigure(half, rule)).toEqual({
      missing: expect.stringContaining("left out in a report on one cohort"),
    });
    expect(ruleTiersFigure(withTiers, { ...rule, rule_id: "R2" })).toMatchObject({
      missing: expect.stringContaining("only 3 did"),
    });
    expect(ruleTiersFigure(withTiers, { ...rule, rule_id: "R9" })).toMatchObject({
      missing: expect.stringContaining("none did"),
    });
  });
});

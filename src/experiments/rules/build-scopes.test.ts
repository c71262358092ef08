import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/rules.js";
import { auditsOf, withArms } from "../../analysis/arm-pairs.suite.js";
import { buildScopes, SCOPE_ARMS } from "./build-scopes.js";
import { scopesSchema } from "./scopes/result.js";

const inputs = {
  source: { name: "file", run_id: null, auditor: null, temperature: null },
  rules: { reason: "not given" },
  minDecisions: 3,
};
const audits = reference.rows.flatMap(({ decision_id, community, decision, cited, kinds }) =>
  auditsOf(SCOPE_ARMS, kinds, {
    decision_id,
    community,
    decision,
    human_label: null,
    citation: {
      scope: cited as "platform" | "community" | "mixed" | "none",
      rule_id: cited === "none" ? null : "R1",
      overlap: 1,
      grounded: true,
    },
  }),
);

describe("buildScopes", () => {
  it("agrees with numpy and sklearn on classes, citation and κ", async () => {
    const got = await withArms(audits, (table) => buildScopes(table, inputs));
    expect(() => scopesSchema.parse(got)).not.toThrow();
    const want = reference.ablation.ambiguity_index;
    expect(got.ambiguity).toMatchObject({
      both: { k: want.both },
      classes: { platform: { k: want.platform }, community: { k: want.community }, together: { k: want.together } },
    });
    expect(got.arms.map((one) => one.ambiguity_index)).toMatchObject([
      { k: want.both },
      { k: want.platform + want.either + want.ended_by_community },
      { k: want.community + want.either + want.ended_by_platform },
    ]);
    const { agree, kappa, table } = got.agreement;
    expect(agree).toMatchObject({ k: reference.agreement.alike, n: reference.agreement.n });
    expect(kappa.estimate).toBeCloseTo(reference.agreement.kappa, 12);
    const all = table.reduce((sum, row) => sum + row.platform + row.community + row.mixed + row.none + row.unknown, 0);
    expect(all).toBe(want.both);
  });

  it("says in its titles what is not known, where nothing is ambiguous", async () => {
    const clear = auditsOf(SCOPE_ARMS, [0, 0, 0], { decision_id: "1" });
    const { figures } = await withArms(clear, (table) => buildScopes(table, inputs));
    const titles = figures.map(({ title }) => title);
    expect(titles).toContain("Of no ambiguous decision do both citation and ablation name one scope");
    expect(titles.join()).not.toContain("undefined");
  });

  it("holds apart decisions whose community, or platform, has no rules", async () => {
    const some = [
      ...auditsOf(SCOPE_ARMS, [0, 0, 5], { decision_id: "1", ruleset_version: "1+-" }),
      ...auditsOf(SCOPE_ARMS, [0, 1, 0], { decision_id: "2", ruleset_version: "1+1" }),
      ...auditsOf(SCOPE_ARMS, [1, 5, 1], { decision_id: "3", ruleset_version: "-+1" }),
    ];
    const got = await withArms(some, (table) => buildScopes(table, inputs));
    expect(got.n).toBe(3);
    expect(got.with_both).toMatchObject({
      n: 1,
      without_community_rules: 1,
      without_platform_rules: 1,
      ambiguity: { classes: { community: { k: 1, n: 1 } } },
    });
    const unsaid = some.map((audit) => ({ ...audit, ruleset_version: null }));
    expect((await withArms(unsaid, (table) => buildScopes(table, inputs))).with_both).toBeNull();
  });

  it("says by rule what its ambiguous decisions rest on", async () => {
    const cited = { citation: { scope: "platform", rule_id: "P1", overlap: 1, grounded: true } } as const;
    const some = [
      [0, 0, 1],
      [0, 1, 1],
      [1, 1, 1],
      [0, 0, 0],
    ].flatMap((kinds, i) => auditsOf(SCOPE_ARMS, kinds, { decision_id: `${i}`, ...cited }));
    const { rules } = await withArms(some, (table) => buildScopes(table, inputs));
    expect(rules.cited).toMatchObject([
      { rule_id: "P1", community: null, n: 4, ambiguity: { k: 3 }, classes: { platform: 1, either: 1, together: 1 } },
    ]);
    expect(rules.cited[0]!.classes.community).toBe(0);
  });
});

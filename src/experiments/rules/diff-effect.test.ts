import { describe, expect, it } from "vitest";
import { auditsOf, withArms } from "../../analysis/arm-pairs.suite.js";
import { ERROR_KIND } from "../../measures/metrics/paired/arm-patterns.js";
import { KnownRules } from "./compare-arms.js";
import { type DiffChanges, rulesDiffSchema } from "./diff/result.js";
import { buildDiff, checkDiff, type DiffLimits, type DiffParts } from "./diff-checks.js";
import { diffEffect } from "./diff-effect.js";

const ARMS = ["rules=old", "rules=new"] as const;
const changes: DiffChanges = {
  rules: [
    { scope: "community", community: "x", rule_id: "R1", title: "t", change: "reworded", shown: true, fields: [] },
    { scope: "community", community: "x", rule_id: "R3", title: "n", change: "added", shown: true, fields: [] },
  ],
  precedents: null,
  communities: ["x"],
};
const cite = (rule_id: string) => ({
  citation: { scope: "community", rule_id, overlap: 1, grounded: true } as const,
  community: "x",
});
// Twenty decisions: three become indefensible, one stops being so, four are settled, one is opened.
const KINDS = [
  ...Array(3).fill([1, 5]),
  [5, 1],
  ...Array(4).fill([2, 1]),
  [1, 2],
  ...Array(11).fill([1, 1]),
] as number[][];
const audits = KINDS.flatMap((kinds, i) =>
  ARMS.flatMap((arm, j) =>
    auditsOf([arm], [kinds[j]!], { decision_id: `d${i}`, ...cite(j === 1 && i < 2 ? "R3" : "R1") }),
  ),
);
const effectOf = (rows = audits) =>
  withArms(rows, (table) =>
    diffEffect(table, {
      source: { name: "run", run_id: "r", auditor: "baseline", temperature: 0.2 },
      arms: ARMS,
      changes,
      known: new KnownRules([]),
      minDecisions: 5,
      listed: 2,
    }),
  );

describe("diffEffect", async () => {
  const effect = await effectOf();

  it("counts the decisions that move, and lists some of them", () => {
    expect(effect.new_indefensible.n).toBe(3);
    expect(effect.new_indefensible.listed.map((one) => [one.decision_id, one.cited_before, one.cited_after])).toEqual([
      ["d0", "R1", "R3"],
      ["d1", "R1", "R3"],
    ]);
    expect([effect.no_longer_indefensible.n, effect.settled.n, effect.opened.n]).toEqual([1, 4, 1]);
    expect(effect.step.changes.level_3).toMatchObject({ only_a: 1, only_b: 3 });
    expect(effect.communities).toMatchObject([{ community: "x", n: 20, new_indefensible: 3 }]);
  });

  it("says on how many that move people decided the same", async () => {
    const human = ["remove", "remove", "approve", null];
    const some = human.flatMap((human_label, i) =>
      auditsOf(ARMS, [1, 5], { decision_id: `d${i}`, decision: "remove", human_label, ...cite("R1") }),
    );
    const { new_indefensible } = await effectOf(some);
    expect(new_indefensible).toMatchObject({ n: 4, labelled: 3, people_same: 2 });
  });

  it("tells decisions that can go either way from those settled the other way", async () => {
    // Kinds: level 1 open 0, level 1 1, level 2 open 2, level 3 with a defensible opposite 4, level 3 5.
    const kinds = ["10", "14", "14", "24", "54", "41", "42", "11"].map((pair) => [...pair].map(Number));
    const some = kinds.flatMap((pair, i) => auditsOf(ARMS, pair, { decision_id: `d${i}`, ...cite("R1") }));
    const { opened, opened_parts, opened_pure, overturned, settled, step } = await effectOf(some);
    expect([opened.n, opened_pure.n, overturned.n, settled.n]).toEqual([4, 2, 4, 1]);
    expect(opened_pure.n).toBe(step.changes.ambiguity_pure.only_b);
    // What AI gains in parts; d3 was open, so that it loses no ambiguity and gains none.
    expect(opened_parts).toEqual({ either_way: 1, other_way: 3, open_before: 1 });
    expect(opened.n).toBe(step.changes.ambiguity_index.only_b);
    expect(overturned.listed.map((one) => one.decision_id)).toEqual(["d1", "d2"]);
  });

  it("says how many decisions cite each changed rule, none included", async () => {
    expect(effect.changed_rules).toMatchObject([
      { rule_id: "R1", change: "reworded", cited_before: 20, cited_after: 18 },
      { rule_id: "R3", change: "added", cited_before: null, cited_after: 2 },
    ]);
    const old = audits.map((audit) => ({ ...audit, ...cite("R1") }));
    expect((await effectOf(old)).changed_rules![1]).toMatchObject({ rule_id: "R3", cited_after: 0 });
    const silent = audits.map((audit) => ({ ...audit, citation: { ...cite("").citation, rule_id: null } }));
    expect((await effectOf(silent)).changed_rules).toBeNull();
  });

  it("says of changed rules what happens under them, however few cite them", () => {
    expect(effect.rules.by_old.rules).toMatchObject([
      { rule_id: "R1", change: "reworded", n: 20, new_indefensible: 3, ambiguity: { difference: { estimate: -0.15 } } },
    ]);
    expect(effect.rules.by_new.rules).toMatchObject([
      { rule_id: "R3", change: "added", n: 2, too_few: true, ambiguity: { before: { estimate: null } } },
      { rule_id: "R1", n: 18 },
    ]);
  });

  it("fits its schema, and warns of chance and of the baseline", () => {
    const parts: DiffParts = {
      what: "rules",
      old: "a",
      new: "b",
      tier: "wiki",
      changes,
      effect,
      limits: { mode: "point" },
    };
    const diff = buildDiff(parts);
    expect(() => rulesDiffSchema.parse(diff)).not.toThrow();
    expect(diff.warnings.join()).toMatch(/temperature 0.2 with the same random numbers in every arm.*baseline/);
    const model = { ...effect, source: { ...effect.source, auditor: "openai:m" } };
    expect(buildDiff({ ...parts, effect: model }).warnings.join()).toMatch(/temperature 0.2: some .* by chance alone/);
    expect(() => rulesDiffSchema.parse(buildDiff({ ...parts, effect: null }))).not.toThrow();
    expect(buildDiff({ ...parts, changes: null }).warnings.join()).toMatch(/only the audits are/);
  });

  const check = (limits: Omit<DiffLimits, "mode">, mode: DiffLimits["mode"] = "point") =>
    checkDiff(effect, { ...limits, mode })
      .filter(({ name }) => name !== "left_out")
      .map(({ holds }) => holds);

  it("holds changes against limits, the limit itself included", () => {
    expect(check({ newIndefensible: 3 })).toEqual([true]);
    expect(check({ newIndefensible: 2 })).toEqual([false]);
    // DI falls from 19 to 17 of 20, AI from 4 to 1.
    expect(check({ diDrop: 0.1, aiIncrease: -0.15 })).toEqual([true, true]);
    expect(check({ diDrop: 0.09, aiIncrease: -0.16 })).toEqual([false, false]);
    expect(check({})).toEqual([]);
  });

  it("judges AI whole, and says what part of it is settled the other way; AI_pure by itself", () => {
    const [ai, pure] = checkDiff(effect, { aiIncrease: 0, aiPureIncrease: -0.2, mode: "point" });
    expect(ai!.text).toMatch(
      /^ambiguity falls by 15\.0 pp; it must not rise \(open both ways −15\.0 pp, only the opposite holds 0\.0 pp\)/,
    );
    expect(pure).toMatchObject({ name: "ai_pure_increase", holds: false });
    expect(pure!.text).toBe("pure ambiguity falls by 15.0 pp; it must fall by at least 20.0 pp");
    expect(pure!.value).toBeCloseTo(-0.15, 12);
  });

  it("fails only what is surely beyond a limit, or passes only what is surely within", () => {
    expect(check({ diDrop: 0 }, "sure")).toEqual([true]);
    expect(check({ diDrop: 0.2 }, "safe")).toEqual([false]);
    expect(check({ diDrop: 0.9 }, "safe")).toEqual([true]);
    const [sure] = checkDiff(effect, { diDrop: -0.5, mode: "sure" });
    expect(sure).toMatchObject({ holds: false, by: "lower" });
    expect(sure!.text).toMatch(/^DI rises by .* pp at the most \(lower end of .*; it must rise by at least 50\.0 pp$/);
  });

  it("holds every limit where nothing was changed", () => {
    const results = checkDiff(null, { newIndefensible: 0, aiIncrease: 0, diDrop: 0, mode: "safe" });
    expect(results.map(({ holds }) => holds)).toEqual([true, true, true, true]);
  });

  it("fails, whatever is asked for, where the new text yields hardly any verdict", async () => {
    // Kinds below 0 are audits without a verdict; all but one of twenty under the new text.
    const silent = await effectOf(
      KINDS.flatMap(([before], i) => auditsOf(ARMS, [before!, i === 19 ? 1 : ERROR_KIND], { decision_id: `d${i}` })),
    );
    for (const mode of ["point", "sure", "safe"] as const) {
      const [, left] = checkDiff(silent, { diDrop: 1, mode });
      expect(left).toMatchObject({ name: "left_out", value: 0.95, limit: 0.05, holds: false });
      expect(left!.text).toBe(
        "19 of 20 decisions are left out (19 without a verdict on one side); at most 5.0% may be",
      );
    }
    expect(checkDiff(silent, { diDrop: 1, maxLeftOut: 0.95, mode: "point" }).every(({ holds }) => holds)).toBe(true);
    expect(checkDiff(silent, { maxLeftOut: 0.94, mode: "point" })).toMatchObject([{ holds: false }]);
    expect(checkDiff(silent, { mode: "point" })).toEqual([]);
  });

  it("to be safe, counts audits without a verdict as gone the worst way", async () => {
    // Of six undecided decisions two were indefensible before and one is defensible after: three may become so.
    const pairs = [
      ...Array(20).fill([1, 1]),
      ...[
        [1, 5],
        [1, ERROR_KIND],
        [2, ERROR_KIND],
        [5, ERROR_KIND],
        [ERROR_KIND, 1],
        [ERROR_KIND, 5],
        [5, ERROR_KIND],
      ],
    ] as number[][];
    const some = await effectOf(pairs.flatMap((pair, i) => auditsOf(ARMS, pair, { decision_id: `d${i}` })));
    expect(some).toMatchObject({ new_indefensible: { n: 1 }, new_indefensible_at_most: 4 });
    const held = (mode: DiffLimits["mode"]) =>
      checkDiff(some, { newIndefensible: 3, diDrop: 0.2, maxLeftOut: 1, mode });
    expect(held("point")).toMatchObject([{ holds: true, value: 1, by: "count" }, { holds: true }, {}]);
    const [count] = held("safe");
    expect(count).toMatchObject({ holds: false, value: 4, by: "worst_case" });
    expect(count!.text).toBe("1 decision becomes indefensible, and 3 without a verdict may; at most 3 may");
    // Twelve pairs without a change allow for a fall of 24 points; eight of twenty undecided for one of 40.
    const many = await effectOf(
      Array.from({ length: 20 }, (_, i) =>
        auditsOf(ARMS, [1, i < 8 ? ERROR_KIND : 1], { decision_id: `d${i}` }),
      ).flat(),
    );
    const [drop] = checkDiff(many, { diDrop: 0.3, maxLeftOut: 1, mode: "safe" });
    expect(drop).toMatchObject({ holds: false, value: 0.4, by: "worst_case" });
    expect(drop!.text).toMatch(/^DI falls by 40\.0 pp at the most \(if every audit without a verdict/);
    expect(checkDiff(many, { diDrop: 0.3, maxLeftOut: 1, mode: "sure" })[0]).toMatchObject({ holds: true });
  });

  it("says that arms name different actions, where that is why nothing can be compared", async () => {
    const rows = [0, 1, 2].flatMap((i) => [
      ...auditsOf([ARMS[0]], [1], { decision_id: `d${i}`, decision: "remove" }),
      ...auditsOf([ARMS[1]], [i === 2 ? ERROR_KIND : 1], {
        decision_id: `d${i}`,
        decision: i === 2 ? "remove" : "approve",
      }),
    ]);
    await expect(effectOf(rows)).rejects.toThrow(
      "arms: 2 of the 3 decisions of run have a different action in another arm, and the other 1 has no verdict in every arm",
    );
  });
});

import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/rules.js";
import { auditsOf, withArms } from "../../analysis/arm-pairs.suite.js";
import type { Audit } from "../../core/records/audit.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { tangoInterval } from "../../stats/intervals/two-proportions.js";
import { mcnemar } from "../../stats/tests/two-proportion-test.js";
import { buildTiers, type TiersInputs } from "./build-tiers.js";
import { tiersSchema } from "./tiers/result.js";

const TIERS = ["title", "sidebar", "wiki"] as const;
const ARMS = TIERS.map((tier) => `tier=${tier}`);
const inputs: TiersInputs = {
  source: { name: "hand.jsonl", run_id: null, auditor: null, temperature: null },
  tiers: TIERS,
  rules: { reason: "not given" },
  minDecisions: 3,
};
const cite = (rule_id: string): Partial<Audit> => ({
  citation: { scope: "community", rule_id, overlap: 1, grounded: true },
});

/**
 * Ten removals and six approvals, counted by hand. Kinds: 0 L1 Yes, 1 L1 No, 2 L2 Yes, 3 L2 No, 4 L3 Yes, 5 L3 No.
 * Removals: four go L2 Yes, L1 No, L1 No; two L2 Yes, L2 Yes, L1 No; one L1 No, L1 No, L2 Yes (a reversal); two L3 Yes, L3 Yes, L1 No;
 * one L1 No throughout. Approvals: five L1 No throughout, one has no verdict under wiki.
 */
const HAND: [number, number[], string, string][] = [
  [4, [2, 1, 1], "remove", "R1"],
  [2, [2, 2, 1], "remove", "R1"],
  [1, [1, 1, 2], "remove", "R2"],
  [2, [4, 4, 1], "remove", "R2"],
  [1, [1, 1, 1], "remove", "R2"],
  [5, [1, 1, 1], "approve", "R3"],
  [1, [1, 1, -2], "approve", "R3"],
];
let id = 0;
const hand = HAND.flatMap(([times, kinds, decision, rule]) =>
  Array.from({ length: times }, () =>
    auditsOf(ARMS, kinds, { decision_id: `d${id++}`, decision, human_label: null, ...cite(rule) }),
  ).flat(),
);

describe("buildTiers on a file counted by hand", async () => {
  const got = await withArms(hand, (table) => buildTiers(table, inputs));

  it("fits its schema", () => expect(() => tiersSchema.parse(got)).not.toThrow());

  it("leaves out the decision without a verdict, counts it, and bounds what it could hide", () => {
    expect(got.counts).toMatchObject({ decisions: 16, paired: 15, clusters: { unit: "decision", n: 15 } });
    expect(got.counts.arms[2]).toEqual({
      arm: "tier=wiki",
      verdicts: 15,
      unscored: 0,
      errors: 1,
      no_rules: 0,
      absent: 0,
    });
    expect(got.tiers[2]!.ambiguity_index).toMatchObject({ k: 1, n: 15, worst_case: { lower: 1 / 16, upper: 2 / 16 } });
    expect(got.steps[2]!.changes.ambiguity_index.difference).toMatchObject({
      worst_case: { lower: -7 / 16, upper: -6 / 16 },
    });
    expect(got.warnings[0]).toBe("left out for lack of a verdict in an arm: 1 of 16 decisions");
  });

  it("has the paper's table: DI, AI, indefensible, and the changes from the first tier", () => {
    expect(got.tiers.map(({ tier, indefensible }) => [tier, indefensible])).toEqual([
      ["title", 2],
      ["sidebar", 2],
      ["wiki", 0],
    ]);
    const k = (name: "defensibility_index" | "ambiguity_index" | "ambiguity_pure") =>
      got.tiers.map((one) => (one[name] as { k: number }).k);
    expect(k("defensibility_index")).toEqual([13, 13, 15]);
    expect(k("ambiguity_index")).toEqual([8, 4, 1]);
    expect(k("ambiguity_pure")).toEqual([6, 2, 1]);
    expect(got.steps.map(({ from, to }) => `${from} ${to}`)).toEqual(["title sidebar", "sidebar wiki", "title wiki"]);
    const { ambiguity_index: ai, level_3 } = got.steps[2]!.changes;
    expect(ai).toMatchObject({ only_a: 8, only_b: 1, mcnemar: mcnemar(8, 1) });
    expect(ai.difference).toMatchObject({ estimate: -7 / 15, n: 15, ...tangoInterval(1, 8, 15) });
    expect(level_3).toMatchObject({ only_a: 2, only_b: 0, mcnemar: mcnemar(2, 0) });
  });

  it("counts conversions, gross and net ambiguity, and reversals", () => {
    expect(got.steps[0]!.transitions).toMatchObject({
      table: [
        [7, 0, 0],
        [4, 2, 0],
        [0, 0, 2],
      ],
      l2_to_l1: { n: 4, of_level_2: { k: 4, n: 6 } },
    });
    expect(got.steps[2]!.transitions.table).toEqual([
      [6, 1, 0],
      [6, 0, 0],
      [2, 0, 0],
    ]);
    const { gross, reversals, net, residual } = got.underspecification;
    expect([gross, reversals, residual].map((one) => (one as { k: number }).k)).toEqual([8, 1, 1]);
    expect(net.estimate).toBeCloseTo(7 / 15, 12);
    expect((got.underspecification_pure.gross as { k: number }).k).toBe(6);
  });

  it("tells removals from approvals", () => {
    const { remove, approve } = got.by_decision;
    expect([remove!.n, approve!.n]).toEqual([10, 5]);
    expect(remove!.tiers.map((one) => (one.levels["1"] as { k: number }).k)).toEqual([2, 6, 9]);
    expect(approve!.steps[2]!.changes.ambiguity_index.mcnemar).toMatchObject({ mid_p: null });
  });

  it("says which rule gains from which tier, most first", () => {
    const { rules, too_few } = got.rules.by_finest;
    expect(rules.map(({ rule_id, n }) => [rule_id, n])).toEqual([
      ["R1", 6],
      ["R2", 4],
      ["R3", 5],
    ]);
    expect(too_few).toEqual([]);
    expect(rules[0]).toMatchObject({
      ambiguity: [{ k: 6 }, { k: 2 }, { k: 0 }],
      gain: { estimate: 1, n: 6 },
      mid_p: mcnemar(6, 0).mid_p,
    });
    expect(rules[0]!.gains.map(({ gain }) => gain.estimate)).toEqual([4 / 6, 2 / 6]);
    expect(rules[1]!.gain.estimate).toBe(0.25);
    expect(rules[2]).toMatchObject({ gain: { estimate: 0 }, mid_p: null, adjusted_p: null });
    expect(rules[0]!.adjusted_p).toBeCloseTo(2 * rules[0]!.mid_p!, 12);
  });

  it("has figures with every tier, transition and rule", () => {
    expect(got.figures.map(({ id }) => id)).toEqual(["tiers-ladder", "tiers-transitions", "tiers-rule-gain"]);
    expect(got.figures[0]!.rows).toHaveLength(3 * 3 * 5);
    expect(got.figures[1]!.rows).toHaveLength(27);
    expect(got.figures[0]!.title).toBe(
      "The ambiguity of all decisions is 53.3%, 26.7%, 6.7% where the auditor reads titles alone (title), titles and descriptions (sidebar), all of the text (wiki); indefensible ones: 2, 2, 0",
    );
    // Every move counts, not only those for the better; and what falls is not "+100 pp fewer".
    const { table, less_severe, more_severe, n } = got.steps.at(-1)!.transitions;
    const most = Math.max(...table.flatMap((row, i) => row.filter((_, j) => i !== j)));
    expect(got.figures[1]!.title).toContain(
      `${less_severe + more_severe} of ${n} decisions changed level, ${less_severe} for the better and ${more_severe} for the worse`,
    );
    expect(got.figures[1]!.title).toContain(`(${most})`);
    expect(got.figures[2]!.title).toMatch(/ \/ R1: 100\.0 pp fewer have a derivable opposite$/);
  });
});

describe("buildTiers", () => {
  it("compares two tiers alone", async () => {
    const got = await withArms(hand, (table) => buildTiers(table, { ...inputs, tiers: ["title", "wiki"] }));
    expect(got.steps).toHaveLength(1);
    expect((got.underspecification.gross as { k: number }).k).toBe(8);
  });

  it("says which rules too few decisions cite", async () => {
    const got = await withArms(hand, (table) => buildTiers(table, { ...inputs, minDecisions: 5 }));
    expect(got.rules.by_finest.too_few).toMatchObject([{ rule_id: "R2", n: 4 }]);
  });

  it("refuses audits without a tier, and those without a pair", async () => {
    const without = hand.filter(({ arm }) => arm !== "tier=sidebar");
    await expect(withArms(without, (table) => buildTiers(table, inputs))).rejects.toThrow(
      /no audits with arm "tier=sidebar"; got "tier=title", "tier=wiki"/,
    );
    const unpaired = auditsOf(ARMS, [0, -1, 0], { decision_id: "x" });
    await expect(withArms(unpaired, (table) => buildTiers(table, inputs))).rejects.toThrow(
      /none of the 1 decisions of hand.jsonl has a verdict in every arm/,
    );
  });

  it("agrees with numpy on a larger file with communities", async () => {
    const audits = reference.rows.flatMap(({ decision_id, community, decision, kinds }) =>
      auditsOf(ARMS, kinds, { decision_id, community, decision, human_label: null }),
    );
    const got = await withArms(audits, (table) => buildTiers(table, inputs));
    got.steps.forEach((step, i) => {
      const want = reference.steps[i]!;
      expect(step.transitions.table).toEqual(want.transitions);
      for (const name of ["defensibility_index", "ambiguity_index", "ambiguity_pure", "level_1", "level_3"] as const) {
        expect(step.changes[name]).toMatchObject({ only_a: want[name].only_a, only_b: want[name].only_b });
        expect((step.changes[name].difference as { cluster: { upper: number } }).cluster.upper).toBeCloseTo(
          want[name].cluster[1]!,
          9,
        );
      }
    });
    expect(got.by_decision.remove!.steps[2]!.transitions.table).toEqual(reference.removals[2]!.transitions);
  });

  it("tells decisions whose rule text differs from those where the tiers are the same text", async () => {
    const set = (community: string, rule: Partial<RuleSet["rules"][number]>): RuleSet => ({
      scope: "community",
      community,
      version: "1",
      rules: [{ id: "R1", title: "Be kind", ...rule }],
    });
    const sets = [set("a", { description: "No insults." }), set("b", { detail: "Except in jest." }), set("c", {})];
    const audits = ["a", "b", "c", "c"].flatMap((community, i) =>
      auditsOf(ARMS, [2, i === 3 ? 1 : 2, 1], {
        decision_id: `d${i}`,
        community,
        ruleset_version: "-+1",
        citation: { scope: "community", rule_id: "R1", overlap: 1, grounded: true },
      }),
    );
    const got = await withArms(audits, (table) => buildTiers(table, { ...inputs, rules: { sets } }));
    if (!got.text.known) throw new Error(got.text.reason);
    expect(got.text.steps.map(({ differs, same, communities_same }) => [differs.n, same.n, communities_same])).toEqual([
      [1, 3, 2],
      [1, 3, 2],
      [2, 2, 1],
    ]);
    // Community c has one text in all tiers: what moves there is not an effect of the text.
    expect(got.text.steps[0]!.same.changes.ambiguity_index).toMatchObject({ only_a: 1, only_b: 0 });
    expect(got.text.steps[0]!.differs.changes.ambiguity_index).toMatchObject({ only_a: 0, only_b: 0 });
    const unknown = await withArms(audits, (table) => buildTiers(table, { ...inputs, rules: { sets: sets.slice(1) } }));
    expect(unknown.text).toEqual({ known: false, reason: "the audits name versions of rules that are not there" });
  });
});

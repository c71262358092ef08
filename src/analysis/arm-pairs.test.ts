import { describe, expect, it } from "vitest";
import { reference } from "../../test/references/rules.js";
import type { Audit } from "../core/records/audit.js";
import { armPatterns, isComplete } from "../measures/metrics/paired/arm-patterns.js";
import { countPatterns, countRulePatterns, countScopePatterns, listArms, listMoved, pairArms } from "./arm-pairs.js";
import { auditsOf, withArms } from "./arm-pairs.suite.js";

const ARMS = ["tier=title", "tier=sidebar", "tier=wiki"];
const cite = (scope: "platform" | "community", rule_id: string): Partial<Audit> => ({
  citation: { scope, rule_id, overlap: 1, grounded: true },
});

describe("pairArms", () => {
  it("puts arms side by side and counts what each decision lacks", async () => {
    const audits = reference.rows.flatMap(({ decision_id, community, decision, kinds }) =>
      auditsOf(ARMS, kinds, { decision_id, community, decision, human_label: null }),
    );
    await withArms(audits, async (table) => {
      const counts = await pairArms(table, ARMS);
      expect(counts).toMatchObject({
        decisions: reference.rows.length,
        paired: reference.complete,
        communities: 9,
        clusters: { unit: "community", n: 9 },
        different_action: 0,
      });
      counts.arms.forEach(({ arm, verdicts, unscored, errors, absent }, i) => {
        const count = (kind: (value: number) => boolean) => reference.rows.filter((row) => kind(row.kinds[i]!)).length;
        expect(arm).toBe(ARMS[i]);
        expect([verdicts, unscored, errors, absent]).toEqual([
          count((kind) => kind >= 0),
          count((kind) => kind === -1),
          count((kind) => kind === -2),
          count((kind) => kind === -3),
        ]);
      });
      const patterns = await countPatterns(table.db, counts);
      expect(patterns.reduce((sum, { n }) => sum + n, 0)).toBe(reference.rows.length);
      const { distinct, totals } = armPatterns(patterns);
      distinct.forEach((kinds, i) => {
        const same = reference.rows.filter((row) => row.kinds.join() === kinds.join());
        expect(totals[i]).toBe(same.length);
      });
      expect(patterns.filter(({ kinds, positive }) => isComplete(kinds) && positive).length).toBeGreaterThan(0);
    });
  });

  it("leaves out decisions on which the arms name different actions, replicates and other arms", async () => {
    const arms = ["a", "b"];
    const audits = [
      ...auditsOf(arms, [0, 1], { decision_id: "1" }),
      ...auditsOf(["a"], [0], { decision_id: "2", decision: "remove" }),
      ...auditsOf(["b"], [0], { decision_id: "2", decision: "approve" }),
      ...auditsOf(arms, [5, 5], { decision_id: "1", replicate: 1 }),
      ...auditsOf(["c"], [5], { decision_id: "3" }),
    ];
    await withArms(audits, async (table) => {
      expect((await listArms(table)).map(({ arm }) => arm)).toEqual(["a", "b", "c"]);
      const counts = await pairArms(table, arms);
      expect(counts).toMatchObject({ decisions: 2, paired: 1, different_action: 1 });
      const patterns = await countPatterns(table.db, counts);
      expect(patterns).toMatchObject([{ kinds: [0, 1], n: 1, positive: true, versions: ["1+1", "1+1"] }]);
    });
  });

  it("takes threads as clusters within one community, and a decision without one as its own", async () => {
    const thread = (decision_id: string, thread_id: string | null) =>
      auditsOf(["a", "b"], [0, 1], { decision_id, thread_id });
    await withArms(
      [...thread("1", "x"), ...thread("2", "x"), ...thread("3", null), ...thread("4", "y")],
      async (table) => {
        const counts = await pairArms(table, ["a", "b"]);
        expect(counts.clusters).toEqual({ unit: "thread", n: 3 });
        const patterns = await countPatterns(table.db, counts);
        expect(patterns.map(({ n }) => n).sort()).toEqual([1, 1, 2]);
      },
    );
    await withArms([...thread("1", "x"), ...thread("2", "y")], async (table) => {
      expect((await pairArms(table, ["a", "b"])).clusters).toEqual({ unit: "decision", n: 2 });
    });
  });
});

describe("by citation", () => {
  const audits = [
    ...auditsOf(["a"], [2], { decision_id: "1", community: "x", ...cite("community", "R1") }),
    ...auditsOf(["b"], [1], { decision_id: "1", community: "x", ...cite("platform", "P1") }),
    ...auditsOf(["a", "b"], [0, 4], { decision_id: "2", community: "y", ...cite("platform", "P1") }),
    ...auditsOf(["a", "b"], [1, 1], { decision_id: "3", community: "y", ...cite("community", "R1") }),
    ...auditsOf(["a", "b"], [1, 1], { decision_id: "4", community: "y", citation: null }),
  ];

  it("groups decisions by the rule that an arm cites; a community's ids are its own", async () => {
    await withArms(audits, async (table) => {
      const counts = await pairArms(table, ["a", "b"]);
      const names = async (arm: number) =>
        (await countRulePatterns(table.db, counts, arm))
          .map(({ scope, community, rule_id, patterns }) => [scope, community, rule_id, patterns.length].join(" "))
          .sort();
      expect(await names(0)).toEqual(["community x R1 1", "community y R1 1", "platform  P1 1"]);
      expect(await names(1)).toEqual(["community y R1 1", "platform  P1 2"]);
      const scopes = await countScopePatterns(table.db, counts, 0);
      expect(scopes.map(({ rests }) => rests).sort()).toEqual(["community", "community", "platform", "unknown"]);
    });
  });

  it("lists decisions that moved, with what they cite, and counts all of them", async () => {
    await withArms(audits, async (table) => {
      await pairArms(table, ["a", "b"]);
      expect(await listMoved(table.db, "new_indefensible", 5)).toEqual({
        n: 1,
        labelled: 1,
        people_same: 1,
        listed: [
          {
            decision_id: "2",
            community: "y",
            decision: "remove",
            level_before: 1,
            level_after: 3,
            inverse_before: true,
            inverse_after: true,
            cited_before: "P1",
            cited_after: "P1",
          },
        ],
      });
      const settled = await listMoved(table.db, "settled", 0);
      expect(settled).toMatchObject({ n: 1, listed: [] });
      expect((await listMoved(table.db, "no_longer_indefensible", 5)).n).toBe(0);
      expect((await listMoved(table.db, "opened", 5)).n).toBe(0);
    });
  });
});

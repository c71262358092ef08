import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Precedent } from "../../core/records/decision.js";
import type { Rule, RuleSet } from "../../core/records/rule-set.js";
import type { BookSide } from "../../store/files/rule-files.js";
import { wordDiff } from "./document/change-blocks.js";
import { planDiff } from "./plan-diff.js";

const rule = (id: string, title = id, more: Partial<Rule> = {}): Rule => ({ id, title, ...more });
const set = (community: string | null, rules: Rule[], more: Partial<RuleSet> = {}): RuleSet =>
  community === null
    ? { scope: "platform", version: "1", rules, ...more }
    : { scope: "community", community, version: "1", rules, ...more };
const side = (sets: RuleSet[] | null, more: Partial<BookSide> = {}): BookSide => ({
  name: "side",
  sets,
  precedents: null,
  single: false,
  ...more,
});
const workspace = [set(null, [rule("P1")]), set("a", [rule("R1")]), set("b", [rule("R1")])];
const plan = (old: BookSide, now: BookSide, more: Partial<Parameters<typeof planDiff>[0]> = {}) =>
  planDiff({ old, new: now, rules: workspace, tier: "wiki", oneSided: false, ...more });

describe("planDiff", () => {
  it("tells what was added, removed, reworded and renumbered", () => {
    const old = [rule("R1", "No spam", { description: "Not at all." }), rule("R2", "Gone"), rule("R3", "Same text")];
    const now = [rule("R1", "No spam", { description: "Hardly at all." }), rule("R4", "New"), rule("R5", "Same text")];
    const { changes } = plan(side([set("a", old)]), side([set("a", now)]));
    expect(changes.rules.map(({ rule_id, change, old_rule_id }) => [rule_id, change, old_rule_id])).toEqual([
      ["R1", "reworded", undefined],
      ["R4", "added", undefined],
      ["R5", "renumbered", "R3"],
      ["R2", "removed", undefined],
    ]);
    expect(changes.rules[0]!.fields).toEqual([
      {
        field: "description",
        before: "Not at all.",
        after: "Hardly at all.",
        words: [
          { op: "removed", text: "Not" },
          { op: "added", text: "Hardly" },
          { op: "same", text: "at all." },
        ],
      },
    ]);
    expect(changes.communities).toEqual(["a"]);
  });

  it("names the rule sets that only one of two folders has, and none that a single file leaves alone", () => {
    const sets = (old: BookSide, now: BookSide, more = {}) => plan(old, now, more).changes.sets;
    const only = side([set("a", [rule("R1")]), set("c", [rule("R1")])]);
    expect(sets(side(workspace), only)).toEqual({ added: ["c"], removed: ["b", null] });
    expect(sets(side(workspace), only, { oneSided: true })).toEqual({ added: ["c"], removed: [] });
  });

  it("puts the rules of a side in the place of the workspace's, and leaves the others", () => {
    const { arms } = plan(side(null), side([set("a", [rule("R1", "New")])], { single: true }), {
      old: side(workspace),
      oneSided: true,
    });
    const [old, now] = arms!;
    expect([old.name, now.name]).toEqual(["rules=old", "rules=new"]);
    expect(now.book!.rules).toEqual([workspace[0], workspace[2], set("a", [rule("R1", "New")])]);
    expect(old.book!.rules).toEqual([workspace[0], workspace[2], workspace[1]]);
    expect(old.book!.id).not.toBe(now.book!.id);
  });

  it("takes of several versions the newest, so that every past decision is held against it", () => {
    const versions = [
      set("a", [rule("R1", "newest")], { version: "3", effective_from: "2026-03-01" }),
      set("a", [rule("R1", "older")], { version: "2", effective_from: "2026-02-01" }),
    ];
    const { arms, changes } = plan(side(versions), side([set("a", [rule("R1", "newest")])]));
    expect(changes.rules).toEqual([]);
    expect(arms).toBeNull();
  });

  it("audits everybody when the platform's rules differ, and else only who is concerned", () => {
    const now = [set(null, [rule("P1", "other")]), set("a", [rule("R1")]), set("b", [rule("R1", "other")])];
    expect(plan(side(workspace), side(now)).changes.communities).toBeNull();
    expect(plan(side(workspace), side([workspace[0]!, ...now.slice(1)])).changes.communities).toEqual(["b"]);
  });

  it("knows what a folder lacks as removed, but not what a single file does not speak of", () => {
    const fewer = [workspace[0]!, workspace[1]!];
    expect(plan(side(workspace), side(fewer)).changes.rules).toMatchObject([
      { community: "b", rule_id: "R1", change: "removed" },
    ]);
    const single = plan(side(workspace), side([workspace[1]!], { single: true }));
    expect(single).toMatchObject({ arms: null, changes: { rules: [], communities: [] } });
  });

  it("makes no arms where the auditor would read the same: a detail at tier sidebar", () => {
    const old = side([set("a", [rule("R1", "t", { detail: "long" })])]);
    const now = side([set("a", [rule("R1", "t", { detail: "longer" })])]);
    const hidden = plan(old, now, { tier: "sidebar" });
    expect(hidden.arms).toBeNull();
    expect(hidden.changes.rules).toMatchObject([{ change: "reworded", shown: false }]);
    expect(plan(old, now).arms).not.toBeNull();
    const kind = plan(
      side([set("a", [rule("R1", "t", { kind: "prohibition" })])]),
      side([set("a", [rule("R1", "t")])]),
    );
    expect(kind.arms).not.toBeNull();
  });

  it("compares precedents by id", () => {
    const precedent = (id: string, content = id, community = "a"): Precedent => ({
      id,
      community,
      content,
      decision: "remove",
    });
    const old = side(null, { precedents: [precedent("1"), precedent("2"), precedent("3", "x", "b")] });
    const now = side(null, { precedents: [precedent("1"), precedent("2", "other"), precedent("4", "y", "c")] });
    const { changes, arms, what } = plan(old, now);
    expect(what).toBe("precedents");
    expect(changes).toMatchObject({ precedents: { added: 1, removed: 1, changed: 1 }, communities: ["a", "b", "c"] });
    expect(arms!.map((arm) => [arm.name, arm.book!.rules, arm.book!.precedents!.length])).toEqual([
      ["precedents=old", undefined, 3],
      ["precedents=new", undefined, 3],
    ]);
  });

  it("refuses to compare rules with precedents, and rules of two communities", () => {
    const precedents = side(null, { precedents: [] });
    expect(() => plan(side(workspace), precedents)).toThrow(/not of one kind/);
    const one = (community: string) => side([set(community, [])], { single: true });
    expect(() => plan(one("a"), one("b"))).toThrow(/those of a and those of b/);
  });
});

describe("wordDiff", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 }).map((words) => words.join(" "));

  it("gives both texts back", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = wordDiff(before, after);
        const side = (op: "removed" | "added") =>
          parts
            .filter((part) => part.op === "same" || part.op === op)
            .map((part) => part.text)
            .join(" ");
        expect(side("removed")).toBe(before);
        expect(side("added")).toBe(after);
        expect(parts.every((part, i) => part.op !== parts[i + 1]?.op)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the longest common sequence of words", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const kept = wordDiff(before, after)
          .filter(({ op }) => op === "same")
          .flatMap((part) => part.text.split(" ")).length;
        expect(kept).toBe(longest(before.split(" ").filter(Boolean), after.split(" ").filter(Boolean)));
      }),
      { numRuns: 100 },
    );
  });

  it("is quick and whole on texts too long to compare word by word", () => {
    const long = (word: string) => Array.from({ length: 20_000 }, (_, i) => `${word}${i}`).join(" ");
    const parts = wordDiff(`same ${long("a")} end`, `same ${long("b")} end`);
    expect(parts.map(({ op }) => op)).toEqual(["same", "removed", "added", "same"]);
  });
});

/** By plain recursion. */
function longest(a: readonly string[], b: readonly string[]): number {
  const known = new Map<number, number>();
  const from = (i: number, j: number): number => {
    if (i === a.length || j === b.length) return 0;
    const key = i * 100 + j;
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = a[i] === b[j] ? 1 + from(i + 1, j + 1) : Math.max(from(i + 1, j), from(i, j + 1));
    known.set(key, value);
    return value;
  };
  return from(0, 0);
}

import { describe, expect, it } from "vitest";
import type { Decision } from "../core/records/decision.js";
import { CommunitySizes, inPrefixOrder, RuleBook } from "./rules-in-force.js";

const RULES = new RuleBook([]);

function decisions(communities: readonly string[], length = 10): Decision[] {
  return communities.map((community, i) => ({
    id: `d${i}`,
    community,
    content: "x".repeat(length),
    decision: "remove",
  }));
}

async function ordered(all: Decision[]): Promise<{ order: Decision[]; passes: number }> {
  const sizes = new CommunitySizes();
  for (const decision of all) sizes.add(decision);
  let passes = 0;
  const source = async function* () {
    passes++;
    for (let i = 0; i < all.length; i += 7) yield all.slice(i, i + 7);
  };
  const order: Decision[] = [];
  for await (const batch of inPrefixOrder(source, sizes, RULES)) order.push(...batch);
  return { order, passes };
}

const ids = (some: Decision[]) => some.map(({ id }) => id);

describe("the order of a run", () => {
  it("brings decisions together that share rules, and keeps the file's order among them", async () => {
    const all = decisions(["b", "a", "b", "c", "a", "b", "c", "a"]);
    const { order, passes } = await ordered(all);
    expect(ids(order)).toEqual(["d1", "d4", "d7", "d0", "d2", "d5", "d3", "d6"]);
    expect(passes).toBe(1);
  });

  it("is the file's own where communities already stand together", async () => {
    const all = decisions(["b", "b", "a", "a", "c"]);
    expect(ids((await ordered(all)).order)).toEqual(ids(all));
  });

  it("holds a bounded part in memory, and loses and doubles nothing", async () => {
    const communities = Array.from({ length: 60 }, (_, i) => `c${i % 20}`);
    const all = decisions(communities, 2_000_000);
    const { order, passes } = await ordered(all);
    expect(passes).toBeGreaterThan(5);
    expect(ids(order).sort()).toEqual(ids(all).sort());
    const changes = order.filter((decision, i) => decision.community !== order[i - 1]?.community).length;
    expect(changes).toBe(20);
  });

  it("also follows the version of the rules inside a community", async () => {
    const rules = new RuleBook(
      ["1", "2"].map((version) => ({ scope: "community" as const, community: "a", version, rules: [] })),
    );
    const all = decisions(["a", "b", "a", "b", "a"]);
    all[0]!.ruleset_version = "2";
    all[2]!.ruleset_version = "1";
    all[4]!.ruleset_version = "2";
    const sizes = new CommunitySizes();
    for (const decision of all) sizes.add(decision);
    const order: Decision[] = [];
    const source = async function* () {
      yield all;
    };
    for await (const batch of inPrefixOrder(source, sizes, rules)) order.push(...batch);
    expect(ids(order)).toEqual(["d2", "d0", "d4", "d1", "d3"]);
  });
});

import { describe, expect, it } from "vitest";
import type { SimulatedCase } from "./draw-cases.js";
import { generateWorld } from "./generate-world.js";
import { casesOf, plain, world } from "./generate-world.suite.js";

const large = world({ communities: 40, decisions: 3000 });
const cases = casesOf(large, 4);

describe("nothing but the truth file tells the truth", () => {
  const seen = [...generateWorld(large, 4)];
  const words = ["level", "inverse", "gold", "truth", "relation", "settled", "contest", "cause", "ambiguity", "state"];

  it("by the name of a field", () => {
    const names = new Set<string>();
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) value.forEach(visit);
      else if (typeof value === "object" && value !== null) {
        for (const [key, inner] of Object.entries(value)) {
          names.add(key);
          visit(inner);
        }
      }
    };
    for (const { ruleSet, precedents } of seen) visit([ruleSet, precedents]);
    visit(cases.map(({ decision }) => decision));
    expect([...names].filter((name) => words.some((word) => name.includes(word)))).toEqual([]);
  });

  it("by an id, a tag, a time or a confidence that predicts it", () => {
    // A field that told the level would have different levels at different values. Each is cut in two and the shares of level 3 compared.
    // One state and no luck: what a community's name says of its state is not what is asked here.
    const alike = { ...plain, open: 0.1, void: 0.02, implied: 0.1, error: 0.15 };
    const even = casesOf(world({ communities: 40, decisions: 6000, states: [alike], concentration: 1e6 }), 9);
    const fields: Record<string, (one: SimulatedCase) => number> = {
      "last digit of the id": ({ decision }) => Number(decision.id.at(-1)) % 2,
      "length of the id": ({ decision }) => decision.id.length % 2,
      "seconds of the time": ({ decision }) => Number(decision.decided_at!.slice(17, 19)) % 2,
      confidence: ({ decision }) => (decision.decider!.confidence! > 0.978 ? 1 : 0),
      "is a post": ({ decision }) => ((decision.content as { kind: string }).kind === "post" ? 1 : 0),
    };
    const approvals = even.filter(({ decision }) => decision.decision === "approve");
    for (const [name, value] of Object.entries(fields)) {
      const shares = [0, 1].map((half) => {
        const part = approvals.filter((one) => value(one) === half);
        return { n: part.length, p: part.filter(({ truth }) => truth.level === 3).length / part.length };
      });
      const [a, b] = shares as [{ n: number; p: number }, { n: number; p: number }];
      const pooled = (a.n * a.p + b.n * b.p) / (a.n + b.n);
      const z = (a.p - b.p) / Math.sqrt(pooled * (1 - pooled) * (1 / a.n + 1 / b.n));
      expect(Math.abs(z), name).toBeLessThan(4.5);
    }
    expect(new Set(cases.map(({ decision }) => JSON.stringify(decision.tags))).size).toBe(1);
  });

  it("by a precedent: none is about what the rules leave open", () => {
    for (const { precedents, ruleSet } of seen) {
      const ids = new Set(ruleSet.rules.map(({ id }) => id));
      for (const precedent of precedents) expect(ids.has(precedent.rule_id!)).toBe(true);
    }
    const open = new Set(
      cases
        .filter(({ truth }) => truth.relation === "open")
        .map(({ decision }) => (decision.content as { body: string }).body),
    );
    const bodies = seen.flatMap(({ precedents }) =>
      precedents.map(({ content }) => (content as { body: string }).body),
    );
    expect(bodies).toHaveLength(200);
    expect(bodies.filter((body) => open.has(body))).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import type { RuleSet } from "../core/records/rule-set.js";
import { Frames } from "./frames.js";
import { RuleBook } from "./rules-in-force.js";

const COMMUNITIES = 1500;
const sets = Array.from(
  { length: COMMUNITIES },
  (_, i): RuleSet => ({
    scope: "community",
    community: `c${i}`,
    version: "1",
    rules: [{ id: "R1", title: `Rule ${i}` }],
  }),
);

describe("frames", () => {
  const book = new RuleBook(sets);
  const frames = new Frames([], "wiki", { positive: "remove", negative: "approve" });
  const frameOf = (i: number) => frames.of(`c${i}`, book.inForce({ community: `c${i}` })).frame;

  it("are the same object as long as they are in use", () => {
    const first = frameOf(0);
    for (let i = 1; i < 900; i++) expect(frameOf(i).rules[0]!.title).toBe(`Rule ${i}`);
    expect(frameOf(0)).toBe(first);
  });

  it("are forgotten, longest unused first, where there are very many, and made again alike", () => {
    const kept = frameOf(0);
    const early = frameOf(1);
    for (let i = 2; i < COMMUNITIES; i++) {
      frameOf(i);
      if (i % 100 === 0) frameOf(0);
    }
    expect(frameOf(0)).toBe(kept);
    expect(frameOf(1)).not.toBe(early);
    expect(frameOf(1)).toEqual(early);
  });
});

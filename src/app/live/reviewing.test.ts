import { describe, expect, it } from "vitest";
import { type Answer, agreementByReviewer } from "./reviewing.js";

const answer = (reviewer: string, decision_id: string, outcome: string, more: Partial<Answer> = {}): Answer => ({
  reviewer,
  decision_id,
  outcome,
  level: null,
  gold_level: null,
  ...more,
});

describe("agreement of reviewers", () => {
  it("is counted on known items, and with others on the same decisions", () => {
    const found = agreementByReviewer([
      answer("ann", "a", "uphold"),
      answer("bob", "a", "overturn"),
      answer("cyd", "a", "uphold"),
      answer("ann", "b", "overturn"),
      answer("ann", "g1", "uphold", { gold_level: 2, level: 1 }),
      answer("ann", "g2", "uphold", { gold_level: 3, level: 3 }),
      // The same known item for another person makes no pair.
      answer("bob", "g1", "uphold", { gold_level: 2 }),
    ]);
    expect(found.map(({ reviewer, reviews, overturned }) => [reviewer, reviews, overturned])).toEqual([
      ["ann", 2, 1],
      ["bob", 1, 1],
      ["cyd", 1, 0],
    ]);
    expect(found[0]).toMatchObject({
      gold: { k: 1, n: 2, share: 0.5 },
      gold_level: { k: 1, n: 2 },
      peers: { k: 1, n: 2 },
    });
    expect(found[1]).toMatchObject({ gold: { k: 1, n: 1 }, gold_level: { n: 0, share: null }, peers: { k: 0, n: 2 } });
    expect(found[2]!.gold).toEqual({ k: 0, n: 0, share: null, lower: null, upper: null });
  });

  it("is not changed by the order of the answers", () => {
    const answers = [answer("ann", "a", "uphold"), answer("bob", "a", "overturn"), answer("bob", "b", "uphold")];
    expect(agreementByReviewer([...answers].reverse())).toEqual(agreementByReviewer(answers));
  });
});

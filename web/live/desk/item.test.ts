import { describe, expect, it } from "vitest";
import {
  contradictionIn,
  type Draft,
  draftOf,
  EMPTY,
  mainReason,
  missingIn,
  type OwnReview,
  withLevel,
} from "./item.ts";

const chosen = (parts: Partial<Draft>): Draft => ({ ...EMPTY, ...parts });
const leveled = (draft: Draft, level: 1 | 2 | 3): Draft => ({ ...draft, ...withLevel(draft, level) });

describe("a level", () => {
  it("chooses its usual outcome, again with each level", () => {
    expect(leveled(EMPTY, 1).outcome).toBe("uphold");
    expect(leveled(leveled(EMPTY, 1), 3).outcome).toBe("overturn");
    expect(leveled(leveled(EMPTY, 3), 2).outcome).toBe("uphold");
  });

  it("leaves an outcome alone that the reviewer chose, and a rule or a note is then asked for", () => {
    const overturned = leveled(chosen({ outcome: "overturn", own_outcome: true }), 1);
    expect(overturned).toMatchObject({ level: 1, outcome: "overturn" });
    expect(missingIn(overturned, true, true)).toBe("Name the rule that speaks against it, or write a note.");
    expect(leveled(leveled(overturned, 3), 2).outcome).toBe("overturn");
    expect(missingIn({ ...overturned, note: "Rule 2 allows it." }, true, true)).toBeNull();
  });

  it("at which no rule supports the decision, and an upheld decision, cannot be sent together", () => {
    const upheld = leveled(chosen({ outcome: "uphold", own_outcome: true }), 3);
    expect(upheld).toMatchObject({ level: 3, outcome: "uphold" });
    expect(contradictionIn(upheld)).toContain("contradict each other");
    // Neither a rule nor a note makes it fit.
    expect(missingIn({ ...upheld, rule_ids: ["platform 1"], note: "Stays." }, true, true)).toBe(
      contradictionIn(upheld),
    );
    for (const other of [leveled(upheld, 2), { ...upheld, outcome: "overturn" as const }, leveled(EMPTY, 3)]) {
      expect([contradictionIn(other), missingIn(other, true, true)]).toEqual([null, null]);
    }
  });

  it("of an answer that is changed moves its outcome, unless that was not the usual one", () => {
    const review = { inverse: null, note: null, rule_ids: ["platform 1"] } as unknown as OwnReview;
    expect(leveled(draftOf({ ...review, level: 2, outcome: "uphold" }), 3).outcome).toBe("overturn");
    expect(leveled(draftOf({ ...review, level: 2, outcome: "overturn" }), 1).outcome).toBe("overturn");
  });
});

describe("the reason of a case", () => {
  it("is that it is under appeal, else the first, and none where none is to be known", () => {
    expect(mainReason({ reasons: ["community_does_not_pass", "appeal"] })).toBe("appeal");
    expect(mainReason({ reasons: ["no_gate", "no_audit"] })).toBe("no_gate");
    expect(mainReason({ reasons: [] })).toBeNull();
  });
});

describe("an answer about content that was never revealed", () => {
  it("is stopped, with what to do", () => {
    const draft = leveled(EMPTY, 1);
    expect(missingIn(draft, false, true)).toBe(
      "The content is still blurred. Hold the space bar or “Hold to reveal” to read it, or skip the case (S).",
    );
    expect(missingIn(draft, false, false)).not.toContain("skip");
    expect(missingIn(draft, true, true)).toBeNull();
  });
});

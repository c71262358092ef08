import { describe, expect, it } from "vitest";
import { proportion } from "../../stats/intervals/proportion.js";
import { openChangeText } from "./rule-texts.js";
import { changedNote, changedRemark } from "./words.js";

describe("what changed after the run", () => {
  it("is told as a possibility: texts that were only added changed nothing that was audited", () => {
    expect(changedNote({ changed_since_run: ["rules", "precedents", "decisions"] })).toBe(
      "Rules, precedents and decisions were added or edited after this run; the report shows today's text.",
    );
    expect(changedNote({ changed_since_run: ["precedents", "decisions"] })).toContain("Precedents and decisions were");
    expect(changedRemark({ changed_since_run: ["rules"] }, "rules")).toMatch(/today's text/);
  });

  it("is not told of what did not change, or where nobody knows", () => {
    expect(changedRemark({ changed_since_run: ["rules"] }, "decisions")).toBeNull();
    for (const changed_since_run of [[], null]) {
      expect([changedNote({ changed_since_run }), changedRemark({ changed_since_run }, "rules")]).toEqual([null, null]);
    }
  });
});

describe("open decisions before and after", () => {
  const arm = (open: number, contradictions: number) =>
    ({ ambiguity_index: proportion(open + contradictions, 60), ambiguity_pure: proportion(open, 60) }) as never;
  const text = (n: number) => openChangeText({ arms: [arm(15, 2), arm(0, 4)], new_indefensible: { n, listed: [] } });

  it("are those that can go either way, not those whose opposite alone holds", () => {
    expect(text(0)).toBe("go from 15 of 60 (25%) to 0 of 60 (0%)");
  });

  it("stand beside those that become indefensible, where some do", () => {
    expect(text(2)).toBe("go from 15 of 60 (25%) to 0 of 60 (0%); 2 become indefensible");
    expect(text(1)).toMatch(/; 1 becomes indefensible$/);
  });
});

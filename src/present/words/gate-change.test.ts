import { describe, expect, it } from "vitest";
import { changedNote, changedRemark } from "./gate-change.js";

describe("what changed after the run", () => {
  it("is told as a possibility: texts that were only added changed nothing that was audited", () => {
    expect(changedNote({ changed_since_run: ["rules", "precedents", "decisions"] })).toBe(
      "The workspace's rules, precedents and decisions have changed since the run, if only because some were added. They stand here as they are now, which need not be what was audited.",
    );
    expect(changedNote({ changed_since_run: ["precedents", "decisions"] })).toContain("precedents and decisions have");
    expect(changedRemark({ changed_since_run: ["rules"] }, "rules")).toMatch(/need not be what the auditor read/);
  });

  it("is not told of what did not change, or where nobody knows", () => {
    expect(changedRemark({ changed_since_run: ["rules"] }, "decisions")).toBeNull();
    for (const changed_since_run of [[], null]) {
      expect([changedNote({ changed_since_run }), changedRemark({ changed_since_run }, "rules")]).toEqual([null, null]);
    }
  });
});

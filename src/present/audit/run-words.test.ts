import { describe, expect, it } from "vitest";
import { Remarks } from "../../app/audit/plan.js";
import type { Audit } from "../../core/records/audit.js";
import { causesText, progressParts } from "./run-words.js";

function audits(counts: Record<string, number>): Audit[] {
  return Object.entries(counts).flatMap(([code, count]) =>
    Array.from(
      { length: count },
      () => ({ outcome: "unscored", flags: [], error: { code, message: `so ${code}` } }) as unknown as Audit,
    ),
  );
}

function told(counts: Record<string, number>, all?: number): string {
  const remarks = new Remarks();
  remarks.note([...audits(counts), { outcome: "verdict", flags: [] } as unknown as Audit]);
  return causesText(remarks.causes, all ?? Object.values(counts).reduce((sum, count) => sum + count, 0));
}

describe("causesText", () => {
  it("names every cause with its count, the commonest first", () => {
    expect(told({ refused: 1, truncated: 2 })).toBe(
      "\n3 without a verdict: 2 × truncated, 1 × refused; for instance, truncated: so truncated",
    );
  });

  it("says alone why the only one has none", () => {
    expect(told({ refused: 1 })).toBe("\n1 without a verdict: so refused");
  });

  it("gathers what is beyond three, so that the counts add up", () => {
    const text = told({ a: 1, b: 2, c: 3, d: 4, e: 5 }, 17);
    expect(text).toContain("5 × e, 4 × d, 3 × c, 3 for other causes, 2 before this command");
    const sum = [...text.matchAll(/(\d+) (?:×|for|before)/g)].reduce((total, [, count]) => total + Number(count), 0);
    expect(sum).toBe(17);
  });

  it("counts an audit without a verdict that says no cause", () => {
    const remarks = new Remarks();
    remarks.note([{ outcome: "unscored", flags: [] } as unknown as Audit]);
    expect(causesText(remarks.causes, 1)).toBe("\n1 without a verdict: 1 × unscored");
  });

  it("says nothing where all have one", () => {
    expect(told({})).toBe("");
  });
});

describe("the progress of a run", () => {
  const usage = { input_tokens: 120_000, output_tokens: 9_000, cached_input_tokens: 0, cost_usd: 0.25 };

  it("shows verdicts with the mix of levels, unscored, errors, retries and cost, and leaves out what there is none of", () => {
    const live = { levels: [70, 20, 10] as [number, number, number], retries: 3 };
    expect(progressParts({ verdicts: 110, unscored: 2, errors: 1 }, usage, live).join(" · ")).toMatch(
      /^110 verdicts \(L1 70% L2 20% L3 10%\), 2 unscored, 1 error, 3 retries · \$0\.25 · 120k? ?\S* tokens in$/,
    );
    const none = { levels: [0, 0, 0] as [number, number, number], retries: 0 };
    expect(progressParts({ verdicts: 0, unscored: 0, errors: 0 }, undefined, none)).toEqual(["0 verdicts"]);
  });
});

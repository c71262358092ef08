import { describe, expect, it } from "vitest";
import { severalActions } from "../../core/records/actions.js";
import { derivableAlternatives, exactAgreement, type LabelledActions, severityDistance } from "./severity.js";

const { all = [] } = severalActions(["allow", "label", "limit", "remove", "ban"]);

const ROWS: LabelledActions[] = [
  { community: "a", decision: "remove", human: "remove", n: 6 },
  { community: "a", decision: "remove", human: "ban", n: 2 },
  { community: "b", decision: "allow", human: "ban", n: 1 },
  { community: "b", decision: "allow", human: "allow", n: 11 },
];

describe("agreement on the action itself", () => {
  it("counts what is exactly the same", () => {
    expect(exactAgreement(ROWS)).toMatchObject({ estimate: 17 / 20, k: 17, n: 20 });
  });

  it("is undefined without labels", () => {
    expect(exactAgreement([])).toEqual({ estimate: null, reason: "no verdict has a human label", n: 0 });
  });
});

describe("the distance in severity", () => {
  it("is the mean number of steps between decision and label", () => {
    const distance = severityDistance(ROWS, all);
    expect(distance.estimate).toBeCloseTo((2 * 1 + 1 * 4) / 20, 12);
    expect(distance.n).toBe(20);
  });

  it("is the same however rows are split, and stays between 0 and the greatest", () => {
    const split = ROWS.flatMap((row) => Array.from({ length: row.n }, () => ({ ...row, n: 1 })));
    expect(severityDistance(split, all).estimate).toBeCloseTo(severityDistance(ROWS, all).estimate!, 12);
    const far = severityDistance([{ community: "a", decision: "allow", human: "ban", n: 3 }], all);
    expect(far).toMatchObject({ estimate: 4, upper: 4 });
  });

  it("follows the severities that the workspace names", () => {
    const own = all.map((step) => ({ ...step, severity: step.name === "ban" ? 100 : step.severity }));
    expect(severityDistance(ROWS, own).estimate).toBeCloseTo((2 * 97 + 100) / 20, 12);
  });

  it("with severities 0 and 1 is 1 − accuracy", () => {
    const two = [
      { name: "approve", severity: 0 },
      { name: "remove", severity: 1 },
    ];
    const rows = [
      { community: "a", decision: "approve", human: "remove", n: 3 },
      { community: "a", decision: "approve", human: "approve", n: 7 },
    ];
    expect(severityDistance(rows, two).estimate).toBeCloseTo(0.3, 12);
  });

  it("is undefined without labels", () => {
    expect(severityDistance([], all).estimate).toBeNull();
  });
});

describe("alternatives that can be derived", () => {
  it("are k of n by the action that was decided, in the order of severity, with what has no verdict apart", () => {
    const pairs = derivableAlternatives(
      [
        { community: "b", decision: "ban", alternative: "remove", n: 4, derivable: 1, without_verdict: 0 },
        { community: "a", decision: "limit", alternative: "label", n: 3, derivable: 3, without_verdict: 1 },
        { community: "b", decision: "limit", alternative: "label", n: 1, derivable: 0, without_verdict: 0 },
        { community: "a", decision: "limit", alternative: "remove", n: 0, derivable: 0, without_verdict: 2 },
      ],
      all,
    );
    expect(pairs.map(({ decision, alternative }) => `${decision} ${alternative}`)).toEqual([
      "limit label",
      "limit remove",
      "ban remove",
    ]);
    expect(pairs[0]).toMatchObject({ derivable: { estimate: 0.75, k: 3, n: 4 }, without_verdict: 1 });
    expect(pairs[1]!.derivable.estimate).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { makeAudit, makeDecision } from "../../measures/decision.suite.js";
import { filterDecisions, NO_FILTERS } from "./decision-list.js";
import { judgedOf, judgedSentence, judgementOf } from "./decision-signal.js";

const gold = { level: 1, inverse: false, rule_ids: [], note: null } as const;
const label = { level: 3, inverse: null, rater: "r1" } as const;
const indefensible = makeAudit({ level: 3 });

describe("what others say of a decision", () => {
  it("is gold before a person's label, and never another auditor's", () => {
    const both = { gold: { ...gold, rule_ids: [] }, labels: [{ ...label, source: "human" }] };
    expect(judgedOf(both)).toEqual({ by: "gold", level: 1, inverse: false });
    expect(judgedOf({ ...both, gold: null })).toEqual({ by: "people", level: 3, inverse: null });
    expect(judgedOf({ gold: null, labels: [{ ...label, source: "auditor" }] })).toBeNull();
  });

  it("contradicts the auditor where one finds it defensible and the other does not", () => {
    const made = (id: string, parts: object) => makeDecision({ id, audit: indefensible, ...parts });
    const decisions = [
      made("other", { gold: { ...gold, rule_ids: [] } }),
      made("same", { labels: [{ ...label, source: "human" }] }),
      made("unknown", {}),
      made("unscored", { gold: { ...gold, rule_ids: [] }, audit: makeAudit({ outcome: "error", level: null }) }),
    ];
    expect(decisions.map(judgementOf)).toEqual(["contradicts", "confirms", "none", "none"]);
    const found = filterDecisions(decisions, { ...NO_FILTERS, judged: "contradicts" });
    expect(found.map(({ id }) => id)).toEqual(["other"]);
    expect(decisions.map(judgedSentence)).toEqual([
      "Gold contradicts the auditor: level 1, robustly defensible.",
      null,
      null,
      null,
    ]);
  });
});

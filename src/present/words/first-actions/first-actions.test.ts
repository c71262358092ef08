import { describe, expect, it } from "vitest";
import type { Report } from "../../../core/results/report.js";
import { makeAudit, makeDecision } from "../../../measures/decision.suite.js";
import { compareAgainst } from "../../../measures/metrics/against.js";
import {
  BOTH,
  type Decisions,
  MISSED,
  makeReport,
  makeReportPage,
  makeRule,
  NEITHER,
} from "../../../measures/report.suite.js";
import type { ReportPage } from "../../../measures/report-page.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import { sentenceText, valueAt } from "../sentence.js";
import { firstActions, MOST_ACTIONS } from "./first-actions.js";

/** Verdicts with probabilities. */
const PROBABLE: Partial<Report> = { defensibility_index_soft: proportion(190, 200) };
const CALM: Partial<Report> = { gate: {} as never, calibration: {} as never };

function actionsOf(of: readonly Decisions[], parts: Partial<Report> = {}) {
  const page = makeReportPage(makeReport(of, parts));
  return firstActions(page).map((action) => {
    for (const part of action.why) {
      if (typeof part === "object" && "at" in part) expect(valueAt(page, part.at), part.at).toBeTypeOf("number");
    }
    return { ...action, text: sentenceText(page, action.why) };
  });
}
const ids = (...args: Parameters<typeof actionsOf>) => actionsOf(...args).map(({ id }) => id);
const only = (id: string, ...args: Parameters<typeof actionsOf>) => actionsOf(...args).find((one) => one.id === id);

describe("what to do first", () => {
  it("is nothing where the numbers can be relied on and no finding asks for an answer", () => {
    expect(actionsOf([{ ...BOTH, n: 200 }], CALM)).toEqual([]);
  });

  it("begins with what keeps the numbers from being trusted", () => {
    const run = { run_id: "r", status: "open" as const, planned: 900, auditor: "baseline" };
    const counts = { attempted: 220, verdicts: 200, unscored: 5, errors: 15, no_rules: 0 };
    const found = actionsOf([{ ...BOTH, n: 200 }], { ...CALM, run, counts });
    expect(found.map(({ id }) => id)).toEqual(["real-auditor", "finish-run"]);
    expect(found[0]!.text).toContain("All 200 verdicts come from the built-in baseline");
    expect(found[1]!.text).toContain("220 audits of 900 planned are done");
    expect(ids([{ ...BOTH, n: 9 }], { ...CALM, run: { run_id: "r", auditor: "simulated:columns" } })).toEqual([
      "real-auditor",
    ]);
  });

  it("asks again where audits failed, unless they are too few to move anything", () => {
    const counts = { attempted: 220, verdicts: 200, unscored: 5, errors: 15, no_rules: 0 };
    const retry = only("retry", [{ ...BOTH, n: 200 }], { ...CALM, counts })!;
    expect(retry.command).toBe("defensible audit --retry-errors");
    expect(retry.link).toMatchObject({ view: "review", query: { reason: "not_scored" } });
    expect(retry.text).toContain("Of 220 audits 15 ended in an error and 5 without a verdict");
    const unread = { attempted: 210, verdicts: 200, unscored: 10, errors: 0, no_rules: 0 };
    expect(only("retry", [{ ...BOTH, n: 200 }], { ...CALM, counts: unread })!.command).toBeUndefined();
    const few = { attempted: 1_001, verdicts: 1_000, unscored: 0, errors: 1, no_rules: 0 };
    expect(ids([{ ...BOTH, n: 1_000 }], { ...CALM, counts: few })).toEqual([]);
  });

  it("points at content that speaks to the auditor and at citations that stand nowhere", () => {
    const signals = { ...makeReport([]).signals, grounded_citations: proportion(80, 100) };
    const found = actionsOf([{ ...BOTH, n: 100 }], { ...CALM, signals, flags: { injection_suspected: 4 } });
    expect(found.map(({ id }) => id)).toEqual(["injections", "citations"]);
    expect(found[0]!.text).toContain("The content of 4 decisions");
    expect(found[0]!.link!.query).toEqual({ reason: "injection_suspected" });
    const grounded = { ...signals, grounded_citations: proportion(95, 100) };
    expect(ids([{ ...BOTH, n: 100 }], { ...CALM, signals: grounded })).toEqual([]);
  });

  it("orders findings by the decisions they concern, each with its number and its place", () => {
    const found = actionsOf(
      [
        { ...BOTH, n: 100 },
        { ...BOTH, n: 9, level: 3 },
        { ...MISSED, n: 12, level: 3 },
        { ...MISSED, n: 5 },
        { ...NEITHER, n: 100, community: "film-club" },
      ],
      CALM,
    );
    const order = ["community", "decider-errors", "agreed-indefensible", "unwritten-norms"];
    expect(found.map(({ id }) => id)).toEqual(order);
    expect(found[0]).toMatchObject({ link: { view: "automation", about: ["community", "pottery"] } });
    expect(found[0]!.text).toContain("leaves 21 decisions that no rule supports");
    expect(found[1]!.text).toContain("In 12 of 17 disagreements");
    expect(found[1]!.link!.query).toEqual({ agreement: "disagrees", level: "3" });
    expect(found[2]!.text).toContain("9 of 226 labelled decisions");
    expect(found[3]!.text).toContain("In 5 of 17 disagreements");
  });

  it("names the rule with most verdicts that are open both ways, and not one whose decisions are merely wrong", () => {
    const rules = [
      makeRule([{ n: 30, level: 3, inverse: true }], { rule_id: "R1" }),
      makeRule([{ n: 8, level: 2, inverse: true }, { n: 20 }], { rule_id: "R2", title: "Be \u202ekind" }),
      makeRule([{ n: 4, level: 2, inverse: true }], { rule_id: "R3" }),
      makeRule([{ n: 6, level: 2, inverse: true }], { scope: "platform", community: null, rule_id: "P1", title: null }),
    ];
    const found = actionsOf([{ ...BOTH, n: 200 }], { ...CALM, rules });
    expect(found.map(({ id, title }) => [id, title])).toEqual([
      ["rule-1", "Clarify rule R2 (Be [U+202E]kind) of pottery"],
      ["rule-3", "Revise rule P1 of the platform"],
    ]);
    expect(found[0]!.link).toMatchObject({ view: "rules", about: ["community", "pottery", "R2"] });
    expect(found[1]!.link).toMatchObject({ view: "rules", about: ["platform", "-", "P1"] });
    expect(found[0]!.text).toContain("Of 28 verdicts that cite it, 8 could have gone either way");
  });

  it("checks the auditor instead of the rule where people decide its open cases alike", () => {
    const open = { level: 2, inverse: true } as const;
    const alike = [
      { ...open, n: 19, humanPositive: false },
      { ...open, n: 1, humanPositive: true },
    ];
    const parts = { rule_id: "R2", title: null };
    const action = (of: Decisions[]) => actionsOf([{ ...BOTH, n: 200 }], { ...CALM, rules: [makeRule(of, parts)] })[0]!;
    expect(action(alike)).toMatchObject({ id: "auditor-0", title: "Check the auditor on rule R2 of pottery" });
    expect(action(alike).text).toContain(
      "20 could have gone either way, but people decided 19 of the 20 labelled ones alike",
    );
    // Labels of decisions that are not open both ways say nothing about it.
    const settled: Decisions[] = [
      { ...open, n: 9, humanPositive: false },
      { n: 40, level: 3, inverse: true, humanPositive: false },
      { n: 40, level: 1, inverse: false, humanPositive: false },
    ];
    expect(action(settled).id).toBe("rule-0");
  });

  it("keeps a place for a rule and one for what is lacking, however long the list", () => {
    const rules = [makeRule([{ n: 6, level: 2, inverse: true }])];
    const run = { run_id: "r", auditor: "baseline", status: "open" as const };
    const found = ids(
      [
        { ...BOTH, n: 100 },
        { ...BOTH, n: 19, level: 3 },
        { ...MISSED, n: 12, level: 3 },
        { ...MISSED, n: 15 },
        { ...NEITHER, n: 100, community: "film-club" },
      ],
      { rules, run },
    );
    expect(found).toEqual(["real-auditor", "finish-run", "community", "agreed-indefensible", "rule-0", "gate"]);
    expect(found).toHaveLength(MOST_ACTIONS);
  });

  it("says what the workspace lacks, and asks nothing of a file that has no workspace", () => {
    expect(ids([{ n: 200, humanPositive: null }], PROBABLE)).toEqual(["gate", "calibrate", "label"]);
    const file = actionsOf([{ n: 200, humanPositive: null }], { run: { run_id: null, source: "audits.csv" } });
    expect(file.map(({ id, command }) => [id, command])).toEqual([["label", undefined]]);
    expect(file[0]!.text).toContain("human_label");
    expect(ids([])).toEqual(["first-audit"]);
  });

  it("asks for no calibration of a run without probabilities", () => {
    expect(ids([{ ...BOTH, n: 200 }], PROBABLE)).toContain("calibrate");
    expect(ids([{ ...BOTH, n: 200 }])).toEqual(["gate"]);
  });

  it("asks for no gate where no community has enough decisions, or none would pass", () => {
    expect(ids([{ ...BOTH, n: 24 }])).toEqual([]);
    expect(ids([{ ...BOTH, n: 60 }])).toContain("gate");
    const poor: Decisions[] = [
      { ...BOTH, n: 60 },
      { ...BOTH, n: 60, level: 3 },
    ];
    expect(ids(poor)).not.toContain("gate");
    expect(ids([...poor, { ...BOTH, n: 300, community: "film-club" }])).toContain("gate");
  });

  it("asks for no gate and no calibration where a report on one cohort only leaves them out", () => {
    const run = { run_id: "r", status: "open" as const, planned: 900, cohort: "half" };
    const found = actionsOf([{ ...BOTH, n: 200 }], { run });
    expect(found.map(({ id }) => id)).toEqual(["finish-run"]);
    // 900 were planned of the whole run.
    expect(found[0]!.text).toContain("200 audits are done");
  });

  describe("says what gold confirms", () => {
    const OF: Decisions[] = [
      { ...BOTH, n: 90 },
      { ...BOTH, n: 4, level: 3 },
    ];
    const goldOf = (level: 1 | 2 | 3, inverse = false, rule_ids: string[] = []) => ({
      level,
      inverse,
      rule_ids,
      note: null,
    });
    const decisions = [goldOf(3), goldOf(3), goldOf(1), null].map((gold, i) =>
      makeDecision({ id: `d${i}`, gold, audit: makeAudit({ level: 3 }) }),
    );
    const why = (id: string, parts: Partial<ReportPage>, more: Partial<Report> = {}) => {
      const page = makeReportPage(makeReport(OF, { ...CALM, ...more }), parts);
      return sentenceText(page, firstActions(page).find((action) => action.id === id)!.why);
    };
    const agreed = (parts: Partial<ReportPage>, more: Partial<Report> = {}) => why("agreed-indefensible", parts, more);

    it("of decisions that it sends to review", () => {
      expect(agreed({ decisions })).toMatch(/successes\. Reference annotations, known for 3 of them, confirm 2\.$/);
      expect(agreed({ decisions: [] })).toMatch(/successes\.$/);
    });

    it("whatever part of them the page lists: by the report's own count, else not at all", () => {
      const listed = decisions.slice(0, 1);
      expect(agreed({ decisions: listed, decisions_of: 94 })).toMatch(/successes\.$/);
      const pairs = [3, 1, 1, 1].map((targetLevel) => ({
        level: 3,
        targetLevel,
        inverse: false,
        targetInverse: false,
        indefensibleScore: null,
        disagrees: false,
      }));
      const against = compareAgainst("gold", pairs);
      expect(agreed({ decisions: listed, decisions_of: 94 }, { against })).toMatch(
        /Reference annotations, known for 4 of them, confirm 1: look at them before acting\.$/,
      );
    });

    it("of decisions that a rule leaves open", () => {
      const rules = [makeRule([{ n: 5, level: 2, inverse: true }], { rule_id: "R3" })];
      const golds = [goldOf(1), goldOf(2, true), goldOf(3), goldOf(1, true, ["R1"]), goldOf(1, true, ["R1", "R3"])];
      const open = golds.map((gold, i) => {
        const audit = makeAudit({ level: 2, inverse: true });
        return makeDecision({ id: `r${i}`, community: "pottery", gold, audit });
      });
      expect(why("rule-0", { decisions: open }, { rules })).toMatch(
        /both outcomes\. Reference annotations, known for 5 of them, call 2 open under this rule: look at them before acting\.$/,
      );
      expect(why("rule-0", { decisions: open.slice(1) }, { rules })).toMatch(/both outcomes\.$/);
    });
  });

  it("asks for the rules behind open decisions where no rule can be named", () => {
    const [open] = actionsOf([{ ...BOTH, n: 100, level: 2, inverse: true }], CALM);
    expect(open).toMatchObject({ id: "open-both-ways", link: { query: { level: "defensible", inverse: "yes" } } });
    expect(open!.text).toContain("100 of 100 verdicts could have gone either way, and no single rule has 5 of them");
    expect(
      ids(
        [
          { ...BOTH, n: 100 },
          { ...BOTH, n: 5, level: 2, inverse: true },
        ],
        CALM,
      ),
    ).toEqual([]);
  });

  it("gives no command to whoever has a file of audits and no workspace", () => {
    const counts = { attempted: 220, verdicts: 200, unscored: 5, errors: 15, no_rules: 0 };
    const run = { run_id: null, source: "a.csv", auditor: "baseline" };
    const found = actionsOf([{ ...BOTH, n: 200 }], { counts, run });
    expect(found.map(({ id, command }) => [id, command])).toEqual([
      ["real-auditor", undefined],
      ["retry", undefined],
    ]);
  });

  it("speaks of one decision in the singular", () => {
    const run = { run_id: "r", auditor: "baseline" };
    const text = actionsOf([{ ...BOTH, n: 1, level: 3 }], { ...CALM, run }).map((action) => action.text);
    expect(text[0]).toContain("The one verdict comes from the built-in baseline");
    expect(text[1]).toBe("It is the only labelled decision, and every measure of agreement counts it as a success.");
    expect(actionsOf([{ ...MISSED, n: 1, level: 3 }], CALM)[0]!.text).toContain("In the one disagreement with people");
  });

  it("leads to no list of decisions where the page has none", () => {
    const page = makeReportPage(
      makeReport(
        [
          { ...BOTH, n: 90 },
          { ...MISSED, n: 9, level: 3, community: "film-club" },
        ],
        CALM,
      ),
    );
    expect(firstActions(page).map(({ link }) => link?.view)).toEqual(["automation", "review"]);
    expect(firstActions({ ...page, decisions_of: null }).map(({ link }) => link?.view)).toEqual([
      "automation",
      undefined,
    ]);
  });
});

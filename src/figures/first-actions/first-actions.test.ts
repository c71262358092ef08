import { describe, expect, it } from "vitest";
import type { Report } from "../../domain/report.js";
import { proportion } from "../../stats/proportion.js";
import { makeAudit, makeDecision } from "../decision.suite.js";
import { valueAt } from "../pointer.js";
import { BOTH, type Decisions, MISSED, makeReport, makeReportPage, makeRule, NEITHER } from "../report.suite.js";
import type { ReportPage } from "../report-page.js";
import { sentenceText } from "../sentence.js";
import { firstActions, MOST_ACTIONS } from "./first-actions.js";

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
    const run = { run_id: "r", status: "open", planned: 900, auditor: "baseline" };
    const counts = { attempted: 220, verdicts: 200, unscored: 5, errors: 15 };
    const found = actionsOf([{ ...BOTH, n: 200 }], { ...CALM, run, counts });
    expect(found.map(({ id }) => id)).toEqual(["real-auditor", "finish-run"]);
    expect(found[0]!.text).toContain("All 200 verdicts come from the built-in baseline");
    expect(found[1]!.text).toContain("220 audits of 900 planned are done");
    expect(ids([{ ...BOTH, n: 9 }], { ...CALM, run: { run_id: "r", auditor: "simulated:columns" } })).toEqual([
      "real-auditor",
    ]);
  });

  it("asks again where audits failed, unless they are too few to move anything", () => {
    const counts = { attempted: 220, verdicts: 200, unscored: 5, errors: 15 };
    const retry = only("retry", [{ ...BOTH, n: 200 }], { ...CALM, counts })!;
    expect(retry).toMatchObject({ command: "defensible audit --retry-errors", decisions: 20 });
    expect(retry.link).toMatchObject({ view: "decision", query: { reason: "not_scored" } });
    expect(retry.text).toContain("Of 220 audits 15 ended in an error and 5 without a verdict");
    const unread = { attempted: 210, verdicts: 200, unscored: 10, errors: 0 };
    expect(only("retry", [{ ...BOTH, n: 200 }], { ...CALM, counts: unread })!.command).toBeUndefined();
    const few = { attempted: 1_001, verdicts: 1_000, unscored: 0, errors: 1 };
    expect(ids([{ ...BOTH, n: 1_000 }], { ...CALM, counts: few })).toEqual([]);
  });

  it("points at content that speaks to the auditor and at citations that stand nowhere", () => {
    const signals = { ...makeReport([]).signals, grounded_citations: proportion(80, 100) };
    const found = actionsOf([{ ...BOTH, n: 100 }], { ...CALM, signals, flags: { injection_suspected: 4 } });
    expect(found.map(({ id, decisions }) => [id, decisions])).toEqual([
      ["injections", 4],
      ["citations", 20],
    ]);
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
    expect(found.map(({ id, decisions }) => [id, decisions])).toEqual([
      ["community", 21],
      ["decider-errors", 12],
      ["agreed-indefensible", 9],
      ["unwritten-norms", 5],
    ]);
    expect(found[0]).toMatchObject({ link: { view: "community", about: ["pottery"] } });
    expect(found[0]!.text).toContain("leaves 21 decisions that no rule carries");
    expect(found[1]!.text).toContain("In 12 of 17 disagreements");
    expect(found[1]!.link!.query).toEqual({ agreement: "disagrees", level: "3" });
    expect(found[2]!.text).toContain("9 of 226 labelled decisions");
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

  it("keeps a place for a rule and one for what is lacking, however long the list", () => {
    const rules = [makeRule([{ n: 6, level: 2, inverse: true }])];
    const run = { run_id: "r", auditor: "baseline", status: "open" };
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
    expect(ids([{ n: 200, humanPositive: null }])).toEqual(["gate", "calibrate", "label"]);
    const file = actionsOf([{ n: 200, humanPositive: null }], { run: { run_id: null, source: "audits.csv" } });
    expect(file.map(({ id, command }) => [id, command])).toEqual([["label", undefined]]);
    expect(file[0]!.text).toContain("human_label");
    expect(ids([])).toEqual(["first-audit"]);
  });

  it("says how many of the decisions that it sends to review gold confirms", () => {
    const page = makeReportPage(
      makeReport(
        [
          { ...BOTH, n: 90 },
          { ...BOTH, n: 3, level: 3 },
        ],
        CALM,
      ),
    );
    const gold = (level: 1 | 3) => ({ level, inverse: false, rule_ids: [], note: null });
    const decisions = [gold(1), gold(3), gold(1), null].map((one, i) =>
      makeDecision({ id: `d${i}`, gold: one, audit: makeAudit({ level: 3 }) }),
    );
    const why = (parts: Partial<ReportPage>) => {
      const action = firstActions({ ...page, ...parts }).find(({ id }) => id === "agreed-indefensible")!;
      return sentenceText(page, action.why);
    };
    expect(why({ decisions })).toMatch(/successes\. Gold, known of 3 of them, confirms 1\.$/);
    expect(why({ decisions: [] })).toMatch(/successes\.$/);
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
    expect(firstActions(page).map(({ link }) => link?.view)).toEqual(["community", "decision"]);
    expect(firstActions({ ...page, decisions_of: null }).map(({ link }) => link?.view)).toEqual([
      "community",
      undefined,
    ]);
  });
});

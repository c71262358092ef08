import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scoreFrontier } from "../../measures/gate/frontier.js";
import { areaUnderRiskCoverage } from "../../measures/gate/selective/aurc.js";
import { learnThenTest } from "../../measures/gate/selective/learn-then-test.js";
import { groupScores } from "../../measures/gate/selective/score-groups.js";
import { sliceReport } from "../../measures/gate/slices.js";
import { FROM_HERE } from "../../measures/metrics/judge/correct-by-cell.js";
import { auditedIndex, emptyJudgeCounts, humanIndex, judgeIndex } from "../../measures/metrics/judge/counts.js";
import { judgeError } from "../../measures/metrics/judge/judge-error.js";
import { displayWidth } from "../../text/printable.js";
import { cohort, gateReport } from "../document/gate-report.suite.js";
import { renderMarkdown, renderTerminal } from "../document/render.js";
import { gateDocument } from "./gate-document.js";
import { gateWords } from "./gate-words.js";

/** Ten labelled verdicts of level 3, of which people confirm some; other labels; and 200 verdicts without one. */
function judged(agreed: number, confirmed: number, inverse: boolean | null = false) {
  const counts = emptyJudgeCounts("calm");
  const add = (verdict: 1 | 3, label: 1 | 3, n: number) => {
    counts.labelled[judgeIndex(auditedIndex(verdict, verdict === 3), humanIndex(label, inverse))]! += n;
  };
  add(1, 1, agreed);
  add(3, 3, confirmed);
  add(3, 1, 10 - confirmed);
  counts.rest[auditedIndex(1, false)] = 200;
  return counts;
}

function slice(name: string, value: string, n: number, indefensible: number, automated = n) {
  return { slice: name, value, n, indefensible, inverse_yes: 0, automated, automated_indefensible: 0 };
}

const FLEET = [cohort("calm", 400, 3, 8), cohort("rough", 200, 60), cohort("open", 150, 2, 60), cohort("few", 10, 0)];
const text = (report: ReturnType<typeof gateReport>) => renderTerminal(gateDocument(report), { width: 100 });
const flat = (report: ReturnType<typeof gateReport>) => text(report).replace(/\s+/g, " ");

describe("the gate in words", () => {
  it("says in two sentences who passes and what that would have let through", () => {
    expect(flat(gateReport(FLEET))).toContain(
      "1 of 3 communities with at least 25 audited decisions passes the cautious gate (defensibility at least 90%, ambiguity at most 15%): 53% of all decisions. No rule supports 3 of these 400 (1%), against 65 of 750 (9%) without a gate.",
    );
  });

  it("puts both reductions beside what chance would give, and the paper's states beside their means", () => {
    const told = flat(gateReport(FLEET));
    expect(told).toContain("Standard * 99.3% 2.8% 3 of 400 0.8% 95.4% 46.7% 91.3%");
    expect(told).toContain("policy gaps 1 200 70.0% 30.0%");
    expect(told).toContain("normative complexity 1 150 98.7% 41.3%");
  });

  it("says on how many threads a certificate rests only where a community passes", () => {
    expect(flat(gateReport(FLEET, { mode: "certified" }))).toContain(
      "It rests on 750 decisions, each a thread of its own because none has a thread_id.",
    );
    const none = flat(gateReport([cohort("few", 10, 0)], { mode: "certified" }));
    expect(none).toContain("A pass of the proven gate says:");
    expect(none).toContain("proven gate (mode certified)");
    expect(none).not.toContain("It rests on");
  });

  it("draws the frontier with the gate and its knee", () => {
    const fleet = Array.from({ length: 12 }, (_, i) => cohort(`c${i}`, 100, i < 8 ? Math.floor(i / 2) : 3 * i, 2));
    const picture = text(gateReport(fleet))
      .split("\n")
      .filter((line) => line.includes("│"));
    expect(picture).toHaveLength(10);
    expect(picture.join("").match(/[oKG]/g)!.length).toBeGreaterThan(2);
    expect(picture.join("")).toContain("K");
  });

  it("has an answer for an empty fleet, for no verdict and for too few", () => {
    expect(flat(gateReport([]))).toContain("There is no audit to judge by");
    expect(flat(gateReport([{ ...cohort("a", 0, 0), unscored: 7 }]))).toContain("No audit has a verdict (7 audited)");
    expect(flat(gateReport([cohort("a", 3, 0)]))).toContain("The only community has 3 of the 25 audited decisions");
    for (const fleet of [[], [cohort("a", 0, 0)], [cohort("a", 3, 0)], [cohort("a", 30, 30)]]) {
      expect(text(gateReport(fleet))).not.toMatch(/NaN|undefined|Infinity|null/);
    }
  });

  it("tells suspensions and the kill switch before everything else", () => {
    const report = gateReport(FLEET);
    report.communities[0]!.suspended = { since: "2026-01-01", reason: "Alarm: more of it." };
    report.closed = { since: "2026-01-02", reason: "wrong rules" };
    const told = flat(report);
    expect(told).toContain("1 community is suspended after an alarm");
    expect(told).toContain("Every gate is closed since 2026-01-02 (wrong rules)");
    expect(told).toMatch(/calm [\d,]+ [\d.]+% [\d.]+% suspended Alarm: more of it\. It is automated again when/);
  });

  it("lets no name of a community do harm in a terminal or in Markdown", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (name) => {
        const report = gateReport([cohort(name, 100, 1), cohort(`${name}2`, 100, 50)]);
        report.communities[1]!.suspended = { since: name, reason: name };
        const terminal = text(report);
        expect(terminal.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(terminal.isWellFormed()).toBe(true);
        const markdown = renderMarkdown(gateDocument(report));
        expect(markdown).not.toMatch(/<(?!br)[a-z/!]/i);
      }),
      { numRuns: 40 },
    );
  });

  it("fits a terminal of 80 columns without cutting names short", () => {
    const fleet = FLEET.map((one) => ({ ...one, key: `community-${one.key}-long`.padEnd(20, "x"), n: 100 * one.n }));
    for (const variable of ["ai", "ai_pure"] as const) {
      const report = gateReport(fleet, { limits: { di: 0.9, ai: 0.15, min_decisions: 25, variable } });
      report.communities[0]!.suspended = { since: "2026-01-01", reason: "Alarm." };
      report.judge_error = judgeError([judged(40, 7)]);
      report.slices = sliceReport(
        ["a rather long value of it", "another"].map((value, i) => slice("property", value, 100, 10 * i)),
      );
      const lines = renderTerminal(gateDocument(report), { width: 80 }).split("\n");
      expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
      expect(lines.filter((line) => line.includes("community-calm-long")).length).toBeGreaterThanOrEqual(3);
    }
  });

  it("says of a watch that kept nothing what would be", () => {
    const report = gateReport(FLEET);
    report.communities[0]!.suspended = { since: "2026-01-01", reason: "Alarm: more of it." };
    report.watch = {
      rows: 400,
      rows_in_all: 400,
      runs: [],
      open_runs: [],
      communities: 3,
      promise: "few false alarms",
      events: [{ type: "suspended", community: "calm", at: null, text: "Alarm: more of it.", remedy: "Look." }],
      named: [],
      notes: ["Versions alternate in calm."],
      kept: false,
    };
    const dry = flat(report);
    expect(dry).toContain("Versions alternate in calm.");
    expect(dry).toContain("1 community would be suspended after an alarm");
    expect(dry).toContain("Would be suspended. Alarm: more of it.");
    expect(dry).not.toMatch(/is suspended after|The next --watch goes on/);
    report.watch.kept = true;
    expect(flat(report)).toContain("1 community is suspended after an alarm");
  });

  it("judges Moderate and Standard by the mode that counts, and says what the observed rates would", () => {
    const fleet = [cohort("a", 2000, 20), cohort("b", 2000, 30), cohort("c", 100, 10), cohort("d", 100, 9)];
    const seen = gateReport(fleet, { mode: "paper" });
    const shrunk = gateReport(fleet, { mode: "shrunk" });
    const [moderate, standard] = ["Moderate", "Standard"].map(
      (name) => shrunk.scenarios.find((row) => row.name === name)!.passing,
    );
    expect(moderate).not.toBe(standard);
    expect(flat(seen)).toContain(
      "By the observed rates, Moderate (85%) and Standard (90%) admit the same, as in the paper.",
    );
    expect(flat(shrunk)).toContain(
      `as in the paper; for the cautious gate Moderate admits ${moderate} and Standard ${standard}.`,
    );
  });

  it("says whose verdicts advice rests on, and that a gate which nothing passes automates nothing", () => {
    const report = gateReport([cohort("rough", 90, 20)], { mode: "certified" });
    report.evidence.auditor = "baseline:5";
    report.in_force = { status: "what_if", text: "Only a look." } as NonNullable<typeof report.in_force>;
    for (const verbose of [true, false]) {
      const words = renderTerminal(gateDocument(report, { verbose })).replace(/\s+/g, " ");
      expect(words).toContain("audit with a language model before acting on this");
      expect(words).toContain("Only a look. This gate would automate nothing, because no community passes.");
    }
    report.evidence.auditor = "openai:gpt-4.1-mini";
    expect(renderTerminal(gateDocument(report))).not.toContain("baseline");
  });

  it("fits one screen where nothing passes: why, the most frequent reason first, and one next step", () => {
    const fleet = Array.from({ length: 12 }, (_, i) =>
      cohort(`community-${i}`, 60 + i, i < 8 ? 12 : 1, i < 4 ? 30 : 0),
    );
    const report = gateReport([...fleet, cohort("calm", 40, 0), cohort("few", 3, 0)], { mode: "certified" });
    report.flip_control = null;
    const short = (rows?: number) =>
      renderTerminal(gateDocument(report, { verbose: false, ...(rows ? { rows } : {}) }), { width: 80 });
    expect(short().split("\n").length).toBeLessThanOrEqual(24);
    const words = short().replace(/\s+/g, " ");
    expect(words).toContain(
      "blocked by communities verdicts the largest DI too low, ambiguity too high 8 508 community-7 and 7 more within limits, not certain 5 318 community-11 and 4 more",
    );
    expect(words).toContain("fewer than 25 verdicts 1 3 few");
    expect(words).toMatch(/Next, in community-7 \(67 verdicts\): Retrain or replace the decider: in 12 of 12 /);
    expect(words.match(/Next, in/g)).toHaveLength(1);
    expect(words).toContain("--rows 15 lists the next steps of all 14 communities, --verbose");
    expect(short(3).replace(/\s+/g, " ")).toMatch(
      /What to do next .* community-11 71 .* 11 communities more in the JSON/,
    );
    const two = gateReport([cohort("calm", 60, 4), cohort("rough", 90, 20)], { mode: "certified" });
    expect(renderTerminal(gateDocument(two, { verbose: false })).replace(/\s+/g, " ")).toContain(
      "community verdicts DI amb. blocked by rough 90 77.8% 22.2% DI too low, ambiguity too high calm 60 93.3% 6.7% within limits, not certain Next, in rough",
    );
    report.communities.find(({ community }) => community === "calm")!.suspended = {
      since: "2026-01-01",
      reason: "Alarm: more of it.",
    };
    expect(short().replace(/\s+/g, " ")).toContain("suspended after an alarm 1 40 calm");
  });

  it("says why a section has nothing to show", () => {
    const nobody = flat(gateReport([cohort("a", 100, 60), cohort("b", 100, 50)]));
    expect(nobody).toContain("No community passes any pair of limits on the grid (DI 70 to 100%, ambiguity 0 to 40%)");
    const report = gateReport([cohort("a", 100, 60)]);
    report.selective = {} as never;
    report.selection = { thresholds: {} } as never;
    expect(flat(report)).toContain("No community passes the cautious gate, so there is nothing to automate by score.");
  });

  it("says on which decisions, by whose word and against which limit it automates by score", () => {
    const groups = groupScores(
      Float64Array.from({ length: 100 }, (_, i) => 0.5 + i / 250),
      Uint8Array.from({ length: 100 }, (_, i) => (i === 3 ? 1 : 0)),
    );
    const result = learnThenTest(groups, { risk: 0.1, delta: 0.05 });
    const report = gateReport(FLEET);
    report.score_frontier = scoreFrontier(Float64Array.of(0.95, 0.4), Uint8Array.of(0, 1));
    expect(flat(report)).toContain("none was found that fits these audits");
    report.selective = {
      score: "p_calibrated",
      calibration_id: "cal-1",
      method: "learn_then_test",
      risk: 0.1,
      delta: 0.05,
      threshold: result.threshold,
      reason: null,
      n: 100,
      by_community: {},
    };
    report.selection = {
      labels: { kind: "human", source: "labels.jsonl", n: 100, circular: false },
      rows: 100,
      rows_in_all: 400,
      automated: 90,
      thread_cap: null,
      split: null,
      thresholds: { pooled: result, by_community: {}, withheld: [], by_decision: null },
      aurc: areaUnderRiskCoverage(groups),
      coverage_at_risk: [],
      curve: [],
      notes: [],
    };
    const told = flat(report);
    expect(told).toContain(
      "What counts as indefensible here is said by labels by people (labels.jsonl), on only the 100 decisions of 400 in these communities that have one. The limit of 10.0% follows from DI ≥ 90%; --risk sets another.",
    );
    expect(told).toContain("Calibration cal-1 was found and used");
    expect(told).toMatch(/all together +0\.\d+ /);
    const [pooled, none] = [result, learnThenTest(groups, { risk: 0.01, delta: 0.05 })];
    const set = { by_community: {}, withheld: [] };
    report.selection.thresholds.by_decision = {
      restricting: { ...set, pooled: none },
      other: { ...set, pooled },
    };
    const parted = flat(report);
    expect(parted).toMatch(
      /restricting decisions +none .* other decisions +0\.\d+ .* No threshold for restricting decisions: /,
    );
    expect(parted).not.toContain("all together");
    report.selection.split = { share: 0.5, seed: 1, by_thread: false, min_decisions: 13, chosen: 3, withheld: 1 };
    expect(flat(report)).toContain(
      "on 100 decisions that had no part in choosing the communities and have one. 3 communities were chosen on the other half (a hash of the decision says which; at least 13 decisions each). 1 community that passes on all decisions but not there has no threshold: all their decisions go to review.",
    );
    report.selection.split.chosen = 0;
    expect(flat(report)).toContain("No community passes on the half of the decisions that chooses communities");
    report.selection.split = null;
    report.risk = 0.03;
    report.selection.labels.kind = "self";
    report.selection.rows_in_all = 100;
    expect(flat(report)).toMatch(
      /said by the auditor's own verdicts .* on all 100 decisions .* The limit of 3.0% was set by itself/,
    );
  });

  it("puts what people said of level-3 verdicts before the advice, the harder the fewer they confirmed", () => {
    const report = gateReport(FLEET);
    report.judge_error = judgeError([judged(30, 7)]);
    expect(flat(report)).toContain(
      "What to do next ─────────────── People confirmed 7 of 10 labelled level-3 verdicts. The advice below rests on",
    );
    report.judge_error = judgeError([judged(30, 2)]);
    expect(flat(report)).toContain("People confirmed 2 of 10 labelled level-3 verdicts, fewer than half: the auditor");
  });

  it("explains the bound, and Rogan–Gladen only where the table has it", () => {
    const report = gateReport(FLEET);
    report.judge_error = judgeError([judged(40, 7)]);
    expect(flat(report)).toContain("Rogan–Gladen corrects by");
    expect(flat(report)).toContain("may lie inside the interval next to it");
    const { fleet } = report.judge_error;
    for (const rate of [
      fleet.indefensible_rate,
      fleet.ambiguity_index,
      fleet.ambiguity_pure,
      fleet.defensibility_index,
    ]) {
      rate.rogan_gladen = { estimate: null, reason: FROM_HERE, n: 40 };
    }
    expect(flat(report)).not.toContain("Rogan–Gladen");
  });

  it("says of a calibration that failed its check that its score is no probability", () => {
    expect(gateWords().note({ code: "not_calibrated", error: 0.1765, limit: 0.1713 })).toMatch(
      /failed its check: predicted and observed rates differ by 17\.6 points, and chance explains at most 17\.1 points\./,
    );
  });

  it("tells why people's labels correct nothing, and every warning that the JSON has", () => {
    const report = gateReport(FLEET);
    report.judge_error = judgeError([judged(40, 7, null)]);
    expect(flat(report)).toContain(
      "Note: ambiguity, pure ambiguity: not corrected, because 0 of 50 labels answer the inverse check; at least 30 are needed.",
    );
    report.judge_error = judgeError([judged(40, 7)]);
    const { warnings } = report.judge_error.fleet.ambiguity_pure;
    report.judge_error.fleet.ambiguity_pure.warnings = [...warnings, "something else is odd"];
    expect(flat(report)).toContain("Note: pure ambiguity: something else is odd.");
  });

  it("counts as many tests as it shows, and tells a warning once", () => {
    const report = gateReport(FLEET);
    report.slices = sliceReport([slice("kind", "post", 400, 10, 300), slice("kind", "comment", 400, 12, 30)]);
    const told = flat(report);
    expect(told.match(/Warning:/g)).toHaveLength(1);
    expect(told).toContain("after correction for 3 tests (Holm)");
    expect(told).toMatch(/kind, adjusted p indefensible automated both post [\d.< ]+ comment/);
  });
});

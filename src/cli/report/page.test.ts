import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { FINDING_COLUMNS, runReport } from "../../app/report/run-report.js";
import type { Report } from "../../core/results/report.js";
import type { PageDecision, ReportPage } from "../../measures/report-page.js";
import { reportFigures } from "../../present/figures/report-figures.js";
import { gateWords } from "../../present/gate/gate-words.js";
import { redactReport } from "../../present/page/redact-report.js";
import { listedSentence } from "../../present/words/decision-list.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { fileContext } from "../../store/files/stores.js";
import { openWorkspace } from "../../store/files/workspace.js";
import { MARK, pageOf, RULE, writtenWorkspace } from "./page.suite.js";

describe("the page of a workspace", () => {
  let root: string;
  let page: ReportPage;
  let byId: Record<string, PageDecision>;
  beforeAll(async () => {
    root = await writtenWorkspace();
    page = await pageOf(root);
    byId = Object.fromEntries(page.decisions.map((one) => [one.id, one]));
  });

  it("shows of a decision what its record, its labels and its three audits say", () => {
    expect(page.decisions.map((one) => one.id)).toEqual(["failed", "plain", "parts"]);
    expect(byId.parts).toMatchObject({
      title: { text: `${MARK} title`, length: 13 },
      body: { text: `${MARK} body`, length: 12 },
      context_of: 2,
      media: 1,
      decider: { kind: "human", id: `${MARK} Roe`, confidence: 0.5 },
      appeal: { outcome: "pending", text: { text: `${MARK} appeal` } },
      gold: { level: 2, inverse: true, note: { text: `${MARK} note` } },
      labels: [{ level: 3, inverse: false, rater: `${MARK} Doe`, source: "human" }],
      reasons: ["open_both_ways"],
      audit: {
        level: 2,
        decision: "approve",
        spans: [
          ["Sails", 0.25],
          [" only", 0.123457],
        ],
      },
      human_audit: null,
      opposite_audit: { level: 3, decision: "remove" },
    });
    expect(byId.plain).toMatchObject({
      body: { text: `${MARK} plain text 😀`, length: 21 },
      title: null,
      decider: { kind: null, id: `${MARK} Poe`, confidence: null },
      human_label: "approve",
      decided_at: "2026-03-01T10:00:00Z",
      reasons: ["disagreement_defensible", "open_both_ways"],
      human_audit: { level: 1, decision: "approve" },
      opposite_audit: null,
    });
    expect(byId.failed!.audit).toMatchObject({
      outcome: "error",
      level: null,
      error: { code: "bad_answer", message: `cannot read "${MARK}"` },
    });
  });

  it("has the rules, the timeline and the counts that the report has not", () => {
    expect(page.rule_sets).toEqual([
      {
        scope: "community",
        community: "boats",
        version: "1",
        effective_from: null,
        rules: [{ id: "R1", title: RULE }],
      },
    ]);
    expect(page.timeline!.rows).toEqual([
      { community: "boats", period: 0, n: 1, indefensible: 0, inverse_yes: 1, inverse_yes_pure: 1 },
    ]);
    expect(page.communities[0]).toMatchObject({ levels: [0, 2, 0], inverse_yes: [0, 2, 0] });
    expect([page.decisions_of, page.notes]).toEqual([3, []]);
  });

  it("holds exactly the report that is written without a page", async () => {
    const asked = { findings: gateWords(), also: FINDING_COLUMNS };
    const plain = await withDuckDB((db) => runReport(db, fileContext(openWorkspace(root)), asked), { ordered: false });
    expect(page.report).toEqual(plain.report);
  });

  it("is the same each time", async () => {
    expect(JSON.stringify(await pageOf(root))).toBe(JSON.stringify(page));
  });

  it.each(["gold", "human", "002"])("can be measured against %s too", async (against) => {
    const measured = await pageOf(root, { decisions: 100 }, { run: "001", against });
    expect(measured.report.against).toMatchObject({ target: against, n: 1 });
    expect(measured.decisions).toHaveLength(3);
  });

  it("is redacted to the last word that somebody wrote, in figures too, and keeps numbers, ids and rules", async () => {
    // What the search would find is there before.
    expect(JSON.stringify(page).split(MARK).length).toBeGreaterThan(20);
    const redacted = await pageOf(root, { decisions: 100, redact: true });
    const texts = JSON.stringify([redacted, reportFigures(redacted)]);
    expect(texts.toLowerCase()).not.toContain(MARK.toLowerCase());
    expect(redacted.redacted).toBe(true);
    expect(redacted.notes.join()).toContain("Redacted");
    const parts = redacted.decisions.find((one) => one.id === "parts")!;
    expect(parts.body).toEqual({ text: null, length: 12, hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(parts.audit.policy_citation!.text).toBe(RULE);
    expect([parts.cited_rule, parts.gold!.rule_ids, parts.kind]).toEqual(["R1", ["R1"], null]);
    const plain = redacted.decisions.find((one) => one.id === "plain")!;
    expect(plain.audit.spans).toEqual([
      [null, 0.1],
      [null, 2],
    ]);
    expect(plain.audit.policy_citation!.text).toBeNull();
    expect(plain.audit.p_defensible).toBe(byId.plain!.audit.p_defensible);
    // The same text is known again in the next report.
    const again = await pageOf(root, { decisions: 100, redact: true });
    expect(again.decisions).toEqual(redacted.decisions);
  });

  it("has no single decision and no text of one where they are left out", async () => {
    const without = await pageOf(root, { decisions: null });
    expect([without.decisions, without.decisions_of]).toEqual([[], null]);
    expect(JSON.stringify(without)).not.toContain(MARK);
    expect(listedSentence(without)).toContain("left out of this report on request");
  });

  it("lists no more decisions than asked for, and says so", async () => {
    const short = await pageOf(root, { decisions: 1 });
    expect(short.decisions.map((one) => one.id)).toEqual(["failed"]);
    expect(listedSentence(short)).toContain("1 of 3 decisions are listed");
  });

  it("is narrowed to a cohort", async () => {
    mkdirSync(join(root, "cohorts"), { recursive: true });
    const selection = { kind: "filter", filters: ["id=plain"] };
    const cohort = { name: "some", selection, population: 3, created_at: "2026-01-01T00:00:00Z" };
    writeFileSync(join(root, "cohorts", "some.json"), JSON.stringify({ ...cohort, decision_ids: ["plain"] }));
    const narrow = await pageOf(root, { decisions: 100 }, { cohort: "some" });
    expect(narrow.decisions.map((one) => one.id)).toEqual(["plain"]);
    expect(narrow.gate_input.cohorts).toMatchObject([{ key: "boats", n: 1 }]);
    expect(narrow.notes.join()).toContain("cohort some");
  });
});

describe("a workspace that is no longer as the run saw it", () => {
  it("is shown as it is now, and the page says of which part", async () => {
    const root = await writtenWorkspace();
    expect((await pageOf(root)).changed_since_run).toEqual([]);
    const rules = { scope: "community", community: "boats", version: "1", rules: [{ id: "R1", title: "CHANGED" }] };
    writeFileSync(join(root, "rules", "boats.json"), JSON.stringify(rules));
    const edited = await pageOf(root, { decisions: null });
    expect(edited.rule_sets[0]!.rules[0]!.title).toBe("CHANGED");
    expect([edited.changed_since_run, edited.notes]).toEqual([
      ["rules"],
      [expect.stringContaining("Rules were added or edited after this run")],
    ]);
    const more = { id: "new", community: "boats", content: "Later", decision: "approve" };
    appendFileSync(join(root, "decisions.jsonl"), `${JSON.stringify(more)}\n`);
    appendFileSync(join(root, "precedents.jsonl"), `${JSON.stringify({ ...more, id: "p9" })}\n`);
    expect((await pageOf(root)).changed_since_run).toEqual(["rules", "precedents", "decisions"]);
  });
});

describe("a file beside the run's own that is damaged", () => {
  it("takes the audits of opposites with it, and the page says so", async () => {
    const root = await writtenWorkspace();
    const path = join(root, "runs", "002", "audits.parquet");
    const whole = readFileSync(path);
    for (const damaged of [whole.subarray(0, whole.length / 2), Buffer.alloc(0), Buffer.from("no Parquet at all")]) {
      writeFileSync(path, damaged);
      const page = await pageOf(root, { decisions: 100 }, { run: "001" });
      expect(page.decisions.map((one) => one.opposite_audit)).toEqual([null, null, null]);
      expect(page.decisions.flatMap((one) => one.precedents.cited.flatMap(({ by }) => by))).not.toContain(
        "opposite_audit",
      );
      expect(page.notes).toEqual([expect.stringMatching(/^The audits of opposite decisions are left out/)]);
    }
  });

  it("is an error that names the file where the report is about it: another run, or the decisions", async () => {
    const root = await writtenWorkspace();
    writeFileSync(join(root, "runs", "002", "audits.parquet"), "no Parquet");
    const bad = (name: string) => ({ code: "bad_parquet", message: expect.stringContaining(name) });
    await expect(pageOf(root, { decisions: 1 }, { run: "001", against: "002" })).rejects.toMatchObject(bad("002"));
    writeFileSync(join(root, "decisions.parquet"), "no Parquet");
    for (const against of ["gold", undefined]) {
      const asked = { run: "001", ...(against ? { against } : {}) };
      await expect(pageOf(root, { decisions: 1 }, asked)).rejects.toMatchObject(bad("decisions.parquet"));
    }
  });
});

describe("names in a redacted report", () => {
  it("are plain words or hashes, of languages, flags and rules that only audits know", () => {
    const report = {
      run: {},
      by_language: { en: 1, [`${MARK} said Bob`]: 2 },
      flags: { uncalibrated: 3, [MARK]: 4 },
      rules: [
        { rule_id: "R1", title: null },
        { rule_id: `${MARK} my own words`, title: null },
        { rule_id: "a rule of the workspace", title: "T" },
      ],
    } as unknown as Report;
    expect(redactReport(report, (text) => `h${text.length}`)).toEqual({
      run: {},
      by_language: { en: 1, "redacted h16": 2 },
      flags: { uncalibrated: 3, "redacted h7": 4 },
      rules: [
        { rule_id: "R1", title: null },
        { rule_id: "rule h20", title: null },
        { rule_id: "a rule of the workspace", title: "T" },
      ],
    });
  });
});

describe("results of experiments in a redacted report", () => {
  it("keep ids and numbers, and no text about a case", () => {
    const cases = [{ decision_id: "d1", context: [MARK], comment: MARK, trace: { logic_chain: MARK }, note: 3 }];
    const experiments = { dual: { contradictions: { cases, missed: 1 } } };
    const report = { run: {}, counts: {}, by_language: {}, flags: {}, rules: [], experiments } as unknown as Report;
    const redacted = redactReport(report, () => "h");
    expect(JSON.stringify(redacted)).not.toContain(MARK);
    expect(redacted.experiments!.dual).toEqual({
      contradictions: {
        missed: 1,
        cases: [
          {
            decision_id: "d1",
            context: ["redacted h"],
            comment: "redacted h",
            trace: { logic_chain: "redacted h" },
            note: 3,
          },
        ],
      },
    });
  });
});

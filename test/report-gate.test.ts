import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Audit } from "../src/core/records/audit.js";
import type { Report } from "../src/core/results/report.js";
import type { GateFindings, GateReport } from "../src/measures/gate/gate-report.js";
import { cliOk, temporaryFolder } from "./support/cli.js";
import { addDecisions, addRun, fleetAudits, newWorkspace } from "./support/make-gate-workspace.js";
import { pageData } from "./support/page-data.js";

const folder = temporaryFolder();
const january = "2026-01-01T00:00:00.000Z";
const february = "2026-02-01T00:00:00.000Z";

const json = <Result>(root: string, ...args: string[]) =>
  JSON.parse(cliOk([...args, "--json"], { cwd: root })) as Result;
const gateOf = (root: string, ...args: string[]) => json<GateReport>(root, "gate", ...args);
const reportOf = (root: string, ...args: string[]) => json<Report>(root, "report", ...args);
const findingsOf = (root: string, ...args: string[]) => reportOf(root, ...args).gate_findings as object as GateFindings;

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Decisions with languages, kinds and tags, and labels of some. */
function describeDecisions(root: string, audits: readonly Audit[]): void {
  addDecisions(
    root,
    audits.map(({ decision_id, community, decision }, i) => ({
      id: decision_id,
      community,
      decision,
      content: { body: "text", kind: i % 3 ? "post" : "comment" },
      tags: i % 4 ? ["often"] : ["often", "seldom"],
    })),
  );
  const labelled = audits.filter((_, i) => i % 2 === 0);
  writeFileSync(
    join(root, "labels.jsonl"),
    lines(
      labelled.map(({ decision_id, level, inverse }) => ({
        decision_id,
        level,
        inverse,
        source: "human",
        drawn: "random",
      })),
    ),
  );
}

describe("what a report says of the gate beyond counts", () => {
  let root: string;
  beforeAll(async () => {
    root = newWorkspace(folder);
    const audits = fleetAudits({
      calm: { n: 400, bad: 4, from: january },
      other: { n: 200, bad: 2, from: january },
      rough: { n: 100, bad: 40, from: january },
      small: { n: 9, from: january },
    }).map((audit, i) => ({ ...audit, language: i % 5 ? "en" : "de", thread_id: `t${Math.floor(i / 3)}` }));
    describeDecisions(root, audits);
    await addRun(root, audits, { run_id: "001" });
  });

  const same = (found: GateFindings, gate: GateReport) => {
    expect(found.holdout).toEqual(gate.holdout);
    expect(found.slices).toEqual(gate.slices);
    expect(found.judge_error).toEqual(gate.judge_error);
  };
  const asked = ["--holdout", "--slices", "language,kind,tags"];

  it("is what `gate --holdout --slices` says, with the workspace's settings while no gate is in force", () => {
    const found = findingsOf(root);
    same(found, gateOf(root, "--dry-run", ...asked));
    expect(found).toMatchObject({ run_id: "001", in_force: false, watch: null, settings: { mode: "shrunk", di: 0.9 } });
    expect([found.holdout.chosen, found.slices!.rows.length, found.judge_error!.fleet.labels]).toEqual([2, 6, 355]);
    // Nothing of it changes the workspace.
    expect(readdirSync(root)).not.toContain("gate");
  });

  it("follows the settings of the gate in force, labels and cohorts too", () => {
    const flags = ["--mode", "certified", "--judge-error", "--by", "community,decision", "--di", "0.8"];
    gateOf(root, ...flags, "--apply");
    const found = findingsOf(root);
    same(found, gateOf(root, "--dry-run", ...flags, ...asked));
    expect(found).toMatchObject({ in_force: true, settings: { judge_error: true, by: ["community", "decision"] } });
    gateOf(root, "--apply");
  });

  it("is about the report's own run when the gate in force rests on another", async () => {
    await addRun(root, fleetAudits({ calm: { n: 60, bad: 1, from: february } }), { run_id: "002", tier: "title" });
    const report = reportOf(root, "--run", "002");
    expect(report.gate).toBeUndefined();
    const found = report.gate_findings as object as GateFindings;
    expect(found).toMatchObject({ run_id: "002", in_force: false });
    same(found, gateOf(root, "--run", "002", "--dry-run", "--holdout"));
    expect(found.holdout.decisions).toBeLessThan(60);
    expect(findingsOf(root, "--run", "001").run_id).toBe("001");
  });

  it("is only there for whole runs of a workspace", () => {
    cliOk(["cohort", "create", "some", "--random", "20"], { cwd: root });
    expect(findingsOf(root, "--cohort", "some")).toBeUndefined();
    cliOk(["export", "--run", "001", "--out", join(folder, "audits.jsonl")], { cwd: root });
    expect(findingsOf(root, "--audits", join(folder, "audits.jsonl"))).toBeUndefined();
  });

  it("tells that every gate is closed", () => {
    cliOk(["gate", "--close", "a reason"], { cwd: root });
    expect(reportOf(root, "--run", "001").gate!.closed).toMatchObject({ reason: "a reason" });
    cliOk(["gate", "--open"], { cwd: root });
    expect(reportOf(root, "--run", "001").gate).not.toHaveProperty("closed");
  });

  it("tells how far the watch has come and whom it suspended and let back, with the runs it saw", async () => {
    const watched = gateOf(root, "--watch").watch!;
    const first = findingsOf(root, "--run", "001").watch!;
    expect(first).toMatchObject({ rows: watched.rows, runs: ["001"], promise: watched.promise, named: watched.named });
    expect(first.above).toEqual(["rough"]);
    expect(first.events).toEqual([]);
    const drifted = fleetAudits({ calm: { n: 60, bad: 40, from: february } });
    await addRun(root, drifted, { run_id: "003" });
    const event = gateOf(root, "--watch").watch!.events.find(({ type }) => type === "suspended")!;
    cliOk(["gate", "--reinstate", "calm", "--reason", "a test"], { cwd: root });
    const { events, events_in_all, runs } = findingsOf(root, "--run", "001").watch!;
    expect(runs).toEqual(["001", "003"]);
    expect(events).toMatchObject([
      { type: "reinstated", community: "calm", by_hand: true },
      { type: "suspended", community: "calm", decision_time: event.at, text: event.text, by_hand: false },
    ]);
    expect(events_in_all).toBe(2);
  });
});

describe("a redacted report with a gate by rule and language", () => {
  const MARK = "Zqxmark";
  const RULE = "a rule of the workspace";
  let root: string;
  beforeAll(async () => {
    root = newWorkspace(folder);
    const rules = { scope: "community", community: "boats", version: "1", rules: [{ id: RULE, title: "Sails" }] };
    mkdirSync(join(root, "rules"), { recursive: true });
    writeFileSync(join(root, "rules", "boats.json"), JSON.stringify(rules));
    const said = (id: string) => ({ scope: "community" as const, rule_id: id, overlap: 1, grounded: true });
    const audits = [january, february].flatMap((from, i) =>
      fleetAudits({ boats: { n: 200, bad: 20 + i * 100, from } }).map((audit, j) => ({
        ...audit,
        language: j % 2 ? "en" : `as ${MARK} speaks`,
        citation: said(j % 4 < 2 ? RULE : `what ${MARK} said`),
      })),
    );
    addDecisions(
      root,
      audits.map(({ decision_id, community, decision, level }, i) => ({
        id: decision_id,
        community,
        decision,
        content: { body: MARK, kind: i % 3 ? "post" : `a ${MARK} letter` },
        author: MARK,
        tags: level === 3 ? [MARK] : ["other"],
      })),
    );
    writeFileSync(
      join(root, "labels.jsonl"),
      lines(
        audits.map(({ decision_id, level }) => ({
          decision_id,
          level,
          inverse: false,
          source: "human",
          drawn: "random",
        })),
      ),
    );
    const selection = { filters: [`author=${MARK}`, "community=boats", "tags=*"] };
    await addRun(root, audits.slice(0, 200), { run_id: "001", selection });
    cliOk(["gate", "--by", "rule,language", "--judge-error", "--apply"], { cwd: root });
    await addRun(root, audits.slice(200), { run_id: "002", selection });
    cliOk(["gate", "--watch"], { cwd: root });
  });

  const write = (name: string, ...flags: string[]) => {
    const at = (kind: string) => join(folder, `${name}.${kind}`);
    const files = ["--html", at("html"), `--json=${at("json")}`, `--md=${at("md")}`, "--figures", at("figures")];
    cliOk(["report", "--run", "001", ...files, ...flags], { cwd: root });
    const page = pageData(at("html"));
    const figures = readdirSync(at("figures")).map((file) => readFileSync(join(at("figures"), file), "utf8"));
    const texts = [JSON.stringify(page), readFileSync(at("json"), "utf8"), readFileSync(at("md"), "utf8"), ...figures];
    return { page, findings: page.report.gate_findings as object as GateFindings, texts };
  };

  it("has nobody's words in the names of its cohorts, slices and filters, and keeps rules, communities and numbers", () => {
    const open = write("open");
    expect(open.texts[0]!.split(MARK).length).toBeGreaterThan(50);
    expect(open.findings.watch!.events.length + open.findings.watch!.above.length).toBeGreaterThan(0);
    expect(open.findings.slices!.warnings.length).toBeGreaterThan(0);
    const { page, findings, texts } = write("redacted", "--redact");
    expect(texts.filter((text) => text.toLowerCase().includes(MARK.toLowerCase()))).toEqual([]);
    const keys = page.gate_input.cohorts.map(({ key }) => key);
    expect(keys).toContain(`boats ${RULE} × en`);
    expect(keys.filter((key) => /^boats rule [0-9a-f]{8} × redacted [0-9a-f]{8}$/.test(key))).toHaveLength(1);
    expect(page.report.gate!.communities.map(({ community }) => community).sort()).toEqual([...keys].sort());
    expect(page.gate_input.label_counts!.map(({ key }) => key).sort()).toEqual([...keys].sort());
    expect(page.gate_input.cohorts.map(({ n }) => n).sort()).toEqual(
      open.page.gate_input.cohorts.map(({ n }) => n).sort(),
    );
    // One language has one name, wherever it stands.
    const language = Object.keys(page.report.by_language).find((name) => name.startsWith("redacted"))!;
    expect(keys.filter((key) => key.endsWith(` × ${language}`))).toHaveLength(2);
    expect(findings.slices!.rows.find(({ value }) => value === language)).toBeDefined();
    expect(findings.slices!.rows.filter(({ slice }) => slice === "tags").map(({ value }) => value)).toEqual([
      expect.stringMatching(/^redacted [0-9a-f]{8}$/),
      expect.stringMatching(/^redacted [0-9a-f]{8}$/),
    ]);
    expect(page.report.run.selection).toEqual({
      filters: [expect.stringMatching(/^author=person [0-9a-f]{8}$/), "community=boats", "tags=*"],
    });
    // The same words have the same hash in the next report of the workspace.
    expect(write("again", "--redact").page.gate_input.cohorts).toEqual(page.gate_input.cohorts);
  });
});

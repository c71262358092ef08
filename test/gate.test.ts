import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gateSchema } from "../src/core/gate.js";
import type { GateReport } from "../src/measures/gate/gate-report.js";
import type { GateInForce } from "../src/store/records/suspensions.js";
import { displayWidth } from "../src/text/printable.js";
import { CLI, cli, cliOk, startCli, temporaryFolder } from "./support/cli.js";
import { addDecisions, addRun, fleetAudits, newWorkspace } from "./support/make-gate-workspace.js";

const folder = temporaryFolder();
const FLEET = { calm: { n: 120, bad: 1 }, rough: { n: 100, bad: 30 }, open: { n: 100, open: 40 }, small: { n: 10 } };

const gate = (root: string, ...flags: string[]): GateReport =>
  JSON.parse(cliOk(["gate", "--json", ...flags], { cwd: root }));
const apply = (root: string, ...flags: string[]): GateReport =>
  JSON.parse(cliOk(["gate", "apply", "--json", ...flags], { cwd: root }));
const inForce = (root: string): GateInForce => JSON.parse(readFileSync(join(root, "gate", "current.json"), "utf8"));
const history = (root: string): Record<string, unknown>[] =>
  readFileSync(join(root, "gate", "history.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const watch = (root: string, ...flags: string[]): GateReport =>
  JSON.parse(cliOk(["gate", "watch", "--json", ...flags], { cwd: root }));
const community = (report: GateReport, name: string) => report.communities.find((one) => one.community === name)!;

async function workspaceWith(fleet: Parameters<typeof fleetAudits>[0] = FLEET): Promise<string> {
  const root = newWorkspace(folder);
  await addRun(root, fleetAudits(fleet), { run_id: "001" });
  return root;
}

describe("gate", () => {
  it("says who passes, in a format that keeps its schema; `gate apply` activates it", async () => {
    const root = await workspaceWith();
    const shown = gate(root);
    expect(shown.in_force).toMatchObject({
      status: "what_if",
      text: "This was only a look; no gate is active. `defensible gate apply` activates this one.",
    });
    expect(existsSync(join(root, "gate", "current.json"))).toBe(false);
    const report = apply(root);
    expect(() => gateSchema.parse(report)).not.toThrow();
    expect(report.communities.map((one) => [one.community, one.state, one.passes.shrunk])).toEqual([
      ["calm", "earned_autonomy", true],
      ["open", "normative_complexity", false],
      ["rough", "policy_gaps", false],
      ["small", "insufficient", false],
    ]);
    expect(report.fleet).toMatchObject({ passing: 1, automated_indefensible_rate: 1 / 120 });
    expect(report.in_force?.status).toBe("in_force");
    const { gate: current, sampling_key } = inForce(root);
    expect(current.gate_id).toBe(report.gate_id);
    expect(sampling_key).toMatch(/^[0-9a-f]{64}$/);
    const again = gate(root);
    expect(again.gate_id).toBe(report.gate_id);
    expect(again.in_force?.text).toContain("follows this gate");
    expect(history(root).map((event) => event.in_force)).toEqual([false, true]);
    await addRun(root, fleetAudits({ calm: { n: 130, bad: 1 } }), { run_id: "002" });
    expect(gate(root).in_force?.text).toContain(`keeps following gate ${report.gate_id}`);
    expect(inForce(root).gate.gate_id).toBe(report.gate_id);
    apply(root);
    expect(inForce(root).gate.gate_id).not.toBe(report.gate_id);
    expect(inForce(root).sampling_key).toBe(sampling_key);
  });

  it("takes limits as met when they are met exactly: 27 of 30 pass 0.90", async () => {
    const root = await workspaceWith({ exact: { n: 30, bad: 3 }, under: { n: 30, bad: 4 } });
    const report = gate(root, "--mode", "paper", "--ai", "0.2");
    expect(report.communities.map((one) => one.passes.paper)).toEqual([true, false]);
  });

  it("takes rates in percent too, in limits and requirements", async () => {
    const root = await workspaceWith();
    expect(gate(root, "--di", "95%", "--ai", "20%", "--delta", "1%")).toMatchObject({
      thresholds: { di: 0.95, ai: 0.2 },
      delta: 0.01,
    });
    const check = (share: string) => cli(["gate", "check", "--require", `pass-share:${share}`], { cwd: root }).status;
    expect([check("30%"), check("40%"), check("130%"), check("x")]).toEqual([0, 2, 1, 1]);
    const wrong = cli(["gate", "--di", "95"], { cwd: root });
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("such as 0.05 or 5%")]);
  });

  it("names the command that applies what was shown, with every flag it was computed from", async () => {
    const root = await workspaceWith();
    const text = gate(root, "--mode", "certified", "--di", "0.85", "--thread-cap", "3", "--run", "newest").in_force!
      .text;
    const command = /`defensible (gate [^`]*)`/.exec(text)?.[1] ?? "";
    expect(command).toBe("gate apply --run newest --mode certified --di 0.85 --thread-cap 3");
    cliOk(command.split(" "), { cwd: root });
    expect(inForce(root).gate.mode).toBe("certified");
  });

  it("says what differs from the workspace's own gate, and is activated by `gate apply` or the old --apply", async () => {
    const root = await workspaceWith();
    const first = apply(root);
    const strict = cli(["gate", "--di", "0.99"], { cwd: root });
    expect(strict.stdout.replace(/\s+/g, " ")).toContain(
      `This was only a look; \`defensible route\` keeps following gate ${first.gate_id}`,
    );
    expect(strict.stdout.replace(/\s+/g, " ")).toContain("activates this one. Note: --di is not the workspace's own.");
    expect(inForce(root).gate.gate_id).toBe(first.gate_id);
    expect(history(root).map((event) => event.in_force)).toEqual([true, false]);
    gate(root, "--di", "0.99", "--apply");
    expect(inForce(root).gate.thresholds.di).toBe(0.99);
    writeFileSync(
      join(root, "defensible.yaml"),
      `${readFileSync(join(root, "defensible.yaml"), "utf8")}\ngate: {di: 0.8}\n`,
    );
    apply(root);
    expect(inForce(root).gate.thresholds.di).toBe(0.8);
    await addRun(root, fleetAudits(FLEET), { run_id: "002" });
    expect(gate(root, "--run", "001").in_force?.text).toContain("run 001 is not the newest");
    await addRun(root, fleetAudits(FLEET), { run_id: "003" }, false);
    expect(gate(root).in_force?.text).toContain("the run is not finished");
  });

  it("does not take today's few decisions for the workspace's: they are noted, and activated only by name", async () => {
    const root = newWorkspace(folder);
    const counts = { verdicts: 0, unscored: 0, errors: 0 };
    await addRun(root, fleetAudits(FLEET), { run_id: "001", counts: { ...counts, planned: 330 } });
    const few = fleetAudits({ calm: { n: 5 } });
    const selection = { cohort: "today-1" };
    await addRun(root, few, { run_id: "002", counts: { ...counts, planned: 5 }, selection });
    const note = "run 002, the newest, covers only 5 decisions; run 001, by the same auditor, covers 330";
    const refused = cli(["gate", "apply"], { cwd: root });
    expect([refused.status, refused.stderr]).toEqual([
      1,
      `error: gate apply: ${note}\nAdd --run 001, or --run 002 to activate the gate of the selection.\n`,
    ]);
    expect(existsSync(join(root, "gate"))).toBe(false);
    const out = join(root, "sheet");
    for (const command of [
      ["gate"],
      ["gate", "check"],
      ["report"],
      ["calibrate", "--dry-run"],
      ["humans", "sample", "--out", out],
    ]) {
      expect(cli(command, { cwd: root }).stderr).toContain(`Note: ${note}. --run 001 takes that one.\n`);
      const named = [...command.map((word) => (word === out ? `${out}-2` : word)), "--run", "newest"];
      expect(cli(named, { cwd: root }).stderr).not.toContain("the newest, covers");
    }
    const shown = gate(root).in_force!.text;
    expect(shown).toContain("`defensible gate apply --run 002` activates this one.");
    expect(gate(root, "--run", "newest").in_force!.text).toContain("`defensible gate apply --run newest`");
    expect(apply(root, "--run", "002").run.run_id).toBe("002");
    expect(apply(root, "--run", "001").run.run_id).toBe("001");
    // Decisions of several runs are no small selection.
    expect(apply(root, "--since", "2020-01-01").span!.runs).toEqual(["002", "001"]);
  });

  it("in the mode that promises nothing is activated only by the command that it prints", async () => {
    const root = await workspaceWith();
    expect(gate(root, "--mode", "paper").in_force).toMatchObject({
      status: "what_if",
      text: expect.stringMatching(
        /`defensible gate apply --mode paper` activates this one. Note: .*the raw gate \(mode paper\) promises nothing/,
      ),
    });
    expect(existsSync(join(root, "gate", "current.json"))).toBe(false);
    apply(root, "--mode", "paper");
    expect(inForce(root)).toMatchObject({ gate: { mode: "paper" } });
  });

  it("that is active is replaced by another `gate apply` only, and by no check", async () => {
    const root = await workspaceWith();
    apply(root, "--di", "0.5", "--ai", "0.75");
    const applied = inForce(root);
    expect(applied).toMatchObject({ applied: true, gate: { thresholds: { di: 0.5, ai: 0.75 } } });
    const plain = gate(root);
    expect(plain.in_force).toMatchObject({
      status: "what_if",
      text: expect.stringContaining(`keeps following gate ${applied.gate.gate_id}`),
    });
    cli(["gate", "check"], { cwd: root });
    expect(inForce(root)).toEqual(applied);
    apply(root);
    expect(inForce(root)).toMatchObject({ gate: { thresholds: { di: 0.9 } } });
    expect(inForce(root).applied ?? false).toBe(false);
    expect(history(root).map(({ in_force, applied: by }) => [in_force, by ?? false])).toEqual([
      [true, true],
      [false, false],
      [true, false],
    ]);
  });

  it("says where the run was audited otherwise than the configuration says", async () => {
    const root = await workspaceWith();
    const first = apply(root);
    await addRun(root, fleetAudits({ calm: { n: 100, bad: 30 } }), { run_id: "002", tier: "title" });
    const trial = cliOk(["gate"], { cwd: root }).replace(/\s+/g, " ");
    expect(trial).toContain("auditor baseline · tier title ·");
    expect(trial).toContain("activates this one. Note: the run's tier is title, and the workspace's is wiki.");
    expect(inForce(root).gate.gate_id).toBe(first.gate_id);
    expect(gate(root, "--run", "001").in_force?.status).toBe("in_force");
    await addRun(root, fleetAudits(FLEET), {
      run_id: "003",
      auditor: "openai:x",
      template: "extended",
      temperature: 1,
    });
    expect(gate(root).in_force?.text).toMatch(
      /auditor is openai:x, and .* template is extended, and .* temperature is 1, and the workspace's is 0.2/,
    );
    // The watch looks at audits like those of the gate in force, not at the trials.
    expect(watch(root).watch).toMatchObject({ runs: ["001"] });
  });

  it("leaves nothing behind with --dry-run, and with --audits never looks at a workspace", async () => {
    const root = await workspaceWith();
    expect(gate(root, "--dry-run").in_force?.status).toBe("not_recorded");
    cliOk(["export", "--what", "audits", "--format", "csv", "--out", "audits.csv"], { cwd: root });
    const ofFile = gate(root, "--audits", "audits.csv", "--watch");
    expect(ofFile.communities.map((one) => one.passes)).toEqual(
      gate(root, "--dry-run").communities.map((one) => one.passes),
    );
    expect(existsSync(join(root, "gate"))).toBe(false);
  });

  it("is anytime-valid unless one look is declared before any other, and says why", async () => {
    const root = await workspaceWith();
    const flags = ["--mode", "certified"];
    const once = gate(root, ...flags, "--look", "once");
    expect(once).toMatchObject({ look: "once", in_force: { text: expect.not.stringContaining("earlier looks") } });
    expect(gate(root, ...flags)).toMatchObject({
      look: "anytime",
      look_reason: expect.stringContaining("computed again as decisions arrive"),
    });
    await addRun(root, fleetAudits({ calm: { n: 200 } }), { run_id: "002" });
    expect(gate(root, ...flags)).toMatchObject({
      look: "anytime",
      look_reason: expect.stringContaining("looked at once before"),
    });
    expect(gate(root, ...flags, "--look", "once").in_force?.text).toContain("no account of earlier looks");
    await addRun(root, fleetAudits({ calm: { n: 200 } }), { run_id: "003", prompt_version: "2" });
    expect(gate(root, ...flags, "--look", "once").in_force?.text).not.toContain("no account of earlier looks");
  });

  it("closes every gate even where the settings cannot be read", async () => {
    const root = await workspaceWith();
    appendFileSync(join(root, "defensible.yaml"), "\ngaet: 1\n");
    expect(cli(["gate"], { cwd: root }).status).toBe(1);
    expect(cliOk(["gate", "--close", "incident"], { cwd: root })).toContain("Every gate is closed");
    expect(existsSync(join(root, "gate", "closed.json"))).toBe(true);
  });

  it("replaces an active gate that was damaged or edited, says so and records it; whoever reads it is refused", async () => {
    const root = await workspaceWith();
    const path = join(root, "gate", "current.json");
    apply(root);
    const edited = readFileSync(path, "utf8").replace('"mode": "shrunk"', '"mode": "paper"');
    for (const [text, problem] of [
      ['{"a":', "not a gate"],
      [edited, "was changed after it was written"],
    ] as const) {
      writeFileSync(path, text);
      for (const command of [["gate"], ["gate", "history"], ["route", "--decision", "{}"]]) {
        const { status, stdout, stderr } = cli(command, { cwd: root });
        expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining(problem)]);
        expect(stderr).toContain("`defensible gate apply`");
      }
      const report = apply(root);
      expect(report.notes.join("\n")).toMatch(
        new RegExp(`current\\.json: ${problem}.*: this gate replaces it; suspensions stay as they are\\.`),
      );
      expect(report.in_force?.status).toBe("in_force");
      expect(inForce(root).gate.gate_id).toBe(report.gate_id);
      expect(history(root).at(-1)).toMatchObject({ gate_id: report.gate_id, in_force: true, replaced_damaged: true });
      expect(cliOk(["gate", "history"], { cwd: root })).toContain("replaced a damaged gate");
      expect(cli(["route", "--decision", "{}"], { cwd: root }).status).toBe(0);
    }
  });

  it("gates other cohorts than communities", async () => {
    const root = await workspaceWith();
    const report = gate(root, "--by", "decision,community");
    expect(report.by).toEqual(["community", "decision"]);
    expect(report.communities.map((one) => one.community)).toContain("calm × remove");
  });

  it("evaluates on decisions that it did not choose by, the same ones for the same seed", async () => {
    const root = await workspaceWith({ calm: { n: 400, bad: 4 }, rough: { n: 200, bad: 60 } });
    const { holdout } = gate(root, "--holdout", "0.4");
    expect(holdout).toMatchObject({ share: 0.4, chosen: 1, seed: 1 });
    expect(holdout!.upper).toBeGreaterThan(holdout!.realised.estimate!);
    expect(gate(root, "--holdout", "0.4").holdout).toEqual(holdout);
    expect(gate(root, "--holdout", "0.4", "--seed", "2").holdout!.decisions).not.toBe(holdout!.decisions);
  });

  it("shows slices of decisions and warns where automation falls harder on one", async () => {
    const root = newWorkspace(folder);
    const audits = fleetAudits({ calm: { n: 300 }, rough: { n: 300, bad: 90 } });
    await addRun(root, audits, { run_id: "001" });
    addDecisions(
      root,
      audits.map(({ decision_id, community: name, decision }, i) => ({
        id: decision_id,
        community: name,
        content: { body: "x", kind: i % 2 ? "post" : "comment" },
        decision,
        tags: name === "calm" ? ["pets"] : ["cars", "all"],
        region: "EU",
      })),
    );
    const { slices } = gate(root, "--slices", "tags,kind,region,language");
    expect(slices!.rows.map((row) => `${row.slice}=${row.value} ${row.n} ${row.automated}`)).toEqual([
      "tags=all 300 0",
      "tags=cars 300 0",
      "tags=pets 300 300",
      "kind=comment 300 150",
      "kind=post 300 150",
      "region=EU 600 300",
      "language=en 600 300",
    ]);
    expect(slices!.warnings.map(({ value, measure }) => `${value} ${measure}`)).toContain("pets automated");
    // A decision with two tags is one decision among the others.
    expect(slices!.rows.find((row) => row.value === "pets")!.rest).toMatchObject({ n: 300, automated: 0 });
    expect(cli(["gate", "--check", "--require", "no-slice-warning", "--slices", "tags"], { cwd: root }).status).toBe(2);
    const unknown = cli(["gate", "--slices", "tags,nosuch"], { cwd: root });
    expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining("no decision has such a field")]);
    const check = ["gate", "--slices", "nosuch", "--check", "--require", "no-slice-warning"];
    expect(cli(check, { cwd: root }).status).toBe(1);
  });

  it("puts people's labels beside the auditor's verdicts, and asks for a bound by them with --judge-error", async () => {
    const root = newWorkspace(folder);
    const audits = fleetAudits({ calm: { n: 400, bad: 2 }, rough: { n: 100, bad: 40 } });
    await addRun(root, audits, { run_id: "001" });
    const without = cli(["gate", "--judge-error"], { cwd: root });
    expect(without.status).toBe(1);
    expect(without.stderr).toContain("no verdict of these audits has a label of defensibility by a person");
    const labels = audits
      .filter((_, i) => i < 100)
      .map(({ decision_id, level, inverse }) => ({ decision_id, level, inverse, source: "human", drawn: "random" }));
    writeFileSync(join(root, "labels.jsonl"), labels.map((label) => `${JSON.stringify(label)}\n`).join(""));
    const plain = gate(root, "--mode", "certified");
    expect(plain.judge_error!.fleet).toMatchObject({ labels: 100, verdicts: 500 });
    expect(community(plain, "calm").passes.certified).toBe(true);
    const asked = gate(root, "--mode", "certified", "--judge-error");
    expect(community(asked, "calm").certified.true_rate_upper).toBeGreaterThan(0);
    expect(community(asked, "rough").certified.true_rate_upper).toBeNull();
    expect(community(asked, "rough").passes.certified).toBe(false);
    expect(asked.methods.certified).toContain("passes whose true indefensible rate is above the limit are both false");
    expect(asked.in_force?.text).toContain("--judge-error is not the workspace's own");
  });

  it("judges nobody where there is nothing to judge by", async () => {
    const root = newWorkspace(folder);
    expect(cli(["gate"], { cwd: root }).stderr).toContain("runs: the workspace has none");
    await addRun(root, [], { run_id: "001" });
    expect(gate(root)).toMatchObject({ communities: [], fleet: { passing: 0, community_coverage: null } });
    expect(cli(["gate"], { cwd: root }).stdout).toContain("There is no audit to judge by");
    const unscored = fleetAudits({ calm: { n: 40 } }, { outcome: "unscored", level: null, inverse: null });
    await addRun(root, unscored, { run_id: "002" });
    expect(gate(root).fleet).toMatchObject({ passing: 0, base_indefensible_rate: null });
    expect(cliOk(["gate", "--holdout", "--watch"], { cwd: root })).toContain("No audit has a verdict (40 audited)");
    await addRun(root, fleetAudits({ one: { n: 3 }, two: { n: 4 } }), { run_id: "003" });
    expect(cliOk(["gate"], { cwd: root })).toContain("Of 2 communities the largest has 4 of the 25");
  });
});

describe("gate --check", () => {
  it("ends with 2 and a list of what does not hold, and with 0 when all does", async () => {
    const root = await workspaceWith();
    const failed = cli(
      ["gate", "--check", "--require", "all", "--require", "pass-share:0.3", "--require", "community:calm"],
      {
        cwd: root,
      },
    );
    expect(failed.status).toBe(2);
    expect(failed.stderr).toContain(
      "requirement failed: all: rough: does not pass (30 of 100 indefensible, 30 of 100 ambiguous)",
    );
    expect(failed.stderr).not.toContain("small");
    expect(failed.stderr).not.toContain("requirement failed: pass-share");
    const fine = cli(["gate", "--check", "--require", "community:calm", "--json"], { cwd: root });
    expect(fine.status).toBe(0);
    expect(JSON.parse(fine.stdout).checks).toEqual([{ requirement: "community:calm", failures: [] }]);
    expect(cli(["gate", "--check", "--require", "every"], { cwd: root }).stderr).toContain(
      "small: does not pass (10 of 25 decisions)",
    );
    expect(cli(["gate", "--check", "--require", "nonsense"], { cwd: root }).status).toBe(1);
  });

  it("never changes what is in force, and is a look all the same", async () => {
    const root = await workspaceWith();
    cli(["gate", "--check"], { cwd: root });
    expect(existsSync(join(root, "gate", "current.json"))).toBe(false);
    expect(history(root).map((event) => event.in_force)).toEqual([false]);
    const first = apply(root);
    await addRun(root, fleetAudits({ calm: { n: 130, bad: 1 } }), { run_id: "002" });
    const checked = JSON.parse(cli(["gate", "--check", "--json"], { cwd: root }).stdout) as GateReport;
    expect(checked.in_force).toMatchObject({
      status: "what_if",
      text: expect.stringContaining("This was only a look"),
    });
    expect(inForce(root).gate.gate_id).toBe(first.gate_id);
  });

  it("writes JUnit XML in which no name of a community can do harm", async () => {
    const hostile = `x"/><failure>\u001b[31m`;
    const root = await workspaceWith({ [hostile]: { n: 60 }, rough: { n: 60, bad: 30 }, few: { n: 3 } });
    const { status, stdout } = cli(["gate", "--check", "--junit", "gate.xml"], { cwd: root });
    expect(status).toBe(2);
    expect(stdout).not.toContain("\u001b");
    const xml = readFileSync(join(root, "gate.xml"), "utf8");
    expect(xml).toContain(`name="x&quot;/&gt;&lt;failure&gt;[31m"/>`);
    expect(xml).toContain(`name="few"><skipped message="3 of 25 decisions"/>`);
    expect(xml.match(/<failure /g)).toHaveLength(2);
    expect(cliOk(["gate", "--md"], { cwd: root })).not.toMatch(/<failure>|\u001b/);
  });
});

describe("gate over threads and runs", () => {
  it("certifies by threads: waves are single events, the cap and the claim are printed", async () => {
    const root = newWorkspace(folder);
    const audits = fleetAudits({ waves: { n: 400, bad: 4 }, calm: { n: 400, bad: 4 }, plain: { n: 400, bad: 4 } });
    const threads: Record<string, number> = { waves: 40, calm: 2 };
    const rows = audits.map((audit, i) => {
      const size = threads[audit.community];
      return size ? { ...audit, thread_id: `t${Math.floor(i / size)}` } : audit;
    });
    await addRun(root, rows, { run_id: "001" });
    const report = gate(root, "--mode", "certified");
    expect(report.communities.map((one) => [one.community, one.passes.certified])).toEqual([
      ["calm", true],
      ["plain", true],
      ["waves", false],
    ]);
    expect(community(report, "waves").certified.threads).toMatchObject({ cap: 5, threads: 10, beyond_cap: 0.875 });
    expect(community(report, "plain").certified.threads).toMatchObject({ cap: 1, independence_assumed: true });
    expect(report.threads).toMatchObject({ cap: 5, threads: 610, independence_assumed: 1 });
    expect(report.threads.claim).toBe(
      "With 95% confidence fewer than 10% of decisions are indefensible, counting at most 5 decisions of any one thread.",
    );
    const text = cliOk(["gate", "--mode", "certified", "--md"], { cwd: root });
    expect(text).toContain(report.threads.claim);
    expect(text).toContain("assumes that decisions are independent");
    expect(gate(root, "--thread-cap", "1").in_force?.text).toContain("--thread-cap is not the workspace's own");
  });

  it("takes labels of one run for no sample of several", async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
    const root = await workspaceWith({ calm: { n: 100, from: day(20) } });
    const newest = fleetAudits({ calm: { n: 40, bad: 4, from: day(10) } });
    await addRun(root, newest, { run_id: "002" });
    const labels = newest.map(({ decision_id, level }) => ({
      ...{ decision_id, level, source: "human", drawn: "sheet", frame: "002", inclusion: 1 },
      stratum: `level ${level}, inverse ${level === 3 ? "Yes" : "No"}`,
    }));
    writeFileSync(join(root, "labels.jsonl"), labels.map((one) => `${JSON.stringify(one)}\n`).join(""));
    expect(gate(root, "--judge-error").judge_error?.sample?.flags).toEqual([]);
    expect(gate(root, "--judge-error", "--window", "30d").judge_error?.sample?.flags).toEqual(["other_frame"]);
  });

  it("rests on a window over several runs, or on an epoch; a window certifies nothing", async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
    const root = await workspaceWith({ calm: { n: 100, bad: 1, from: day(60) } });
    await addRun(root, fleetAudits({ calm: { n: 40, from: day(20) } }), { run_id: "002" });
    await addRun(root, fleetAudits({ calm: { n: 30, from: day(10) } }), { run_id: "003" });
    expect(community(gate(root), "calm").n).toBe(30);
    const window = gate(root, "--window", "30d");
    expect(community(window, "calm").n).toBe(70);
    expect(window.span).toMatchObject({ window_days: 30, runs: ["003", "002", "001"] });
    expect(window.notes.join(" ")).toContain("decisions of the last 30 days");
    expect(community(gate(root, "--mode", "certified", "--since", day(90)), "calm").n).toBe(170);
    expect(cli(["gate", "--mode", "certified", "--window", "30d"], { cwd: root }).stderr).toContain("Use --since DATE");
  });
});

describe("gate --watch", () => {
  const january = "2026-01-01T00:00:00.000Z";
  const february = "2026-02-01T00:00:00.000Z";
  const march = "2026-03-01T00:00:00.000Z";

  it("suspends a community that drifts, goes on with new verdicts only, and lets it back when it is certified again", async () => {
    const root = await workspaceWith({
      calm: { n: 200, bad: 2, from: january },
      other: { n: 200, bad: 2, from: january },
    });
    // Without an active gate there is nothing to guard.
    expect(gate(root, "--watch").watch).toMatchObject({ rows: 400, runs: ["001"], events: [], kept: false });
    expect(existsSync(join(root, "gate", "current.json"))).toBe(false);
    apply(root);
    expect(watch(root).watch).toMatchObject({ rows: 400, runs: ["001"], events: [], kept: true });
    expect(gate(root, "--watch").watch).toMatchObject({ rows: 0, rows_in_all: 400, runs: [] });
    await addRun(
      root,
      fleetAudits({ calm: { n: 60, bad: 40, from: february }, other: { n: 60, bad: 1, from: february } }),
      { run_id: "002" },
    );
    const drifted = gate(root, "--watch");
    expect(drifted.watch!.events.map(({ type, community: name }) => `${type} ${name}`)).toEqual(["suspended calm"]);
    expect(drifted.watch!.rows).toBe(120);
    expect(community(drifted, "calm").suspended?.reason).toContain(
      "more indefensible decisions than the limit of 10.0%",
    );
    const suspended = () =>
      inForce(root)
        .gate.communities.filter((one) => one.suspended)
        .map((one) => one.community);
    expect(suspended()).toEqual(["calm"]);
    expect(cli(["gate", "--check", "--require", "no-suspension"], { cwd: root }).status).toBe(2);
    // The same community comes back clean, but too few to prove it: it stays suspended although it passes.
    await addRun(root, fleetAudits({ calm: { n: 30, from: march }, other: { n: 30, from: march } }), { run_id: "003" });
    expect(community(gate(root, "--mode", "paper"), "calm")).toMatchObject({
      passes: { paper: true },
      suspended: { after: expect.any(String) },
    });
    await addRun(root, fleetAudits({ calm: { n: 150, from: march } }), { run_id: "004" });
    const back = apply(root);
    expect(community(back, "calm").suspended).toBeNull();
    expect(suspended()).toEqual([]);
    expect(
      history(root)
        .filter((event) => event.type !== "gate")
        .map((event) => `${event.type} ${event.community}`),
    ).toEqual(["suspended calm", "reinstated calm"]);
    const told = cliOk(["gate", "--history"], { cwd: root });
    expect(told).toContain("States over time");
    expect(told).toMatch(/reinstated\s+calm\s+\S+\s+Certified again by 150 decisions/);
  });

  it("keeps a suspended community that a later run does not have", async () => {
    const root = await workspaceWith({ calm: { n: 100, bad: 1 }, other: { n: 100 } });
    apply(root);
    await addRun(root, fleetAudits({ calm: { n: 60, bad: 40, from: february }, other: { n: 60, from: february } }), {
      run_id: "002",
    });
    gate(root, "--watch");
    await addRun(root, fleetAudits({ other: { n: 60, from: march } }), { run_id: "003" });
    apply(root);
    expect(inForce(root).gate.communities.find((one) => one.community === "calm")).toMatchObject({
      state: "insufficient",
      suspended: { reason: expect.stringContaining("Alarm") },
    });
  });

  it("begins anew under another prompt, and does not suspend what was never in order", async () => {
    const root = await workspaceWith({ calm: { n: 100, bad: 1 }, rough: { n: 100, bad: 40 } });
    apply(root);
    const first = watch(root);
    expect(first.watch!.events.map(({ type, community: name }) => `${type} ${name}`)).toEqual(["above rough"]);
    expect(community(first, "rough").suspended).toBeNull();
    await addRun(root, fleetAudits({ calm: { n: 50 } }, { prompt_version: "2" }), {
      run_id: "002",
      prompt_version: "2",
    });
    expect(gate(root, "--watch").watch!.events.map(({ type, community: name }) => `${type} ${name}`)).toEqual([
      "reset calm",
    ]);
  });

  it("keeps to the limits of the gate in force, and replaces no gate", async () => {
    const root = await workspaceWith({
      boats: { n: 100, bad: 30, from: january },
      other: { n: 100, bad: 20, from: january },
    });
    apply(root, "--di", "0.5", "--ai", "0.75", "--mode", "paper");
    const applied = inForce(root);
    const watched = gate(root, "--watch");
    expect(watched).toMatchObject({
      mode: "paper",
      thresholds: { di: 0.5, ai: 0.75 },
      watch: { rows: 200, events: [], kept: true },
    });
    expect(inForce(root)).toEqual(applied);
    await addRun(
      root,
      fleetAudits({ boats: { n: 80, bad: 76, from: february }, other: { n: 60, bad: 12, from: february } }),
      { run_id: "002" },
    );
    const drifted = gate(root, "--watch");
    expect(drifted.watch!.events.map(({ type, community: name }) => `${type} ${name}`)).toEqual(["suspended boats"]);
    expect(drifted.in_force).toMatchObject({ status: "watched", text: expect.stringContaining("replaces no gate") });
    const after = inForce(root);
    expect(after.gate).toMatchObject({ gate_id: applied.gate.gate_id, evidence: { run_id: "001" } });
    expect(after.gate.communities.filter((one) => one.suspended).map((one) => one.community)).toEqual(["boats"]);
    expect(cli(["gate", "--watch", "--by", "decision"], { cwd: root }).stderr).toContain(
      "the active gate is by community",
    );
  });

  it("lets a mistaken alarm be lifted by hand, with a reason, and begins anew there", async () => {
    const root = await workspaceWith({ boats: { n: 200, bad: 2, from: january }, other: { n: 200, from: january } });
    apply(root);
    watch(root);
    const second = { boats: { n: 60, bad: 40, from: february }, other: { n: 60, from: february } };
    await addRun(root, fleetAudits(second), { run_id: "002" });
    const dry = cliOk(["gate", "--watch", "--dry-run"], { cwd: root, env: { COLUMNS: "80" } });
    expect(dry.split("\n").filter((line) => displayWidth(line) > 80)).toEqual([]);
    expect(dry).toContain("1 community would be suspended");
    expect(dry).not.toContain("The next watch goes on");
    gate(root, "--watch");
    const suspended = () => inForce(root).gate.communities.filter((one) => one.suspended);
    expect(suspended()).toHaveLength(1);
    expect(cli(["gate", "reinstate", "boats"], { cwd: root }).stderr).toContain("gate reinstate: there is no --reason");
    expect(cli(["gate", "--reinstate", "other", "--reason", "x"], { cwd: root }).stderr).toContain(
      "Suspended are: boats.",
    );
    const told = cliOk(["gate", "reinstate", "boats", "--reason", "run 002 was a test"], { cwd: root });
    expect(told).toContain("boats is no longer suspended");
    expect(suspended()).toEqual([]);
    expect(history(root).at(-1)).toMatchObject({
      type: "reinstated",
      community: "boats",
      reason: "run 002 was a test",
      by_hand: true,
    });
    const kept = JSON.parse(readFileSync(join(root, "gate", "watch.json"), "utf8"));
    expect(kept.watch.keys.map((one: { key: string }) => one.key)).toEqual(["other"]);
    expect(gate(root, "--watch").watch).toMatchObject({ rows: 0, events: [] });
    expect(suspended()).toEqual([]);
    expect(cliOk(["gate", "history"], { cwd: root })).toMatch(/reinstated\s+boats\s+\S+\s+By hand: run 002 was a test/);
    const third = { boats: { n: 60, bad: 40, from: march }, other: { n: 60, from: march } };
    await addRun(root, fleetAudits(third), { run_id: "003" });
    gate(root, "--watch");
    expect(suspended().map((one) => one.community)).toEqual(["boats"]);
  });

  it("watches an audits file too", async () => {
    const audits = [
      ...fleetAudits({ calm: { n: 200, bad: 2, from: january } }),
      ...fleetAudits({ calm: { n: 60, bad: 40, from: february } }),
    ];
    const path = join(folder, "drift.jsonl");
    writeFileSync(
      path,
      audits
        .reverse()
        .map((audit) => `${JSON.stringify(audit)}\n`)
        .join(""),
    );
    const report = gate(folder, "--audits", path, "--watch");
    expect(report.watch!.events.map(({ type }) => type)).toEqual(["suspended"]);
    expect(community(report, "calm").suspended).not.toBeNull();
  });
});

describe("the kill switch", () => {
  const isolated = (script: string, ...args: string[]) =>
    spawnSync("unshare", ["-rm", "bash", "-c", script, "bash", ...args], { encoding: "utf8" });
  const canMount = isolated("mount -t tmpfs -o size=1m none /mnt").status === 0;

  it.skipIf(!canMount)("closes every gate on a full disk", async () => {
    const root = await workspaceWith();
    const { status, stdout, stderr } = isolated(
      `mount -t tmpfs -o size=4m none /mnt && cp -r "$1" /mnt/ws && cd /mnt/ws && node "$2" gate apply > /dev/null || exit 9
       cat /dev/zero > filler 2> /dev/null; : > empty; echo x > empty 2> /dev/null && exit 8
       node "$2" gate --close "wrong rules" && cat gate/closed.json && ls gate || exit 7
       rm filler && node "$2" gate --open && ls gate`,
      root,
      CLI,
    );
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/Every gate is closed.*\n\{"since":"20[^"]+","reason":"wrong rules"\} *\n/);
    const [full, freed] = stdout.split("The gates are open again");
    expect([full, freed].map((names) => [...names!.matchAll(/^closed\.\w+$/gm)].join())).toEqual([
      "closed.json",
      "closed.reserve",
    ]);
  });

  it("closes every gate with a reason, is told by every gate, and is opened again, all in the history", async () => {
    const root = await workspaceWith();
    apply(root);
    expect(cliOk(["gate", "close", "wrong rules went live"], { cwd: root })).toContain("Every gate is closed");
    expect(gate(root).closed?.reason).toBe("wrong rules went live");
    expect(cliOk(["gate"], { cwd: root })).toContain("nothing is automated until `defensible gate open`");
    cliOk(["gate", "open"], { cwd: root });
    expect(gate(root).closed).toBeNull();
    expect(history(root).map((event) => event.type)).toEqual(["gate", "closed", "opened"]);
    expect(cliOk(["gate", "--open"], { cwd: root })).toContain("were not closed");
    expect(cli(["gate", "--close", " "], { cwd: root }).status).toBe(1);
  });

  it("is not thrown by a command that contradicts itself", async () => {
    const root = await workspaceWith();
    for (const flags of [
      ["--close", "x", "--dry-run"],
      ["--open", "--dry-run"],
      ["--reinstate", "calm", "--reason", "x", "--dry-run"],
      ["--close", "x", "--check"],
      ["--history", "--watch"],
      ["--watch", "--apply"],
      ["--check", "--apply"],
      ["--reason", "x"],
      ["--apply", "check"],
      ["--di", "0.9", "close", "x"],
    ]) {
      const { status, stderr } = cli(["gate", ...flags], { cwd: root });
      expect([flags, status]).toEqual([flags, 1]);
      expect(stderr).toContain("--");
    }
    expect(existsSync(join(root, "gate"))).toBe(false);
  });
});

describe("several gates at once", () => {
  it("follow one another: one watch sees the verdicts, and the history has whole lines", async () => {
    const root = await workspaceWith();
    apply(root);
    const runs = [1, 2, 3].map(() => startCli(["gate", "--watch", "--json"], { cwd: root }).done);
    const results = await Promise.all(runs);
    expect(results.map(({ status }) => status)).toEqual([0, 0, 0]);
    const rows = results.map(({ stdout }) => JSON.parse(stdout).watch.rows).sort((a, b) => a - b);
    expect(rows).toEqual([0, 0, 320]);
    expect(history(root)).toHaveLength(1);
    expect(existsSync(join(root, "gate", "lock"))).toBe(false);
  });
});

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Figure, figureSchema } from "../src/core/figure.js";
import { stepNames } from "../src/experiments/registry.js";
import { type Replicate, replicateSchema } from "../src/experiments/study/result.js";
import { PAPER_VALUES } from "../src/experiments/study/values.js";
import { type FakeServer, planAnswer, startFakeServer, traceText } from "./fake-models/index.js";
import { type CliResult, cli, cliOk, startCli, temporaryFolder } from "./support/cli.js";

const folder = temporaryFolder();
const KEY = "sk-test-right-key-0123456789";
const PAGE = readFileSync(join(import.meta.dirname, "..", "docs", "experiments.md"), "utf8");

/** The figures of the paper that show data, by label and panel. */
const PAPER_FIGURES = [
  "fig:signal_correlation",
  ..."ABCD".split("").map((panel) => `fig:pds_validation ${panel}`),
  "fig:agreement_gap",
  "fig:fleet",
  "fig:level_distribution",
  "fig:temp_sweep",
  ..."ABCDEF".split("").map((panel) => `fig:monte_carlo ${panel}`),
  ..."ABCD".split("").map((panel) => `fig:flipper_stable ${panel}`),
  ...["left", "centre", "right"].map((panel) => `fig:corrected_pds ${panel}`),
];

const read = (file: string): Replicate => replicateSchema.parse(JSON.parse(readFileSync(file, "utf8")));
const statuses = (result: Replicate) => Object.fromEntries(result.steps.map(({ step, status }) => [step, status]));

describe("replicate in a quick world with the paper's rates", () => {
  /** As docs/experiments.md has it: word for word, in an empty folder. */
  const [, command] = /^cd \.\. && defensible (study --preset paper --out \S+ --quick --reference paper)$/m.exec(PAGE)!;
  const world = join(folder, command!.split(" ")[4]!);
  const files = { json: join(folder, "r.json"), md: join(folder, "r.md"), figures: join(folder, "figures") };
  let result: Replicate;
  let first: CliResult;

  beforeAll(() => {
    const flags = [`--json=${files.json}`, `--md=${files.md}`, "--figure-data", files.figures];
    first = cli([...command!.split(" "), ...flags], { cwd: folder });
    if (first.status !== 0) throw new Error(first.stderr);
    result = read(files.json);
  }, 240_000);

  it("does every step that one auditor can do", () => {
    const done = Object.fromEntries(stepNames().map((step) => [step, "done"]));
    expect(statuses(result)).toEqual({ ...done, backbone: "not_done" });
    expect(result.steps.at(-1)!.reason).toContain("two or more different auditors");
  });

  it("puts every printed number beside ours, or says why there is none", () => {
    expect(result.compared.map(({ id }) => id)).toEqual(PAPER_VALUES.map(({ id }) => id));
    expect(result.compared.filter(({ ours }) => ours.value === null && !ours.reason)).toEqual([]);
    expect(result.compared.filter(({ ours }) => ours.value !== null).length).toBeGreaterThan(180);
  });

  it("gives back the rates that were fed in", () => {
    const fed = result.compared.filter(({ role, within }) => role === "input" && within !== null);
    // 95% intervals of a few hundred decisions, and an auditor that wavers.
    expect(fed.filter(({ within }) => within).length / fed.length).toBeGreaterThan(0.75);
  });

  it("says the same of a twentieth of the decisions as tokens", () => {
    // 5% of 500, 400 and 900.
    expect(result.tokens).toMatchObject({ agrees: true, decisions: 90, of: 1800, same_level: 90, same_inverse: 90 });
  });

  it("keeps the result of every experiment, and nothing of it in the user's own files", () => {
    const kept = [
      "gap",
      "signal",
      "tiers",
      "scopes",
      "stability",
      "attack",
      "dual",
      "humans",
      "validate",
      "circularity",
    ];
    for (const kind of [...kept, "replicate"]) {
      expect(existsSync(join(world, "experiments", `${kind}.json`)), kind).toBe(true);
    }
    expect(read(join(world, "experiments", "replicate.json"))).toEqual(result);
    expect(existsSync(join(world, "pds_weights.json"))).toBe(false);
    expect(existsSync(join(world, "labels.jsonl"))).toBe(false);
    expect(existsSync(join(world, "gate"))).toBe(false);
  });

  it("marks raters that are simulated", () => {
    expect(result.raters).toMatchObject({ raters: 121, cases: 30, rater_error: 0.35 });
    expect(result.warnings.join()).toContain("are simulated from the truth");
    const humans = JSON.parse(readFileSync(join(world, "experiments", "humans.json"), "utf8"));
    expect(humans.simulated_raters).toMatchObject({ raters: 121 });
  });

  it("writes a page with every table of the paper, and data for figures", () => {
    const page = readFileSync(files.md, "utf8");
    const places = new Set(PAPER_VALUES.map(({ place }) => place).filter((place) => place !== "Table datasets"));
    for (const place of places) expect(page).toContain(`## ${place.replaceAll("_", "\\_")}`);
    expect(page).toContain("What does not, and why");
    expect(readdirSync(files.figures)).toContain("replicate-compared.csv");
    expect(readdirSync(files.figures).length).toBeGreaterThan(20);
  });

  it("draws every figure of the paper, as the table of docs/figures.md says", () => {
    const folders = readdirSync(join(world, "experiments")).filter((name) => name.endsWith(".json"));
    const figures = folders.flatMap(
      (name) => (JSON.parse(readFileSync(join(world, "experiments", name), "utf8")).figures ?? []) as Figure[],
    );
    for (const figure of figures) figureSchema.parse(figure);
    const labels = (id: string) => figures.find((one) => one.id === id)?.paper?.split(", ") ?? [];
    const docs = readFileSync(join(import.meta.dirname, "..", "docs", "figures.md"), "utf8");
    const rows = [...docs.matchAll(/^\| `(fig:[^`]+)` \|[^|]+\| `([a-z0-9-]+)` \|/gm)];
    expect(rows.map(([, label]) => label).sort()).toEqual([...PAPER_FIGURES].sort());
    for (const [, label, id] of rows) expect(labels(id!), label).toContain(label);
  });

  it("audits nothing again when repeated, and keeps what is left out", () => {
    const runs = readdirSync(join(world, "runs"));
    const { status, stderr, stdout } = cli(["replicate", "--quick", "--out", world, "--only", "gap", "--json"]);
    expect(status, stderr).toBe(0);
    expect(stderr).toContain("it is used as it is");
    // The random cohort without its temperatures is another run; the balanced one is there.
    expect(readdirSync(join(world, "runs"))).toHaveLength(runs.length + 1);
    const again = replicateSchema.parse(JSON.parse(stdout));
    expect(statuses(again)).toMatchObject({ gap: "done", stability: "kept", tokens: "kept" });
    const ours = (one: Replicate) => one.compared.map(({ id, ours }) => [id, ours.value]);
    expect(ours(again)).toEqual(ours(result));
    expect(again.tokens).toEqual(result.tokens);
  });

  it("compares with another study, kept steps too, and with none", () => {
    const study = (...flags: string[]) =>
      replicateSchema.parse(
        JSON.parse(cliOk(["study", "--quick", "--out", world, "--only", "gap", "--json", ...flags])),
      );
    const again = study("--reference", files.json);
    expect(again.reference).toMatchObject({ name: "r.json", auditor: "simulated:columns" });
    const judged = again.compared.filter(({ verdict }) => verdict);
    expect(judged.length).toBeGreaterThan(100);
    // Of a number with itself: never different, and only precise ones are the same.
    expect(judged.filter(({ verdict, difference }) => verdict === "different" || difference !== 0)).toEqual([]);
    expect(judged.some(({ verdict }) => verdict === "same")).toBe(true);
    const alone = study();
    expect(alone).toMatchObject({ reference: null, compared: [] });
    expect(alone.values!.filter(({ value }) => value !== null).length).toBeGreaterThan(180);
    expect(cliOk(["study", "--quick", "--out", world, "--only", "gap"])).toContain("Random: DI");
  });

  it("refuses a world of other settings", () => {
    const { status, stderr } = cli(["replicate", "--preset", "paper", "--quick", "--out", world, "--seed", "2"]);
    expect(status).toBe(1);
    expect(stderr).toContain("holds a simulated world of other settings (preset paper, seed 1)");
  });
});

describe("replicate on a workspace of one's own", () => {
  const sample = join(folder, "sample");
  beforeAll(() => {
    cliOk(["init", sample, "--example", "commons-hard"]);
  });

  it("plans without doing anything", () => {
    const plan = JSON.parse(cliOk(["replicate", "--dry-run", "--quick", "--json"], { cwd: sample }));
    expect(existsSync(join(sample, "runs")) ? readdirSync(join(sample, "runs")) : []).toEqual([]);
    const audits = Object.fromEntries(
      plan.steps.map((one: { step: string; audits: number }) => [one.step, one.audits]),
    );
    // 382 decisions: once; at the workspace's temperature and four others; under three tiers.
    expect(audits).toMatchObject({ calibration: 382, gap: 5 * 382, gate: 0, tiers: 3 * 382, dual: 200 });
    expect(plan.cost_usd).toBe(0);
  });

  it("plans around a step that cannot be done, and says why", () => {
    const own = join(folder, "platform-only");
    cliOk(["init", own, "--example", "commons-hard"]);
    for (const file of readdirSync(join(own, "rules"))) {
      const path = join(own, "rules", file);
      if (!readFileSync(path, "utf8").includes("scope: platform")) rmSync(path);
    }
    const plan = (...only: string[]) => cli(["study", "--dry-run", ...only], { cwd: own });
    const { status, stdout, stderr } = plan("--only", "tiers,scopes");
    expect([status, stdout.replace(/\s+/g, " ")]).toEqual([
      0,
      expect.stringContaining("scopes – not done: rules: no community rule is in force"),
    ]);
    expect(stderr.match(/no rules of their own/g)).toHaveLength(1);
    expect(plan("--only", "scopes")).toMatchObject({ status: 1, stderr: expect.stringContaining("no community rule") });
  });

  it("says which steps cannot be done, and uses all decisions where there are no cohorts", () => {
    const only = ["--only", "calibration,gap,gate,humans,validate,tokens"];
    const result = replicateSchema.parse(
      JSON.parse(cliOk(["replicate", "--quick", ...only, "--json"], { cwd: sample })),
    );
    expect(statuses(result)).toMatchObject({
      gap: "done",
      gate: "done",
      humans: "not_done",
      validate: "not_done",
      tokens: "not_done",
      tiers: "left_out",
    });
    const row = (id: string) => result.compared.find((one) => one.id === id)!;
    expect(row("humans.pds")).toMatchObject({
      role: null,
      ours: { value: null, reason: "no person has rated a decision" },
      command: "defensible humans sample, then defensible humans import",
    });
    expect(row("tiers.wiki.ai").ours.reason).toBe("the step was left out");
    expect(row("datasets.random").ours.value).toBe(382);
    expect(result.warnings.join()).toContain("all decisions are used for each of them");
  });

  it.each([
    [["--cohort-random", "nobody"], 'there is no cohort "nobody"'],
    [["--cohort", "random"], "every step has a cohort of its own"],
    [["--only", "gap", "--skip", "gate"], "got both"],
    [["--only", "everything"], "expected some of"],
    [["--reference", "nowhere.json"], "cannot be read as JSON"],
    [["--reference", "defensible.yaml"], "cannot be read as JSON"],
    [["--preset", "small"], "needs a folder for the world"],
    [["--out", "."], "is not empty and holds no simulation"],
  ])("refuses %j", (flags, message) => {
    const { status, stderr } = cli(["replicate", ...flags], { cwd: sample });
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});

/** Two probes and 36 audits under tiers come before the first of stability. */
const STALLS = 40;

describe("replicate with a model", () => {
  let server: FakeServer;
  let stall = false;
  const workspace = join(folder, "model");

  beforeAll(async () => {
    const answer = await planAnswer(traceText());
    server = await startFakeServer({
      dialect: "openai",
      key: KEY,
      answer: () => (stall && server.questions.length > STALLS ? { fault: "stall", at: "start", answer } : answer),
    });
    cliOk(["init", workspace, "--example", "commons-hard"]);
    const decisions = Array.from({ length: 12 }, (_, i) => ({
      id: `d${i}`,
      community: i % 2 ? "film-club" : "study-hall",
      content: `Post number ${i}`,
      decision: i % 3 ? "remove" : "approve",
    }));
    writeFileSync(join(workspace, "decisions.jsonl"), `${decisions.map((one) => JSON.stringify(one)).join("\n")}\n`);
  });
  afterAll(() => server.close());

  const replicate = (...flags: string[]) =>
    startCli(
      [
        ...["replicate", "--quick", "--workspace", workspace, "--auditor", "openai-compatible:gpt-4.1-mini"],
        ...["--base-url", server.baseUrl, "--dialect", "openai", "--cases", "2", "--replicates", "4", ...flags],
      ],
      { env: { OPENAI_API_KEY: KEY } },
    );

  it("stops with 130 on Ctrl-C, and goes on when repeated", async () => {
    stall = true;
    const steps = ["--only", "stability,tiers"];
    const { child, done } = replicate(...steps);
    while (server.questions.length < STALLS + 2) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill("SIGINT");
    const stopped = await done;
    expect(stopped.status, stopped.stderr).toBe(130);
    expect(stopped.stderr).toContain("repeat the command to continue");
    expect(existsSync(join(workspace, "experiments", "tiers.json"))).toBe(true);
    expect(existsSync(join(workspace, "experiments", "replicate.json"))).toBe(false);
    stall = false;
    const again = await replicate(...steps, "--json").done;
    expect(again.status, again.stderr).toBe(0);
    expect(statuses(replicateSchema.parse(JSON.parse(again.stdout)))).toMatchObject({
      tiers: "done",
      stability: "done",
    });
  });

  it("says of every number without a value why, where a model always answers the same", async () => {
    const { status, stdout, stderr } = await replicate("--skip", "scopes,dual,stability", "--json").done;
    expect(status, stderr).toBe(0);
    const result = replicateSchema.parse(JSON.parse(stdout));
    const missing = result.compared.filter(({ ours }) => ours.value === null);
    expect(missing.length).toBeGreaterThan(20);
    expect(missing.filter(({ ours }) => !ours.reason)).toEqual([]);
    expect(result.compared.find(({ id }) => id === "weights.h_w.gamma")!.ours.reason).toContain("one class");
    expect(statuses(result)).toMatchObject({ calibration: "done", stability: "kept", tokens: "not_done" });
  });

  it("keeps to one limit of cost for all steps, and says what it left", async () => {
    const yaml = join(workspace, "defensible.yaml");
    // A million dollars a token makes the smallest run too dear.
    writeFileSync(
      yaml,
      `${readFileSync(yaml, "utf8")}\nprices:\n  gpt-4.1-mini: { input: 1000000, output: 1000000 }\n`,
    );
    const { status, stdout, stderr } = await replicate("--new", "--no-cache", "--max-cost", "1", "--json").done;
    expect(status, stderr).toBe(2);
    const result = replicateSchema.parse(JSON.parse(stdout));
    expect(result.steps.filter(({ status: one }) => one === "done")).toEqual([]);
    expect(result.steps[0]).toMatchObject({ step: "calibration", status: "not_done" });
    expect(result.steps[0]!.reason).toContain("limit of $1");
  });
});

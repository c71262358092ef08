import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { circularitySchema } from "../src/experiments/circularity/result.js";
import { gapExperimentSchema } from "../src/experiments/gap/result.js";
import { signalExperimentSchema } from "../src/experiments/signal/result.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

interface Row {
  decision_id: string;
  arm: string;
  replicate: number;
  decision: string;
  human_label: string | null;
  level: number;
  inverse: boolean;
  inverse_yes_prob: number;
  pds: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("defensible experiment", () => {
  const workspace = join(temporaryFolder(), "ws");
  const at = { cwd: workspace };
  let main: Row[] = [];
  let run = "";

  beforeAll(() => {
    cliOk(["init", workspace, "--example", "commons-hard"]);
    cliOk(["cohort", "create", "some", "--random", "100"], at);
    cliOk(["audit", "--replicates", "4", "--humans", "--limit", "200"], at);
    cliOk(["export", "--format", "jsonl", "--out", "audits.jsonl"], at);
    const lines = readFileSync(join(workspace, "audits.jsonl"), "utf8").trim().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as Row);
    main = rows.filter((row) => row.arm === "" && row.replicate === 0);
    run =
      JSON.parse(cliOk(["runs", "--json"], at)).runs?.[0]?.run_id ??
      JSON.parse(cliOk(["runs", "--json"], at))[0].run_id;
  });

  it("gap counts what a recount of the exported audits counts, cohorts beside the whole", () => {
    const result = gapExperimentSchema.parse(JSON.parse(cliOk(["experiment", "gap", "--json"], at)));
    const [all, some] = result.columns;
    expect(result.columns.map(({ name }) => name)).toEqual(["limit 200", "some"]);
    const labelled = main.filter((row) => row.human_label);
    const missed = labelled.filter((row) => row.decision === "approve" && row.human_label === "remove");
    expect(all!.trap.fn_defensible).toMatchObject({
      k: missed.filter((row) => row.level < 3).length,
      n: missed.length,
    });
    const apart = labelled.filter((row) => row.decision !== row.human_label);
    expect(all!.root_causes.implicit_norm).toMatchObject({
      k: apart.filter((row) => row.level < 3 && !row.inverse).length,
      n: apart.length,
    });
    expect(all!.truth).toMatchObject({ source: "gold", n: main.length });
    expect(all!.truth!.causes.counts.flat().reduce((a, b) => a + b)).toBe(apart.length);
    const members = JSON.parse(readFileSync(join(workspace, "cohorts", "some.json"), "utf8")).decision_ids as string[];
    expect(some!.counts.verdicts).toBe(main.filter((row) => members.includes(row.decision_id)).length);
    expect(JSON.parse(readFileSync(join(workspace, "experiments", "gap.json"), "utf8"))).toEqual(result);
  });

  it("signal measures what a recount measures, and writes the data of its figures", () => {
    const folder = join(workspace, "figures");
    const text = cliOk(["experiment", "signal", "--run", run, "--figure-data", folder, "--json"], at);
    const result = signalExperimentSchema.parse(JSON.parse(text));
    for (const { level, n, means, ambiguity_index } of result.levels) {
      const rows = main.filter((row) => row.level === level);
      expect(n).toBe(rows.length);
      expect(means.inverse_yes_prob!.estimate).toBeCloseTo(mean(rows.map((row) => row.inverse_yes_prob)), 10);
      expect(ambiguity_index).toMatchObject({ k: rows.filter((row) => row.inverse).length });
    }
    const pds = result.agreement.find(({ signal, statistic }) => signal === "pds" && statistic === "value")!;
    const regime = (agree: boolean) =>
      mean(main.filter((row) => row.human_label && (row.decision === row.human_label) === agree).map((row) => row.pds));
    expect(pds.ratio.estimate).toBeCloseTo(regime(false) / regime(true), 10);
    expect(result.references).toMatchObject([{ name: "gold", n: main.length }]);
    expect(result.sampling).toMatchObject({ available: true, comparisons: [{ decisions: 200 }] });
    expect(readdirSync(folder).sort()).toEqual(result.figures.map(({ id }) => `${id}.csv`).sort());
    const again = JSON.parse(cliOk(["experiment", "signal", "--run", run, "--json"], at));
    expect(again).toEqual(JSON.parse(text));
  });

  it("signal names the command for what no verdict has", () => {
    expect(cliOk(["experiment", "signal", "--md"], at)).toMatch(
      /No verdict has .*calibrated P.*defensible calibrate apply/,
    );
  });

  it("circularity looks at what there is and names the commands for the rest", () => {
    const result = circularitySchema.parse(JSON.parse(cliOk(["experiment", "circularity", "--json"], at)));
    const by = Object.fromEntries(result.channels.map((channel) => [channel.channel, channel]));
    expect(by.human_validation).toMatchObject({
      verdict: "not_available",
      command: expect.stringMatching(/humans sample/),
    });
    expect(by.rule_change).toMatchObject({ verdict: "not_available", command: "defensible rules tiers" });
    expect(by.gap!.tests[1]!.value.n).toBeGreaterThan(100);
    expect(by.convergence!.tests).toHaveLength(3);
    expect(by.truth!.tests[0]!.value.estimate).not.toBeNull();
  });

  it.each(["gap", "signal", "circularity"])("%s reads as a page, on a terminal and as Markdown", (name) => {
    const page = cliOk(["experiment", name], at);
    expect(page).not.toMatch(/NaN|\bundefined\b(?!:)|\bnull\b|\[object/);
    expect(page).toMatch(/\nNote: the auditor is the embedded baseline/);
    expect(page.replace(/\s+/g, " ")).toContain(`run ${run} · auditor baseline`);
    const chosen = cliOk(["experiment", name, "--run", "newest", "--md"], at);
    expect(chosen).toMatch(/^# /);
    expect(cliOk(["experiment", name, "--md"], at)).toBe(chosen);
  });

  it.each(["gap", "signal", "circularity"])("%s takes a file of five columns and says what is undefined", (name) => {
    const folder = temporaryFolder();
    const rows = Array.from({ length: 12 }, (_, i) => `d${i},c${i % 2},remove,${(i % 3) + 1},${i % 2 === 0}`);
    writeFileSync(join(folder, "a.csv"), `decision_id,community,decision,level,inverse\n${rows.join("\n")}\n`);
    const page = cliOk(["experiment", name, "--audits", "a.csv"], { cwd: folder });
    expect(page).not.toMatch(/NaN|\[object/);
    expect(page).toMatch(/No gap can be shown|No signal can be measured|Not available/);
    expect(JSON.parse(cliOk(["experiment", name, "--audits", "a.csv", "--json"], { cwd: folder })).runs).toEqual([]);
    expect(readdirSync(folder)).toEqual(["a.csv"]);
  });

  it("sets two files side by side, and neutralises what their names could do", () => {
    const folder = temporaryFolder();
    const text = readFileSync(join(workspace, "audits.jsonl"), "utf8");
    writeFileSync(join(folder, "a\u001b[31m.jsonl"), text);
    writeFileSync(join(folder, "b.jsonl"), text);
    const files = ["--audits", "a\u001b[31m.jsonl", "--audits", "b.jsonl"];
    const page = cliOk(["experiment", "gap", ...files], { cwd: folder });
    expect(page).toContain("b.jsonl");
    expect(page).not.toContain("\u001b");
    const { columns } = JSON.parse(cliOk(["experiment", "gap", ...files, "--json"], { cwd: folder }));
    expect({ ...columns[0], name: "" }).toEqual({ ...columns[1], name: "" });
  });

  it("refuses what cannot be, with the remedy", () => {
    expect(cli(["experiment", "gap", "--cohort", "none"], at)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/there is no "none"; there is some/),
    });
    const both = cli(["experiment", "gap", "--audits", "audits.jsonl", "--cohort", "some"], at);
    expect(both).toMatchObject({ status: 1, stderr: expect.stringMatching(/needs a workspace/) });
    expect(cli(["experiment", "signal", "--run", "nowhere"], at).stderr).toMatch(/no run "nowhere"/);
    const two = cli(["experiment", "circularity", "--audits", "audits.jsonl", "--audits", "audits.jsonl"], at);
    expect(two.stderr).toMatch(/about one run/);
    const broken = join(workspace, "experiments");
    mkdirSync(broken, { recursive: true });
    writeFileSync(join(broken, "tiers.json"), '{"format":1,"experiment":"tiers","runs":[]}');
    expect(cli(["experiment", "circularity"], at)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/is not a result of experiment tiers/),
    });
  });
});

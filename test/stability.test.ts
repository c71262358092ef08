import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Stability, stabilitySchema } from "../src/experiments/stability/result.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

function parse(text: string): Stability {
  return stabilitySchema.parse(JSON.parse(text));
}

/** A decision's replicates in an audits file with the least columns. */
function rows(id: string, levels: readonly number[], more: Record<string, unknown> = {}): string {
  return levels
    .map((level, replicate) =>
      JSON.stringify({
        decision_id: id,
        community: "c",
        decision: "remove",
        level,
        inverse: false,
        replicate,
        ...more,
      }),
    )
    .join("\n");
}

const times = (count: number, level: number) => new Array<number>(count).fill(level);

describe("defensible stability on a workspace", () => {
  const folder = temporaryFolder();
  const workspace = join(folder, "ws");
  const asked = [
    "stability",
    "--cases",
    "6",
    "--temperatures",
    "0.2,1",
    "--pilot",
    "4",
    "--limit",
    "20",
    "--replicates",
    "40",
    "--draws",
    "100",
  ];
  let first: Stability;

  beforeAll(() => {
    cliOk(["init", workspace, "--example", "commons-hard"]);
    first = parse(cliOk([...asked, "--json"], { cwd: workspace }));
  }, 60_000);

  it("measures cases that a pilot chose, at each temperature, in one run of its own", () => {
    expect(first.groups).toMatchObject({ by: "pilot", asked: 6, pilot: { candidates: 20, replicates: 4 } });
    expect(first.counts.cases).toBe(first.groups.flippers + first.groups.stable);
    expect(first.temperatures.map(({ temperature }) => temperature)).toEqual([0.2, 1]);
    expect(first.cases).toHaveLength(2 * first.counts.cases);
    for (const { attempted } of first.cases) expect(attempted).toBeGreaterThanOrEqual(30);
    expect(first.warnings.join()).toMatch(/baseline/);
    const runs = JSON.parse(cliOk(["runs", "--json"], { cwd: workspace }));
    expect(Array.isArray(runs) ? runs : runs.runs).toHaveLength(1);
    expect(existsSync(join(workspace, "experiments", "stability.json"))).toBe(true);
  });

  it("asks nothing again when it is repeated, and analyses the run alike by its id", () => {
    const again = cli([...asked, "--json"], { cwd: workspace });
    expect(again.stderr).toMatch(/Nothing was left to do/);
    expect(parse(again.stdout)).toEqual(first);
    const named = parse(cliOk(["stability", "--run", first.runs[0]!, "--draws", "100", "--json"], { cwd: workspace }));
    expect(named).toEqual(first);
    const newest = parse(cliOk(["stability", "--run", "newest", "--draws", "100", "--json"], { cwd: workspace }));
    expect(newest).toEqual(first);
  });

  it("refuses a budget that cannot give every case one audit, before it audits anything", () => {
    const small = cli([...asked, "--budget", "11", "--json"], { cwd: workspace });
    expect(small).toMatchObject({ status: 1, stderr: expect.stringMatching(/got 11, expected at least 12/) });
  });

  it("does not keep what says nothing in the place of what does", () => {
    const kept = join(workspace, "experiments", "stability.json");
    const before = readFileSync(kept, "utf8");
    const { run_id } = JSON.parse(cliOk(["audit", "--limit", "5", "--json"], { cwd: workspace }));
    const { status, stderr, stdout } = cli(["stability", "--run", run_id, "--draws", "100", "--json"], {
      cwd: workspace,
    });
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(/Not kept: no decision was audited/),
    });
    expect(parse(stdout).warnings.join()).toMatch(/say nothing of stability/);
    expect(readFileSync(kept, "utf8")).toBe(before);
  });

  it("reads well, and writes Markdown and the data of its figures", () => {
    const figures = join(folder, "figures");
    const words = cliOk(["stability", "--run", first.runs[0]!, "--draws", "100", "--figure-data", figures], {
      cwd: workspace,
    });
    for (const text of [/^\nStability/, /By temperature/, /Ratio Flippers \/ Stable/, /\nLimits\n/]) {
      expect(words).toMatch(text);
    }
    expect(words).not.toMatch(/NaN|\bnull\b|Infinity|\[object/);
    expect(readdirSync(figures)).toContain("stability-levels.csv");
    expect(readFileSync(join(figures, "stability-levels.csv"), "utf8").split("\n")[0]).toBe(
      "case,decision_id,temperature,level,share,boundary",
    );
    const file = join(folder, "stability.md");
    cliOk(["stability", "--run", first.runs[0]!, "--draws", "100", `--md=${file}`], { cwd: workspace });
    expect(readFileSync(file, "utf8")).toMatch(/^# Stability/);
  });

  it("says what it would do, and does nothing, in a dry run", () => {
    const flags = ["stability", "--cases", "11", "--limit", "20", "--dry-run"];
    const { stderr, stdout } = cli(flags, { cwd: workspace });
    expect(stdout).toMatch(
      /10 pilot audits of each of 20 candidates \(200\), then up to 300 audits of each of up to 10 cases at 4 temperatures \(at most 12,000\): at most 12,200 audits planned. Nothing was done/,
    );
    expect(stdout).not.toMatch(/200 audits planned\b.*200 audits planned/);
    expect(stderr).toMatch(/--cases 11 is odd/);
    expect(stderr).toMatch(/settled after 53 audits/);
    expect(stderr).not.toMatch(/planned|at most 12/);
    expect(JSON.parse(cliOk([...flags, "--json"], { cwd: workspace }))).toMatchObject({
      counts: { planned: 200 },
      at_most: 12_200,
    });
  });

  it("measures the cases of another run again, and holds the two against each other", () => {
    const [run] = first.runs;
    const flags = ["--cases-of", run!, "--temperatures", "0.2,1", "--fixed", "--replicates", "3", "--seed", "2"];
    const second = parse(cliOk(["stability", ...flags, "--draws", "100", "--json"], { cwd: workspace }));
    const ids = (result: Stability) => [...new Set(result.cases.map(({ decision_id }) => decision_id))];
    expect(ids(second)).toEqual(ids(first));
    expect(second.groups.by).toBeNull();
    const runs = ["--run", run!, "--run", second.runs[0]!];
    const both = parse(cliOk(["stability", ...runs, "--draws", "100", "--json"], { cwd: workspace }));
    expect(both.decomposition[0]!.components.map(({ source }) => source)).toContain("case_by_auditor");
    expect(both.groups).toEqual(first.groups);
    expect(both.warnings.join()).toMatch(/several sources/);
  });

  it("reads replicates of an ordinary run, without groups", () => {
    cliOk(["audit", "--limit", "4", "--replicates", "3"], { cwd: workspace });
    const [run] = readdirSync(join(workspace, "runs")).sort().reverse();
    const got = parse(cliOk(["stability", "--run", run!, "--draws", "100", "--json"], { cwd: workspace }));
    expect(got).toMatchObject({ settings: { mode: "fixed" }, groups: { by: null }, counts: { cases: 4, audits: 12 } });
    expect(got.cases.every((row) => row.class === "undetermined")).toBe(true);
    expect(got.warnings.join()).toMatch(/no case has 30 verdicts/);
  });

  it("refuses flags that contradict each other, with the remedy", () => {
    const refused = (flags: string[]) => cli(["stability", ...flags], { cwd: workspace });
    expect(refused(["--temperature", "1"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/Use --temperatures/),
    });
    expect(refused(["--fixed", "--sequential"]).stderr).toMatch(/got both/);
    expect(refused(["--run", "x", "--auditor", "baseline"]).stderr).toMatch(/--auditor: cannot be used with --run/);
    expect(refused(["--temperatures", "0.1,0.1"]).stderr).toMatch(/different temperatures/);
    expect(refused(["--filter", "community=nowhere"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no decision was chosen/),
    });
  });
});

describe("defensible stability on an audits file", () => {
  const folder = temporaryFolder();
  const analyse = (lines: string[], ...flags: string[]) => {
    const file = join(folder, `${Math.abs(lines.join().length)}-${flags.join("")}.jsonl`);
    writeFileSync(file, `${lines.join("\n")}\n`);
    return parse(cliOk(["stability", "--audits", file, "--draws", "100", "--json", ...flags]));
  };

  it("counts levels where there is nothing else", () => {
    const got = analyse([
      rows("solid", times(40, 1), { arm: "t=0.7" }),
      rows("edge", [...times(20, 1), ...times(20, 3)], { arm: "t=0.7" }),
      rows("bad", [...times(2, 2), ...times(38, 3)], { arm: "t=0.7" }),
    ]);
    const byId = Object.fromEntries(got.cases.map((row) => [row.decision_id, row]));
    expect(byId.solid).toMatchObject({
      class: "rock_solid",
      boundary: "stably_defensible",
      temperature: 0.7,
      sd_pds: null,
    });
    expect(byId.edge).toMatchObject({ class: "highly_unstable", boundary: "boundary_unstable", p_level_3: 0.5 });
    expect(byId.bad).toMatchObject({ class: "rock_solid", boundary: "stably_indefensible", k: 40 });
    expect(got.temperatures[0]!.sd_pds.all).toMatchObject({ estimate: null });
    expect(got.warnings.join()).toMatch(/no audit has a signal S/);
    expect(got.decomposition[0]!.reason).toMatch(/fewer than two cases/);
  });

  it("stands a single replicate, a single case, and no flippers in the pilot", () => {
    expect(analyse([rows("a", [1])]).cases[0]).toMatchObject({
      k: 1,
      class: "undetermined",
      flip_rate: null,
      temperature: null,
    });
    const none = analyse([rows("a", times(40, 1)), rows("b", times(40, 1))], "--pilot", "5");
    expect(none.groups).toMatchObject({ by: "first_replicates", flippers: 0, stable: 2, pilot: { replicates: 5 } });
    expect(none.cases[0]!.k).toBe(35);
    expect(none.warnings.join()).toMatch(/found no Flippers/);
  });

  it("says only what is settled when asked to", () => {
    const strict = analyse([rows("edge", [...times(36, 1), ...times(4, 3)])], "--sequential");
    expect(strict.cases[0]).toMatchObject({ boundary: "undetermined", plug_in: { boundary: "stably_defensible" } });
    expect(strict.cases[0]!.boundary_between).toEqual(
      expect.arrayContaining(["boundary_unstable", "stably_defensible"]),
    );
  });

  it("refuses a file without repeated audits", () => {
    const file = join(folder, "none.jsonl");
    writeFileSync(file, `${rows("a", [1], { arm: "opposite" })}\n`);
    expect(cli(["stability", "--audits", file])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no repeated audits/),
    });
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { compareSchema } from "../src/core/results/compare.js";
import { planSchema } from "../src/core/results/plan.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

describe("defensible plan", () => {
  it.each(["certify", "gate", "estimate", "paired", "clusters", "correlation", "labels"])(
    "%s works without flags, in words and as JSON",
    (what) => {
      expect(cliOk(["plan", what])).toMatch(/^\nPlan: /);
      const plan = planSchema.parse(JSON.parse(cliOk(["plan", what, "--json"])));
      expect(plan.what).toBe(what);
    },
  );

  it("takes its flags", () => {
    const plan = JSON.parse(cliOk(["plan", "certify", "--true", "0.02", "--communities", "270", "--json"]));
    expect(plan.each_of_many.steps.map((step: { n: number }) => step.n)).toEqual([94, 127, 153, 175]);
    const once = JSON.parse(
      cliOk(["plan", "certify", "--look", "once", "--true", "0.02", "--communities", "270", "--json"]),
    );
    expect(once.each_of_many.steps.map((step: { n: number }) => step.n)).toEqual([82, 106, 127, 146]);
    const threads = JSON.parse(cliOk(["plan", "certify", "--threads", "1,2", "--json"]));
    expect(threads.threads).toMatchObject({ cap: 5, mean_size: 1.5, n: expect.any(Number) });
    expect(threads.threads.n).toBeGreaterThan(threads.one_community.joint.smallest.n);
    const gate = JSON.parse(cliOk(["plan", "gate", "--n", "86", "--open", "0", "--json"]));
    expect(gate.passing_counts.certified.indefensible).toBe(2);
  });

  it.each([
    "certify --true 1",
    "certify --true-ai 1",
    "certify --true 0 --true-ai 0",
    "certify --limit 1e-9",
    "certify --limit 0.999999999 --ai 0.999999999",
    "certify --delta 1e-9 --communities 100000",
    "certify --delta 0.999999999 --power 1e-9",
    "certify --power 0.999999999",
    "estimate --level 0.999999999 --half-width 0.0001",
    "estimate --level 1e-9 --rate 0",
    "paired --alpha 1e-9 --power 0.999999999",
    "clusters --n 1000000000 --size 1000000 --icc 1",
    "correlation --alpha 1e-9 --rho -0.9999",
    "correlation --rho 0.000001",
    "labels --level 0.999999999 --rate 1e-9",
    "gate --prior-indefensible 1e-9,1e-6 --prior-ambiguity 0.5,1e9",
    "gate --delta 1e-9 --q 0.999999999 --di 0 --ai 1",
  ])("answers at the ends of what it accepts: %s", (line) => {
    const words = ["plan", ...line.split(" ")];
    expect(cliOk(words)).not.toMatch(/NaN|undefined|null|Infinity/);
    planSchema.parse(JSON.parse(cliOk([...words, "--json"])));
  });

  it("refuses what cannot be, with the remedy", () => {
    expect(cli(["plan", "certify", "--delta", "1"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/above 0 and below 1/),
    });
    for (const level of ["0.9999999999999999", "1e-300"]) {
      const refused = cli(["plan", "estimate", "--level", level]);
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/no nearer to them than 1e-9/) });
    }
    expect(cli(["plan", "paired", "--only-a", "0.9", "--only-b", "0.9"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/add up/),
    });
    expect(cli(["plan", "correlation", "--rho", "0"]).stderr).toMatch(/cannot be shown/);
    expect(cli(["plan", "correlation", "--rho", "1e-300"]).stderr).toMatch(/at least 0.000001/);
    for (const prior of ["2", "1e-300,1e-300", "0.5,1e300"]) {
      expect(cli(["plan", "gate", "--prior-ambiguity", prior]).stderr).toMatch(/MEAN,STRENGTH/);
    }
    expect(cli(["plan", "nonsense"]).status).toBe(1);
  });
});

describe("defensible report compare", () => {
  const workspace = join(temporaryFolder(), "ws");
  let a = "";
  let b = "";

  beforeAll(() => {
    cliOk(["init", workspace, "--example", "commons-hard"]);
    for (const tier of ["wiki", "sidebar"]) cliOk(["audit", "--tier", tier, "--limit", "60"], { cwd: workspace });
    const runs = JSON.parse(cliOk(["runs", "--json"], { cwd: workspace }));
    [b, a] = (Array.isArray(runs) ? runs : runs.runs).map((run: { run_id: string }) => run.run_id);
  });

  it("compares two runs, in words, Markdown and JSON", () => {
    const text = cliOk(["report", "compare", a, b], { cwd: workspace });
    expect(text).toMatch(/Comparison of two runs/);
    expect(text).toMatch(/tier\s+wiki\s+sidebar/);
    expect(cliOk(["report", "compare", a, b, "--md"], { cwd: workspace })).toMatch(/^# Comparison of two runs/);
    const result = compareSchema.parse(JSON.parse(cliOk(["report", "compare", a, b, "--json"], { cwd: workspace })));
    expect(result.counts).toMatchObject({ attempted_a: 60, attempted_b: 60, shared: 60 });
    expect(result.transitions.flat().reduce((x, y) => x + y)).toBe(result.counts.compared);
    // A flag between `report` and `compare` means the same.
    const before = JSON.parse(cliOk(["report", "--json", "compare", a, b], { cwd: workspace }));
    expect(before).toEqual(result);
  });

  it("says the same of files as of the runs they come from", () => {
    const run = JSON.parse(cliOk(["report", "compare", a, b, "--json"], { cwd: workspace }));
    cliOk(["export", "--run", a, "--format", "jsonl", "--out", "a.jsonl"], { cwd: workspace });
    cliOk(["export", "--run", b, "--format", "csv", "--out", "b.csv"], { cwd: workspace });
    const files = JSON.parse(cliOk(["report", "compare", "a.jsonl", "b.csv", "--json"], { cwd: workspace }));
    const { a: _a, b: _b, ...rest } = files;
    expect(run).toMatchObject(rest);
  });

  it("claims no certainty over communities where nothing changed", () => {
    const audits = readFileSync(join(workspace, "a.jsonl"), "utf8");
    writeFileSync(join(workspace, "same.jsonl"), audits);
    const text = cliOk(["report", "compare", "a.jsonl", "same.jsonl"], { cwd: workspace });
    expect(text).not.toContain("0.0 to 0.0");
    expect(text.replace(/\s+/g, " ")).toContain("the value is the same in every community");
    const result = JSON.parse(cliOk(["report", "compare", "a.jsonl", "same.jsonl", "--json"], { cwd: workspace }));
    expect(compareSchema.parse(result).defensibility_index).toMatchObject({ bootstrap: null });
    expect(result.defensibility_index.difference).not.toHaveProperty("cluster");
    expect(result.communities.length).toBeGreaterThan(1);
  });

  it("refuses an unpaired comparison, a run with itself and flags of a report", () => {
    const other = readFileSync(join(workspace, "a.jsonl"), "utf8").replaceAll(
      /"decision_id":"/g,
      '"decision_id":"other-',
    );
    writeFileSync(join(workspace, "other.jsonl"), other);
    const unpaired = cli(["report", "compare", "a.jsonl", "other.jsonl"], { cwd: workspace });
    expect(unpaired).toMatchObject({ status: 1, stderr: expect.stringMatching(/share no decision; got 60 and 60/) });
    expect(cli(["report", "compare", a, a], { cwd: workspace }).stderr).toMatch(/twice, expected two runs/);
    expect(cli(["report", "--run", a, "compare", a, b], { cwd: workspace }).stderr).toMatch(
      /cannot be used with compare/,
    );
    expect(cli(["report", "compare", a, "nope"], { cwd: workspace }).stderr).toMatch(/there is no run "nope"/);
  });

  it("leaves `report` as it was", () => {
    expect(cliOk(["report", "--run", b], { cwd: workspace })).toMatch(/Defensibility report/);
    expect(cli(["report", "nonsense"], { cwd: workspace })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/there is no subcommand "nonsense"/),
    });
  });
});

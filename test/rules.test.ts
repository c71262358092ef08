import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { rulesDiffSchema } from "../src/experiments/rules/diff/result.js";
import { scopesSchema } from "../src/experiments/rules/scopes/result.js";
import { tiersSchema } from "../src/experiments/rules/tiers/result.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

const folder = temporaryFolder();
const workspace = join(folder, "commons");
const inside = { cwd: workspace };
const SOME = ["--communities", "secondhand-bikes", "indie-games", "--temperature", "0"];
/** A rewrite by somebody who would like to own the terminal and the pull request. */
const HOSTILE = 'No links \\e[31m<img src=x onerror=\\"alert(1)\\"> ![x](http://e.vil) @octocat | `x`';

beforeAll(() => {
  cliOk(["init", workspace, "--example", "commons-hard"]);
  const rules = readFileSync(join(workspace, "rules", "secondhand-bikes.yaml"), "utf8");
  writeFileSync(
    join(folder, "new.yaml"),
    rules
      .replace(/Every offer states[^\n]*/, "Please be nice in offers.")
      .replace("title: Links to outside sales", `title: "${HOSTILE}"`),
  );
  writeFileSync(join(folder, "same.yaml"), rules);
});

describe("defensible rules tiers", () => {
  it("audits every tier in one run, keeps the result, and finds the same in an exported file", () => {
    const figures = join(folder, "figures");
    const first = cliOk(["rules", "tiers", ...SOME, "--json", "--figure-data", figures], inside);
    const tiers = tiersSchema.parse(JSON.parse(first));
    expect(tiers.counts).toMatchObject({ communities: 2, clusters: { unit: "community", n: 2 } });
    expect(tiers.counts.paired).toBe(tiers.counts.decisions);
    expect(tiers.text.known).toBe(true);
    expect(readdirSync(figures).sort()).toEqual(["tiers-ladder.csv", "tiers-rule-gain.csv", "tiers-transitions.csv"]);
    expect(JSON.parse(readFileSync(join(workspace, "experiments", "tiers.json"), "utf8"))).toEqual(tiers);
    const exported = join(folder, "tiers.csv");
    cliOk(["export", "--run", tiers.runs[0]!, "--format", "csv", "--out", exported], inside);
    const file = tiersSchema.parse(
      JSON.parse(cliOk(["rules", "tiers", "--audits", exported, "--workspace", workspace, "--json"])),
    );
    for (const part of ["tiers", "steps", "text", "rules"] as const) expect(file[part]).toEqual(tiers[part]);
  });

  it("says in words what it found, and whose figures they are", () => {
    const { runs } = JSON.parse(readFileSync(join(workspace, "experiments", "tiers.json"), "utf8"));
    const text = cliOk(["rules", "tiers", "--run", runs[0]], inside);
    expect(cliOk(["rules", "tiers", "--run", "newest"], inside)).toBe(text);
    expect(cli(["rules", "diff", "--run", "newest"], inside)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/none of experiment diff/),
    });
    expect(text).toMatch(/Ambiguity Index, titles alone to all of the text/);
    expect(text).toMatch(/indefensible decisions, titles alone to all of the text/);
    expect(text).toMatch(/embedded baseline/);
    expect(text).not.toMatch(/NaN|undefined|null/);
  });

  it("refuses what does not go together, with the remedy", () => {
    const refused = (args: string[]) => cli(["rules", "tiers", ...args], inside);
    expect(refused(["--tier", "wiki"])).toMatchObject({ status: 1, stderr: expect.stringMatching(/--tiers/) });
    expect(refused(["--run", "x", "--auditor", "baseline"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/--auditor: cannot be used with --run/),
    });
    const file = join(folder, "plain.csv");
    writeFileSync(file, "decision_id,community,decision,level,inverse\n1,a,remove,1,No\n");
    expect(refused(["--audits", file])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no audits with arm "tier=title"/),
    });
  });

  it("plans without auditing", () => {
    const { stdout, status } = cli(["rules", "tiers", "--communities", "film-club", "--dry-run"], inside);
    expect(status).toBe(0);
    expect(stdout).toMatch(/audits planned.*Nothing was done/);
  });
});

describe("defensible rules scopes", () => {
  it("splits AI by whose rules leave it open", () => {
    const scopes = scopesSchema.parse(JSON.parse(cliOk(["rules", "scopes", ...SOME, "--json"], inside)));
    const { both, classes } = scopes.ambiguity;
    const sum = Object.values(classes).reduce((total, one) => total + one.estimate!, 0);
    expect(sum).toBeCloseTo(both.estimate!, 12);
    expect(scopes.arms.map(({ arm }) => arm)).toEqual(["", "scope=platform", "scope=community"]);
  });
});

describe("defensible rules diff", () => {
  const diff = (args: string[]) => cli(["rules", "diff", ...args], inside);

  it("shows what a rewrite does to past decisions, fails the limits that do not hold, and says so in JUnit", () => {
    const junit = join(folder, "junit.xml");
    const page = join(folder, "comment.md");
    const limits = ["--fail-on-new-indefensible", "0", "--max-di-drop", "-0.5", "--max-ai-increase", "1"];
    const args = [join(folder, "new.yaml"), "--temperature", "0", ...limits];
    const run = diff([...args, "--json", `--md=${page}`, "--junit", junit]);
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/DI (falls|rises) by .*; it must rise by at least 50\.0 pp/);
    expect(run.stderr).toMatch(/listed in the JSON above and in \S*comment\.md and in \S*diff\.json\.\n$/);
    const result = rulesDiffSchema.parse(JSON.parse(run.stdout));
    expect(result.effect!.counts.communities).toBe(1);
    expect(result.changes!.rules.map(({ rule_id, change }) => [rule_id, change])).toEqual([
      ["R1", "reworded"],
      ["R3", "reworded"],
    ]);
    expect(result.checks.results.map(({ name, holds }) => [name, holds])).toEqual([
      ["new_indefensible", result.effect!.new_indefensible.n === 0],
      ["ai_increase", true],
      ["di_drop", false],
      ["left_out", true],
    ]);
    expect(readFileSync(junit, "utf8")).toMatch(/name="di_drop"><failure/);
    const comment = readFileSync(page, "utf8");
    expect(comment).not.toMatch(/\u001b|<img|(?<!\\)!\[|@octocat/);
    expect(comment).toMatch(/\{\+Please be nice\+\}/);
  });

  it("shows a run again, with what was changed, and lets no title act on the terminal", () => {
    const { runs } = JSON.parse(readFileSync(join(workspace, "experiments", "diff.json"), "utf8"));
    const { stdout, status } = diff(["--run", runs[0]]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\{\+Please be nice\+\}/);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    expect(stdout).toMatch(/<img/);
  });

  it("says first which rule sets the new folder lacks", () => {
    const lacking = join(folder, "lacking");
    cpSync(join(workspace, "rules"), lacking, { recursive: true });
    rmSync(join(lacking, "quiet-corner.yaml"));
    const { stderr, status } = diff(["rules", lacking, "--dry-run"]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^1 rule set is missing from NEW and counts as removed: quiet-corner\./);
  });

  it("audits nothing where nothing differs", () => {
    const runs = () => readdirSync(join(workspace, "runs")).length;
    const before = runs();
    const { stdout, status } = diff([join(folder, "same.yaml"), "--fail-on-new-indefensible", "0"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/Nothing that the auditor reads at tier wiki differs/);
    expect(runs()).toBe(before);
  });

  it("audits nothing where the change is of a community without decisions, and every limit holds", () => {
    const added = join(folder, "added.yaml");
    const rules = readFileSync(join(folder, "same.yaml"), "utf8");
    writeFileSync(added, rules.replaceAll("secondhand-bikes", "brand-new"));
    const { stdout, status } = diff([
      added,
      "--fail-on-new-indefensible",
      "0",
      "--max-ai-increase",
      "0",
      "--judge",
      "safe",
    ]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/Every limit holds/);
    expect(stdout).toMatch(/No past decision falls under what was changed \(brand-new\)/);
    expect(stdout).toMatch(/added/);
  });

  it("compares with precedents and without, and precedents with others", () => {
    const off = diff(["--precedents", "off", ...SOME, "--json"]);
    expect(rulesDiffSchema.parse(JSON.parse(off.stdout))).toMatchObject({ what: "precedents_off", changes: null });
    const lines = readFileSync(join(workspace, "precedents.jsonl"), "utf8").trim().split("\n");
    const fewer = join(folder, "fewer.jsonl");
    writeFileSync(fewer, `${lines.filter((line) => !line.includes('"secondhand-bikes-p1"')).join("\n")}\n`);
    const { stdout } = diff([fewer, "--json"]);
    expect(rulesDiffSchema.parse(JSON.parse(stdout))).toMatchObject({
      what: "precedents",
      changes: { precedents: { removed: 1, added: 0 }, communities: ["secondhand-bikes"] },
    });
  });

  it("refuses what cannot be compared", () => {
    expect(diff([])).toMatchObject({ status: 1, stderr: expect.stringMatching(/got no rules/) });
    const elsewhere = diff([join(folder, "new.yaml"), "--communities", "film-club"]);
    expect(elsewhere).toMatchObject({ status: 1, stderr: expect.stringMatching(/secondhand-bikes differ/) });
  });
});

it("keeps only what was found of runs, and nothing of files", () => {
  const kept = readdirSync(join(workspace, "experiments")).sort();
  expect(kept).toEqual(["diff.json", "scopes.json", "tiers.json"]);
  expect(existsSync(join(folder, "experiments"))).toBe(false);
});

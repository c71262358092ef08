import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { CLI, cliOk, temporaryFolder } from "./support/cli.js";

const ROOT = join(import.meta.dirname, "..");
const ACTION = parse(readFileSync(join(ROOT, "action.yml"), "utf8"));

/** What is written of SARIF 2.1.0, and nothing else. */
const region = z.strictObject({ startLine: z.int().min(1) });
const location = z.strictObject({
  physicalLocation: z.strictObject({
    artifactLocation: z.strictObject({ uri: z.string().regex(/^[\w./%$()!*~@'-]+$/) }),
    region,
  }),
});
const sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal("2.1.0"),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string().min(1),
          semanticVersion: z.string().regex(/^\d+\.\d+\.\d+/),
          rules: z.array(z.strictObject({ id: z.string().min(1) })),
        }),
      }),
      columnKind: z.enum(["utf16CodeUnits", "unicodeCodePoints"]),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.int().min(0),
          level: z.enum(["none", "note", "warning", "error"]),
          // What is wrong, and what to do: two sentences.
          message: z.strictObject({ text: z.string().regex(/[.!?”"] [A-Z].*\.$/s) }),
          locations: z.array(location).min(1),
          partialFingerprints: z.record(z.string(), z.string()),
        }),
      ),
    }),
  ),
});

function git(repo: string, ...args: string[]): string {
  const settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  const { status, stdout, stderr } = spawnSync("git", [...settings, ...args], { cwd: repo, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return stdout.trim();
}

/** The example as a git repository with one commit. */
function policyRepo(): { repo: string; base: string } {
  const repo = join(temporaryFolder(), "policy repo");
  cpSync(join(ROOT, "examples", "policy-repo"), repo, { recursive: true });
  git(repo, "init", "--quiet");
  git(repo, "add", ".");
  git(repo, "commit", "--quiet", "-m", "rules");
  return { repo, base: git(repo, "rev-parse", "HEAD") };
}

/** Runs the steps of the action, word for word, as a runner does. */
function runAction(repo: string, inputs: Record<string, string>) {
  const temp = temporaryFolder();
  const steps: Record<string, Record<string, string>> = {};
  const all: Record<string, string> = { command: `node ${CLI}`, ...inputs };
  const lookUp = (name: string): string => {
    const [scope, id, , output] = name.split(".");
    if (scope === "inputs") return all[id!] ?? ACTION.inputs[id!].default;
    if (scope === "steps") return steps[id!]?.[output!] ?? "";
    if (name === "github.action_path") return ROOT;
    if (scope === "github") return inputs[name] ?? "";
    return name === "runner.temp" ? temp : "";
  };
  const filled = (text: string) =>
    text.replace(
      /\$\{\{ (.+?) \}\}/g,
      (_, names: string) =>
        names
          .split(" || ")
          .map(lookUp)
          .find((one) => one !== "") ?? "",
    );
  const result = { status: 0, said: "", summary: "", steps, temp };
  for (const step of ACTION.runs.steps) {
    expect(step.run).not.toContain("${{");
    const [, name, wanted] = /^(\S+) == '(.*)'$/.exec(step.if ?? "") ?? [];
    if (result.status !== 0 || (name && lookUp(name) !== wanted)) continue;
    const [output, summary] = [join(temp, `${step.id}.out`), join(temp, "summary.md")];
    for (const file of [output, summary]) writeFileSync(file, "", { flag: "a" });
    const env = Object.fromEntries(
      Object.entries(step.env as Record<string, string>).map(([key, text]) => [key, filled(text)]),
    );
    const ran = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
      ...{ cwd: repo, encoding: "utf8" },
      env: { ...process.env, ...env, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary },
    });
    result.status = ran.status ?? 70;
    result.said += ran.stdout + ran.stderr;
    result.summary = readFileSync(summary, "utf8");
    steps[step.id] = Object.fromEntries(
      readFileSync(output, "utf8")
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => line.split(/=(.*)/s) as [string, string]),
    );
  }
  return result;
}

const PLATFORM = readFileSync(join(ROOT, "examples", "policy-repo", "rules", "platform.yaml"), "utf8");
const rulesAt = (repo: string) => join(repo, "rules", "platform.yaml");

/** The published schema is of draft 4, whose `id` later drafts write as `$id`. */
function publishedSarif(): ValidateFunction {
  const {
    $schema: _,
    id: __,
    ...schema
  } = JSON.parse(readFileSync(join(import.meta.dirname, "schemas", "fixtures", "sarif-2.1.0-rtm.5.json"), "utf8"));
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  return ajv.compile(schema);
}

const isSarif = publishedSarif();

function sarifOf(path: string) {
  const log = JSON.parse(readFileSync(path, "utf8"));
  expect([isSarif(log), isSarif.errors]).toEqual([true, null]);
  return sarif.parse(log).runs[0]!;
}

describe("the published schema of SARIF", () => {
  it("refuses what it does not know", () => {
    const run = { tool: { driver: { name: "x" } }, results: [] };
    expect(isSarif({ version: "2.1.0", runs: [run] })).toBe(true);
    for (const wrong of [
      { version: "2.0.0", runs: [run] },
      { version: "2.1.0", runs: [{ ...run, tool: {} }] },
      { version: "2.1.0", runs: [{ ...run, results: [{ message: { text: "a" }, level: "fatal" }] }] },
      { version: "2.1.0", runs: [{ ...run, results: [{ message: { text: "a" }, place: 1 }] }] },
      { version: "2.1.0", runs: [{ ...run, results: [{}] }] },
    ])
      expect(isSarif(wrong), JSON.stringify(wrong)).toBe(false);
  });

  it("accepts a log without findings, and one of every check at odd places", () => {
    const out = join(temporaryFolder(), "lint.sarif");
    const write = (name: string, text: string) => {
      const file = join(temporaryFolder(), name);
      writeFileSync(file, text);
      return file;
    };
    const none = write(
      "clear.yaml",
      "scope: platform\nversion: '1'\nrules:\n  - id: a\n    title: No spam\n    detail: Posts that advertise a shop are removed.\n",
    );
    cliOk(["rules", "lint", none, "--sarif", out]);
    sarifOf(out);
    const odd = write("rules ü %20 #1.yaml", PLATFORM);
    cliOk(["rules", "lint", odd, "--sarif", out]);
    expect(sarifOf(out).results[0]!.locations[0]!.physicalLocation.artifactLocation.uri).toMatch(/%2520%20%231/);
    const sample = join(ROOT, "examples", "commons", "rules");
    const files = readdirSync(sample).map((name) => join(sample, name));
    cliOk(["rules", "lint", ...files, "--sarif", out]);
    expect(new Set(sarifOf(out).results.map(({ ruleId }) => ruleId)).size).toBeGreaterThan(1);
  });
});

describe("the action for pull requests", () => {
  it("does nothing where no rule changed, and names a commit that is not there", () => {
    const { repo, base } = policyRepo();
    const same = runAction(repo, { base });
    expect([same.status, same.steps.changed, same.steps.check]).toEqual([0, { changed: "false" }, undefined]);
    const missing = runAction(repo, { base: "1".repeat(40) });
    expect([missing.status, missing.said]).toEqual([1, expect.stringContaining("fetch-depth: 0")]);
  });

  it("compares the first push of a branch with where it left the default branch, else with nothing", () => {
    const { repo, base } = policyRepo();
    git(repo, "update-ref", "refs/remotes/origin/main", base);
    const push = {
      "github.event.before": "0".repeat(40),
      "github.event.repository.default_branch": "main",
      auditor: "",
    };
    const onBranch = { ...push, "github.ref_name": "topic" };
    expect(runAction(repo, onBranch)).toMatchObject({ status: 0, steps: { changed: { changed: "false" } } });
    writeFileSync(rulesAt(repo), PLATFORM.replace("Criticism of an idea is allowed.", "Criticism is allowed."));
    git(repo, "commit", "--quiet", "-am", "one rule");
    const { status, steps } = runAction(repo, onBranch);
    expect([status, steps.changed]).toEqual([0, { changed: "true", old: expect.stringContaining(base.slice(0, 7)) }]);
    // The first push of the default branch itself, and a branch without a common commit.
    git(repo, "update-ref", "-d", "refs/remotes/origin/main");
    for (const name of ["main", "topic"]) {
      const first = runAction(repo, { ...push, "github.ref_name": name });
      expect([first.status, first.steps.changed]).toEqual([0, { changed: "true" }]);
      expect(first.summary).toContain("there is nothing to compare with");
    }
  });

  it("passes a change that no past decision depends on, with a comment and SARIF", () => {
    const { repo, base } = policyRepo();
    writeFileSync(
      rulesAt(repo),
      PLATFORM.replace("Criticism of an idea is allowed.", "Criticism of an idea is allowed, generally."),
    );
    const { status, steps, summary, said } = runAction(repo, { base });
    expect(status, said).toBe(0);
    const old = base.slice(0, 7);
    expect(steps.changed).toEqual({ changed: "true", old: expect.stringMatching(new RegExp(`/rules-${old}\\w*$`)) });
    expect(summary).toMatch(new RegExp(`\nrules-${old}\\w* → rules · `));
    expect(readFileSync(steps.check!.comment!, "utf8")).toBe(summary);
    const { results } = sarifOf(steps.check!.sarif!);
    const hedge = results.find(({ ruleId }) => ruleId === "hedge")!;
    expect(hedge.locations[0]!.physicalLocation).toEqual({
      artifactLocation: { uri: "rules/platform.yaml" },
      region: { startLine: 11 },
    });
  });

  it("runs its own build if no command is given, and only lints where the base has no rules", () => {
    const { repo, base } = policyRepo();
    git(repo, "rm", "--quiet", "-r", "rules");
    git(repo, "commit", "--quiet", "-m", "none");
    mkdirSync(join(repo, "rules"));
    writeFileSync(rulesAt(repo), PLATFORM.replace("are removed", "are deleted"));
    git(repo, "add", "-A");
    const own = runAction(repo, { base, command: "" });
    expect([own.status, own.summary], own.said).toEqual([0, expect.stringContaining("past decisions")]);
    const first = runAction(repo, { base: "HEAD", command: "" });
    expect([first.status, first.summary], first.said).toEqual([0, expect.stringContaining("nothing to compare with")]);
    // What it wrote is not to be committed.
    git(repo, "add", "-A");
    expect(git(repo, "status", "--porcelain")).toBe("A  rules/platform.yaml");
  });

  it("fails with 2 where a removed rule leaves past decisions without support", () => {
    const { repo, base } = policyRepo();
    writeFileSync(rulesAt(repo), PLATFORM.replace(/ {2}- id: "1"[\s\S]*?(?= {2}- id: "2")/, ""));
    git(repo, "commit", "--quiet", "-am", "less");
    const { status, summary, said } = runAction(repo, { base });
    expect(status, said).toBe(2);
    expect(summary).toMatch(/indefensible/i);
    expect(runAction(repo, { base, auditor: "" }).status).toBe(0);
  });

  it("takes recorded answers, and fails where one is missing", () => {
    const { repo, base } = policyRepo();
    const old = temporaryFolder();
    cpSync(join(repo, "rules"), join(old, "rules"), { recursive: true });
    writeFileSync(
      rulesAt(repo),
      PLATFORM.replace("discount codes are removed", "discount codes and coupons are removed"),
    );
    cliOk(["rules", "diff", join(old, "rules"), "rules", "--prompts", "questions.jsonl", "--signal", "none"], {
      cwd: repo,
    });
    const answers = readFileSync(join(repo, "questions.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => {
        const { key, messages } = JSON.parse(line) as { key: string; messages: { content: string }[] };
        const isNew = messages.some(({ content }) => content.includes("coupons"));
        const isSale = messages.at(-1)!.content.includes("lawn mower");
        const verdict = { inverse_check: "No", defensibility_level: isNew && isSale ? 3 : 1 };
        return JSON.stringify({
          ...{ key, model: "house-model" },
          text: JSON.stringify({
            logic_chain: "it follows",
            policy_citation: "1",
            precedent_weight: "Low",
            ...verdict,
          }),
        });
      });
    writeFileSync(join(repo, "answers.jsonl"), `${answers.join("\n")}\n`);
    const inputs = { base, auditor: "answers:answers.jsonl", options: "--signal none" };
    const failed = runAction(repo, inputs);
    expect([failed.status, failed.said]).toEqual([2, expect.stringContaining("1 decision")]);
    writeFileSync(join(repo, "answers.jsonl"), `${answers.slice(3).join("\n")}\n`);
    const open = runAction(repo, { ...inputs, options: "--signal none --new" });
    expect([open.status, open.said]).toEqual([1, expect.stringContaining("answers are missing")]);
  });

  it("fails with 2 on an error of the lint, in files of any name and in a folder below the root", () => {
    const { repo } = policyRepo();
    mkdirSync(join(repo, "policy"));
    for (const one of ["rules", "defensible.yaml", "decisions.jsonl"]) {
      cpSync(join(repo, one), join(repo, "policy", one), { recursive: true });
      rmSync(join(repo, one), { recursive: true });
    }
    git(repo, "add", "-A");
    git(repo, "commit", "--quiet", "-m", "below");
    const name = "my 'rules' $(touch pwned) ü.yaml";
    const set = `scope: community\ncommunity: garden\nversion: "1"\nrules:\n  - id: G1\n    title: Photos\n    description: Photos need a caption, see rule 9.\n`;
    writeFileSync(join(repo, "policy", "rules", name), set);
    git(repo, "add", "-A");
    const { status, steps, said } = runAction(repo, { base: "HEAD", workspace: "policy", auditor: "" });
    expect(status, said).toBe(2);
    expect(existsSync(join(repo, "policy", "pwned"))).toBe(false);
    const found = sarifOf(steps.check!.sarif!).results.find(({ level }) => level === "error")!;
    expect(decodeURI(found.locations[0]!.physicalLocation.artifactLocation.uri)).toBe(`policy/rules/${name}`);
  });
});

describe("a change that the action cannot check, or need not", () => {
  it("is none where a file is no rule file, and names the rule files alone", () => {
    const { repo, base } = policyRepo();
    mkdirSync(join(repo, "rules", "old"));
    writeFileSync(join(repo, "rules", "README.md"), "# How these rules came about");
    writeFileSync(join(repo, "rules", "old", "x.yaml"), "nonsense: 1");
    git(repo, "add", "-A");
    expect(runAction(repo, { base })).toMatchObject({ status: 0, steps: { changed: { changed: "false" } } });
    writeFileSync(join(repo, "rules", "garden.TXT"), "1. Photos need a caption.\n2. No offers to sell plants.\n");
    git(repo, "add", "-A");
    const { status, steps, said } = runAction(repo, { base, auditor: "" });
    expect([status, steps.changed!.changed], said).toEqual([0, "true"]);
  });

  it("says in the comment why the check did not finish, and what a missing base needs", () => {
    const { repo, base } = policyRepo();
    writeFileSync(rulesAt(repo), "scope: [\n");
    const broken = runAction(repo, { base });
    expect(broken.status).toBe(1);
    expect(readFileSync(broken.steps.check?.comment ?? join(broken.temp, "defensible", "comment.md"), "utf8")).toMatch(
      /^The check did not finish:\n\n {4}error: .*platform\.yaml/,
    );
    rmSync(rulesAt(repo));
    git(repo, "add", "-A");
    const none = runAction(repo, { base });
    expect([none.status, none.summary]).toEqual([1, expect.stringContaining("The check did not finish")]);
    const nowhere = runAction(repo, {});
    expect([nowhere.status, nowhere.said]).toEqual([1, expect.stringContaining("input base")]);
  });
});

describe("the hooks for pre-commit", () => {
  const hooks = parse(readFileSync(join(ROOT, ".pre-commit-hooks.yaml"), "utf8")) as {
    id: string;
    entry: string;
    args: string[];
    files?: string;
    always_run?: boolean;
  }[];

  it("lint what changed and try it on past decisions", () => {
    const { repo } = policyRepo();
    const bin = temporaryFolder();
    writeFileSync(join(bin, "defensible"), `#!/bin/sh\nexec node ${CLI} "$@"\n`);
    chmodSync(join(bin, "defensible"), 0o755);
    const run = (id: string, ...files: string[]) => {
      const { entry, args, files: pattern, always_run } = hooks.find((hook) => hook.id === id)!;
      // JavaScript has Python's flag at the other end.
      const reads = new RegExp(pattern?.replace("(?i)", "") ?? "", "i");
      for (const file of files) expect(file).toMatch(reads);
      if (pattern)
        for (const file of ["rules/README.md", "rules/a/b.yaml", "rules/x.csv"]) expect(file).not.toMatch(reads);
      else expect(always_run).toBe(true);
      const words = [...args, ...files].map((word) => `'${word}'`).join(" ");
      return spawnSync("bash", ["-c", `${entry} ${words}`], {
        cwd: repo,
        encoding: "utf8",
        env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
      });
    };
    expect(run("defensible-rules-lint", "rules/platform.yaml").status).toBe(0);
    const unchanged = run("defensible-rules-diff");
    expect([unchanged.status, unchanged.stdout, unchanged.stderr]).toEqual([0, "", ""]);
    writeFileSync(rulesAt(repo), PLATFORM.replace(/ {2}- id: "1"[\s\S]*?(?= {2}- id: "2")/, ""));
    const failed = run("defensible-rules-diff");
    expect([failed.status, failed.stderr]).toEqual([2, expect.stringContaining("indefensible")]);
    // Of a deleted file no name is passed.
    git(repo, "rm", "--quiet", "--force", "rules/platform.yaml");
    expect(run("defensible-rules-diff").status).not.toBe(0);
    git(repo, "checkout", "--quiet", "HEAD", "--", "rules");
    // The first commit of a repository.
    rmSync(join(repo, ".git"), { recursive: true });
    git(repo, "init", "--quiet");
    git(repo, "add", ".");
    const first = run("defensible-rules-diff");
    expect([first.status, first.stdout]).toEqual([0, expect.stringContaining("nothing to compare with")]);
  });
});

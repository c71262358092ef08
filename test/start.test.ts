import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../src/cli/command-list.js";
import { CLI, cliOk, temporaryFolder } from "./support/cli.js";
import { importsOf } from "./support/imports-of.js";

const DIST = join(import.meta.dirname, "..", "dist");
const HOOK = join(import.meta.dirname, "support", "loaded-files.mjs");

/** Files that a command loads, by import, from here and from packages. */
function loadedBy(args: readonly string[], cwd = temporaryFolder()): string[] {
  const file = join(temporaryFolder(), "loaded");
  const env = { ...process.env, LOADED_FILES: file };
  const { status, stderr } = spawnSync(process.execPath, ["--import", HOOK, CLI, ...args], { cwd, env, input: "" });
  expect(status, String(stderr)).toBe(0);
  const urls = readFileSync(file, "utf8").trim().split("\n");
  return urls.map((url) => relative(DIST, fileURLToPath(url)));
}

const kilobytes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + statSync(join(DIST, file)).size, 0) / 1000;

describe("the start of the command line", () => {
  it("loads two small files for --version", () => {
    const files = loadedBy(["--version"]);
    expect(files).toHaveLength(2);
    expect(kilobytes(files)).toBeLessThan(20);
  });

  it("loads no command, no schema and no package for --help", () => {
    const files = loadedBy(["--help"]);
    expect(files.filter((file) => !file.startsWith("cli/"))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(10);
    expect(kilobytes(files)).toBeLessThan(250);
  });

  it("loads for a command what it needs, in few files", () => {
    const workspace = join(temporaryFolder(), "workspace");
    cliOk(["init", workspace, "--example", "commons-hard"]);
    const all = readdirSync(join(DIST, "cli")).filter((name) => name.endsWith(".js"));
    const files = loadedBy(["route", "--shadow"], workspace);
    expect(files.length).toBeLessThanOrEqual(30);
    expect(kilobytes(files)).toBeLessThan(kilobytes(all.map((name) => `cli/${name}`)) / 2);
    expect(files.filter((file) => /openai|gemini|gguf|undici|tokenizer/.test(file))).toEqual([]);
  });

  it("loads no schema and no YAML for the report of a file", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "audits.csv"), "decision_id,community,decision,level,inverse\na,c,remove,1,true\n");
    const files = loadedBy(["report", "--audits", "audits.csv", "--json"], folder);
    expect(files.filter((file) => /zod|yaml/.test(file))).toEqual([]);
    expect(kilobytes(files.filter((file) => file.startsWith("cli/")))).toBeLessThan(600);
  });

  it("lists every command by the name that the command itself has, each on one line of a narrow terminal", async () => {
    for (const [name, { does, load }] of Object.entries(COMMANDS)) {
      expect((await load()).name()).toBe(name);
      expect(does.length, name).toBeLessThanOrEqual(66);
    }
  });

  it("groups commands, and keeps the flags of models for `help models`", () => {
    const help = cliOk(["--help"]);
    const headings = [...help.matchAll(/^([A-Z][a-z ]+):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      "Options",
      "Start",
      "Measure",
      "Improve rules",
      "Trust",
      "Automate",
      "Research",
      "Data",
      "Help",
      "Start here",
    ]);
    const audit = cliOk(["audit", "--help"]);
    const models = cliOk(["help", "models"]);
    for (const flag of ["--base-url", "--temperature", "--concurrency", "--signal", "--keep-raw", "--no-cache"]) {
      expect(audit).not.toContain(`  ${flag} `);
      expect(models).toContain(`  ${flag} `);
    }
    expect(audit).toContain("`defensible help models`");
    expect(audit.split("\n").length).toBeLessThanOrEqual(60);
    expect(cliOk(["help", "audit"])).toBe(audit);
    for (const command of ["decide", "stability", "doctor", "prompts"]) {
      expect(cliOk([command, "--help"])).toContain("`defensible help models`");
    }
  });
});

describe("the bundled library", () => {
  const PURE = ["calibration", "domain", "figures", "gate", "grounding", "metrics", "signals", "stability", "stats"];

  it("keeps entry points of formulas free of Node", () => {
    for (const name of PURE) {
      const seen = new Set([join(DIST, "entry", `${name}.js`)]);
      const foreign = new Set<string>();
      for (const file of seen) {
        for (const target of importsOf(readFileSync(file, "utf8"))) {
          if (target.startsWith(".")) seen.add(join(dirname(file), target));
          else foreign.add(target.split("/")[0]!);
        }
      }
      expect(
        [...foreign].filter((one) => !["zod", "pure-rand"].includes(one)),
        name,
      ).toEqual([]);
    }
  });
});

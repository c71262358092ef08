import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../src/store/postgres/database.suite.js";
import { cliOk, temporaryFolder } from "./support/cli.js";

const ROOT = join(import.meta.dirname, "..");
const PAGE = readFileSync(join(ROOT, "docs", "library.md"), "utf8");

const { url } = await testDatabase();
const env = { ...process.env, DATABASE_URL: url, DEFENSIBLE_SECRET: "a secret for the examples" };

/** Blocks of code that are run: `js library`, with `workspace` or `database` where they need one. */
const BLOCK = /^```js library( workspace| database)?\n([\s\S]*?)^```$/gm;

/** Everything that the comments of a block promise; ` | ` parts what a loop prints one after another. */
function promised(code: string): string[] {
  return [...code.matchAll(/\/\/ prints (.+)$/gm)].flatMap(([, text]) => text!.split(" | "));
}

describe("the code on the library's page", () => {
  const blocks = [...PAGE.matchAll(BLOCK)].map(([, needs = "", code]) => ({
    workspace: needs === " workspace",
    code: code!,
  }));

  it.each(blocks.map(({ workspace, code }) => [code.split("\n")[0]!, workspace, code] as const))(
    "prints what it says: %s",
    (_, workspace, code) => {
      const program = temporaryFolder();
      mkdirSync(join(program, "node_modules"));
      symlinkSync(ROOT, join(program, "node_modules", "defensible"));
      writeFileSync(join(program, "main.mjs"), code);
      const cwd = temporaryFolder();
      if (workspace) cliOk(["init", join(cwd, "my-platform"), "--example", "commons-hard"]);
      const { stdout, stderr, status } = spawnSync(process.execPath, [join(program, "main.mjs")], {
        cwd,
        env,
        encoding: "utf8",
      });
      expect(status, stderr).toBe(0);
      expect(stdout.trim().split("\n")).toEqual(promised(code));
      if (!workspace) expect(readdirSync(cwd)).toEqual([]);
    },
  );

  it("shows every entry point that is not deprecated", () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const entries = Object.entries(exports as Record<string, { default: string }>).flatMap(([name, target]) => {
      const source = target.default?.replace("./dist/", "src/").replace(/\.js$/, ".ts");
      if (!source || readFileSync(join(ROOT, source), "utf8").includes("@deprecated")) return [];
      return [name.replace(/^\./, "defensible")];
    });
    expect(entries).toEqual([
      "defensible",
      ...["measures", "stats", "auditors", "experiments", "server", "client"].map((one) => `defensible/${one}`),
    ]);
    for (const entry of entries) {
      expect(
        blocks.some(({ code }) => code.includes(`from "${entry}"`)),
        entry,
      ).toBe(true);
      expect(PAGE).toContain(`| \`${entry}\` |`);
    }
  });

  it("is there", () => expect(blocks.length).toBeGreaterThanOrEqual(7));
});

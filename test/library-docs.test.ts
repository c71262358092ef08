import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cliOk, temporaryFolder } from "./support/cli.js";

const ROOT = join(import.meta.dirname, "..");
const PAGE = readFileSync(join(ROOT, "docs", "library.md"), "utf8");

/** Blocks of code that are run: `js library`, with `workspace` where they need one. */
const BLOCK = /^```js library( workspace)?\n([\s\S]*?)^```$/gm;

/** Everything that the comments of a block promise; ` | ` parts what a loop prints one after another. */
function promised(code: string): string[] {
  return [...code.matchAll(/\/\/ prints (.+)$/gm)].flatMap(([, text]) => text!.split(" | "));
}

describe("the code on the library's page", () => {
  const blocks = [...PAGE.matchAll(BLOCK)].map(([, workspace, code]) => ({ workspace: !!workspace, code: code! }));

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
    // These need a database: docs/serve.md shows them, and the tests of the server use them.
    const served = ["defensible/server", "defensible/client"];
    expect(entries.filter((entry) => !served.includes(entry))).toEqual([
      "defensible",
      ...["measures", "stats", "auditors", "experiments"].map((one) => `defensible/${one}`),
    ]);
    for (const entry of entries.filter((one) => !served.includes(one)))
      expect(
        blocks.some(({ code }) => code.includes(`from "${entry}"`)),
        entry,
      ).toBe(true);
  });

  it("is there", () => expect(blocks.length).toBeGreaterThanOrEqual(7));
});

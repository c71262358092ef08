import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../src/adapters/adapt.js";
import { adapt } from "../src/app/import/import-from.js";
import type { Decision } from "../src/core/records/decision.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

const ROOT = join(import.meta.dirname, "..");
const EXAMPLES = join(ROOT, "examples", "adapters");
const PAGE = readFileSync(join(ROOT, "docs", "adapters.md"), "utf8");

/** The commands of a system on the page: words of each, and where it is run. */
function commandsOf(title: string): string[][] {
  const section = PAGE.split(new RegExp(`^## ${title}$`, "m"))[1]!.split(/^## /m)[0]!;
  const [, block] = /^```sh\n([\s\S]*?)^```$/m.exec(section)!;
  return block!
    .trim()
    .split(/\n| && /)
    .map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => (quoted ?? plain)!));
}

const TITLES: Record<string, string> = {
  ...{ coop: "Coop", ozone: "Ozone", reddit: "Reddit", mastodon: "Mastodon", lemmy: "Lemmy", discourse: "Discourse" },
  ...{ safeguard: "Safeguard", "openai-moderation": "OpenAI moderation", promptfoo: "promptfoo", inspect: "Inspect" },
};

/** Runs the commands of a system word for word on its example files. Gives the workspace and the flags of the import. */
function follow(name: string): { workspace: string; flags: string[] } {
  let cwd = temporaryFolder();
  cpSync(join(EXAMPLES, name), cwd, { recursive: true });
  let flags: string[] = [];
  for (const [program, ...args] of commandsOf(TITLES[name]!)) {
    if (program === "cd") cwd = join(cwd, args[0]!);
    else {
      expect(program).toBe("defensible");
      cliOk(args, { cwd });
      if (args.includes("--from")) flags = args;
    }
  }
  return { workspace: cwd, flags };
}

const lines = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("from another system to a report", () => {
  it.each(ADAPTERS.map(({ name }) => name))("%s: the commands of the page, and back out without a loss", (name) => {
    const { workspace, flags } = follow(name);
    const report = JSON.parse(cliOk(["report", "--json"], { cwd: workspace }));
    expect(report).toHaveProperty("defensibility_index");
    const value = (flag: string) => (flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined);
    const [theirs, ours] = value("--value")?.split("=") ?? [];
    const community = value("--community");
    const objects = flags
      .filter((one) => one.startsWith("../"))
      .flatMap((path) => {
        const text = readFileSync(join(workspace, path), "utf8");
        return path.endsWith(".jsonl") ? lines(join(workspace, path)) : JSON.parse(text);
      });
    const expected = adapt(name, objects, {
      ...(theirs ? { values: { [theirs]: ours! } } : {}),
      ...(community ? { community } : {}),
    }).decisions.map(({ record }) => record);
    const out = join(workspace, "out.jsonl");
    cliOk(["export", "--what", "decisions", "--out", out], { cwd: workspace });
    const sorted = (all: Decision[]) => [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(sorted(lines(out))).toEqual(sorted(expected));
    // Everything is there: a second import changes nothing.
    const again = JSON.parse(cliOk([...flags, "--json"], { cwd: workspace }));
    expect(again).toMatchObject({ from: name, imported: 0, rejected: 0 });
    expect(again.duplicate).toBeGreaterThanOrEqual(expected.length);
  });

  it("names what is left out, refuses what is not of the system, and rejects what has no text", () => {
    const folder = temporaryFolder();
    cpSync(EXAMPLES, folder, { recursive: true });
    cliOk(["init", "w"], { cwd: folder });
    const from = (...args: string[]) => cli(["import", "--workspace", "w", "--dry-run", ...args], { cwd: folder });
    const mastodon = from("--from", "mastodon", "mastodon/reports.json", "mastodon/warnings.jsonl");
    expect(mastodon.status).toBe(0);
    expect(mastodon.stderr).toContain("neither of the two actions: resolved (1, first in mastodon/reports.json:");
    expect(mastodon.stderr).toContain("--value resolved=remove, or =approve");
    expect(mastodon.stderr).toContain("1 item waiting for a decision: not imported.");
    expect(mastodon.stdout).toMatch(/Would import 1 decision and 1 outcome/);
    const coop = from("--from", "coop", "coop/webhooks.jsonl", "--value", "act-1=remove");
    expect([coop.status, coop.stderr]).toEqual([
      1,
      expect.stringContaining("item: the data of the item is not in the input"),
    ]);
    const other = from("--from", "reddit", "coop/items.json");
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining("holds nothing that Reddit gives")]);
    const rules = from("--from", "discourse", "discourse/guidelines.md");
    expect([rules.status, rules.stderr]).toEqual([1, expect.stringContaining("guidelines.md")]);
    const mapped = from("--from", "reddit", "reddit/modlog.json", "--map", "a=b");
    expect([mapped.status, mapped.stderr]).toEqual([
      1,
      expect.stringContaining("--map: --from reads files by the schema"),
    ]);
    expect(from("--from", "redit", "reddit/modlog.json").stderr).toContain("Allowed choices are coop, ozone, reddit");
  });

  it("has an example folder and a place on the page for every adapter, and says why a function is absent", () => {
    for (const { name, absent, title } of ADAPTERS) {
      expect(existsSync(join(EXAMPLES, name)), name).toBe(true);
      const row = PAGE.split("\n").find((line) => line.startsWith(`| [\`${name}\`]`))!;
      const has = ["toDecisions", "toRuleSets", "toOutcomes", "toReviewItems"].map((one) =>
        one in absent ? "–" : "yes",
      );
      expect(
        row
          .split("|")
          .slice(3, 7)
          .map((cell) => cell.trim()),
        title,
      ).toEqual(has);
    }
  });
});

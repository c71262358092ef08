import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { beforeAll, describe, expect, it } from "vitest";
import { COMMANDS as LISTED } from "../../src/cli/command-list.js";
import { createProgram } from "../../src/cli/program.js";
import { cli, temporaryFolder } from "../support/cli.js";
import { COMMANDS, WITHOUT } from "./commands.js";
import { mask, shorten } from "./shorten.js";

const HERE = import.meta.dirname;
const SAMPLE = join(HERE, "..", "..", "examples", "commons-hard");
const KEYS = ["content.key", "redaction.key"];

/** What each command printed. Moves of code change none of it; `GOLDENS=write npx vitest run test/goldens` writes it anew after a change of numbers. */
describe("the JSON of every command", () => {
  const folder = join(temporaryFolder(), "sample");
  const printed = new Map<string, string>();

  beforeAll(() => {
    cpSync(SAMPLE, folder, { recursive: true });
    for (const key of KEYS) writeFileSync(join(folder, key), `${"5a".repeat(32)}\n`, { mode: 0o600 });
    copyFileSync(join(HERE, "reviews.jsonl"), join(folder, "reviews.jsonl"));
    writeFileSync(
      join(folder, "guidelines.md"),
      "# Rules\n\n1. **No advertising.** Posts that sell are removed.\n2. Be kind.\n",
    );
    let [run, other, calibration] = ["", "", ""];
    for (const { name, args, status } of COMMANDS) {
      const named = { "{run}": run, "{other}": other, "{calibration}": calibration };
      const given = args.map((one) => named[one as keyof typeof named] ?? one);
      const result = cli([...given, "--json"], { cwd: folder });
      expect(result.status, `${given.join(" ")}: ${result.stderr}`).toBe(status);
      printed.set(name, mask(result.stdout, folder));
      if (name === "audit") run = JSON.parse(result.stdout).run_id;
      if (name === "calibrate") calibration = JSON.parse(result.stdout).calibration_id;
      if (name === "audit-other") other = JSON.parse(result.stdout).run_id;
    }
  }, 300_000);

  it("is kept for every command, or there is a reason why not", async () => {
    const leaves = (command: Command, path: readonly string[]): string[] => [
      ...(command.options.some(({ long }) => long === "--json") ? [path.join(" ")] : []),
      ...command.commands.flatMap((one) => leaves(one, [...path, one.name()])),
    ];
    const printing = leaves(await createProgram(Object.keys(LISTED)), []);
    const isGolden = (name: string) => COMMANDS.some(({ args }) => `${args.join(" ")} `.startsWith(`${name} `));
    expect(printing.filter((name) => !isGolden(name)).sort()).toEqual(Object.keys(WITHOUT).sort());
  });

  it.each(COMMANDS.map(({ name }) => name))("%s", (name) => {
    const file = join(HERE, `${name}.json`);
    const lines = printed.get(name)!.trim();
    const result =
      lines.startsWith("{") && lines.includes("}\n{")
        ? lines.split("\n").map((line) => JSON.parse(line))
        : JSON.parse(lines);
    const text = `${JSON.stringify(shorten(result), null, 1)}\n`;
    if (process.env.GOLDENS === "write" || !existsSync(file)) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, "utf8"));
  });
});

import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, temporaryFolder } from "../support/cli.js";
import { COMMANDS } from "./commands.js";
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
    let [run, other] = ["", ""];
    for (const { name, args, status } of COMMANDS) {
      const given = args.map((one) => one.replace("{run}", run).replace("{other}", other));
      const result = cli([...given, "--json"], { cwd: folder });
      expect(result.status, `${given.join(" ")}: ${result.stderr}`).toBe(status);
      printed.set(name, mask(result.stdout, folder));
      if (name === "audit") run = JSON.parse(result.stdout).run_id;
      if (name === "audit-other") other = JSON.parse(result.stdout).run_id;
    }
  }, 300_000);

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

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliResult, cli } from "./cli.js";
import { prepared } from "./prepared.js";

export interface RecordedDemo extends CliResult {
  /** Where `defensible demo` was started. */
  folder: string;
  /** The workspace that it made there. */
  workspace: string;
}

/** `defensible demo`, run once for all test files: what it printed and what it made, which nobody writes to. */
export async function recordedDemo(): Promise<RecordedDemo> {
  const place = await prepared("recorded-demo", (made) => {
    mkdirSync(join(made, "started"));
    writeFileSync(join(made, "result.json"), JSON.stringify(cli(["demo"], { cwd: join(made, "started") })));
  });
  const folder = join(place, "started");
  const result = JSON.parse(readFileSync(join(place, "result.json"), "utf8")) as CliResult;
  return { ...result, folder, workspace: join(folder, "defensible-demo") };
}

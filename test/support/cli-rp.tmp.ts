import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const CLI = "/work/scratch/dist-rp/cli/main.js";
const KILL_SWITCH = join(import.meta.dirname, "kill-switch.mjs");

export interface CliResult {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Runs the built command line, as a user would. `kill` names the moment at which it dies. */
export function cli(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string; kill?: Record<string, string> } = {},
): CliResult {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [...(options.kill ? ["--import", KILL_SWITCH] : []), CLI, ...args],
    {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: "1", ...options.env, ...options.kill },
      input: options.input ?? "",
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  return { status, signal, stdout, stderr };
}

/** The same without waiting, for commands that talk to a server inside the test. */
export function startCli(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): { child: ChildProcess; done: Promise<CliResult> } {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: "1", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const done = new Promise<CliResult>((resolve) => {
    child.on("close", (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
  return { child, done };
}

/** The same, where anything but success is a failed test. */
export function cliOk(args: readonly string[], options: Parameters<typeof cli>[1] = {}): string {
  const result = cli(args, options);
  if (result.status !== 0)
    throw new Error(`defensible ${args.join(" ")} ended with ${result.status}\n${result.stdout}\n${result.stderr}`);
  return result.stdout;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "defensible-test-"));
}

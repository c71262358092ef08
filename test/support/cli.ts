import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WarmCli } from "./warm-cli.js";

export const CLI = join(import.meta.dirname, "..", "..", "dist", "cli", "main.js");
const KILL_SWITCH = join(import.meta.dirname, "kill-switch.mjs");

export interface CliResult {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

interface WarmOptions {
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
}

interface CliOptions extends WarmOptions {
  /** Names the moment at which it dies. */
  kill?: Record<string, string>;
  /** In a process of its own, as a shell would. */
  fresh?: boolean;
}

let warm: WarmCli | null = null;

/**
 * Runs the built command line. Starting a process and loading the program takes 0.3 to 1.2 seconds, which hundreds of tests need not repeat: commands
 * run one after another in a process that stays (`warm-cli.test.ts` holds it against fresh ones). What is killed gets its own.
 */
export function cli(args: readonly string[], options: CliOptions = {}): CliResult {
  if (options.fresh || options.kill) return freshCli(args, options);
  return warmCli().runSync(asked(args, options));
}

/** The same for commands that talk to a server inside the test. */
export function cliServed(args: readonly string[], options: WarmOptions = {}): Promise<CliResult> {
  return warmCli().run(asked(args, options));
}

function warmCli(): WarmCli {
  if (!warm?.alive) warm = new WarmCli(temporaryFolder());
  return warm;
}

const asked = (args: readonly string[], { cwd = process.cwd(), env, input }: WarmOptions) => ({
  args,
  cwd,
  env: { ...process.env, NO_COLOR: "1", ...env },
  input,
});

function freshCli(args: readonly string[], options: CliOptions): CliResult {
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

/** In a process of its own, without waiting: for commands that are interrupted, or run side by side. */
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
export function cliOk(args: readonly string[], options: CliOptions = {}): string {
  const result = cli(args, options);
  if (result.status !== 0)
    throw new Error(`defensible ${args.join(" ")} ended with ${result.status}\n${result.stdout}\n${result.stderr}`);
  return result.stdout;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "defensible-test-"));
}

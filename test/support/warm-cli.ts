import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import type { CliResult } from "./cli.js";

const PROGRAM = join(import.meta.dirname, "warm-cli.mjs");
/** A command of a test that takes longer has hung. */
const MOST_MS = 300_000;

interface Asked {
  args: readonly string[];
  cwd: string;
  env: Record<string, string | undefined>;
  input?: string | undefined;
}

/** A process that runs commands one after another (`warm-cli.mjs`), and what it printed. */
export class WarmCli {
  private readonly child: ChildProcess;
  private readonly answers: string;
  private readonly streams: [number, number];
  private count = 0;
  private last: Promise<unknown> = Promise.resolve();
  alive = true;

  constructor(folder: string) {
    this.answers = join(folder, "answers");
    mkdirSync(this.answers);
    const files = ["stdout", "stderr"].map((name) => openSync(join(folder, name), "a+"));
    this.streams = [files[0]!, files[1]!];
    // One of these runs on each core: threads that collect garbage at the same time only take turns.
    this.child = spawn(process.execPath, ["--single-threaded-gc", PROGRAM, this.answers], {
      stdio: ["ignore", this.streams[0], this.streams[1], "pipe"],
    });
    // It ends when this process does: its requests end.
    this.child.unref();
    const requests = this.child.stdio[3] as Writable & { unref(): void };
    requests.unref();
    // A process that is gone is told by `check`.
    requests.on("error", () => {});
  }

  /** Waits without giving way: nothing else happens in this process meanwhile. */
  runSync(asked: Asked): CliResult {
    const { answer, sizes } = this.ask(asked);
    const sleep = new Int32Array(new SharedArrayBuffer(4));
    for (const start = Date.now(); !existsSync(answer); Atomics.wait(sleep, 0, 0, pause(start)))
      this.check(asked, start);
    return this.read(answer, sizes);
  }

  /** The same while a server in this process answers. Commands wait for the one before them. */
  run(asked: Asked): Promise<CliResult> {
    const result = this.last.then(() => this.runNext(asked));
    this.last = result.catch(() => {});
    return result;
  }

  private async runNext(asked: Asked): Promise<CliResult> {
    const { answer, sizes } = this.ask(asked);
    for (const start = Date.now(); !existsSync(answer); ) {
      this.check(asked, start);
      await new Promise((resolve) => setTimeout(resolve, pause(start)));
    }
    return this.read(answer, sizes);
  }

  private ask(asked: Asked): { answer: string; sizes: number[] } {
    const sizes = this.streams.map((file) => fstatSync(file).size);
    const answer = join(this.answers, String(++this.count));
    // A pipe takes only so much while this process waits; a file takes everything.
    writeFileSync(`${answer}.asked`, JSON.stringify(asked));
    (this.child.stdio[3] as Writable).write(`${this.count}\n`);
    return { answer, sizes };
  }

  private read(answer: string, sizes: readonly number[]): CliResult {
    const { status, alive } = JSON.parse(readFileSync(answer, "utf8")) as { status: number; alive: boolean };
    this.alive = alive;
    const [stdout, stderr] = this.streams.map((file, i) => readFrom(file, sizes[i]!));
    if (!alive) for (const file of this.streams) closeSync(file);
    return { status, signal: null, stdout: stdout!, stderr: stderr! };
  }

  /** Throws where no answer will come. */
  private check({ args }: Asked, start: number): void {
    const ended = existsSync(join(this.answers, "ended"));
    if (!ended && Date.now() <= start + MOST_MS) return;
    this.child.kill("SIGKILL");
    this.alive = false;
    const what = ended ? "found no program: is `dist/` built?" : `did not end in ${MOST_MS / 1000} s`;
    throw new Error(`defensible ${args.join(" ")} ${what}\n${readFrom(this.streams[1], 0)}`);
  }
}

/** Milliseconds until the next look: looking each millisecond took 4% of a core from the commands that are waited for. */
function pause(start: number): number {
  return Math.min(20, 1 + (Date.now() - start) / 20);
}

function readFrom(file: number, from: number): string {
  const bytes = Buffer.alloc(fstatSync(file).size - from);
  for (let read = 0; read < bytes.length; ) read += readSync(file, bytes, read, bytes.length - read, from + read);
  return bytes.toString("utf8");
}

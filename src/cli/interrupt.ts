import { readFileSync } from "node:fs";
import { EXIT } from "./exit-code.js";
import { say } from "./output.js";

const STARTER_MS = 1000;

/**
 * If npm or npx started this process: returns the ids of the starting processes, which change when those end. npm passes on no signal, so what
 * it started would hold its port forever.
 */
export function startedByNpm(): (() => string) | null {
  if (process.env.npm_lifecycle_event === undefined) return null;
  return () => `${process.ppid} ${npmBehind(process.ppid)}`;
}

/** npm starts a shell that may remain; npm is then its parent. Only on Linux: elsewhere the shell replaces itself with the process. */
function npmBehind(shell: number): string {
  try {
    return /^\d+ \((?:da|ba)?sh\) \S (\d+)/.exec(readFileSync(`/proc/${shell}/stat`, "latin1"))?.[1] ?? "";
  } catch {
    return "";
  }
}

/** Ctrl-C ends the work after the tasks in progress; a second one exits at once. If `starter` changes, the work ends, too. */
export function interruptible(starter: (() => string) | null = null): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const first = starter?.();
  const watch = starter && setInterval(() => starter() !== first && controller.abort(), STARTER_MS).unref();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    say("\nStopping; what is done is kept, calls in flight have five seconds. Press Ctrl-C again to leave at once.");
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    release: () => {
      if (watch) clearInterval(watch);
      // Abandoned work, such as an upload, must not keep the process alive.
      if (controller.signal.aborted) setTimeout(() => process.exit(process.exitCode ?? EXIT.interrupted), 1000).unref();
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}

/** Ctrl-C outside of an audit: work in progress is finished, and nothing new is started. An audit session handles Ctrl-C itself. */
export class Interrupts {
  readonly #controller = new AbortController();
  #auditing = false;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async auditing<T>(work: () => Promise<T>): Promise<T> {
    this.#auditing = true;
    return work().finally(() => {
      this.#auditing = false;
    });
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const onSignal = () => {
      if (this.signal.aborted) process.exit(EXIT.interrupted);
      this.#controller.abort();
      if (!this.#auditing) say("\nStopping after what is being computed. Press Ctrl-C again to leave at once.");
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
    return work().finally(() => {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    });
  }
}

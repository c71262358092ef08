import type { LiveCounts } from "../app/audit/audit-request.js";
import type { DecideResult } from "../app/audit/decide/run-decide.js";
import type { CallFault } from "../auditors/auditor.js";
import type { Usage } from "../core/records/audit.js";
import type { RunCounts } from "../core/records/manifest.js";
import { progressParts, spentText } from "../present/audit/run-words.js";
import { plural, whole } from "../present/words/numbers.js";
import { say, useColor } from "./output.js";

const TERMINAL_MS = 100;
const PLAIN_MS = 5000;
const REFUSAL_MS = 30_000;

/** Progress on stderr: a self-updating line on a terminal, a plain line every five seconds elsewhere. */
export class StatusLine {
  protected readonly started = performance.now();
  private shown = this.started;
  private written = false;

  constructor(protected readonly onTerminal = process.stderr.isTTY === true && useColor(process.stderr)) {}

  isDue(): boolean {
    const now = performance.now();
    if (now - this.shown < (this.onTerminal ? TERMINAL_MS : PLAIN_MS)) return false;
    this.shown = now;
    return true;
  }

  write(...parts: readonly string[]): void {
    const text = parts.filter(Boolean).join(" · ");
    this.written = this.onTerminal;
    // A line that wraps cannot be erased.
    if (this.onTerminal) process.stderr.write(`\r\u001b[2K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
    else say(text);
  }

  /** Erases the line before a message. */
  clear(): void {
    if (this.written) process.stderr.write("\r\u001b[2K");
  }
}

/** Progress of audits; a bar on a terminal. */
export class Progress extends StatusLine {
  private before: number | null = null;
  private toldRefusal = Number.NEGATIVE_INFINITY;

  update(
    done: Omit<RunCounts, "planned">,
    planned: number,
    usage?: Readonly<Record<keyof Usage, number>>,
    live?: Readonly<LiveCounts>,
  ): void {
    const total = done.verdicts + done.unscored + done.errors;
    // Audits of an earlier, interrupted session say nothing about the current speed.
    this.before ??= total;
    if (!this.isDue()) return;
    const rate = (total - this.before) / ((performance.now() - this.started) / 1000);
    const left = rate > 0 ? `${duration((planned - total) / rate)} left` : "";
    const speed = rate >= 10 ? Math.round(rate) : rate.toFixed(1);
    const filled = planned > 0 ? Math.min(20, Math.floor((20 * total) / planned)) : 0;
    const bar = this.onTerminal ? `${"█".repeat(filled)}${"░".repeat(20 - filled)} ` : "";
    this.write(`${bar}${total} of ${planned}`, `${speed}/s`, left, ...progressParts(done, usage, live));
  }

  /** Countdown while a server refuses every call: each second on a terminal, every half minute elsewhere. */
  refused(waiting: { leftMs: number; fault: CallFault } | null): void {
    const now = performance.now();
    if (waiting === null) {
      this.toldRefusal = Number.NEGATIVE_INFINITY;
      this.clear();
      return;
    }
    if (!this.onTerminal && now - this.toldRefusal < REFUSAL_MS) return;
    this.toldRefusal = now;
    const why =
      waiting.fault === "overloaded" ? "the server is overloaded" : "the server limits the number of requests";
    this.write(`waiting: ${why}; stops in ${duration(waiting.leftMs / 1000)} unless a call succeeds`);
  }
}

function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export class ProposalProgress extends StatusLine {
  update({ planned, before, proposed, failures, usage }: Readonly<DecideResult>): void {
    if (!this.isDue()) return;
    this.write(
      `${before + proposed + failures.count} of ${planned}`,
      plural(before + proposed, "proposal"),
      failures.count > 0 ? `${failures.count} without` : "",
      usage.input_tokens > 0 ? spentText(usage) : "",
    );
  }
}

/** Progress of routing. Not shown on a terminal that shows the answers; elsewhere only for files, because a stream may run for months. */
export class RouteProgress extends StatusLine {
  /** @param bytes input size; null: unknown */
  constructor(private readonly bytes: number | null) {
    super(process.stderr.isTTY === true && process.stdout.isTTY !== true && useColor(process.stderr));
  }

  update(decisions: number, bytesRead: number): void {
    if ((!this.onTerminal && this.bytes === null) || !this.isDue()) return;
    const seconds = (performance.now() - this.started) / 1000;
    const share = this.bytes !== null && bytesRead > 0 ? Math.min(1, bytesRead / this.bytes) : null;
    this.write(
      plural(decisions, "decision"),
      `${whole(Math.round(decisions / seconds))}/s`,
      ...(share === null
        ? []
        : [`${Math.floor(100 * share)}%`, `${Math.ceil((seconds * (1 - share)) / share)} s left`]),
    );
  }
}

/** Progress of simulated worlds: a line every five seconds. */
export function worldsProgress(worlds: number): (done: number) => void {
  const started = performance.now();
  const line = new StatusLine(false);
  return (done) => {
    if (done === worlds || !line.isDue()) return;
    const left = ((performance.now() - started) / done) * (worlds - done);
    line.write(`${done} of ${worlds} worlds, about ${Math.ceil(left / 1000)} s left`);
  };
}

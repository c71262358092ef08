import type { LiveCounts } from "../app/audit/audit-request.js";
import type { DecideResult } from "../app/audit/decide/run-decide.js";
import type { CallFault } from "../auditors/call-error.js";
import type { Usage } from "../core/records/audit.js";
import type { RunCounts } from "../core/records/manifest.js";
import { progressParts, spentText } from "../present/audit/run-words.js";
import { plural } from "../present/words/numbers.js";
import { say, useColor } from "./output.js";

const TERMINAL_MS = 100;
const PLAIN_MS = 5000;
const REFUSAL_MS = 30_000;

/** Progress on stderr: a bar that rewrites itself on a terminal, a plain line every five seconds elsewhere. */
export class Progress {
  private readonly started = performance.now();
  private readonly onTerminal = process.stderr.isTTY === true && useColor(process.stderr);
  private shown = 0;
  private before: number | null = null;
  private toldRefusal = Number.NEGATIVE_INFINITY;

  update(
    done: Omit<RunCounts, "planned">,
    planned: number,
    usage?: Readonly<Record<keyof Usage, number>>,
    live?: Readonly<LiveCounts>,
  ): void {
    const total = done.verdicts + done.unscored + done.errors;
    // What an earlier, interrupted run left behind says nothing about the speed of this one.
    this.before ??= total;
    const now = performance.now();
    if (now - this.shown < (this.onTerminal ? TERMINAL_MS : PLAIN_MS)) return;
    if (this.shown === 0 && !this.onTerminal) {
      this.shown = now;
      return;
    }
    this.shown = now;
    const rate = (total - this.before) / ((now - this.started) / 1000);
    const left = rate > 0 ? `${duration((planned - total) / rate)} left` : "";
    const speed = rate >= 10 ? Math.round(rate) : rate.toFixed(1);
    const text = [`${total} of ${planned}`, `${speed}/s`, left, ...progressParts(done, usage, live)]
      .filter(Boolean)
      .join(" · ");
    if (this.onTerminal) {
      const filled = planned > 0 ? Math.min(20, Math.floor((20 * total) / planned)) : 0;
      const line = `${"█".repeat(filled)}${"░".repeat(20 - filled)} ${text}`;
      // A line that wraps cannot be wiped out again.
      process.stderr.write(`\r\u001b[2K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
    } else process.stderr.write(`${text}\n`);
  }

  /** A server that refuses every call: how long that is borne, counting down; on a terminal each second, elsewhere each half minute. */
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
    const text = `waiting: ${why}; stops in ${duration(waiting.leftMs / 1000)} unless a call succeeds`;
    if (this.onTerminal) process.stderr.write(`\r\u001b[2K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
    else process.stderr.write(`${text}\n`);
    this.shown = now;
  }

  /** Makes room for a message. */
  clear(): void {
    this.finish();
  }

  finish(): void {
    if (this.onTerminal && this.shown > 0) process.stderr.write("\r\u001b[2K");
  }
}

function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Progress on stderr: a line that rewrites itself on a terminal, a plain one every five seconds elsewhere. */
export class ProposalProgress {
  private readonly onTerminal = process.stderr.isTTY === true && useColor(process.stderr);
  private shown = this.onTerminal ? 0 : performance.now();

  update({ planned, before, proposed, failures, usage }: Readonly<DecideResult>): void {
    const now = performance.now();
    if (now - this.shown < (this.onTerminal ? 100 : 5000)) return;
    this.shown = now;
    const parts = [`${before + proposed + failures.count} of ${planned}`, plural(before + proposed, "proposal")];
    if (failures.count > 0) parts.push(`${failures.count} without`);
    if (usage.input_tokens > 0) parts.push(spentText(usage));
    const text = parts.join(" · ");
    // A line that wraps cannot be wiped out again.
    if (this.onTerminal) process.stderr.write(`\r\u001b[2K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
    else say(text);
  }

  finish(): void {
    if (this.onTerminal && this.shown > 0) process.stderr.write("\r\u001b[2K");
  }
}

/** Simulated worlds: a line every five seconds. */
export function worldsProgress(worlds: number): (done: number) => void {
  const started = performance.now();
  let shown = started;
  return (done) => {
    const now = performance.now();
    if (now - shown < PLAIN_MS || done === worlds) return;
    shown = now;
    const left = ((now - started) / done) * (worlds - done);
    say(`${done} of ${worlds} worlds, about ${Math.ceil(left / 1000)} s left`);
  };
}

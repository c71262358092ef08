import type { RunCounts } from "../domain/manifest.js";
import { useColor } from "./output.js";

const TERMINAL_MS = 100;
const PLAIN_MS = 5000;

/** Progress on stderr: a bar that rewrites itself on a terminal, a plain line every five seconds elsewhere. */
export class Progress {
  private readonly started = performance.now();
  private readonly onTerminal = process.stderr.isTTY === true && useColor(process.stderr);
  private shown = 0;
  private before: number | null = null;

  update(done: Omit<RunCounts, "planned">, planned: number): void {
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
    const outcome = [
      `${done.verdicts} verdicts`,
      done.unscored ? `${done.unscored} unscored` : "",
      done.errors ? `${done.errors} errors` : "",
    ].filter(Boolean);
    const text = `${total} of ${planned} · ${Math.round(rate)}/s · ${left} · ${outcome.join(", ")}`;
    if (this.onTerminal) {
      const filled = planned > 0 ? Math.min(20, Math.floor((20 * total) / planned)) : 0;
      process.stderr.write(`\r\u001b[2K${"█".repeat(filled)}${"░".repeat(20 - filled)} ${text}`);
    } else process.stderr.write(`${text}\n`);
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

import { plural, whole } from "../../present/words/numbers.js";
import { useColor } from "../output.js";

const TERMINAL_MS = 100;
const PLAIN_MS = 5000;

/**
 * Progress on stderr. On a terminal that does not show the answers: a line that rewrites itself. Elsewhere a plain line every five
 * seconds, but only for a file: a stream may run for months.
 */
export class RouteProgress {
  private readonly started = performance.now();
  private readonly onTerminal =
    process.stderr.isTTY === true && process.stdout.isTTY !== true && useColor(process.stderr);
  private shown = this.started;
  private written = false;

  /** @param bytes size of the input; null: unknown */
  constructor(private readonly bytes: number | null) {}

  update(decisions: number, bytesRead: number): void {
    if (!this.onTerminal && this.bytes === null) return;
    const now = performance.now();
    if (now - this.shown < (this.onTerminal ? TERMINAL_MS : PLAIN_MS)) return;
    this.shown = now;
    const seconds = (now - this.started) / 1000;
    const parts = [plural(decisions, "decision"), `${whole(Math.round(decisions / seconds))}/s`];
    if (this.bytes !== null && bytesRead > 0) {
      const share = Math.min(1, bytesRead / this.bytes);
      parts.push(`${Math.floor(100 * share)}%`, `${Math.ceil((seconds * (1 - share)) / share)} s left`);
    }
    const text = parts.join(" · ");
    if (!this.onTerminal) process.stderr.write(`${text}\n`);
    else process.stderr.write(`\r\u001b[2K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
    this.written = true;
  }

  /** Makes room for a message. */
  clear(): void {
    if (this.onTerminal && this.written) process.stderr.write("\r\u001b[2K");
  }
}

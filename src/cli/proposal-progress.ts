import type { DecideResult } from "../app/audit/decide/run-decide.js";
import { plural } from "../present/words/numbers.js";
import { say, useColor } from "./output.js";
import { spentText } from "./progress.js";

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

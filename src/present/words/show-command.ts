import type { Report } from "../../core/results/report.js";
import { visibleString } from "../../text/visible-text.js";

/** The command that shows a decision whole, to be typed as it stands. Ids may hold any character. */
export function showCommand(id: string, run: Report["run"]): string {
  const dashed = id.startsWith("-");
  const runId = run.run_id === null ? "" : ` --run ${quoted(run.run_id)}`;
  return dashed ? `defensible show${runId} -- ${quoted(id)}` : `defensible show ${quoted(id)}${runId}`;
}

function quoted(text: string): string {
  const visible = visibleString(text);
  return /^[\w.:@%+=,/-]+$/.test(visible) ? visible : `'${visible.replaceAll("'", "'\\''")}'`;
}

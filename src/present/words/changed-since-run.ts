import type { Report } from "../../core/results/report.js";
import type { ChangedPart, ReportPage } from "../../measures/report-page.js";
import { visibleString } from "../../text/visible-text.js";

/** That the page shows today's texts, of all that changed, in a sentence; null: nothing did, or there is nothing to compare. */
export function changedNote({ changed_since_run: changed }: Pick<ReportPage, "changed_since_run">): string | null {
  if (!changed || changed.length === 0) return null;
  const named = changed.join(", ").replace(/, (\w+)$/, " and $1");
  return `The workspace's ${named} have changed since the run, if only because some were added. They stand here as they are now, which need not be what was audited.`;
}

const REMARKS: Readonly<Record<Exclude<ChangedPart, "precedents">, string>> = {
  rules:
    "The workspace's rules have changed since the run, if only because some were added: this is how they read now, which need not be what the auditor read.",
  decisions:
    "The workspace's decisions have changed since the run, if only because some were added: this is how the decision reads now, which need not be what was audited.",
};

/** The same at the place where a text stands. Precedents are told with how many were shown. */
export function changedRemark(
  { changed_since_run: changed }: Pick<ReportPage, "changed_since_run">,
  part: keyof typeof REMARKS,
): string | null {
  return changed?.includes(part) ? REMARKS[part] : null;
}

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

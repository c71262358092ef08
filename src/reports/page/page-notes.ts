import { whole } from "../../figures/numbers.js";
import type { PageOptions } from "./build-page.js";
import type { PageSubject } from "./page-subject.js";

/** What a page does not show, and why, a sentence each. */
export function pageNotes(
  { report, workspace }: Pick<PageSubject, "report" | "workspace">,
  { decisions, hashOf }: Pick<PageOptions, "decisions" | "hashOf">,
  listed: number,
): string[] {
  const { attempted } = report.counts;
  const cohort = typeof report.run.cohort === "string" ? report.run.cohort : null;
  return [
    ...(workspace
      ? []
      : [
          "Made from a file of audits, which tells what was audited and decided. Contents, texts of rules, people's ratings, gates in force and experiments are those of a workspace and not in this report.",
        ]),
    ...(cohort
      ? [
          `Only the decisions of cohort ${cohort}: calibration, gate in force and experiments are about whole runs and left out.`,
        ]
      : []),
    ...(decisions === null ? ["Single decisions were left out on request."] : []),
    ...(decisions !== null && listed < attempted ? [listedNote(listed, attempted)] : []),
    ...(hashOf
      ? [
          "Redacted: what authors, moderators, raters and auditors wrote is replaced by its length and a keyed hash. Ids, names of communities, rules and numbers are as they are.",
        ]
      : []),
  ];
}

/** Why not every decision is there. */
export function listedNote(listed: number, of: number): string {
  return `${whole(listed)} of ${whole(of)} decisions are listed, those most worth a look: of every community the first, then the second, as far as there is room.`;
}

import { changedNote } from "../words/changed-since-run.js";
import type { PageOptions } from "./build-page.js";
import type { PageSubject } from "./page-subject.js";

/** What a page does not show, or not as it was, and why, a sentence each; which decisions it lists says `listedSentence`. */
export function pageNotes(
  { report, workspace, changed }: Pick<PageSubject, "report" | "workspace" | "changed">,
  { hashOf }: Pick<PageOptions, "hashOf">,
): string[] {
  const { cohort } = report.run;
  const changes = changedNote({ changed_since_run: changed });
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
    ...(changes ? [changes] : []),
    ...(hashOf
      ? [
          "Redacted: what authors, moderators, raters and auditors wrote is replaced by its length and a keyed hash. Ids, names of communities, rules and numbers are as they are.",
        ]
      : []),
  ];
}

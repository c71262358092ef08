import { printable } from "../../text/printable.js";

/** What the auditor is measured against: in a heading, and as who says so. Labels of defensibility are raters'; a decision's human_label is the moderator's. */
export function againstWords(target: string): { title: string; by: string } {
  if (target === "human") return { title: "human ratings", by: "raters" };
  const name = printable(target, 40);
  return { title: name, by: name };
}

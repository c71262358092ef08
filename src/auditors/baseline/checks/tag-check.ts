import { type Check, type CheckCompiler, NO_CHECKS } from "../clause.js";
import type { ContentView } from "../content-view.js";

const TAG = /\[([\p{L}][\p{L}\d -]{0,20})\]/gu;

/** Tags in square brackets that a clause names, lower case. */
export function tagsOfClause(clause: string): string[] {
  return [...clause.matchAll(TAG)].map((match) => match[1]!.trim());
}

/** The tag is the subject ("a post tagged [Review] has …"), not the demand. */
const AS_CONDITION = /\btagged \[|(?<!\b(?:starts?|begins?|start its title|starts its title) )\b(?:with|an?) \[/;
/** A demand that hangs on something no text shows ("reports older than 30 days are marked [Old]"). */
const HANGS_ON = /\b(?:older|longer|larger|more|less|fewer|later) than\b/;
const NEGATED_TAG = /\bwithout\b|\black/;

/** "The title starts with [OC]": demanded, exempting or procedure-calling tags. */
export const compileTagChecks: CheckCompiler = (clause) => {
  const tags = tagsOfClause(clause.lower);
  if (tags.length === 0) return NO_CHECKS;
  const condition = AS_CONDITION.test(clause.lower) && clause.role !== "exemption" && clause.role !== "procedure";
  // Read here, not when judging: a clause is judged often.
  const isDemand = !condition || NEGATED_TAG.test(clause.lower);
  const hangs = HANGS_ON.test(clause.lower);
  const check: Check = {
    property: "tag",
    indirect: true,
    judge: (view, bearing) => {
      const present = tags.some((tag) => view.leadingTags.includes(tag));
      if (clause.role === "exemption") return present ? -0.9 : 0;
      if (clause.role === "procedure") return present ? 1 : 0;
      if (!isDemand) return 0;
      if (present) return -0.6;
      if (hangs) return 0;
      if (tags.some((tag) => nearlyTagged(view, tag))) return 0.5;
      return bearing.rule * 0.9;
    },
    borderline: (view) => (tags.some((tag) => nearlyTagged(view, tag)) ? 1 : 0),
    tell: (view) => {
      const present = tags.find((tag) => view.leadingTags.includes(tag));
      return present ? `begins with the tag [${present}]` : `does not begin with the tag [${tags[0]}]`;
    },
  };
  return [check];
};

/** "Review: …" where [Review] is meant. */
function nearlyTagged(view: ContentView, tag: string): boolean {
  const start = view.text.slice(0, tag.length + 1).toLowerCase();
  return start.startsWith(tag) && !/\p{L}/u.test(start.slice(tag.length));
}

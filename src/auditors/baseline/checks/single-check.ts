import { type CheckCompiler, NO_CHECKS } from "../clause.js";
import type { ContentView } from "../content-view.js";
import { saying } from "../word-traits.js";

const ONE_EACH =
  /\b(?:one|a single|single) (?!question)[\p{L}-]+ (?:(?:in|per|a|each|every) )+(?:each )?post\b|\beach post\b.*\b(?:one|single)\b/u;
const SEVERAL = saying(
  /\b(?:two|both|three|four|either|another|other|second|also|well|ambos|dos|tres)\b/iu,
  /\b(?:two|both|three|four|either of|another one|the other one|the second|also (?:selling|have|got)|as well as|ambos|dos|tres)\b/iu,
);

/** "One item a post": signs that a post is about several things. They are weak witnesses, and so is their absence. */
export const compileSingleChecks: CheckCompiler = (clause) => {
  if (clause.role === "exemption" || !ONE_EACH.test(clause.lower)) return NO_CHECKS;
  return [
    {
      property: "several things",
      indirect: true,
      judge: (view) => (SEVERAL.isIn(view) ? 0.25 : 0) + (listed(view) ? 0.3 : 0) || -0.1,
      tell: (view) =>
        SEVERAL.isIn(view)
          ? `speaks of '${SEVERAL.find(view)}'`
          : listed(view)
            ? "lists several things"
            : "speaks of one thing",
    },
  ];
};

function listed(view: ContentView): boolean {
  return view.body.listItems >= 2;
}

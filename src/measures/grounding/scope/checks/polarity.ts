import { citedClause } from "../cited-clause.js";
import { type Check, fail, nameOf, pass, skip } from "./finding.js";

/** Words with which a text says that a condition is not met, or that something takes the content out of it. */
const DENIAL =
  /\b(?:no|not|none|nothing|neither|nor|never|without|lacks?|lacking|absent|complies|compliant|outside|exempt(?:s|ed)?|exception|permit(?:s|ted)?|allow(?:s|ed)?|fine|welcome)\b|n't\b/i;

/** What is cited points the way of the verdict: a prohibition cited for an approval must be denied, a permission carries no removal. */
export const polarity: Check = (scope) => {
  const { restricts, citedRules, chain, cited } = scope;
  if (citedRules.length === 0) return skip("No rule is named.");
  const forces = citedRules.map(({ reading }) => citedClause(scope, reading)?.force ?? mainForce(reading.clauses));
  if (restricts) {
    if (forces.every((force) => force === "allows")) {
      return fail(`A permission of ${nameOf(citedRules[0]!.reading)} is cited for a removal.`);
    }
    return pass("What is cited can carry a removal.");
  }
  if (forces.some((force) => force === "allows" || force === "silent"))
    return pass("What is cited can carry an approval.");
  // The rule's own words may hold a "no" and deny nothing.
  const own = cited.replace(/"[^"]*"/g, " ").split(/:\s/)[0]!;
  if (DENIAL.test(chain.replace(/"[^"]*"/g, " ")) || DENIAL.test(own)) {
    return pass("The prohibition that is cited is said not to be met.");
  }
  return fail(
    `${nameOf(citedRules[0]!.reading)} forbids or demands something, and nothing says that the content does not break it.`,
  );
};

function mainForce(clauses: readonly { force: string }[]): string {
  return (clauses[1] ?? clauses[0])?.force ?? "silent";
}

import { type Check, fail, pass, skip } from "./finding.js";

/** The citation names, or is worded like, a rule or precedent of the case. */
export const ruleExists: Check = ({ citation, cited, restricts }) => {
  if (cited.trim() === "") return fail("The trace cites nothing.");
  if (citation.grounded) return pass("The cited rule or precedent exists.");
  if (citation.rule_id !== null)
    return fail(`${citation.rule_id} exists, but says something else than what is cited.`, 0.7);
  if (!restricts && DENIES.test(cited)) return skip("No rule is cited: the approval rests on none being broken.");
  return fail("No rule or precedent of the case is called like the citation or says what it says.");
};

/** An approval may rest on no rule at all. */
const DENIES = /^\W*(?:no|none|nothing|not any)\b/i;

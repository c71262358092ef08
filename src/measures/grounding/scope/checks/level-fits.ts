import { citedClause } from "../cited-clause.js";
import { type Check, fail, pass, skip } from "./finding.js";

const DENIES =
  /\b(?:does not follow|do not support|does not support|not supported|cannot be derived|is indefensible|no rule authori[sz]es|not authori[sz]ed)\b/i;
const LEAVES_OPEN =
  /\b(?:either decision|both decisions|either way|can be argued|ambiguous|unclear|leaves? (?:it |much |this )?(?:of it )?open|could reasonably|borderline)\b/i;

/** The level says what the reasons say. */
export const levelFits: Check = (scope) => {
  const { input, chain, citedRules } = scope;
  const { defensibility_level: level, inverse_check: inverse } = input.trace;
  if (level === null) return skip("The trace gives no level.");
  if (level < 3 && DENIES.test(chain))
    return fail(`The reasoning says that the decision does not follow; the level is ${level}.`);
  if (level === 1 && LEAVES_OPEN.test(chain)) return fail("The reasoning leaves it open; the level is 1.", 0.7);
  if (level === 1 && inverse === "Yes")
    return fail("Level 1 says that only this decision follows, the inverse check that its opposite does too.", 0.6);
  if (level === 1 && citedRules.length > 0) {
    const forces = citedRules.map(({ reading }) => citedClause(scope, reading)?.force ?? null);
    if (forces.every((force) => force === "open"))
      return fail("What is cited leaves it to discretion; the level is 1.", 0.5);
  }
  return pass("The level fits the reasons.");
};

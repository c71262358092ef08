import type { RuleNearness } from "../rule-nearness.js";
import { type Check, fail, MET, nameOf, pass, skip } from "./finding.js";

/** A content this far from the rule has nothing of it. */
const UNMET = -MET;

/** A removal removes what the cited rule forbids: its telling words, or what they stand for, are met by the content. */
export const conditionMet: Check = ({ restricts, citedRules }) => {
  if (!restricts) return skip("Only a removal needs a rule whose condition is met.");
  if (citedRules.length === 0) return skip("No rule is named.");
  const best = citedRules.reduce((a, b) => (ground(b) > ground(a) ? b : a));
  const most = ground(best);
  if (most >= MET) return pass(`The content meets the words of ${nameOf(best.reading)}.`);
  return fail(`Little of what ${nameOf(best.reading)} speaks of stands in the content.`, (MET - most) / (MET - UNMET));
};

/** How near the content comes to what of a rule can carry a removal. */
function ground({ unexcused, forbids, demands, elsewhere }: RuleNearness): number {
  const sides = [demands, elsewhere].filter(({ clause }) => clause !== null).map(({ value }) => value);
  if (forbids.clause !== null) sides.push(unexcused);
  return sides.length > 0 ? Math.max(...sides) : UNMET;
}

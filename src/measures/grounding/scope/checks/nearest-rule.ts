import { nearestSide } from "../nearest-rules.js";
import { type Check, fail, MET, nameOf, PLAINLY, pass, skip } from "./finding.js";

/** The nearest of the rules that are named may be this much further away. */
const MARGIN = MET;

/** The rule nearest to the content, by words that not all rules have, is the cited one or was considered. */
export const nearestRule: Check = ({ rules, mentioned, citedRules }) => {
  if (rules.length === 0 || citedRules.length === 0) return skip("No rule is named.");
  const nearest = rules.reduce((best, rule) => (nearestSide(rule) > nearestSide(best) ? rule : best));
  const most = nearestSide(nearest);
  if (most < MET) return skip("No rule comes near to the content.");
  const named = Math.max(...[...mentioned].map(nearestSide));
  if (named >= most - MARGIN) return pass("The rule that is named is among those nearest to the content.");
  return fail(
    `${nameOf(nearest.reading)} comes nearer to the content than what is named, and is not mentioned.`,
    (most - named) / PLAINLY,
  );
};

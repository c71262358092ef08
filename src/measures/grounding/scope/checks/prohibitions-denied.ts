import { type Check, fail, MET, nameOf, PLAINLY, pass, skip } from "./finding.js";

const CONSIDERED = 2;

/** An approval that rests on no rule being broken has considered the prohibitions nearest to the content. */
export const prohibitionsDenied: Check = ({ restricts, rules, mentioned }) => {
  if (restricts) return skip("Only an approval rests on no rule being broken.");
  const nearest = rules
    .filter((rule) => rule.unexcused >= MET)
    .sort((a, b) => b.unexcused - a.unexcused)
    .slice(0, CONSIDERED);
  if (nearest.length === 0) return skip("No prohibition comes near to the content.");
  const passedOver = nearest.filter((rule) => !mentioned.has(rule));
  if (passedOver.length === 0) return pass("The prohibitions nearest to the content were considered.");
  return fail(
    `Nothing is said of ${passedOver.map(({ reading }) => nameOf(reading)).join(" and ")}, which the content comes near to.`,
    passedOver[0]!.unexcused / PLAINLY,
  );
};

import { type Check, fail, MET, nameOf, PLAINLY, pass, shortly, skip } from "./finding.js";

/** An approval approves nothing that a rule forbids: no prohibition comes near to the content, or an exception of the same rule does as well. */
export const prohibitionUnmet: Check = ({ restricts, rules }) => {
  if (restricts) return skip("Only an approval rests on no rule being broken.");
  if (rules.length === 0) return skip("There is no rule.");
  const worst = rules.reduce((a, b) => (b.unexcused > a.unexcused ? b : a));
  if (worst.unexcused >= MET) {
    return fail(
      `The content comes near to what ${nameOf(worst.reading)} forbids: "${shortly(worst.forbids.clause!.text)}".`,
      worst.unexcused / PLAINLY,
    );
  }
  const excused = rules.find(({ forbids, allows }) => forbids.value >= MET && allows.value >= MET);
  return excused
    ? pass(`What comes near to ${nameOf(excused.reading)} comes near to its exception as well.`)
    : pass("No prohibition comes near to the content.");
};

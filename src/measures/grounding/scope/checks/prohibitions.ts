import type { RuleWord } from "../read-frame.js";
import { citedClause, type RuleNearness } from "../scope-case.js";
import { tellingWords } from "../telling-words.js";
import { type Check, fail, MET, nameOf, PLAINLY, pass, shortly, skip } from "./verdict.js";

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

/** A content this far from the rule has nothing of it. */
const UNMET = -MET;

/** A removal removes what the cited rule forbids: its telling words, or what they express, are met by the content. */
export const conditionMet: Check = ({ restricts, citedRules }) => {
  if (!restricts) return skip("Only a removal needs a rule whose condition is met.");
  if (citedRules.length === 0) return skip("No rule is named.");
  const best = citedRules.reduce((a, b) => (ground(b) > ground(a) ? b : a));
  const most = ground(best);
  if (most >= MET) return pass(`The content meets the words of ${nameOf(best.reading)}.`);
  return fail(`Little of what ${nameOf(best.reading)} speaks of is in the content.`, (MET - most) / (MET - UNMET));
};

/** How near the content comes to what of a rule can carry a removal. */
function ground({ unexcused, forbids, demands, elsewhere }: RuleNearness): number {
  const sides = [demands, elsewhere].filter(({ clause }) => clause !== null).map(({ value }) => value);
  if (forbids.clause !== null) sides.push(unexcused);
  return sides.length > 0 ? Math.max(...sides) : UNMET;
}

/** Share of an exception's telling words that a text must have to speak of it. */
const SPOKEN_OF = 0.4;

/**
 * Exceptions were considered. A removal fails where an exception of the cited rule comes near to the content and the reasoning is silent about
 * it; an approval that rests on an exception fails where the content does not come near to it.
 */
export const exception: Check = (scope) => {
  const { citedRules, restricts, chain, cited } = scope;
  const withException = citedRules.filter(({ allows }) => allows.clause !== null);
  if (withException.length === 0) return skip("The cited rule has no exception.");
  for (const { reading, allows, forbids } of withException) {
    const name = nameOf(reading);
    const { clause } = allows;
    if (restricts) {
      if (allows.value < MET || speaksOf(`${chain} ${cited}`, clause!.words)) continue;
      return fail(
        `The content comes near to an exception of ${name} ("${shortly(clause!.text)}"), and the reasoning does not mention it.`,
        allows.value / PLAINLY,
      );
    }
    if (citedClause(scope, reading)?.force !== "allows" || forbids.value <= Math.max(0, allows.value)) continue;
    return fail(
      `The approval rests on an exception of ${name}, but the content comes nearer to what the rule forbids.`,
      (forbids.value - allows.value) / PLAINLY,
    );
  }
  return pass("No exception of the cited rule speaks against the verdict.");
};

function speaksOf(text: string, clause: readonly RuleWord[]): boolean {
  const words = tellingWords(text);
  let all = 0;
  let said = 0;
  for (const { word, weight } of clause) {
    all += weight;
    if (words.has(word)) said += weight;
  }
  return all > 0 && said / all >= SPOKEN_OF;
}

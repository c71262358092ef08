import { citedClause } from "../cited-clause.js";
import type { RuleWord } from "../nearness.js";
import { tellingWords } from "../telling-words.js";
import { type Check, fail, MET, nameOf, PLAINLY, pass, shortly, skip } from "./finding.js";

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

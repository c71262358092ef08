import { foldText, pushTokens, tokenise } from "../../../../text/words.js";
import { findReferences } from "../../find-references.js";
import { type FrameIndex, frameIndex, QUOTED_WORDS, quotedSpans } from "../../frame-index.js";
import type { RuleWord } from "../read-frame.js";
import { citedClause, nearestSide, type RuleNearness } from "../scope-case.js";
import { tellingWords } from "../telling-words.js";
import {
  type Check,
  fail,
  levelFits,
  MET,
  nameOf,
  PLAINLY,
  pass,
  polarity,
  precedence,
  precedentsAgree,
  shortly,
  skip,
} from "./verdict.js";

/** If another rule contains this much more of the citation's words than the cited one, they count as taken from there. */
const SPLICED = 0.25;

/** The words of the citation are those of the rule it names, not of another rule. */
const quoteOfCitedRule: Check = ({ cited, citedRules, rules, input: { frame } }) => {
  if (citedRules.length === 0) return skip("No rule is named.");
  const index = frameIndex(frame);
  const isCited = (scope: string, id: string) =>
    citedRules.some(({ reading: { rule } }) => rule.scope === scope && rule.id === id);
  const spans = quotedSpans(cited, frame);
  // A passage that several rules share is found in the first of them, so only one that the cited rule lacks was taken from elsewhere.
  for (const { text, source } of spans) {
    if (source?.kind !== "rule" || isCited(source.scope, source.id)) continue;
    const phrase = ` ${tokenise(text).join(" ")} `;
    const own = index.sources.some(
      (one) => one.scope !== "precedent" && isCited(one.scope, one.id) && one.phrase.includes(phrase),
    );
    if (!own) return fail(`"${shortly(text)}" is in ${source.scope} rule ${source.id}, which is not the one cited.`);
  }
  const words = citedWords(cited, index);
  if (words.size < QUOTED_WORDS) return pass("The rule is named without words of another.");
  const counts = new Uint16Array(index.sources.length);
  for (const word of words) for (const source of index.byToken.get(word) ?? []) counts[source]! += 1;
  // The frame's rules come first among its sources, in the same order.
  const share = (rule: number) => counts[rule]! / words.size;
  const own = Math.max(...citedRules.map((rule) => share(rules.indexOf(rule))));
  const other = rules.findIndex((_, i) => share(i) > own + SPLICED);
  if (other >= 0) {
    return fail(`The cited words are those of ${nameOf(rules[other]!.reading)}, not of the rule that is named.`);
  }
  return pass("The cited words are those of the cited rule.");
};

/** The words of a citation that are not part of a name: `community rule R1` cites only the rule. */
function citedWords(citation: string, index: FrameIndex): Set<string> {
  const folded = foldText(citation);
  const references = findReferences(folded, index);
  const tokens: string[] = [];
  folded.words.forEach((word, i) => {
    if (!references.some(({ firstWord, endWord }) => i >= firstWord && i < endWord)) pushTokens(tokens, word);
  });
  return new Set(tokens);
}

/** Quoted words occur word for word in a source: those of a citation in a rule or precedent, those of the reasoning also in the content. */
const quoteVerbatim: Check = ({ cited, chain, input: { frame, content } }) => {
  const body = [content.title, content.body, ...content.context].join("\n");
  const inCitation = quotedSpans(cited, frame, body);
  const inChain = quotedSpans(chain, frame, body);
  if (inCitation.length + inChain.length === 0) return skip("Nothing is quoted.");
  const foreign = inCitation.find(({ source }) => source?.kind === "content");
  if (foreign) return fail(`"${shortly(foreign.text)}" is cited as a rule, and is in the content alone.`);
  const invented = [...inCitation, ...inChain].find(({ source }) => source === null);
  if (invented) return fail(`No rule, precedent or content says "${shortly(invented.text)}".`);
  return pass("What is quoted is said word for word.");
};

/** The citation names, or is worded like, a rule or precedent of the case. */
const ruleExists: Check = ({ citation, cited, restricts }) => {
  if (cited.trim() === "") return fail("The trace cites nothing.");
  if (citation.grounded) return pass("The cited rule or precedent exists.");
  if (citation.rule_id !== null)
    return fail(`${citation.rule_id} exists, but says something else than what is cited.`, 0.7);
  if (!restricts && DENIES.test(cited)) return skip("No rule is cited: the approval rests on none being broken.");
  return fail("No rule or precedent of the case is called like the citation or says what it says.");
};

/** An approval may rest on no rule at all. */
const DENIES = /^\W*(?:no|none|nothing|not any)\b/i;

/** The nearest of the named rules may be this much further away. */
const MARGIN = MET;

/** The rule nearest to the content, by words that not all rules share, is the cited one or was considered. */
const nearestRule: Check = ({ rules, mentioned, citedRules }) => {
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

/** An approval approves nothing that a rule forbids: no prohibition is near the content, or an exception of the same rule is also near. */
const prohibitionUnmet: Check = ({ restricts, rules }) => {
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

/** An approval whose reason is that no rule is broken has considered the prohibitions nearest to the content. */
const prohibitionsDenied: Check = ({ restricts, rules, mentioned }) => {
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

/** Content with this nearness has nothing that the rule describes. */
const UNMET = -MET;

/** A removal removes what the cited rule forbids: the content contains the rule's telling words, or what they express. */
const conditionMet: Check = ({ restricts, citedRules }) => {
  if (!restricts) return skip("Only a removal needs a rule whose condition is met.");
  if (citedRules.length === 0) return skip("No rule is named.");
  const best = citedRules.reduce((a, b) => (ground(b) > ground(a) ? b : a));
  const most = ground(best);
  if (most >= MET) return pass(`The content meets the words of ${nameOf(best.reading)}.`);
  return fail(`Little of what ${nameOf(best.reading)} speaks of is in the content.`, (MET - most) / (MET - UNMET));
};

/** How near the content is to the part of a rule that can support a removal. */
function ground({ unexcused, forbids, demands, elsewhere }: RuleNearness): number {
  const sides = [demands, elsewhere].filter(({ clause }) => clause !== null).map(({ value }) => value);
  if (forbids.clause !== null) sides.push(unexcused);
  return sides.length > 0 ? Math.max(...sides) : UNMET;
}

/** Share of an exception's telling words that a text must contain to count as mentioning it. */
const SPOKEN_OF = 0.4;

/**
 * Exceptions were considered. A removal fails if an exception of the cited rule is near the content and the reasoning does not mention it; an
 * approval that rests on an exception fails if the content is not near it.
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

/** All checks by name, in the order of the report. */
export const CHECKS = {
  rule_exists: ruleExists,
  quote_verbatim: quoteVerbatim,
  quote_of_cited_rule: quoteOfCitedRule,
  nearest_rule: nearestRule,
  condition_met: conditionMet,
  prohibition_unmet: prohibitionUnmet,
  exception,
  precedence,
  polarity,
  prohibitions_denied: prohibitionsDenied,
  level_fits: levelFits,
  precedents_agree: precedentsAgree,
} as const satisfies Record<string, Check>;

export type CheckName = keyof typeof CHECKS;
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

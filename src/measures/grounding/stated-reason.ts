import type { CaseFrame } from "../../core/records/case.js";
import { foldText, tokenise, UNSPACED, type Word } from "../../text/words.js";
import type { StatedReason } from "../metrics/reason-accuracy.js";
import { findReferences, type Reference, type RuleRange, withoutRanges } from "./find-references.js";
import { type FrameIndex, frameIndex } from "./frame-index.js";
import { deniesAnyRule, groundCitation } from "./ground-citation.js";
import { rulesInText } from "./rules-in-text.js";

export interface GivenReason {
  cited_rule?: string | null | undefined;
  rationale?: string | null | undefined;
}

/** The result of an audit: its level and what its citation rests on. */
export interface FoundReason {
  level?: number | null | undefined;
  citation?: { scope: string; rule_id: string | null; grounded?: boolean | null } | null | undefined;
  policy_citation?: string | null | undefined;
}

/**
 * The reason given for a decision, compared with the rules that its audit rests on. The auditor never saw the reason. A reference counts if it
 * names a rule by id or title; one that only resembles a rule, or fits several rules of which only some support the decision, is `undetermined`.
 * `frame`: the rules in effect; null: they are unknown.
 */
export function statedReason(given: GivenReason, found: FoundReason, frame: CaseFrame | null): StatedReason {
  if (frame === null)
    return isBlank(given.cited_rule, null) && isBlank(given.rationale, null) ? "unstated" : "undetermined";
  const stated = namedReason(given, frame);
  if (stated === "unstated" || stated === "unknown_rule") return stated;
  if (found.level === 3) return "no_rule_supports";
  const support = supporting(found, frame);
  if (stated === "undetermined" || support.size === 0) return "undetermined";
  if (stated.some((sources) => sources.every((source) => support.has(source)))) return "right_reason";
  return stated.some((sources) => sources.some((source) => support.has(source))) ? "undetermined" : "other_rule";
}

/** The rules that a reason states; null: it states no existing rule, or it is unclear which. Rules that it denies do not count. */
export function statedRules(given: GivenReason, frame: CaseFrame): { scope: string; id: string }[] | null {
  const named = namedReason(given, frame);
  if (typeof named === "string") return null;
  const stated = named.filter((sources) => !sources.includes(DENIED));
  if (stated.length === 0 || stated.some((sources) => sources.length > 1)) return null;
  const { sources } = frameIndex(frame);
  return [...new Set(stated.flat())]
    .sort((a, b) => a - b)
    .map((at) => ({ scope: sources[at]!.scope, id: sources[at]!.id }));
}

/** The rationale is used if no rule is cited. */
function namedReason(
  { cited_rule, rationale }: GivenReason,
  frame: CaseFrame,
): Named | "undetermined" | "unknown_rule" | "unstated" {
  if (!isBlank(cited_rule, frame)) return citedRule(cited_rule!, frame);
  return isBlank(rationale, frame) ? "unstated" : ruleInProse(rationale!, frame);
}

/** Rules that a text names: for each name, the sources it may mean. */
type Named = readonly (readonly number[])[];

/** Used instead of a source if the text denies the rule, or may deny it. No audit rests on it. */
const DENIED = -1;

/** Content of a rule field: rules by id or title, a rule that does not exist, or something unclear. */
function citedRule(text: string, frame: CaseFrame): Named | "undetermined" | "unknown_rule" {
  const index = frameIndex(frame);
  const whole = wholeName(text, index);
  const named = whole.length > 0 ? [whole] : namedIn(text, index);
  if (named.length > 0) return rulesOnly(named, index);
  const { perhaps } = rulesInText(text, frame);
  const isNear = perhaps.length > 0 || mayBeNumbered(text, index) || groundCitation(text, frame).rule_id !== null;
  return isNear ? "undetermined" : "unknown_rule";
}

const RULE_WORD =
  "(?:(?<!\\p{L})(?:rules?|policy|guideline|section|article|regeln?|artikel|abschnitt|reglas?|artículo|règles?|regol[ae]|regras?|zasad[ay]|правил[оа])|§{1,2}|规则|規則|第)[\\s:#]{0,3}(?:(?:no|nr|number)\\b\\.?\\s{0,2})?#?";
/** `rule 12`, `§ 4b`, `policy no. 3`, `Regel 7`, `规则7`. */
const REFERENCE = new RegExp(`${RULE_WORD}[a-z]{0,3}[-.]?\\d{1,9}`, "iu");
const BEFORE_NUMBER = new RegExp(`${RULE_WORD}(?=\\d)`, "giu");
const BETWEEN_NUMBERS = /(?<=\d)(?:\s{1,3}(?:und|oder|y|o|et|ou|e|i|lub|и|или)\s{1,3}|\s{0,3}[和或、]\s{0,3})(?=\d)/giu;

/** Translates references to numbers into the words that grounding reads: `Regel 7 und 8` becomes `rule 7 and 8`. */
function inEnglish(text: string): string {
  return text.normalize("NFKC").replace(BEFORE_NUMBER, " rule ").replace(BETWEEN_NUMBERS, " and ");
}

/** Rules named in prose. Most prose names no rule; a reference to a number that no rule has cites an unknown one. */
function ruleInProse(text: string, frame: CaseFrame): Named | "undetermined" | "unknown_rule" | "unstated" {
  const index = frameIndex(frame);
  const named = namedIn(text, index);
  if (named.length > 0) return rulesOnly(named, index);
  const reference = REFERENCE.exec(text.normalize("NFKC"));
  if (reference === null) return "unstated";
  const isNear = rulesInText(text, frame).perhaps.length > 0 || mayBeNumbered(reference[0], index);
  return isNear ? "undetermined" : "unknown_rule";
}

const NUMBERED = /(?<![\p{L}\p{N}])(\p{L}{0,8}?)0*(\d{1,9})(?![\p{L}\p{N}]|\.\d)/gu;
const NUMBERED_ID = /^(\p{L}{0,8})[-_. ]?0*(\d{1,9})$/u;

/** Whether a text has the number of a rule without the letters of its id, or with leading zeroes: `rule 1` and `R01` may be R1. */
function mayBeNumbered(text: string, { sources }: FrameIndex): boolean {
  const numbers = new Set(
    [...foldText(text).text.matchAll(NUMBERED)].map(([, letters, digits]) => `${letters} ${digits}`),
  );
  return sources.some(({ foldedId }) => {
    const [, letters, digits] = NUMBERED_ID.exec(foldedId) ?? [];
    return digits !== undefined && [letters, "", "rule"].some((before) => numbers.has(`${before} ${digits}`));
  });
}

/** Sources whose id or title is the whole text. */
function wholeName(text: string, index: FrameIndex): number[] {
  const folded = foldText(text.trim()).text;
  const tokens = tokenise(text).join(" ");
  const byId = index.sources.flatMap(({ foldedId }, source) => (foldedId === folded ? [source] : []));
  if (byId.length > 0 || tokens === "") return byId;
  return index.sources.flatMap(({ title }, source) => (title.trim() === tokens ? [source] : []));
}

/** Sources by id, otherwise by their whole title. A number in a title is not an id: `2. No links` is rule 2, or that title. */
function namedIn(text: string, index: FrameIndex): Named {
  const english = inEnglish(text);
  const references = meantIn(english, index);
  if (references.length > 0) return references;
  // For scripts without spaces: `违反规则R1`.
  const spaced = english.replace(UNSPACED, " $& ");
  const inside = spaced === english ? [] : meantIn(spaced, index);
  if (inside.length > 0) return inside;
  const phrase = ` ${tokenise(text).join(" ")} `;
  const titles = new Map<string, number[]>();
  index.sources.forEach(({ title }, source) => {
    if (title !== "" && phrase.includes(title)) titles.set(title, [...(titles.get(title) ?? []), source]);
  });
  const all = [...titles.keys()];
  return all
    .filter((title) => !all.some((other) => other !== title && other.includes(title)))
    .map((title) => titles.get(title)!);
}

const DENIALS = new Set(
  "no not never neither none nor without t except excluding nicht kein keine außer ohne sauf sans salvo excepto кроме".split(
    " ",
  ),
);
/** Words between a denial and its object: `not a violation of R1`. */
const BETWEEN = new Set(
  "a an any the of under violation violations breach break breaks violate violates against by for per verstoß gegen".split(
    " ",
  ),
);
/** `R1 does not apply`, `R1 nicht verletzt`, `R1不适用`. It may also say that R1 was not kept. */
const DENIED_AFTER =
  /^(?:[\s:,(–—-]{1,3}(?:(?:is|was|does|did|do|has|been|ist|wurde|wird|gilt|greift|trifft|hier|here|clearly)\s{1,3}){1,3}(?:not|never|nicht)|[\s:,(–—-]{1,3}(?:(?:is|was|does|did|do|has)n['’]t|not applicable|n\/a)|\s{1,3}(?:not|never|cannot|nicht|ne|não|nie|не|no (?:violation|breach|(?:se )?aplica))|\s{1,3}n['’]\p{L}{1,20}|\s{0,3}不)(?!\p{Script=Latin}|\p{Script=Cyrillic})/u;
/** How much of the text after an id is compared with the title of its rule, in characters. */
const MOST_TITLE = 300;

/** Between a denied rule and another that is denied with it: `none of R1, R2 and R3`, `not R1 or R2`. */
const ALSO_DENIED = /^\s{0,3}(?:or|nor|oder|noch|ni|ou|o)\s{1,3}$/u;
const ALSO_NONE = /^\s{0,3}(?:,|&|and|or|nor|und|oder|noch|, (?:and|or|nor|und|oder))\s{0,3}$/u;
const ALL_DENIED = new Set(["none", "neither", "any"]);

/**
 * Ids that a text names, and {@link DENIED} for those that it denies. `R1.2` does not name `R1`. A range, `R1–R10`, is one name for all rules in
 * it, since it is unknown which of them is meant.
 */
function meantIn(original: string, index: FrameIndex): Named {
  const { folded, ranges } = withoutRanges(original, index);
  const { text, words } = folded;
  const isNextTo = (at: number) => text.slice(words[at]!.end, words[at + 1]?.start).trim() === "";
  // Pattern that joins the next rule to a denied one.
  let joins: RegExp | null = null;
  let last = 0;
  return findReferences(folded, index).flatMap((reference) => {
    const { firstWord, endWord } = reference;
    const sources = inRange(reference, words, ranges, index);
    const { end } = words[endWord - 1]!;
    const after = text.slice(end, end + MOST_TITLE);
    const since = text.slice(last, words[firstWord]!.start);
    last = end;
    if (/^\.\d/.test(after)) return [];
    let at = firstWord - 1;
    while (at > 0 && BETWEEN.has(words[at]!.text) && isNextTo(at)) at--;
    if (at >= 0 && DENIALS.has(words[at]!.text) && isNextTo(at)) {
      const isAll = words.slice(at, firstWord).some((word) => ALL_DENIED.has(word.text));
      joins = isAll ? ALSO_NONE : ALSO_DENIED;
      return [[DENIED]];
    }
    if (joins?.test(since)) return [[DENIED]];
    joins = null;
    return [DENIED_AFTER.test(after) && !beginsWithTitle(after, sources, index) ? [...sources, DENIED] : sources];
  });
}

/** All rules of the range that a reference replaces; only those of the stated scope, if there is one. */
function inRange(
  { sources, firstWord, endWord }: Reference,
  words: readonly Word[],
  ranges: readonly RuleRange[],
  index: FrameIndex,
): number[] {
  const [from, to] = [words[firstWord]!.start, words[endWord - 1]!.end];
  const range = ranges.find(({ start }) => start >= from && start < to);
  if (!range) return sources;
  const { foldedId } = index.sources[sources[0]!]!;
  const same = range.sources.filter((source) => index.sources[source]!.foldedId === foldedId);
  const scopes = new Set(sources.map((source) => index.sources[source]!.scope));
  return same.length > sources.length
    ? range.sources.filter((source) => scopes.has(index.sources[source]!.scope))
    : range.sources;
}

/** `R3 Not for sale` is the rule followed by its title. */
function beginsWithTitle(text: string, sources: readonly number[], index: FrameIndex): boolean {
  const phrase = ` ${tokenise(text).join(" ")} `;
  return sources.some((source) => {
    const { title } = index.sources[source]!;
    return title !== "" && phrase.startsWith(title);
  });
}

/** A precedent is not a rule: a reason that only names precedents, or only denies rules, cannot be compared. */
function rulesOnly(named: Named, index: FrameIndex): Named | "undetermined" {
  const rules = named
    .map((sources) => sources.filter((source) => index.sources[source]?.scope !== "precedent"))
    .filter((sources) => sources.length > 0);
  return rules.some((sources) => !sources.includes(DENIED)) ? rules : "undetermined";
}

/** Rules that the audit rests on: the one its citation was found in, and those that the citation names. Empty if it denies that a rule applies. */
function supporting({ citation, policy_citation: words }: FoundReason, frame: CaseFrame): Set<number> {
  const index = frameIndex(frame);
  const found = new Set<number>();
  if (words && deniesAnyRule(tokenise(words))) return found;
  const isRule = (source: number) => index.sources[source]!.scope !== "precedent";
  if (citation?.grounded !== false && citation?.rule_id != null) {
    index.sources.forEach(({ scope, id }, source) => {
      if (id === citation.rule_id && scope === citation.scope && isRule(source)) found.add(source);
    });
  }
  // For an id that exists in both scopes, with neither stated, grounding has chosen one.
  for (const sources of words ? namedIn(words, index) : []) {
    if (sources.length === 1 && sources[0] !== DENIED && isRule(sources[0]!)) found.add(sources[0]!);
  }
  return found;
}

/** Words in a rule field that mean that no rule is named. */
const NO_RULE =
  /^\s*(?:n\s?\/?\s?a\.?|none|nil|null|no rule|unknown|unspecified|not (?:known|specified|stated)|others?|misc\.?|keine?|unbekannt|sonstiges|[-–—?.]*)\s*$/i;

/** Whether a text states nothing. A rule may be called `other`. */
function isBlank(text: string | null | undefined, frame: CaseFrame | null): boolean {
  if (text === null || text === undefined) return true;
  if (!NO_RULE.test(text)) return false;
  const name = foldText(text.trim()).text;
  const isRule = frame?.rules.some(({ id, title }) => [id, title].some((one) => foldText(one.trim()).text === name));
  return name === "" || !isRule;
}

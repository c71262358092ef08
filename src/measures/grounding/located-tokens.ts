import { isAscii } from "../../text/printable.js";
import type { ClauseText } from "../../text/split-clauses.js";
import { foldText, scanUnicodeWords, UNSPACED, type Word } from "../../text/words.js";

/** A token with the range of the original text that it was made from, [start, end) in UTF-16 units. */
export interface LocatedToken {
  token: string;
  start: number;
  end: number;
  /** Index of the word in the text. */
  word: number;
}

interface LocatedText {
  /** Folded text, in which references are searched for. */
  text: string;
  /** Offsets in the folded text. */
  words: Word[];
  tokens: LocatedToken[];
}

/** The tokens of a text, as `tokenise` makes them, each with its position in the original text. */
export function locateTokens(original: string): LocatedText {
  const { text, starts, ends } = isAscii(original) ? plain(original) : folded(original);
  const words = starts ? scanUnicodeWords(text) : foldText(original).words;
  const tokens: LocatedToken[] = [];
  words.forEach((word, number) => {
    for (const [token, from] of tokensOf(word)) {
      const start = word.start + from;
      const end = start + token.length;
      tokens.push({ token, start: starts?.[start] ?? start, end: ends?.[end - 1] ?? end, word: number });
    }
  });
  return { text, words, tokens };
}

interface Folding {
  text: string;
  /** For each unit of the folded text, where its source begins and ends; null if both texts agree in length, unit by unit. */
  starts: number[] | null;
  ends: number[] | null;
}

function plain(original: string): Folding {
  return { text: original.toLowerCase(), starts: null, ends: null };
}

/** A character with its combining marks, or Korean letters that join into one syllable. These fold independently of their neighbours. */
const CLUSTER = /[\u1100-\u11ff]+\p{M}*|\P{M}\p{M}*|\p{M}+/gsu;

/** Folding may change a text's length (ﬁ → fi), so it is done cluster by cluster, with the positions recorded. */
function folded(original: string): Folding {
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: cluster, index } of original.matchAll(CLUSTER)) {
    const piece = cluster.normalize("NFKC").toLowerCase();
    text += piece;
    for (let i = 0; i < piece.length; i++) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
  }
  return { text, starts, ends };
}

/** The tokens of a word with their offsets in it. */
function* tokensOf(word: Word): Generator<[string, number]> {
  if (word.plain) {
    yield [word.text, 0];
    return;
  }
  for (const { 0: part, index } of word.text.matchAll(/[^-_]+/g)) {
    let from = 0;
    for (const run of part.matchAll(UNSPACED)) {
      if (run.index > from) yield [part.slice(from, run.index), index + from];
      yield* pairsOf(run[0], index + run.index);
      from = run.index + run[0].length;
    }
    if (from < part.length) yield [part.slice(from), index + from];
  }
}

function* pairsOf(run: string, at: number): Generator<[string, number]> {
  const characters = [...run];
  if (characters.length === 1) yield [run, at];
  let from = at;
  for (let i = 0; i + 1 < characters.length; i++) {
    yield [`${characters[i]}${characters[i + 1]}`, from];
    from += characters[i]!.length;
  }
}

/**
 * The function of a statement in a rule. `insufficient` names what does not satisfy a requirement ("a bare year is not enough"); `definition`
 * explains the thing the rule is about; `discretion` leaves it to the moderators; `vague` asks for an attitude.
 */
export type ClauseRole =
  | "prohibition"
  | "requirement"
  | "insufficient"
  | "exemption"
  | "procedure"
  | "discretion"
  | "vague"
  | "definition";

/** What the role of a clause may depend on apart from its own words. */
interface RuleSense {
  kind: string | null;
  /** Words that the rule's title and description require ("without an attempt" gives `attempt`), lower case. */
  demanded: ReadonlySet<string>;
}

const EXEMPT_LEAD =
  /^(?:exceptions?\b|allowed\b|permitted\b|welcome\b|fine\b|on topic|acceptable|no ground|excepci[oó]n|permitido|se admite|tema propio)/;
const PROHIBIT_LEAD =
  /^(?:removed|not (?:allowed|permitted|welcome|acceptable)|forbidden|prohibited|banned|off topic|fuera de tema|se retiran?|prohibido|no se permite)/;
const NOT_LEAD = /^not (?:an? |the )?(\p{L}+)/u;

const PROCEDURE =
  /\b(?:is|are|be) (?:moved|locked|sent back|redirected|merged|archived)|\b(?:moderators?|mods?) (?:moves?|locks?|sends?|redirects?|merges?)\b|neither removed nor|not removed\b.*\b(?:stay|moved|left)|belongs? in the\b.*\bthread|no se retira\b|traslada/;
const NOT_PROCEDURE = /\b(?:not|never) (?:moved|locked)\b/;

const SUFFICIENT =
  /\b(?:is|are) (?:always |expressly )?(?:allowed|fine|ok|okay|permitted|welcome|exempt|free|enough|sufficient|acceptable)\b|\bneeds? (?:no\b|none|neither|only)|\bneed not\b|\bno \p{L}+ (?:is|are) needed|\b(?:not|never) (?:covered|counted|meant|affected|moved|used)\b|\boutside (?:this|the) rule\b|\bnever a reason\b|\bno ground\b|\bdoes not apply\b|\bhave none\b|\bcounts? as one\b|\b(?:stays?|remains?) (?:where|up|in the (?:list|thread|feed))\b|\bwill do\b|\bno necesitan?\b|\bse admiten?\b|\bse quedan?\b|bienvenid[oa]s?/u;
/** The verb, not the month ("24 May", "May 2026"). */
const MAY = /(?<!\d )\b(?:may|puede[ns]?|se puede)\b(?! (?:not|no|be removed|remove|only|retirar|\d+)\b)/;
const MAY_ONLY = /\bonly$|\bmay only\b|\bmay not$|^only\b.*\bmay\b/;
/** A requirement worded as an order to the reader. */
const IMPERATIVE =
  /^(?:please )?(?:give|say|state|name|describe|include|show|add|write|mention|list|tell|mark|tag|put|quote|cite|specify|post|indica|escribe|di)\b/;
const INSUFFICIENT =
  /\bnot (?:enough|sufficient)\b|\b(?:does|do) not (?:help|count|replace|suffice|turn|satisfy)\b|\bdoes(?:n't| not) help|\btoo (?:few|late|little|short)\b|\bchanges nothing\b|\bno (?:vale|basta|suple)\b/;
const IS_NOT = /\b(?:is|are|son|es) (?:not|no|never) (?:an? |the |yet )?(?:[\p{L}-]+ )?(\p{L}+)/u;
const ELLIPTIC_NOT = /\b(?:is|are) not$/;
/** Under a prohibition, "enough" or "counts as" means enough to break it. */
const SUFFICES = /\b(?:is|are) (?:enough|sufficient)\b|\bcounts? as\b/;
const NOT_COUNTED = /\b(?:not|never|no|nor|neither)\b.*\bcounte?d?s?\b|\bcounts? (?:not|for nothing)\b/;
const OPENS_ALLOWING = /^(?:also )?(?:allowed|permitted|exempt|welcome|fine)\b/;
const CATCH_ALL = /\bmoderators? (?:may|can|decides?)\b/;

const DISCRETION =
  /\bmoderators?\b.*\b(?:may|can|decides?|judges?|think|consider|find|see fit)\b|\bfor the moderators\b|\bcase by case\b|\bdiscretion\b|\bin doubt\b|\bjudge?ment of the moderator|\bmay be removed\b|\bmoderador(?:es)?\b.*\b(?:pueden?|juzgan?|deciden?)\b/;
const PROHIBITION =
  /\b(?:do not|don't|must not|may not|cannot|never|not (?:allowed|permitted|welcome)|forbidden|prohibited|banned|removed|no se|se retiran?|prohibid[oa]s?)\b|^(?:no|sin)\b|\/ sin\b|\bthe only\b|\bonly (?:on|at|in|for)\b/;
const DEMAND =
  /\b(?:must|has to|have to|needs?|required?|requires?|at least|at most|exactly|up to|no more than|st(?:arts?|ands (?:between|at|in|before|after))|begins?|shows|names (?:its?|the|an?|their|what|where)|says|carry|carries|puts|quotes|gives|contains|states|includes|lists (?:all|the|every|its|each)|is written|in english|debe[ns]?|tienen? que|lleva[ns]?|va en|dice)\b/;
const LACKING = /\b(?:without|missing|lacks?|lacking|below|fewer than|less than|incomplete|sin|falta[ns]?)\b/;
const ATTITUDE =
  /\b(?:kind|gentle|good faith|spirit|respect|respectful|courage|nice|civil|polite|plain|constructive|friendly|appropriate|sensible|encourage|effort|reasonable)\b/;

/** The role of a clause by its wording; the rule's declared kind decides what that leaves open. `previous` is the role of the clause before. */
export function clauseRole(clause: ClauseText, rule: RuleSense, previous: ClauseRole | null = null): ClauseRole {
  const text = clause.text.toLowerCase();
  const lead = clause.lead ?? "";
  if (PROCEDURE.test(text) && !NOT_PROCEDURE.test(text)) return "procedure";
  if (EXEMPT_LEAD.test(lead)) return "exemption";
  if (PROHIBIT_LEAD.test(lead)) return "prohibition";
  const notLead = NOT_LEAD.exec(lead);
  if (notLead) return negatedNoun(notLead[1]!, rule);
  if (OPENS_ALLOWING.test(text)) return "exemption";
  if (ELLIPTIC_NOT.test(text)) return ellipticNot(text, rule, previous);
  if (CATCH_ALL.test(text)) return "discretion";
  if (INSUFFICIENT.test(text))
    return rule.kind === "prohibition" && NOT_COUNTED.test(text) ? "exemption" : "insufficient";
  if (DISCRETION.test(text)) return "discretion";
  if (rule.kind === "prohibition" && SUFFICES.test(text) && !/\b(?:no|not)\b/.test(text)) return "definition";
  if (SUFFICIENT.test(text) && !/\bremoved\b/.test(text)) return "exemption";
  if (/\balone (?:is|are) (?:not|no)\b/.test(text)) return "insufficient";
  const isNot = IS_NOT.exec(text);
  if (isNot && !PROHIBITION.test(text)) return negatedNoun(isNot[1]!, rule);
  if (LACKING.test(text) && /\bremoved\b|se retira/.test(text) && rule.kind !== "prohibition") return "requirement";
  if (MAY_ONLY.test(text)) return "prohibition";
  if (/\bnot removed\b/.test(text)) return "exemption";
  if (MAY.test(text) && !PROHIBITION.test(text)) return "exemption";
  if (PROHIBITION.test(text)) return "prohibition";
  if (rule.kind === "vague_directive" && ATTITUDE.test(text)) return "vague";
  if (DEMAND.test(text) || (rule.kind === "requirement" && IMPERATIVE.test(text))) return "requirement";
  if (rule.kind === "vague_directive" || (ATTITUDE.test(text) && text.length < 60)) return "vague";
  if (rule.kind === "discretion") return "discretion";
  return "definition";
}

/** "…; Y is not": the opposite of the clause before. */
function ellipticNot(text: string, rule: RuleSense, previous: ClauseRole | null): ClauseRole {
  if (rule.kind === "requirement") return "insufficient";
  const contrary = previous === "definition" || previous === "prohibition";
  return contrary && !SUFFICIENT.test(text) ? "exemption" : "prohibition";
}

/** "X is not N": if the rule requires N, X fails it; otherwise X is outside the rule. */
function negatedNoun(noun: string, rule: RuleSense): ClauseRole {
  for (const word of rule.demanded) {
    if (word.length > 3 && (noun.startsWith(word.slice(0, -1)) || word.startsWith(noun.slice(0, -1))))
      return "insufficient";
  }
  return "exemption";
}

const DEMANDED = /\b(?:must|has to|have to|needs?|without|requires?|your own|sources?)\b(.*)$/;

/** The words that a rule's title and description require. */
export function demandedWords(titleAndDescription: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const text of titleAndDescription) {
    const match = DEMANDED.exec(text.toLowerCase());
    if (match) for (const word of match[0].match(/\p{L}{4,}/gu) ?? []) words.add(word);
  }
  return words;
}

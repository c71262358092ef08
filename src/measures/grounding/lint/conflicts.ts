import {
  type Clause,
  CONDITIONAL,
  clausesOf,
  finding,
  outright,
  type PlacedRule,
  partsOf,
  type RuleFinding,
  type RulePart,
  referenceTo,
  sentences,
  sharedShare,
  topicStems,
} from "./finding.js";
import { givesAway, insideQuotes } from "./wording.js";

/** Something that a rule forbids, requires or allows: one item of a list. */
interface Item {
  part: RulePart;
  text: string;
  stems: Set<string>;
}

/** The parts of a rule that may conflict with another rule. */
interface Bounds {
  clauses: Clause[];
  forbidden: Item[];
  granted: Item[];
}

const FORBIDS =
  /\b(?:may|must|can|should|do|does|shall) not (?:be )?(?:contain|include|show|name|give|carry|have|post|share|publish|link|use|ask for|offer)?\s*(?<what>.+)$|^no\s+(?<rest>.+)$/iu;
const GRANTS =
  /\b(?:must|has to|have to|needs? to|is required|are required|puts?|gives?|states?|includes?|contains?|carries|carry|may|can|allowed|permitted|welcome|fine|encouraged)\b/iu;
const NEGATED = /\b(?:no|not|never|neither|nor|without|forbidden|prohibited|removed|deleted|only)\b|n['’]t\b/iu;

/** An item of a single word ("links", "prices") is too general to be matched in another sentence. */
const FEWEST_STEMS = 2;
/** Smallest share of common words at which a clause allows what another forbids. */
const SAME_TOPIC = 0.75;

export function boundsOf(placed: PlacedRule): Bounds {
  const forbidden: Item[] = [];
  const granted: Item[] = [];
  for (const { part, text } of partsOf(placed.rule)) {
    for (const sentence of sentences(text)) {
      const groups = FORBIDS.exec(sentence)?.groups;
      const what = groups?.what ?? groups?.rest;
      if (what && CONDITIONAL.test(sentence)) continue;
      if (what) forbidden.push(...itemsOf(what, part, sentence));
      else if (GRANTS.test(sentence) && !NEGATED.test(sentence)) granted.push(...itemsOf(sentence, part, sentence));
    }
  }
  return { clauses: clausesOf(placed), forbidden, granted };
}

/** "phone numbers, e-mail addresses or identity documents" as three items. */
function itemsOf(list: string, part: RulePart, text: string): Item[] {
  return list
    .split(/[,;:]|\b(?:or|and)\b/iu)
    .map((item) => ({ part, text, stems: topicStems(item) }))
    .filter(({ stems }) => stems.size >= FEWEST_STEMS);
}

/**
 * What a community's rule requires or allows although the platform forbids it. The platform's rule takes precedence, so following one breaks the
 * other. Detected if an item that the platform forbids reappears, word for word, in what the community's rule grants, or if that rule allows under
 * a condition what the platform forbids outright. If a platform rule itself grants the same, it makes the exception.
 */
export function platformConflict(own: PlacedRule, ours: Bounds, platform: PlacedRule, theirs: Bounds) {
  const item = sharedItem(ours, theirs) ?? conditionalAllowance(ours, theirs);
  if (!item) return null;
  return finding(own, {
    check: "contradiction",
    severity: "warning",
    part: item.own.part,
    quote: item.own.text,
    message: `seems to grant what platform rule ${platform.rule.id} forbids, which goes before: "${item.theirs.text}"`,
    remedy: "Change one of them, or say in the platform's rule that communities may make this exception.",
    other: referenceTo(platform),
  }) satisfies RuleFinding;
}

function sharedItem(ours: Bounds, theirs: Bounds) {
  const holds = (item: Item, wanted: ReadonlySet<string>) => [...wanted].every((stem) => item.stems.has(stem));
  for (const forbidden of theirs.forbidden) {
    if (theirs.granted.some((item) => holds(item, forbidden.stems))) continue;
    const own = ours.granted.find((item) => holds(item, forbidden.stems));
    if (own) return { own, theirs: forbidden };
  }
  return null;
}

function conditionalAllowance(ours: Bounds, theirs: Bounds) {
  for (const forbidden of outright(theirs.clauses)) {
    if (!forbidden.forbids) continue;
    const own = ours.clauses.find(
      (clause) => !clause.forbids && clause.conditional && sharedShare(clause.topic, forbidden.topic) >= SAME_TOPIC,
    );
    if (own) return { own, theirs: forbidden };
  }
  return null;
}

/** Words that two honest readers interpret differently unless the rule defines them. */
const TERMS = [
  "low[- ]effort",
  "low[- ]quality|poor[- ]quality",
  "high[- ]quality|good[- ]quality",
  "off[- ]topic",
  "on[- ]topic",
  "spam(?:ming|my)?",
  "self[- ]promot(?:ion|ional|ing)",
  "harass(?:ment|ing)?",
  "hate ?speech|hateful",
  "bully(?:ing)?",
  "troll(?:ing|s)?",
  "bad[- ]faith|good[- ]faith",
  "toxic(?:ity)?",
  "offensive",
  "inappropriate",
  "disrespect(?:ful)?",
  "respectful(?:ly)?|be respectful|be nice|be kind|be civil|civil(?:ity)?|incivility",
  "misleading|misinformation|disinformation",
  "click ?bait",
  "gore|graphic",
  "sensitive",
  "controversial",
  "politic(?:s|al)",
  "sensational(?:ist|ism|ized|ised)?",
  "shit ?posts?|shitposting",
  "brigad(?:e|es|ing)",
  "dox+(?:ing)?",
  "nsfw",
].map((forms) => new RegExp(`\\b(?:${forms})\\b`, "giu"));

/** A sentence that defines something or gives examples of it. */
const DEFINES =
  /\b(?:means?|is when|are when|counts? as|includes?|including|such as|for example|for instance|e\.g|that is|i\.e|defined|refers? to|covers?|consists? of|examples?)\b|[:("“]|\b(?:is|are) (?:an?|any|the|one|what|posts?|content|comments?|text)\b/iu;

/** "Removed: …", "Not allowed: …", "(a) …": lists that draw the line without using the rule's own word. */
const LISTS =
  /(?:^|[.;!?]\s+)(?:not |also |always )?(?:removed|deleted|allowed|permitted|welcome|fine|forbidden|prohibited|banned|covered|counted|exceptions?|examples?)\b[^.:;]{0,40}:|(?:^|\s)\([a-e1-5]\)\s/iu;

/** A quoted example of more than a word or two, which is a case on one side of the line. */
const QUOTED = /"[^"]{6,}"|“[^”]{6,}”/u;

/** A number makes a condition that two people would apply alike. */
const MEASURED =
  /\b(?:at least|at most|up to|no more than|more than|fewer than|less than|within|every|once|twice|only)\b[^.;]{0,40}\b(?:\d+|one|two|three|four|five|six|seven|ten|twelve|fourteen|thirty|day|week|month|year|post|thread)s?\b/iu;

/** When something counts, or is removed, allowed or needed. "May be removed if …" leaves the outcome open and does not count. */
const CONDITION =
  /\bcounts?\b|\b(?<!(?:may|might|can) be )(?:allowed|permitted|fine|may(?! be )|must|needs?|needed|required?|removed|deleted|covered)\b[^.;]*\b(?:when|if|unless|provided|as long as|even with)\b/iu;

/** Terms of judgement that the rule uses without explaining them. A term that occurs only in a quoted example or in a bracketed tag is not used. */
export function undefinedTerms(placed: PlacedRule): RuleFinding[] {
  const parts = partsOf(placed.rule);
  const found: RuleFinding[] = [];
  const drawn = parts.some(({ part, text }) => part !== "title" && drawsLine(text));
  for (const forms of TERMS) {
    const used = parts.find(({ text }) => search(forms, text));
    if (!used || used.part === "detail" || drawn) continue;
    const explained = parts.some(
      ({ part, text }) =>
        part !== "title" && sentences(text).some((sentence) => search(forms, sentence) && DEFINES.test(sentence)),
    );
    if (explained) continue;
    found.push(
      finding(placed, {
        check: "undefined_term",
        severity: "warning",
        part: used.part,
        quote: search(forms, used.text)!,
        message: "is a word of judgement, and no explanation of it was found in the rule",
        remedy: "Define it in `description` or `detail`, with an example on each side of the line.",
      }),
    );
  }
  return found;
}

/** Whether a text defines what falls under the rule: by a list of what is removed or allowed, a quoted example, a number or a condition. */
function drawsLine(text: string): boolean {
  const says = (sentence: string) => QUOTED.test(sentence) || MEASURED.test(sentence) || CONDITION.test(sentence);
  return LISTS.test(text) || sentences(text).some((sentence) => says(sentence) && !givesAway(sentence));
}

/** The first use by the rule itself, neither in a quoted example nor in a tag such as [Sensitive]. */
function search(forms: RegExp, text: string): string | null {
  for (const match of text.matchAll(forms)) {
    if (!insideQuotes(text, match.index) && !insideBrackets(text, match.index)) return match[0];
  }
  return null;
}

function insideBrackets(text: string, index: number): boolean {
  const before = text.slice(0, index);
  return before.lastIndexOf("[") > before.lastIndexOf("]");
}

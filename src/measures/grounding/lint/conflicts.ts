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

/** Something that a rule forbids, or that it asks for or allows: one item of a list. */
interface Item {
  part: RulePart;
  text: string;
  stems: Set<string>;
}

/** What of a rule may conflict with another's. */
export interface Bounds {
  clauses: Clause[];
  forbidden: Item[];
  granted: Item[];
}

const FORBIDS =
  /\b(?:may|must|can|should|do|does|shall) not (?:be )?(?:contain|include|show|name|give|carry|have|post|share|publish|link|use|ask for|offer)?\s*(?<what>.+)$|^no\s+(?<rest>.+)$/iu;
const GRANTS =
  /\b(?:must|has to|have to|needs? to|is required|are required|puts?|gives?|states?|includes?|contains?|carries|carry|may|can|allowed|permitted|welcome|fine|encouraged)\b/iu;
const NEGATED = /\b(?:no|not|never|neither|nor|without|forbidden|prohibited|removed|deleted|only)\b|n['’]t\b/iu;

/** An item of a single word ("links", "prices") is too general to be found again in another sentence. */
const FEWEST_STEMS = 2;
/** Share of common words from which a clause allows what another forbids. */
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
 * What a community's rule asks for or allows although the platform forbids it: the platform's rule goes before, so that whoever follows the
 * one breaks the other. Found where an item that the platform forbids comes back, word for word, in what the community's rule grants, or
 * where that rule allows under a condition what the platform forbids outright. A platform's rule that grants the same itself makes the exception.
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

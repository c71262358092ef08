import { type FoldedText, foldText, type Word } from "../../text/words.js";
import type { FrameIndex, Source } from "./frame-index.js";

/** An id named in a citation, and the sources it may refer to. */
export interface Reference {
  /** Sources with this id; only those of the stated scope if any of them has it. */
  sources: number[];
  /** Words [firstWord, endWord) of the citation that make up the reference: `platform rule P2`. */
  firstWord: number;
  endWord: number;
}

const SCOPES = new Map<string, Source["scope"]>([
  ...["platform", "platform-wide", "site", "site-wide", "sitewide", "global"].map((w) => [w, "platform"] as const),
  ...["community", "subreddit", "forum", "group", "local"].map((w) => [w, "community"] as const),
  ...["precedent", "precedents"].map((w) => [w, "precedent"] as const),
]);
const RULE_WORDS = new Set(["rule", "rules", "policy", "guideline", "section", "article", "precedent", "precedents"]);
/** Words allowed between a scope and its id. */
const LINKS = new Set([...RULE_WORDS, "no", "nr", "number", "the", "and", "or"]);
/** Words between an id and a scope that follows it: `R3 of the platform rules`. */
const AFTER = new Set(["of", "from", "in", "the"]);

/**
 * The ids that a citation names, in order. An id of letters and digits (`R3`, `pottery-p1`) counts anywhere; a bare number or a plain word (`3`,
 * `spam`) only if it is used as a reference: `rule 3`, `#3`, `[3]`, `community:3`, `3: …` at the start.
 */
export function findReferences({ text: folded, words }: FoldedText, index: FrameIndex): Reference[] {
  const references: Reference[] = [];
  const scopes: (Source["scope"] | null)[] = [];
  for (let at = 0; at < words.length; at++) {
    const found = index.byId.get(words[at]!.text);
    if (!found) continue;
    const last = references.at(-1);
    const lead = readLead(words, at, last ? last.endWord : 0, index);
    if (!found.distinctive && !isReferredTo(folded, words, at, lead)) continue;
    const trail = readTrail(folded, words, at, index);
    const inherited = lead.meetsLast ? scopes.at(-1) : null;
    const scope = lead.scope ?? inherited ?? trail.scope;
    references.push({ sources: ofScope(found.sources, scope, index), firstWord: lead.first, endWord: trail.end });
    scopes.push(scope);
  }
  return index.oddIds.length === 0 ? references : withOddIds(references, folded, words, index);
}

interface Lead {
  /** First word of the reference: the id itself, or the `rule` or scope before it. */
  first: number;
  scope: Source["scope"] | null;
  saysRule: boolean;
  /** Only linking words are between this id and the previous one. */
  meetsLast: boolean;
}

function readLead(words: readonly Word[], at: number, from: number, index: FrameIndex): Lead {
  const lead: Lead = { first: at, scope: null, saysRule: false, meetsLast: false };
  let i = at - 1;
  while (i >= from) {
    const word = words[i]!.text;
    const scope = scopeOf(word, index);
    if (RULE_WORDS.has(word)) lead.saysRule = true;
    if (scope !== null || RULE_WORDS.has(word)) lead.first = i;
    if (scope !== null) {
      lead.scope = scope;
      break;
    }
    if (!LINKS.has(word)) break;
    i--;
  }
  lead.meetsLast = from > 0 && i < from;
  return lead;
}

function scopeOf(word: string, index: FrameIndex): Source["scope"] | null {
  return SCOPES.get(word) ?? (word === index.community ? "community" : null);
}

/** A scope that follows the id, `R3 (community)` or `R3 of the platform rules`, and where the reference ends. */
function readTrail(
  folded: string,
  words: readonly Word[],
  at: number,
  index: FrameIndex,
): { end: number; scope: Source["scope"] | null } {
  const none = { end: at + 1, scope: null };
  let next = at + 1;
  if (next >= words.length) return none;
  const between = folded.slice(words[at]!.end, words[next]!.start).trim();
  if (between === "") while (next < words.length && AFTER.has(words[next]!.text)) next++;
  const linked = between === "(" || next > at + 1;
  const scope = linked && next < words.length ? scopeOf(words[next]!.text, index) : null;
  if (scope === null) return none;
  const saysRule = next + 1 < words.length && RULE_WORDS.has(words[next + 1]!.text);
  return { end: next + (saysRule ? 2 : 1), scope };
}

function isReferredTo(folded: string, words: readonly Word[], at: number, lead: Lead): boolean {
  const { text, start, end } = words[at]!;
  const before = folded.slice(0, start).trimEnd().at(-1) ?? "";
  const after = folded.slice(end).trimStart()[0] ?? "";
  if (lead.saysRule || before === "#") return true;
  if (lead.scope !== null && before === ":") return true;
  if (before === "[" && after === "]") return true;
  if (lead.meetsLast && /^[0-9]+$/.test(text)) return true;
  return before === "" && (after === "" || after === ":" || after === ")" || after === ".");
}

function ofScope(sources: number[], scope: Source["scope"] | null, index: FrameIndex): number[] {
  if (scope === null) return sources;
  const matching = sources.filter((source) => index.sources[source]!.scope === scope);
  return matching.length > 0 ? matching : sources;
}

function withOddIds(found: Reference[], folded: string, words: readonly Word[], index: FrameIndex): Reference[] {
  const references = [...found];
  for (const { id, source } of index.oddIds) {
    const at = folded.indexOf(id);
    if (at < 0) continue;
    const firstWord = words.findIndex((word) => word.end > at);
    const endWord = words.findLastIndex((word) => word.start < at + id.length) + 1;
    // An id ends at a word boundary: `14.25` does not name `4.2`.
    if (firstWord < 0 || words[firstWord]!.start < at || words[endWord - 1]!.end > at + id.length) continue;
    const same = references.find((reference) => reference.firstWord === firstWord && reference.endWord === endWord);
    if (same) same.sources = [...same.sources, source];
    else references.push({ sources: [source], firstWord, endWord });
  }
  return references.sort((a, b) => a.firstWord - b.firstWord);
}

/** A range of ids, `R1–R10`, which may mean any rule in it. */
export interface RuleRange {
  /** Position of its first id in the text without the range. */
  start: number;
  sources: number[];
}

/** A folded text in which each range is replaced by the id of one of its rules, and the ranges. */
interface WithoutRanges {
  folded: FoldedText;
  ranges: RuleRange[];
}

const ID = "(\\p{L}{0,8}[-_. ]?)((?:\\d{1,6}\\.){0,3})0*(\\d{1,9})";
const WORDS =
  "(?:up\\s{1,2})?to(?:\\s{1,2}and\\s{1,2}including)?|through|thru|till|until|bis(?:\\s{1,2}einschließlich)?|à|a|al|até|hasta|do|по|до";
const RANGE = new RegExp(
  `(?<![\\p{L}\\p{N}.,_-])(\\p{L}{0,8}[-_.]?)((?:\\d{1,6}\\.){0,3})0*(\\d{1,9})(?:(\\s{0,3})(?:[-‐-―−~→]|\\.\\.{1,3}|[至到])\\s{0,3}|\\s{1,3}(?:${WORDS})\\s{1,3})(?:(?:rule|regel|no\\.?|nr\\.?)\\s{0,2})?(\\p{L}{0,8}[-_.]?)((?:\\d{1,6}\\.){0,3})0*(\\d{1,9})(?![\\p{L}\\p{N}]|[.-]\\p{N})`,
  "gu",
);
const WHOLE_ID = new RegExp(`^${ID}$`, "u");
/** Before a bare number: it is an id only if it is called one. */
const CALLED = /(?:(?<!\p{L})rules?\s{0,3}|#)$/u;

/** Replaces ranges with the same letters at both ends and at least one existing rule. Otherwise rules between the ends would not be stated. */
export function withoutRanges(original: string, index: FrameIndex): WithoutRanges {
  const { text } = foldText(original);
  const ranges: RuleRange[] = [];
  let kept = "";
  let from = 0;
  for (const match of text.matchAll(RANGE)) {
    const [whole, letters, base, first, space, lastLetters, lastBase, last] = match;
    const at = match.index;
    const isBare = letters === "" && !CALLED.test(text.slice(Math.max(0, at - 12), at));
    const isOtherKind = lastLetters !== "" && lastLetters !== letters;
    // Not a range: `R3 - 10 links`.
    const isApart = Boolean(space) && lastLetters === "" && letters !== "";
    if (isBare || isOtherKind || isApart || (lastBase !== "" && lastBase !== base)) continue;
    const [low, high] = [Number(first), Number(last)].sort((a, b) => a - b) as [number, number];
    const sources = between(index, `${key(letters!)}${base}`, low, high);
    if (sources.length === 0) continue;
    kept += text.slice(from, at);
    ranges.push({ start: kept.length, sources });
    kept += index.sources[sources[0]!]!.foldedId;
    from = at + whole.length;
  }
  return { folded: ranges.length > 0 ? foldText(kept + text.slice(from)) : foldText(original), ranges };
}

const key = (letters: string) => letters.replace(/[-_. ]$/, "");

function between({ sources }: FrameIndex, prefix: string, low: number, high: number): number[] {
  return sources.flatMap(({ foldedId }, source) => {
    const [, letters, base, number] = WHOLE_ID.exec(foldedId) ?? [];
    const isInside = number !== undefined && `${key(letters!)}${base}` === prefix;
    return isInside && Number(number) >= low && Number(number) <= high ? [source] : [];
  });
}

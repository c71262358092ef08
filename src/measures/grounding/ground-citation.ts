import type { Citation } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import { foldText, pushTokens, type Word } from "../../text/words.js";
import { findReferences, type Reference } from "./find-references.js";
import { type FrameIndex, frameIndex } from "./frame-index.js";

/**
 * A citation that names no rule is grounded if at least this share of its words is in one rule or precedent. The paper uses such a verifier (§8.1)
 * but prints no threshold; real citations there have a mean overlap of 0.741. It is a weak test against long rules: in the sample platform 44% of
 * rule sentences taken from *other* communities reach it.
 */
export const GROUNDED_OVERLAP = 0.5;

/**
 * The same for a citation that names its source by id or title, compared with that source alone. In the sample platform 81% of moderators' free
 * rationales reach it against the rule they cite, and 18% of sentences from other communities' rules do. It was chosen on that sample with all
 * twelve communities, so neither figure is held out; no verdict of the baseline depends on it.
 */
export const NAMED_GROUNDED_OVERLAP = 0.4;

/**
 * Grounds a citation in (R, P): the rule it names, otherwise the one it resembles most, and whether it is grounded there.
 *
 * A source is named by its id or, if no id is given, by its whole title. If several are named, the first rule is `rule_id`; rules of both scopes
 * make it `mixed`; a precedent named together with a rule does not change its scope. An id that exists in both scopes, with no scope stated, means
 * the rule whose text is more similar, and if equal the community's.
 *
 * `overlap` is with the named sources (combined), otherwise with the best match. Words of a reference (`platform rule P2`) and of a denial before
 * it ("No rule prohibits this; nearest: R3") are not cited words; if no other words are left, the overlap is 1. "No rule applies" without a name is
 * grounded in nothing.
 * @see paper §8.1
 */
export function groundCitation(citation: string, frame: CaseFrame): Citation {
  const index = frameIndex(frame);
  const known = index.grounded.get(citation);
  if (known) return known;
  const result = ground(citation, index);
  // Auditors repeat the same few citations; the cache must not grow without bound when one does not.
  if (index.grounded.size >= REMEMBERED) index.grounded.clear();
  index.grounded.set(citation, result);
  return result;
}

const REMEMBERED = 1000;

function ground(citation: string, index: FrameIndex): Citation {
  const folded = foldText(citation);
  if (folded.words.length === 0) return { scope: "none", rule_id: null, overlap: null, grounded: false };
  const references = findReferences(folded, index);
  const tokens = citedTokens(folded.words, references);
  const cited = new Set(tokens);
  const counts = countShared(cited, index);
  const named =
    references.length > 0
      ? references.map((reference) => likeliest(reference.sources, counts, index))
      : namedByTitle(tokens, counts, index);
  if (named.length > 0) {
    const overlap = cited.size === 0 ? 1 : sharedWithAny(cited, named, counts, index) / cited.size;
    const grounded = overlap >= NAMED_GROUNDED_OVERLAP || holdsTitleOf(named, tokens, index);
    return { ...describe(named, index), overlap, grounded };
  }
  const overlap = largest(counts) / cited.size;
  if (overlap < GROUNDED_OVERLAP || deniesAnyRule(tokens)) {
    return { scope: "none", rule_id: null, overlap, grounded: false };
  }
  return { ...describe([bestMatch(counts, tokens, index)], index), overlap, grounded: true };
}

/** The tokens of the cited words, without words about the citation. */
function citedTokens(words: readonly Word[], references: readonly Reference[]): string[] {
  const tokens: string[] = [];
  let next = 0;
  for (let i = 0; i < words.length; i++) {
    while (next < references.length && i >= references[next]!.endWord) next++;
    const inside = next < references.length && i >= references[next]!.firstWord;
    if (!inside) pushTokens(tokens, words[i]!);
    else if (i === references[0]!.firstWord && deniesAnyRule(tokens)) tokens.length = 0;
  }
  return tokens;
}

/** How many of the cited words each source contains. */
function countShared(cited: ReadonlySet<string>, index: FrameIndex): Uint16Array {
  const counts = new Uint16Array(index.sources.length);
  for (const token of cited) {
    const sources = index.byToken.get(token);
    if (sources) for (let i = 0; i < sources.length; i++) counts[sources[i]!]! += 1;
  }
  return counts;
}

function largest(counts: Uint16Array): number {
  let most = 0;
  for (let i = 0; i < counts.length; i++) if (counts[i]! > most) most = counts[i]!;
  return most;
}

function sharedWithAny(
  cited: ReadonlySet<string>,
  named: readonly number[],
  counts: Uint16Array,
  index: FrameIndex,
): number {
  if (named.length === 1) return counts[named[0]!]!;
  let shared = 0;
  for (const token of cited) if (index.byToken.get(token)?.some((source) => named.includes(source))) shared++;
  return shared;
}

function holdsTitleOf(named: readonly number[], tokens: readonly string[], index: FrameIndex): boolean {
  const phrase = ` ${tokens.join(" ")} `;
  return named.some((source) => index.sources[source]!.title !== "" && phrase.includes(index.sources[source]!.title));
}

const PREFERENCE = { community: 2, platform: 1, precedent: 0 };

function likeliest(sources: readonly number[], counts: Uint16Array, index: FrameIndex): number {
  let best = sources[0]!;
  for (const source of sources) {
    const more = counts[source]! - counts[best]!;
    const preferred = PREFERENCE[index.sources[source]!.scope] > PREFERENCE[index.sources[best]!.scope];
    if (more > 0 || (more === 0 && preferred)) best = source;
  }
  return best;
}

/** Rules whose whole title is in the citation, in its order. A title inside a longer one that also occurs does not count. */
function namedByTitle(tokens: readonly string[], counts: Uint16Array, index: FrameIndex): number[] {
  const titles = new Map<string, number[]>();
  let phrase = "";
  for (let i = 0; i < index.sources.length; i++) {
    const { title, titleWords } = index.sources[i]!;
    // Most sources share too few words to contain their whole title, so no search is needed.
    if (title === "" || counts[i]! < titleWords) continue;
    phrase ||= ` ${tokens.join(" ")} `;
    if (!phrase.includes(title)) continue;
    const same = titles.get(title);
    if (same) same.push(i);
    else titles.set(title, [i]);
  }
  if (titles.size === 0) return [];
  const all = [...titles.keys()];
  return all
    .filter((title) => !all.some((other) => other !== title && other.includes(title)))
    .sort((a, b) => phrase.indexOf(a) - phrase.indexOf(b))
    .map((title) => likeliest(titles.get(title)!, counts, index));
}

/** The source that contains most of the cited words; of equal ones the one whose title does, then the first. */
function bestMatch(counts: Uint16Array, tokens: readonly string[], index: FrameIndex): number {
  const most = largest(counts);
  let best = counts.indexOf(most);
  if (counts.indexOf(most, best + 1) < 0) return best;
  let mostInTitle = -1;
  for (let i = best; i < counts.length; i++) {
    if (counts[i] !== most) continue;
    const inTitle = tokens.filter((token) => index.sources[i]!.title.includes(` ${token} `)).length;
    if (inTitle > mostInTitle) {
      mostInTitle = inTitle;
      best = i;
    }
  }
  return best;
}

function describe(named: readonly number[], index: FrameIndex): Pick<Citation, "scope" | "rule_id"> {
  if (named.length === 1) return { scope: index.sources[named[0]!]!.scope, rule_id: index.sources[named[0]!]!.id };
  const sources = named.map((source) => index.sources[source]!);
  const rules = sources.filter((source) => source.scope !== "precedent");
  const first = rules[0] ?? sources[0]!;
  const mixed = rules.some((rule) => rule.scope !== first.scope);
  return { scope: mixed ? "mixed" : first.scope, rule_id: first.id };
}

const DENIALS = new Set(["none", "nothing", "null", "na"]);
const DENIED = new Set([
  "rule",
  "rules",
  "policy",
  "prohibition",
  "provision",
  "guideline",
  "precedent",
  "applicable",
  "citation",
]);

/** `None`, `n/a`, `No explicit rule …`: the citation says that there is nothing to cite. */
export function deniesAnyRule(tokens: readonly string[]): boolean {
  const [first, second] = tokens;
  if (first === undefined) return false;
  if (DENIALS.has(first) || (first === "n" && second === "a") || (first === "not" && second === "applicable"))
    return true;
  return first === "no" && tokens.slice(1, 4).some((token) => DENIED.has(token));
}

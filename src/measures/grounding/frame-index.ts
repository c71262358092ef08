import type { Citation } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import { foldText, tokenise } from "../../text/words.js";

/** A rule or precedent that can be cited. */
export interface Source {
  scope: "platform" | "community" | "precedent";
  id: string;
  /** The folded id, for comparison with texts. */
  foldedId: string;
  /** Tokens of the title between spaces, ` no links `, to be found as a whole in a citation; "" if there are fewer than two. */
  title: string;
  titleWords: number;
  /** Tokens of the whole text, between spaces. */
  readonly phrase: string;
}

interface IdEntry {
  sources: number[];
  /** Whether the id has letters with digits or dashes, like `r3` or `pottery-p1`, and so cannot occur in prose by chance, like `3` or `spam`. */
  distinctive: boolean;
}

/** Data prepared once for grounding all citations under one frame. */
export interface FrameIndex {
  sources: Source[];
  /** Sources that contain a token, by token. */
  readonly byToken: ReadonlyMap<string, readonly number[]>;
  /** Sources by id, for ids (in lower case) that are a single word. */
  byId: Map<string, IdEntry>;
  /** Ids that are not a single word (`4.2(b)`), which are searched for one by one. */
  oddIds: { id: string; source: number }[];
  community: string;
  /** Cache of grounded citations. */
  grounded: Map<string, Citation>;
}

const indexes = new WeakMap<CaseFrame, FrameIndex>();

export function frameIndex(frame: CaseFrame): FrameIndex {
  let index = indexes.get(frame);
  if (!index) {
    index = buildIndex(frame);
    indexes.set(frame, index);
  }
  return index;
}

/** Whole texts are read only when needed: most reasons name a rule by its id or title. */
function buildIndex(frame: CaseFrame): FrameIndex {
  let byToken: Map<string, number[]> | null = null;
  const index: FrameIndex = {
    sources: [],
    get byToken() {
      byToken ??= sourcesByToken(index.sources);
      return byToken;
    },
    byId: new Map(),
    oddIds: [],
    community: foldText(frame.community).text,
    grounded: new Map(),
  };
  for (const rule of frame.rules) {
    const text = rule.text.startsWith(rule.title) ? rule.text : `${rule.title}\n${rule.text}`;
    addSource(index, rule.scope, rule.id, rule.title, text);
  }
  for (const precedent of frame.precedents) {
    addSource(index, "precedent", precedent.id, "", `${precedent.text}\n${precedent.rationale ?? ""}`);
  }
  return index;
}

function addSource(index: FrameIndex, scope: Source["scope"], id: string, title: string, text: string): void {
  const number = index.sources.length;
  const titleTokens = tokenise(title);
  const { text: folded, words } = foldText(id.trim());
  let phrase: string | null = null;
  index.sources.push({
    scope,
    id,
    foldedId: folded,
    title: titleTokens.length > 1 ? ` ${titleTokens.join(" ")} ` : "",
    titleWords: new Set(titleTokens).size,
    get phrase() {
      phrase ??= ` ${tokenise(text).join(" ")} `;
      return phrase;
    },
  });
  if (words.length === 1 && words[0]!.text === folded) {
    const entry = index.byId.get(folded);
    if (entry) entry.sources.push(number);
    else index.byId.set(folded, { sources: [number], distinctive: isDistinctive(folded) });
  } else if (folded !== "") index.oddIds.push({ id: folded, source: number });
}

function sourcesByToken(sources: readonly Source[]): Map<string, number[]> {
  const byToken = new Map<string, number[]>();
  for (const [number, { phrase }] of sources.entries()) {
    for (const token of new Set(phrase.split(" "))) {
      const list = byToken.get(token);
      if (list) list.push(number);
      else byToken.set(token, [number]);
    }
  }
  // Splitting leaves an empty string before the first and after the last token.
  byToken.delete("");
  return byToken;
}

function isDistinctive(id: string): boolean {
  return /[^\p{L}]/u.test(id) && /[^0-9]/.test(id);
}

/** A quotation with fewer words is a word in quotes, not a passage. */
export const QUOTED_WORDS = 3;

export interface QuotedSpan {
  text: string;
  /** The source that contains its words in sequence; null: not found. */
  source:
    | { kind: "rule" | "precedent"; scope: "platform" | "community" | "precedent"; id: string }
    | { kind: "content" }
    | null;
}

const QUOTED = /"([^"]+)"|“([^”]+)”|«([^»]+)»|「([^」]+)」/g;

/**
 * The passages of three words or more that a text puts in quotation marks, each with the rule, precedent or content that contains it word for word
 * (ignoring case and punctuation). A quotation found nowhere was invented by the auditor.
 */
export function quotedSpans(text: string, frame: CaseFrame, content = ""): QuotedSpan[] {
  const { sources } = frameIndex(frame);
  const contentPhrase = ` ${tokenise(content).join(" ")} `;
  const spans: QuotedSpan[] = [];
  for (const match of text.matchAll(QUOTED)) {
    const quoted = match.slice(1).find((group) => group !== undefined)!;
    const tokens = tokenise(quoted);
    if (tokens.length < QUOTED_WORDS) continue;
    const phrase = ` ${tokens.join(" ")} `;
    const source = sources.find((candidate) => candidate.phrase.includes(phrase));
    if (source) {
      const kind = source.scope === "precedent" ? "precedent" : "rule";
      spans.push({ text: quoted, source: { kind, scope: source.scope, id: source.id } });
    } else spans.push({ text: quoted, source: contentPhrase.includes(phrase) ? { kind: "content" } : null });
  }
  return spans;
}

/**
 * Lexical overlap of a citation with a rule: the share of the cited words that the rule contains. It distinguishes an invented citation from a real
 * one, but does not show whether the rule was applied correctly.
 *
 * Formula: overlap = |tok(κ) ∩ tok(rule)| / |tok(κ)|, over sets of lower-case words.
 * Range: [0, 1]; higher is better grounded.
 * Undefined when: the citation has no word (null).
 * Differs from the paper: nothing; the paper prints no formula, tokeniser or threshold.
 * @see paper §8.1
 * @example tokenOverlap("No links to shops", "No links: posts may not hold links") // => 0.5
 */
export function tokenOverlap(citation: string, rule: string): number | null {
  const cited = new Set(tokenise(citation));
  if (cited.size === 0) return null;
  const known = new Set(tokenise(rule));
  let found = 0;
  for (const token of cited) if (known.has(token)) found++;
  return found / cited.size;
}

import type { Citation } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import { foldText, tokenise } from "../../text/words.js";

/** A rule or precedent that can be cited. */
export interface Source {
  scope: "platform" | "community" | "precedent";
  id: string;
  /** Tokens of the title between spaces, ` no links `, to be found in a citation as a whole; "" where it has fewer than two. */
  title: string;
  /** Distinct words of the title. */
  titleWords: number;
  /** Tokens of the whole text between spaces. */
  phrase: string;
}

export interface IdEntry {
  sources: number[];
  /** Letters with digits or dashes, as `r3` or `pottery-p1`: nothing that prose holds by chance, as `3` or `spam`. */
  distinctive: boolean;
}

/** What grounding prepares once for all citations under one frame. */
export interface FrameIndex {
  sources: Source[];
  /** Sources that have a token, by token. */
  byToken: Map<string, number[]>;
  /** Sources of an id, in lower case, that is a single word. */
  byId: Map<string, IdEntry>;
  /** Ids that are no single word (`4.2(b)`): looked for one by one. */
  oddIds: { id: string; source: number }[];
  community: string;
  /** Citations met before. */
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

function buildIndex(frame: CaseFrame): FrameIndex {
  const index: FrameIndex = {
    sources: [],
    byToken: new Map(),
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
  const tokens = tokenise(text);
  index.sources.push({
    scope,
    id,
    title: titleTokens.length > 1 ? ` ${titleTokens.join(" ")} ` : "",
    titleWords: new Set(titleTokens).size,
    phrase: ` ${tokens.join(" ")} `,
  });
  for (const token of new Set(tokens)) push(index.byToken, token, number);
  const { text: folded, words } = foldText(id.trim());
  if (words.length === 1 && words[0]!.text === folded) {
    const entry = index.byId.get(folded);
    if (entry) entry.sources.push(number);
    else index.byId.set(folded, { sources: [number], distinctive: isDistinctive(folded) });
  } else if (folded !== "") index.oddIds.push({ id: folded, source: number });
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function isDistinctive(id: string): boolean {
  return /[^\p{L}]/u.test(id) && /[^0-9]/.test(id);
}

import type { CaseFrame } from "../../core/records/case.js";
import { foldText, pushTokens, tokenise, type Word } from "../../text/words.js";
import { findReferences, type Reference } from "./find-references.js";
import { type FrameIndex, frameIndex } from "./frame-index.js";
import { GROUNDED_OVERLAP, groundCitation } from "./ground-citation.js";

export interface RuleInText {
  scope: "platform" | "community" | "precedent";
  rule_id: string;
}

/** All rules that a text may be about, for callers that must not miss any. */
export interface RulesInText {
  /** Named by id, by the whole title or, if nothing is named, by resemblance. */
  named: RuleInText[];
  /** Ids in the text that cannot be distinguished from numbers and words of prose: `(2)`, `1–3`, `P 2`, `Art2`. */
  perhaps: RuleInText[];
  /** Whether any rule is named. */
  resolved: boolean;
}

/**
 * Which rules a text names, and which it may name. Grounding looks for the single rule that a citation means; this returns all that may be meant,
 * including both rules if an id exists in both scopes.
 */
export function rulesInText(text: string, frame: CaseFrame): RulesInText {
  const index = frameIndex(frame);
  const folded = foldText(text);
  const references = findReferences(folded, index);
  const found = new Set(references.flatMap(({ sources }) => sources));
  const phrase = ` ${tokenise(text).join(" ")} `;
  index.sources.forEach(({ title }, source) => {
    if (title !== "" && phrase.includes(title)) found.add(source);
  });
  const perhaps = new Set<number>();
  if (found.size === 0 && groundCitation(text, frame).rule_id !== null) resembled(text, index, found, perhaps);
  idsOutside(folded.words, references, found, index, perhaps);
  if (mayHoldRange(folded.words)) idsInRanges(folded.text, index, perhaps);
  const described = (sources: Iterable<number>) => [...sources].map((source) => describe(index, source));
  return { named: described(found), perhaps: described(perhaps), resolved: found.size > 0 };
}

/** Grounding takes the first rule with most of the words. Here all rules with as many count as named, and all with enough as possible. */
function resembled(text: string, index: FrameIndex, named: Set<number>, perhaps: Set<number>): void {
  const cited = new Set(tokenise(text));
  const counts = new Map<number, number>();
  for (const token of cited) {
    for (const source of index.byToken.get(token) ?? []) counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  for (const [source, count] of counts) {
    if (count === most) named.add(source);
    else if (count / cited.size >= GROUNDED_OVERLAP) perhaps.add(source);
  }
}

function describe(index: FrameIndex, source: number): RuleInText {
  const { scope, id } = index.sources[source]!;
  return { scope, rule_id: id };
}

/** Ids among words that belong to no reference, except where they occur as in the text of a named rule. */
function idsOutside(
  words: readonly Word[],
  references: readonly Reference[],
  named: ReadonlySet<number>,
  index: FrameIndex,
  perhaps: Set<number>,
): void {
  const ids = plainIds(index);
  const inside = new Uint8Array(words.length);
  for (const { firstWord, endWord } of references) inside.fill(1, firstWord, endWord);
  const tokens: string[] = [];
  for (let i = 0; i < words.length; i++) {
    // A reference separates the text before it from the text after it.
    if (inside[i]) tokens.push("");
    else pushTokens(tokens, words[i]!);
  }
  const isQuoted = (from: number, to: number) =>
    [...named].some((source) => {
      const { phrase } = index.sources[source]!;
      const some = tokens.slice(from, to).join(" ");
      return (
        (tokens[from - 1] && phrase.includes(` ${tokens[from - 1]} ${some} `)) ||
        (tokens[to] && phrase.includes(` ${some} ${tokens[to]} `))
      );
    });
  for (let i = 0; i < tokens.length; i++) {
    const first = tokens[i]!;
    const mentioned = ids.byTokens.has(first) ? undefined : ids.numbered(first);
    if (mentioned && !isQuoted(i, i + 1)) for (const source of mentioned) perhaps.add(source);
    let key = "";
    for (let end = i + 1; end <= tokens.length && tokens[end - 1] !== ""; end++) {
      key += tokens[end - 1]!;
      if (!ids.beginnings.has(key)) break;
      const sources = ids.byTokens.get(key);
      if (sources && !isQuoted(i, end)) for (const source of sources) perhaps.add(source);
    }
  }
}

const RANGE =
  /(\p{L}{0,8})(\d{1,6})\s{0,3}(?:[-‐-―−~/]|\.\.+|…|to|thru|through|till|until|bis|à|al?)\s{0,3}(\p{L}{0,8})(\d{1,6})/gu;
const LONGEST_RANGE = 1000;

/** Whether two numbers are adjacent or one word apart. Most texts have no such numbers, and the closer check is slow. */
function mayHoldRange(words: readonly Word[]): boolean {
  let last = -3;
  for (let i = 0; i < words.length; i++) {
    const { text, plain } = words[i]!;
    if (!endsInDigit(text)) continue;
    if (i - last <= 2 || !plain) return true;
    last = i;
  }
  return false;
}

function endsInDigit(text: string): boolean {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0x30 && unit <= 0x39;
}

/** `rules 1 to 3`, `R1–R4`. */
function idsInRanges(folded: string, index: FrameIndex, perhaps: Set<number>): void {
  const { byTokens } = plainIds(index);
  for (const [, prefix, first, , last] of folded.matchAll(RANGE)) {
    const [from, to] = [Number(first), Number(last)];
    for (let i = from; i <= Math.min(to, from + LONGEST_RANGE); i++) {
      for (const source of byTokens.get(`${prefix}${i}`) ?? byTokens.get(`${i}`) ?? []) perhaps.add(source);
    }
  }
}

interface PlainIds {
  /** Sources by the letters and digits of their ids. */
  byTokens: Map<string, number[]>;
  /** Sources of the number in `rule2` or `02`. */
  numbered: (token: string) => number[] | undefined;
  /** Every prefix of such an id: `P2` may be written `P 2`. */
  beginnings: Set<string>;
}

const known = new WeakMap<FrameIndex, PlainIds>();

function plainIds(index: FrameIndex): PlainIds {
  const prepared = known.get(index);
  if (prepared) return prepared;
  const byTokens = new Map<string, number[]>();
  const beginnings = new Set<string>();
  index.sources.forEach(({ id }, source) => {
    const key = tokenise(id).join("");
    if (key === "") return;
    for (let end = 1; end <= key.length; end++) beginnings.add(key.slice(0, end));
    const same = byTokens.get(key);
    if (same) same.push(source);
    else byTokens.set(key, [source]);
  });
  const numbered = (token: string) => {
    if (!endsInDigit(token)) return undefined;
    const digits = /^\p{L}{0,12}?0*(\d{1,9})$/u.exec(token)?.[1];
    return digits === undefined ? undefined : byTokens.get(digits);
  };
  const ids = { byTokens, numbered, beginnings };
  known.set(index, ids);
  return ids;
}

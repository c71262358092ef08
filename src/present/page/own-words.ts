import { createHmac } from "node:crypto";

/**
 * What a hash is of. Each sort is hashed apart from the others: an author of content could otherwise write the name of a moderator, and know
 * the moderator again by the hash.
 */
export const HASHED_SORTS = [
  "content",
  "rationale",
  "appeal",
  "note",
  "reasoning",
  "citation",
  "person",
  "rule",
  "language",
  "kind",
  "tag",
  "filter",
  "version",
  "source",
  "reason",
  "name",
] as const;
export type HashedSort = (typeof HASHED_SORTS)[number];

/** By which a text of some sort is known again. */
export type KeyedHash = (text: string, sort: HashedSort) => string;

/**
 * 16 hexadecimal digits by which a text is known again among those of its sort. With a secret key (HMAC-SHA-256), because a plain hash of a short
 * text is found by trying: a reader of the report could hash every likely comment, name or number and compare.
 */
export function keyedHash(key: Buffer): KeyedHash {
  // No sort holds a NUL, so that no two pairs of sort and text are one.
  return (text, sort) => createHmac("sha256", key).update(`${sort}\0${text}`, "utf8").digest("hex").slice(0, 16);
}

/** Fewest characters of a word that was cut short, by which it is still known. */
const LEAST_CUT = 4;

const WORD_START = /[\p{L}\p{N}]+/gu;
const INSIDE = /[\p{L}\p{N}_-]/u;

/** Members that hold ids, which stay whatever they are made of. */
const IDS = new Set(["id", "ids", "decision_id", "run_id", "runs", "rule_id"]);

/** A value that a person may have made up: the same one is known again. */
export function redactedName(name: string, hashOf: KeyedHash, sort: HashedSort): string {
  return `redacted ${hashOf(name, sort).slice(0, 8)}`;
}

/**
 * Words that people chose, and what stands for each of them in a redacted report. They are found wherever they stand, also inside a sentence, cut
 * short, in other letters of case or with `_` for a space; names that stay are never taken for them.
 */
export class OwnWords {
  /** By what a text must hold to hold the word: its first letters and digits in lower case, up to the next other sign. */
  private readonly byStart = new Map<string, { word: string; offset: number; shown: string | null }[]>();
  /** Words without a letter or digit. */
  private readonly odd = new Map<string, string>();
  private readonly names: ReadonlySet<string>;
  /** Whether there is anything to look for. */
  private some = false;

  /** `kept`: names that stay; `ours`: words of the program, which tell nothing. */
  constructor(
    private readonly hashOf: KeyedHash,
    kept: Iterable<string>,
    private readonly ours: ReadonlySet<string>,
  ) {
    this.names = new Set(kept);
    for (const name of this.names) this.put(name, null);
  }

  add(word: string, sort: HashedSort): void {
    const text = word.trim();
    if (text === "" || this.names.has(word) || this.names.has(text)) return;
    if (this.ours.has(text.toLowerCase()) || saysNothing(text)) return;
    const shown = redactedName(word, this.hashOf, sort);
    this.some = true;
    if (!this.put(text, shown)) this.odd.set(text, shown);
  }

  /** A text without own words. */
  without(text: string): string {
    if (this.names.has(text)) return text;
    let told = text;
    for (const [word, shown] of this.odd) told = told.replaceAll(word, shown);
    const plain = flat(told);
    let done = 0;
    let result = "";
    for (const { 0: start, index } of plain.matchAll(WORD_START)) {
      if (index < done) continue;
      const found = this.at({ told, plain }, start, index);
      if (found === null || found.from < done) continue;
      if (found.shown !== null) result += told.slice(done, found.from) + found.shown;
      else result += told.slice(done, found.to);
      done = found.to;
    }
    return done === 0 ? told : result + told.slice(done);
  }

  /** The same of everything in a value, keys of objects too. */
  withoutIn<Value>(value: Value): Value {
    return this.some ? this.sweep(value) : value;
  }

  private sweep<Value>(value: Value): Value {
    if (typeof value === "string") return this.without(value) as Value;
    if (Array.isArray(value)) return value.map((one) => this.sweep(one)) as Value;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) =>
        IDS.has(name) ? [name, member] : [this.without(name), this.sweep(member)],
      ),
    ) as Value;
  }

  /** The longest word at a place. */
  private at({ told, plain }: { told: string; plain: string }, start: string, index: number) {
    let best: { from: number; to: number; shown: string | null } | null = null;
    for (const { word, offset, shown } of this.byStart.get(start) ?? []) {
      const from = index - offset;
      if (from < 0 || (INSIDE.test(told[from - 1] ?? " ") && INSIDE.test(word[0]!))) continue;
      const to = endOf(word, plain, from);
      if (to !== null && INSIDE.test(told[to - 1]!) && INSIDE.test(told[to] ?? " ")) continue;
      if (to !== null && (best === null || to > best.to)) best = { from, to, shown };
    }
    return best;
  }

  private put(word: string, shown: string | null): boolean {
    const plain = flat(word);
    const first = plain.matchAll(WORD_START).next().value;
    if (!first) return false;
    const known = this.byStart.get(first[0]) ?? [];
    if (!known.some((one) => one.word === plain)) known.push({ word: plain, offset: first.index, shown });
    this.byStart.set(first[0], known);
    return true;
  }
}

/** Lower case and `_` as a space, letter for letter: places stay what they are. */
function flat(text: string): string {
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : text).replace(/[_\s]/g, " ");
}

/** Where a word that begins at a place ends; null where another text stands there. */
function endOf(word: string, plain: string, from: number): number | null {
  let length = 0;
  while (length < word.length && plain[from + length] === word[length]) length++;
  const to = from + length;
  if (length === word.length) return to;
  return length >= LEAST_CUT && plain[to] === "…" ? to + 1 : null;
}

/** Numbers stand in every sentence, and would be taken for somebody's everywhere. */
function saysNothing(word: string): boolean {
  return /^[\d.,%-]{1,4}$/.test(word) || /^\p{L}$/u.test(word);
}

import { groupBy } from "../../core/text-checks.js";
import { findPhones } from "./find-phones.js";

const WORD = "[\\p{L}\\p{M}\\p{N}_]";
const WORDS = new RegExp(`${WORD}+`, "gu");
const EDGES = new RegExp(`^(?:(?!${WORD}).)+|(?:(?!${WORD}).)+$`, "gsu");
/** Scripts without spaces around a name: there it is searched for anywhere. Korean uses spaces but appends its particles. */
const UNSPACED =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]";
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, "u");
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, "u");

/**
 * Finds the given names as whole words, in any case, the longest first. They are looked up by their first word, so that a list of
 * thousands costs no more than a list of one. Names of fewer than two characters are left out: they would match every "a".
 */
function createNameFinder(names: readonly string[]): (text: string) => Span[] {
  const all = [...new Set(names.flatMap(spellings))];
  const anywhere = all.filter((name) => STARTS_UNSPACED.test(name));
  const byFirstWord = groupBy(
    all.filter((name) => !STARTS_UNSPACED.test(name)),
    (name) => name.match(WORDS)![0].toLowerCase(),
  );
  const patterns = new Map([...byFirstWord].map(([first, group]) => [first, alternatives(group, "iuy")]));
  const unspaced = anywhere.length > 0 ? alternatives(anywhere, "giu") : null;
  return (text) => {
    const spans = unspaced ? [...text.matchAll(unspaced)].map((match) => spanOf(match)) : [];
    if (patterns.size === 0) return spans;
    let free = 0;
    for (const word of text.matchAll(WORDS)) {
      if (word.index < free) continue;
      const pattern = patterns.get(word[0].toLowerCase());
      if (!pattern) continue;
      pattern.lastIndex = word.index;
      const match = pattern.exec(text);
      if (match === null) continue;
      spans.push(spanOf(match));
      free = word.index + match[0].length;
    }
    return spans;
  };
}

/** A name composed and decomposed (é as one character or two), without leading or trailing non-letters. */
function spellings(name: string): string[] {
  const bare = name.replace(EDGES, "");
  return [...bare].length < 2 ? [] : [bare.normalize("NFC"), bare.normalize("NFD")];
}

function alternatives(names: readonly string[], flags: string): RegExp {
  const longestFirst = [...names].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const sources = longestFirst.map((name) => {
    const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s{1,4}");
    return ENDS_UNSPACED.test(name) ? literal : `${literal}(?!${WORD})`;
  });
  return new RegExp(sources.join("|"), flags);
}

function spanOf(match: RegExpMatchArray): Span {
  return { kind: "NAME", start: match.index!, end: match.index! + match[0].length };
}

/** Characters allowed before the `@`: letters of scripts with spaces between words, or of all scripts. */
const SPACED_LOCAL = new RegExp(`^(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}._%+'-]`, "u");
const ANY_LOCAL = /[\p{L}\p{M}\p{N}._%+'-]/u;
const LONGEST_LOCAL = 64;
const SPACED_LETTER = `(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}-])`;
const SPACED_DOMAIN = new RegExp(`(?:${SPACED_LETTER}{1,63}\\.){1,8}(?!\\p{N})${SPACED_LETTER}{2,63}`, "uy");
const ANY_DOMAIN = /(?:[\p{L}\p{M}\p{N}-]{1,63}\.){1,8}[\p{L}\p{M}]{2,63}/uy;
const HANDLE = /@[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]{0,63}[\p{L}\p{M}\p{N}_])?/uy;
const USER_PATH = /(?<![\p{L}\p{N}_])\/?u(?:ser)?\/[A-Za-z0-9_-]{3,32}/gu;

/** `@5pm`, `@3.50`: a time or a price. */
const AMOUNT = /^@\d+(?:[.:]\d+)?(?:am|pm|h|k|x|ea)?$/i;
/** Broadcasts to all readers are not names. */
const BROADCASTS = new Set(["@everyone", "@here", "@all", "@channel"]);

/** Finds e-mail addresses and handles (`@name`, `@name@host.tld`, `u/name`, `/u/name`, `user/name`), in linear time. */
function findAddresses(text: string): Span[] {
  const spans: Span[] = [];
  let free = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", Math.max(at + 1, free))) {
    const span = mailAt(text, at, free) ?? handleAt(text, at);
    if (span === null) continue;
    spans.push(span);
    free = span.end;
  }
  for (const match of text.matchAll(USER_PATH)) {
    spans.push({ kind: "HANDLE", start: match.index, end: match.index + match[0].length });
  }
  return spans;
}

/**
 * An address whose `@` is at `at`. Characters of unspaced scripts belong to it only if one is next to the `@`: Chinese and
 * Japanese are written without a space before and after an address.
 */
function mailAt(text: string, at: number, free: number): Span | null {
  const local = SPACED_LOCAL.test(text[at - 1] ?? "") ? SPACED_LOCAL : ANY_LOCAL;
  let start = at;
  while (start > free && at - start < LONGEST_LOCAL && local.test(text[start - 1]!)) start--;
  while (start < at && /[.'%+-]/.test(text[start]!)) start++;
  if (start === at) return null;
  const end = endOf(SPACED_DOMAIN, text, at + 1) ?? endOf(ANY_DOMAIN, text, at + 1);
  return end === null ? null : { kind: "EMAIL", start, end };
}

function handleAt(text: string, at: number): Span | null {
  if (at > 0 && SPACED_LOCAL.test(text[at - 1]!)) return null;
  let end = endOf(HANDLE, text, at);
  if (end === null) return null;
  const handle = text.slice(at, end);
  if (AMOUNT.test(handle) || BROADCASTS.has(handle.toLowerCase())) return null;
  if (text[end] === "@") end = endOf(SPACED_DOMAIN, text, end + 1) ?? end;
  return { kind: "HANDLE", start: at, end };
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? null : at + match[0].length;
}

const KINDS = ["EMAIL", "PHONE", "HANDLE", "NAME"] as const;
type Kind = (typeof KINDS)[number];

/** Position of something to hide. */
export interface Span {
  kind: Kind;
  start: number;
  end: number;
}

/** Replaces what identifies people with placeholders before a text leaves the machine. */
export interface Scrub {
  /** Starts a new numbering of placeholders. */
  begin(): Scrubbing;
}

/** One numbering: a value has the same placeholder in all texts passed to it. */
export interface Scrubbing {
  text(text: string): string;
  /** A numbering that continues from this one without changing it: a case's continues from its frame's. */
  fork(): Scrubbing;
  /** Placeholder → its value, for the placeholders in a text. */
  occurring(text: string): Record<string, string>;
}

const PLACEHOLDER = /\[(EMAIL|PHONE|HANDLE|NAME)_\d+\]/g;

/**
 * Hides e-mail addresses, telephone numbers, handles and the given names. A placeholder that already occurs in a text is hidden
 * as well: otherwise it would be unknown which of two equal ones to restore. Values are distinguished letter by letter ("Ann" is
 * not "ANN"), so that `unscrub` restores every text exactly.
 */
export function createScrub({ names }: { names: readonly string[] }): Scrub {
  const findNames = createNameFinder(names);
  const finders = [findPlaceholders, findAddresses, findPhones, findNames];
  return { begin: () => new Numbering(finders, null) };
}

/** Restores the originals. Placeholders that are not in the map stay. */
export function unscrub(text: string, map: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (placeholder) =>
    Object.hasOwn(map, placeholder) ? map[placeholder]! : placeholder,
  );
}

type Finder = (text: string) => Span[];

class Numbering implements Scrubbing {
  private readonly placeholders = new Map<string, string>();
  private readonly originals = new Map<string, string>();
  private readonly counts: Record<Kind, number>;

  constructor(
    private readonly finders: readonly Finder[],
    private readonly parent: Numbering | null,
  ) {
    this.counts = parent ? { ...parent.counts } : { EMAIL: 0, PHONE: 0, HANDLE: 0, NAME: 0 };
  }

  text(text: string): string {
    const spans = withoutOverlaps(this.finders.map((find) => find(text)));
    if (spans.length === 0) return text;
    let scrubbed = "";
    let from = 0;
    for (const span of spans) {
      scrubbed += text.slice(from, span.start) + this.placeholder(span.kind, text.slice(span.start, span.end));
      from = span.end;
    }
    return scrubbed + text.slice(from);
  }

  fork(): Scrubbing {
    return new Numbering(this.finders, this);
  }

  occurring(text: string): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [placeholder] of text.matchAll(PLACEHOLDER)) {
      const original = this.original(placeholder);
      if (original !== undefined) found[placeholder] = original;
    }
    return found;
  }

  private placeholder(kind: Kind, value: string): string {
    const known = this.known(value);
    if (known !== undefined) return known;
    this.counts[kind] += 1;
    const placeholder = `[${kind}_${this.counts[kind]}]`;
    this.placeholders.set(value, placeholder);
    this.originals.set(placeholder, value);
    return placeholder;
  }

  private known(value: string): string | undefined {
    return this.parent?.known(value) ?? this.placeholders.get(value);
  }

  private original(placeholder: string): string | undefined {
    return this.parent?.original(placeholder) ?? this.originals.get(placeholder);
  }
}

function findPlaceholders(text: string): Span[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => ({
    kind: match[1] as Kind,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The spans in order. Where two overlap, the one of the earlier finder is kept, then the one that begins first. */
function withoutOverlaps(byFinder: readonly Span[][]): Span[] {
  const ranked = byFinder.flatMap((spans, rank) => spans.map((span) => ({ span, rank })));
  ranked.sort((a, b) => a.span.start - b.span.start || a.rank - b.rank);
  const kept: typeof ranked = [];
  for (const next of ranked) {
    while (kept.length > 0 && kept.at(-1)!.span.end > next.span.start && kept.at(-1)!.rank > next.rank) kept.pop();
    const last = kept.at(-1);
    if (last === undefined || last.span.end <= next.span.start) kept.push(next);
  }
  return kept.map(({ span }) => span);
}

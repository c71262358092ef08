import { findAddresses } from "./find-addresses.js";
import { createNameFinder } from "./find-names.js";
import { findPhones } from "./find-phones.js";

const KINDS = ["EMAIL", "PHONE", "HANDLE", "NAME"] as const;
type Kind = (typeof KINDS)[number];

/** Where something to hide stands in a text. */
export interface Span {
  kind: Kind;
  start: number;
  end: number;
}

/** Replaces what identifies people by placeholders before a text leaves the machine. */
export interface Scrub {
  /** A new numbering of placeholders. */
  begin(): Scrubbing;
}

/** One numbering: the same value has the same placeholder in all texts it is given. */
export interface Scrubbing {
  text(text: string): string;
  /** A numbering that goes on from this one and leaves it as it is: that of a case goes on from that of its frame. */
  fork(): Scrubbing;
  /** Placeholder → what it stands for, for the placeholders that stand in a text. */
  occurring(text: string): Record<string, string>;
}

const PLACEHOLDER = /\[(EMAIL|PHONE|HANDLE|NAME)_\d+\]/g;

/**
 * Hides e-mail addresses, telephone numbers, handles and the given names. A placeholder that stands in a text already is taken for something to
 * hide as well: otherwise nobody could say which of two equal ones to put back. Values are told apart letter by letter ("Ann" is not
 * "ANN"), so that `unscrub` restores every text exactly.
 */
export function createScrub({ names }: { names: readonly string[] }): Scrub {
  const findNames = createNameFinder(names);
  const finders = [findPlaceholders, findAddresses, findPhones, findNames];
  return { begin: () => new Numbering(finders, null) };
}

/** Puts the originals back. What is no placeholder of the map stays. */
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

/** The spans in order. Of two that overlap the one found by the earlier finder stays, then the one that begins first. */
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

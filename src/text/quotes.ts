/** A text is recognised by this many characters in a row. */
const PIECE = 24;
/** This many characters in a row are not a common phrase. Counted from word to word: 48 characters always contain that many. */
const LONG = 40;
/** A text shorter than `PIECE` is recognised only as a whole value, and not if it is a word or two. */
const SHORTEST = 12;

/** Kinds of pieces. */
const OWN = 1;
const AROUND = 2;
const COMMON = 4;
/** Common because one or two other authors have it at length: they may be quoting, or be quoted. */
const SHARED = 8;
/** Added to a piece's kind for each such text. A passage that `MANY` of them have is a common phrase. */
const TIMES = 16;
const MANY = 3;

/** How certain a match must be. `long`: enough to change a record of another decision; `some`: for files that are regenerated, and for review. */
export type Certainty = "some" | "long";

/** The texts of a decision. */
export interface Words {
  /** What its author wrote. */
  own: readonly string[];
  /** What others wrote about it: context, rationale, notes, the reasoning of audits. They contain stock phrases. */
  around: readonly string[];
}

/**
 * Finds where decisions are quoted, in whole or in part, in any encoding (JSON, HTML, CSV). Three things identify a decision: its id in a record that
 * still has a text of it; 24 characters in a row of what its author wrote; or about 48 of what was written about it. Text that other decisions or the
 * rules share is common and identifies nothing, unless another author has the whole of a long text: that is a quotation too, and it stays. A passage
 * that one or two other authors have is common, but its places are known (`leftIn`).
 */
export class Quotes {
  private readonly pieces = new Map<string, number>();
  /** Hash bits of the pieces, from a few of their letters: enough to reject most texts. */
  private readonly marks = new Uint8Array(2 ** 16);
  /** Texts recognised only as a whole JSON value, and their encodings. */
  private readonly values = new Map<string, ReadonlySet<string>>();
  /** Whole own texts, folded. */
  private readonly wholes = new Set<string>();
  /** Texts of other authors that are quotations, folded. */
  private readonly kept = new Set<string>();
  /** Texts of other authors that share a passage, folded. */
  private readonly sharing = new Set<string>();
  /** Id -> texts, folded. */
  private readonly records = new Map<string, Set<string>>();

  get isEmpty(): boolean {
    return this.records.size === 0;
  }

  add(id: string, { own, around }: Words): void {
    for (const [texts, kind] of [[own, OWN] as const, [around, AROUND] as const]) {
      for (const text of texts) {
        const folded = fold(text);
        if (folded === "") continue;
        const known = this.records.get(id) ?? new Set();
        this.records.set(id, known.add(folded));
        if (kind === OWN) this.wholes.add(folded);
        if (folded.length < PIECE && folded.length >= SHORTEST) this.values.set(text, jsonForms(text));
        this.eachPiece(folded, (was, at) => {
          this.marks[markAt(folded, at)] = 1;
          this.pieces.set(folded.slice(at, at + PIECE), was | kind);
          return false;
        });
      }
    }
  }

  /** Marks what this text shares as common. `around`: the text may quote what an author wrote, so only `around` pieces become common. */
  except(text: string, of: "all" | "around" = "all"): void {
    if (of === "all" || !this.wholes.has(fold(text))) this.values.delete(text);
    const folded = fold(text);
    this.eachPiece(folded, (kind, at) => {
      const isCommon = kind !== 0 && (of === "all" || (kind & OWN) === 0);
      if (isCommon) this.pieces.set(folded.slice(at, at + PIECE), kind | COMMON);
      return false;
    });
  }

  /** What another author wrote is common. If it has the whole of a long own text it is kept as a quotation; others of that text are still found. */
  exceptAuthor(text: string): void {
    const folded = fold(text);
    if (!this.quotedIn(folded, "long", COMMON)) this.except(text);
    else if (this.hasWhole(folded)) this.kept.add(folded);
    else if (!this.sharing.has(folded)) this.share(folded);
  }

  private share(folded: string): void {
    this.sharing.add(folded);
    const kinds = new Map<string, number>();
    this.eachPiece(folded, (kind, at) => {
      if (kind !== 0) kinds.set(folded.slice(at, at + PIECE), kind);
      return false;
    });
    for (const [piece, kind] of kinds) {
      const isPhrase = (kind & OWN) === 0 || kind >= TIMES * (MANY - 1);
      this.pieces.set(piece, isPhrase ? kind | COMMON : (kind | SHARED) + TIMES);
    }
  }

  private hasWhole(folded: string): boolean {
    for (const whole of this.wholes) if (whole.length >= LONG && folded.includes(whole)) return true;
    return false;
  }

  /** Whether a value whose quotations were removed still has, at length, what the author wrote: in another author's words, or in a shared passage. */
  leftIn(value: unknown): boolean {
    if (typeof value === "string") return this.quotedIn(fold(value), "long", COMMON, OWN);
    return typeof value === "object" && value !== null && Object.values(value).some((one) => this.leftIn(one));
  }

  private keptIn(value: unknown): boolean {
    if (this.kept.size === 0) return false;
    if (typeof value === "string") return this.kept.has(fold(value)) && this.quotedIn(fold(value), "long");
    return typeof value === "object" && value !== null && Object.values(value).some((one) => this.keptIn(one));
  }

  /** Visits every piece of a text with its kind (0: unknown), until a visit returns true. Pieces begin at word boundaries. */
  private eachPiece(folded: string, visit: (kind: number, at: number) => boolean): boolean {
    for (let at = 0; at + PIECE <= folded.length; at++) {
      const before = at === 0 ? 0x20 : folded.charCodeAt(at - 1);
      if (before !== 0x20 && before < WITHOUT_SPACES) continue;
      const mayBe = this.marks[markAt(folded, at)] === 1;
      if (visit(mayBe ? (this.pieces.get(folded.slice(at, at + PIECE)) ?? 0) : 0, at)) return true;
    }
    return false;
  }

  /** Whether a text quotes a decision. */
  in(text: string, certainty: Certainty = "some"): boolean {
    if (certainty === "some") {
      for (const forms of this.values.values()) for (const form of forms) if (text.includes(form)) return true;
    }
    return this.quotedIn(fold(text), certainty);
  }

  /** @param not kinds of pieces to ignore @param of kinds of pieces to count */
  private quotedIn(folded: string, certainty: Certainty, not = COMMON | SHARED, of = OWN | AROUND): boolean {
    if (this.pieces.size === 0) return false;
    let from = -1;
    return this.eachPiece(folded, (kind, at) => {
      const isQuoted = (kind & of) !== 0 && (kind & not) === 0;
      if (!isQuoted) from = -1;
      else if (from < 0) from = at;
      return isQuoted && (at + PIECE - from >= LONG || (certainty === "some" && (kind & OWN) !== 0));
    });
  }

  /** Whether one of a value's texts is what the author wrote, or has it at length. */
  quotedBy(value: unknown): boolean {
    return this.keptIn(value) || this.without(value, "", "long") !== value;
  }

  /** Whether a text has words of a decision: any, or only words that are not common. A text too short to tell counts as having them. */
  mentionedIn(text: string, words: "any" | "not_common"): boolean {
    return this.hasWords(fold(text), this.records.values(), words === "any" ? 0 : COMMON | SHARED);
  }

  /** @param not kinds of pieces to ignore */
  private hasWords(folded: string, texts: Iterable<ReadonlySet<string>>, not = 0): boolean {
    if (this.eachPiece(folded, (kind) => kind !== 0 && (kind & not) === 0)) return true;
    const padded = ` ${folded} `;
    for (const some of texts)
      for (const one of some) if (one.length < PIECE && padded.includes(` ${one} `)) return true;
    return false;
  }

  /** Whether a text has a decision's id as a whole value: in JSON, in a CSV cell, or in an HTML element. */
  namedIn(text: string): boolean {
    const padded = ` ${fold(text)} `;
    let plain: string | undefined;
    for (const id of this.records.keys()) {
      if (!padded.includes(` ${fold(id)} `)) continue;
      plain ??= unescaped(text);
      if (wholeValue(id).test(plain)) return true;
    }
    return false;
  }

  /** Whether a text has, in any form, a decision's id as words and the whole of what its author wrote, unless that is a word or two. */
  heldIn(text: string): boolean {
    const padded = ` ${fold(text)} `;
    for (const [id, texts] of this.records) {
      if (!padded.includes(` ${fold(id)} `)) continue;
      for (const one of texts)
        if (one.length >= SHORTEST && this.wholes.has(one) && padded.includes(` ${one} `)) return true;
    }
    return false;
  }

  /** Whether a row is a record of a decision, by its id, and still has words of it. */
  isRecord(row: Readonly<Record<string, unknown>>): boolean {
    const texts = this.textsOf(row);
    return texts !== undefined && this.hasWords(fold(JSON.stringify(row)), [texts]);
  }

  private textsOf({ id, decision_id }: Readonly<Record<string, unknown>>): ReadonlySet<string> | undefined {
    return this.records.get(String(decision_id)) ?? this.records.get(String(id));
  }

  /** The value with quoting texts replaced, or the same value. Member names stay, and with `long` also what other authors wrote. */
  without<T>(value: T, mark: string, certainty: Certainty = "some", texts?: ReadonlySet<string>): T {
    if (typeof value === "string") return (this.isQuotation(value, certainty, texts) ? mark : value) as T;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const list = value.map((one) => this.without(one, mark, certainty, texts));
      return (list.some((one, i) => one !== value[i]) ? list : value) as T;
    }
    const record = value as Readonly<Record<string, unknown>>;
    const inside = this.textsOf(record) ?? texts;
    const members = Object.entries(record).map(
      ([name, one]) => [name, ID.test(name) ? one : this.without(one, mark, certainty, inside)] as const,
    );
    return members.every(([name, one]) => one === record[name]) ? value : (Object.fromEntries(members) as T);
  }

  /** @param texts texts of the decision to whose record the text belongs */
  private isQuotation(text: string, certainty: Certainty, texts: ReadonlySet<string> | undefined): boolean {
    const folded = fold(text);
    if (texts?.has(folded) || (certainty === "some" && this.values.has(text))) return true;
    if (certainty === "long" && this.kept.has(folded)) return false;
    return this.quotedIn(folded, certainty === "long" && this.wholes.has(folded) ? "some" : certainty);
  }
}

const ID = /^(?:decision_)?id$/;

/** Escapes of JSON (including JSON inside JSON) and of HTML. */
const ESCAPES = /\\+u([0-9a-f]{4})|\\+[nrtbf]|&(?:amp;)*(?:#(\d{1,7})|#x([0-9a-f]{1,6})|[a-z]{2,8});/gi;
/** Characters that an encoding may add, double or omit: spaces, line breaks, punctuation. */
const BETWEEN = /[\0-/:-@[-`{-\u00a0\p{P}\p{Z}\p{C}]+/gu;

/** Reduces all encodings of a text to one: words separated by single spaces. */
function fold(text: string): string {
  return unescaped(text).replace(BETWEEN, " ").trim();
}

const unescaped = (text: string) => (/[\\&]/.test(text) ? text.replace(ESCAPES, characterOf) : text);

/** Matches an id between the delimiters of a value, with any punctuation inside. Member names are not values; an id may be a number. */
function wholeValue(id: string): RegExp {
  const words = fold(id).split(" ").join("[^\\p{L}\\p{N}]+");
  const edge = (character: string | undefined) => (/[\p{L}\p{N}]/u.test(character ?? "") ? "" : "[^\\p{L}\\p{N}]*?");
  const inside = `${edge(id[0])}${words}${edge(id.at(-1))}`;
  return new RegExp(
    `(?:^|["'\`,;\\t\\n\\r]|>\\s*|id"?:\\s*)${inside}(?!\\\\*"\\s*:)(?:$|["'\`,;\\t\\n\\r\\\\}]|\\s*<)`,
    "u",
  );
}

function characterOf(_: string, unit?: string, decimal?: string, hex?: string): string {
  if (unit) return String.fromCharCode(Number.parseInt(unit, 16));
  const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0x20;
  return code <= 0x10ffff ? String.fromCodePoint(code) : " ";
}

/** From this code unit on, scripts are taken to put no spaces between words. */
const WITHOUT_SPACES = 0x0e00;

function markAt(folded: string, at: number): number {
  const some = folded.charCodeAt(at) + 31 * folded.charCodeAt(at + 3) + 961 * folded.charCodeAt(at + 7);
  return (some + 29791 * folded.charCodeAt(at + 16)) & 0xffff;
}

const json = (text: string) => JSON.stringify(text).slice(1, -1);

const ascii = (text: string) =>
  json(text).replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Includes JSON inside a JSON string, as answers of models are stored. */
function jsonForms(text: string): ReadonlySet<string> {
  const forms = [`"${json(text)}"`, `"${ascii(text)}"`];
  return new Set([...forms, ...forms.map(json)]);
}

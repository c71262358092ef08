import { blotSecrets } from "../http/raw-response.js";
import { sharedText, shortDecimal } from "./token-texts.js";

export const QUOTE = 34;
export const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
export const CLOSE_LIST = 93;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;

/** Most tokens have no more bytes than this. */
const SHORT = 16;

/** Longer than any token. */
const scratch = new Uint8Array(256);

const NO_SECRETS: readonly string[] = [];

/** The text is not JSON at a place that was examined, or ends too early. */
export class BrokenJson extends Error {}

/**
 * Walks over JSON that is much larger than the part wanted, without building it. It works on the bytes: even a latin1 string copy
 * of 250 kB costs as much as the rest of the walk. In what is skipped, only brackets and quotes are checked.
 */
export class JsonCursor {
  constructor(
    readonly bytes: Buffer,
    public at = 0,
    /** Keys that must be removed from any text read. */
    private readonly secrets: readonly string[] = NO_SECRETS,
  ) {}

  /** The next byte that is not white space; -1 at the end. */
  peek(): number {
    const { bytes } = this;
    // Bounds are checked before each read: a single read past the end makes every later one slower.
    for (let at = this.at; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte > 32) {
        this.at = at;
        return byte;
      }
    }
    this.at = bytes.length;
    return -1;
  }

  isObject(): boolean {
    return this.peek() === OPEN_OBJECT;
  }

  isList(): boolean {
    return this.peek() === OPEN_LIST;
  }

  isString(): boolean {
    return this.peek() === QUOTE;
  }

  /** The first key of the object at this place, with the cursor at its value; null: the object is empty. */
  firstKey(): string | null {
    this.take(OPEN_OBJECT);
    if (this.peek() !== CLOSE_OBJECT) return this.key();
    this.at++;
    return null;
  }

  /** The next key of the object whose value was just read; null: no more keys. */
  nextKey(): string | null {
    if (this.peek() === COMMA) {
      this.at++;
      return this.key();
    }
    this.take(CLOSE_OBJECT);
    return null;
  }

  /** Whether the list at this place has an item; the cursor is then at it. */
  firstItem(): boolean {
    this.take(OPEN_LIST);
    if (this.peek() !== CLOSE_LIST) return true;
    this.at++;
    return false;
  }

  nextItem(): boolean {
    if (this.peek() === COMMA) {
      this.at++;
      return true;
    }
    this.take(CLOSE_LIST);
    return false;
  }

  /** The string at this place. Returns null and skips the value if it is not a string. */
  string(): string | null {
    if (this.peek() !== QUOTE) {
      this.skip();
      return null;
    }
    const { bytes } = this;
    const { length } = bytes;
    const start = this.at + 1;
    let end = start;
    let seen = 0;
    let escaped = false;
    for (; end < length; end++) {
      const byte = bytes[end]!;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) {
        escaped = true;
        end++;
      }
      seen |= byte;
    }
    if (end >= length) throw new BrokenJson("ends inside a string");
    this.at = end + 1;
    const raw = seen < 128 ? this.ascii(start, end) : bytes.toString("utf8", start, end);
    const text = escaped ? unescapeString(raw) : raw;
    return this.secrets.length === 0 ? text : blotSecrets(text, this.secrets);
  }

  /** The number at this place. Returns null and skips the value if it is not a number. */
  number(): number | null {
    const byte = this.peek();
    const start = this.at;
    this.skip();
    // - 0…9 I N: `NaN` and `Infinity`, which Python servers write, count as numbers; null, true, false and nested values do not.
    const numeric = byte === 45 || (byte >= 48 && byte <= 57) || byte === 73 || byte === 78;
    if (!numeric) return null;
    const value = shortDecimal(this.bytes, start, this.at);
    return Number.isNaN(value) ? Number(this.bytes.toString("latin1", start, this.at)) : value;
  }

  /**
   * The list of bytes at this place. Returns null and skips the list if an item is not a byte. The usual form, `[72,105]` with or
   * without spaces after commas, is read without creating anything but the result.
   */
  byteList(): Uint8Array | null {
    const { bytes } = this;
    let length = 0;
    let value = -1;
    for (let at = this.at + 1; at < bytes.length && length < scratch.length; at++) {
      const byte = bytes[at]!;
      if (byte >= 48 && byte <= 57) value = (value < 0 ? 0 : value * 10) + byte - 48;
      else if ((byte === COMMA || byte === CLOSE_LIST) && value >= 0 && value <= 255) {
        scratch[length++] = value;
        value = -1;
        if (byte === COMMA) continue;
        this.at = at + 1;
        return scratch.slice(0, length);
      } else if (byte > 32 || value >= 0) break;
    }
    const list: number[] = [];
    let valid = true;
    for (let more = this.firstItem(); more; more = this.nextItem()) {
      const item = this.number();
      if (item === null || !(item >= 0 && item <= 255)) valid = false;
      else list.push(item);
    }
    return valid ? Uint8Array.from(list) : null;
  }

  /** Skips the value at this place. */
  skip(): void {
    const byte = this.peek();
    if (byte === QUOTE) this.at = this.stringEnd(this.at + 1);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.skipNested();
    else this.skipPlain();
  }

  /** Skips the value at this place and returns where it begins. */
  pass(): number {
    this.peek();
    const { at } = this;
    this.skip();
    return at;
  }

  /** Skips the list or object at this place; true if the items in it contain no objects themselves, as in a list of candidates. */
  skipNested(): boolean {
    const { bytes } = this;
    const { length } = bytes;
    let depth = 0;
    let flat = true;
    for (let at = this.at; at < length; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) at = this.stringEnd(at + 1) - 1;
      else if (byte === OPEN_OBJECT) {
        if (depth > 1) flat = false;
        depth++;
      } else if (byte === OPEN_LIST) depth++;
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) {
        this.at = at + 1;
        return flat;
      }
    }
    throw new BrokenJson("ends inside an object or a list");
  }

  private ascii(start: number, end: number): string {
    return end - start <= SHORT ? sharedText(this.bytes, start, end) : this.bytes.toString("latin1", start, end);
  }

  private skipPlain(): void {
    const { bytes } = this;
    const start = this.at;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at]!;
      if (byte <= 32 || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte === COLON) break;
    }
    if (this.at === start) throw new BrokenJson(start === bytes.length ? "ends too early" : "lacks a value");
  }

  /** The place after the closing quote of the string whose content begins at `from`. */
  private stringEnd(from: number): number {
    const { bytes } = this;
    const { length } = bytes;
    for (let at = from; at < length; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at++;
    }
    throw new BrokenJson("ends inside a string");
  }

  private key(): string {
    if (this.peek() !== QUOTE) throw new BrokenJson("lacks a key");
    const key = this.string()!;
    this.take(COLON);
    return key;
  }

  private take(byte: number): void {
    const found = this.peek();
    if (found === byte) this.at++;
    else if (found < 0) throw new BrokenJson("ends too early");
    else
      throw new BrokenJson(
        `has ${JSON.stringify(String.fromCharCode(found))} where ${String.fromCharCode(byte)} belongs`,
      );
  }
}

/** Members of an object that was read completely. */
export type Members = Readonly<Record<string, unknown>>;

/** Special readers for members with certain names, at any depth; other members are read normally. */
export type Readers = Readonly<Record<string, (cursor: JsonCursor) => unknown>>;

/** Answers nest less deeply; anything deeper is skipped. */
const DEEPEST = 16;

/** The value at this place: strings, numbers, lists and objects; null for everything else. */
function readValue(cursor: JsonCursor, readers: Readers, depth = 0): unknown {
  if (cursor.isString()) return cursor.string();
  const isList = cursor.isList();
  if (!isList && !cursor.isObject()) return cursor.number();
  if (depth === DEEPEST) {
    cursor.skip();
    return null;
  }
  if (isList) {
    const items: unknown[] = [];
    for (let more = cursor.firstItem(); more; more = cursor.nextItem())
      items.push(readValue(cursor, readers, depth + 1));
    return items;
  }
  const members: Record<string, unknown> = Object.create(null);
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    members[key] = Object.hasOwn(readers, key) ? readers[key]!(cursor) : readValue(cursor, readers, depth + 1);
  }
  return members;
}

/** Reads a whole body or line; BrokenJson if it is not exactly one JSON object. */
export function readWhole(cursor: JsonCursor, readers: Readers): Members {
  if (!cursor.isObject()) throw new BrokenJson("does not begin with an object");
  const whole = readValue(cursor, readers) as Members;
  if (cursor.peek() !== -1) throw new BrokenJson("goes on after its end");
  return whole;
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members of an object; {} for anything else. */
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

/** The objects in a list. */
export function objectsOf(value: unknown): Members[] {
  return Array.isArray(value) ? value.filter(isMembers) : [];
}

function unescapeString(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    throw new BrokenJson("has an invalid escape");
  }
}

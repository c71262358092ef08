import type { Readable } from "node:stream";
import type { Generation } from "../../core/records/case.js";
import { type ByteLine, LineSplitter } from "../../io/read-lines.js";

/** Shorter values are not treated as keys: hiding them would hide ordinary words in answers. */
const SHORTEST_KEY = 8;

const FORMS = new Map<string, RegExp>();

/**
 * Replaces with stars every key that a server repeats: literally, with escaped characters (`\u0073`, `\/`, `&#115;`, `%73`, any
 * of them escaped again), or as a list of code points. The text is searched after its JSON was decoded; keys in what is decoded
 * later (an answer is itself JSON) are found by their escapes.
 */
export function blotSecrets(
  text: string,
  secrets: readonly string[],
  { shortest = SHORTEST_KEY, mark }: { shortest?: number; mark?: string } = {},
): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < shortest || clean.length < secret.length) continue;
    clean = clean.replace(formOf(secret), () => mark ?? "*".repeat(secret.length));
  }
  return clean;
}

/** True if a text of any size may hold a key; cheap, for bodies that are mostly numbers. */
function mayHold(text: string, secret: string): boolean {
  return text.includes(secret) || text.includes("\\u00") || (secret.includes("/") && text.includes("\\/"));
}

/** Parses a body's JSON and blots keys in its strings and names. Errors quote nothing of the body. */
export function parseWithoutSecrets(text: string, secrets: readonly string[]): unknown {
  const keys = secrets.filter((secret) => secret.length >= SHORTEST_KEY && mayHold(text, secret));
  try {
    return keys.length === 0 ? JSON.parse(text) : JSON.parse(text, (_, value) => blotValue(value, keys));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`the body is torn or no JSON; got ${text.length} characters`);
  }
}

function blotValue(value: unknown, keys: readonly string[]): unknown {
  if (typeof value === "string") return blotSecrets(value, keys);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.every((name) => blotSecrets(name, keys) === name)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [blotSecrets(name, keys), item]));
}

/** An answer without keys in its text. If its tokens spell a key, they are dropped. */
export function withoutSecrets(generation: Generation, secrets: readonly string[]): Generation {
  if (secrets.length === 0) return generation;
  const { text, model, tokens } = generation;
  const clean = blotSecrets(text, secrets);
  const cleanModel = blotSecrets(model, secrets);
  const spelt = tokens === null || (generation.joined && clean === text) ? "" : tokens.map((one) => one.text).join("");
  const spells = blotSecrets(spelt, secrets) !== spelt;
  if (clean === text && cleanModel === model && !spells) return generation;
  return { ...generation, text: clean, model: cleanModel, tokens: spells ? null : tokens };
}

function formOf(secret: string): RegExp {
  let form = FORMS.get(secret);
  if (!form) {
    const points = [...secret].map((character) => character.codePointAt(0)!);
    const escaped = points.map(escapesOf).join("");
    const listed = points.map(numbersOf).join("[\\s,;\"'\\[\\]]{1,40}");
    form = new RegExp(`${escaped}|(?<![\\w.])(?:${listed})(?![\\w.])`, "g");
    FORMS.set(secret, form);
  }
  return form;
}

/** One character, literal or escaped. Repeats are bounded, so that a long run of backslashes takes linear time. */
function escapesOf(point: number): string {
  const literal = String.fromCodePoint(point).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const hex = hexOf(point);
  return `(?:${literal}|\\\\{1,8}(?:u\\{?0{0,4}${hex}\\}?|x${hex}|${literal})|&#(?:0{0,5}${point}|[xX]0{0,4}${hex});?|%${hex})`;
}

function numbersOf(point: number): string {
  return `(?:0{0,3}${point}|(?:0x|U\\+)0{0,4}${hexOf(point)})`;
}

function hexOf(point: number): string {
  return point.toString(16).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** Makes foreign text fit for a message: one line, no control characters or direction marks, at most `length` long. */
export function printable(text: string, length: number): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return plain.length <= length ? plain : `${plain.slice(0, length - 1).toWellFormed()}…`;
}

/** Headers as received, with lower-case names. Implements the part of the web's Headers that clients use. */
export class RawHeaders {
  constructor(private readonly fields: Readonly<Record<string, string | string[] | undefined>>) {}

  get(name: string): string | null {
    const value = this.fields[name.toLowerCase()];
    if (value === undefined) return null;
    return typeof value === "string" ? value : value.join(", ");
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of Object.keys(this.fields)) {
      const value = this.get(name);
      if (value !== null) yield [name, value];
    }
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

/**
 * The part of the web's Response that the SDK needs, for a body that has fully arrived. A real Response would copy it through web
 * streams, which costs more than reading its content.
 */
export class RawResponse {
  readonly ok: boolean;
  readonly redirected = false;
  readonly body = null;
  readonly statusText = "";

  constructor(
    readonly url: string,
    readonly status: number,
    readonly headers: RawHeaders,
    readonly bytes: Buffer,
    /** Replaces `bytes` for a body that is too large to hold. */
    readonly stream: Readable | null = null,
    /** Keys that must be removed from whatever is read. */
    private readonly secrets: readonly string[] = [],
  ) {
    this.ok = status >= 200 && status < 300;
  }

  async text(): Promise<string> {
    return blotSecrets(this.bytes.toString("utf8"), this.secrets);
  }

  async json(): Promise<unknown> {
    try {
      return parseWithoutSecrets(this.bytes.toString("utf8"), this.secrets);
    } catch (error) {
      // Only the beginning of a long refusal was read; that it is a refusal matters more than its words.
      if (this.ok) throw error;
      return { error: { message: (await this.text()).slice(0, 2000), code: this.status } };
    }
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  }
}

/** The text of refusals, by their headers: the SDK's errors keep the headers, but only one member of the body. */
const BODIES = new WeakMap<object, string>();

export function rememberBody(response: RawResponse): void {
  if (!response.ok) BODIES.set(response.headers, response.bytes.toString("utf8", 0, 65_536));
}

export function rememberedBody(headers: unknown): string | null {
  return typeof headers === "object" && headers !== null ? (BODIES.get(headers) ?? null) : null;
}

/** Buffers kept for later bodies: at most this many, of at most this many bytes each. */
const KEPT = 64;
const KEPT_BYTES = 1 << 20;
const SMALLEST = 1 << 16;

const waiting: Buffer[] = [];

/**
 * Collects the pieces of one body. They are copied on arrival into memory that later bodies reuse: pieces held until the last one
 * arrives outlive the young generation, and collecting them takes longer than reading them.
 */
export class BodyPieces {
  private memory: Buffer | null = null;
  private used = 0;

  get size(): number {
    return this.used;
  }

  add(piece: Uint8Array): void {
    const size = this.used + piece.length;
    this.memory ??= waiting.pop() ?? Buffer.allocUnsafeSlow(SMALLEST);
    if (size > this.memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.memory.length));
      this.memory.copy(larger, 0, 0, this.used);
      this.memory = larger;
    }
    this.memory.set(piece, this.used);
    this.used = size;
  }

  /** The whole body in memory of its own: a copy, unless it is too large for its buffer to be kept. */
  take(): Buffer {
    const { memory, used } = this;
    const large = memory !== null && memory.length > KEPT_BYTES;
    const body = large ? memory.subarray(0, used) : Buffer.allocUnsafeSlow(used);
    if (!large) memory?.copy(body, 0, 0, used);
    this.drop();
    return body;
  }

  /** Releases the memory for the next body. */
  drop(): void {
    if (this.memory && this.memory.length <= KEPT_BYTES && waiting.length < KEPT) waiting.push(this.memory);
    this.memory = null;
    this.used = 0;
  }
}

/** Splits a stream of bytes into undecoded lines, without line ends and empty lines. A line longer than `most` is cut to `most` + 1 bytes. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most?: number,
): AsyncIterable<Buffer> {
  const splitter = new LineSplitter(most);
  for await (const { buffer, byteOffset, byteLength } of chunks) {
    yield* full(splitter.push(Buffer.from(buffer, byteOffset, byteLength)));
  }
  yield* full(splitter.end());
}

function full(lines: readonly ByteLine[]): Buffer[] {
  return lines.filter(({ bytes }) => bytes.length > 0).map(({ bytes }) => bytes);
}

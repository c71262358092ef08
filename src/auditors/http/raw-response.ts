import type { Readable } from "node:stream";
import type { Generation } from "../../core/records/case.js";
import { type ByteLine, LineSplitter } from "../../io/read-lines.js";

/** Shorter values are no keys: hiding them in answers would hide ordinary words. */
const SHORTEST_KEY = 8;

const FORMS = new Map<string, RegExp>();

/**
 * Writes stars over every key that a server repeats: as it is, with its characters escaped (`\u0073`, `\/`, `&#115;`, `%73`, any of them escaped
 * again), or as a list of code points. The text is compared after its JSON was decoded; what is decoded later (an answer is itself JSON) is
 * found by its escapes.
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

/** True where a text of any size may hold a key; cheap, for bodies that are mostly numbers. */
function mayHold(text: string, secret: string): boolean {
  return text.includes(secret) || text.includes("\\u00") || (secret.includes("/") && text.includes("\\/"));
}

/** A body's JSON with the keys in its strings and names blotted. Its errors quote nothing of the body. */
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

/** An answer without keys: not in its text, and not spelt by its tokens, which then are left out. */
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

/** One character as itself or escaped. Repeats are bounded, so that a long run of backslashes costs no more than its length. */
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

/** A foreign text fit for a message: on one line, without control characters or what turns writing around, at most `length` long. */
export function printable(text: string, length: number): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return plain.length <= length ? plain : `${plain.slice(0, length - 1).toWellFormed()}…`;
}

/** Headers as a server sent them, with lower-case names. As much of the web's Headers as clients use. */
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
 * What the SDK needs of the web's Response, around bytes that are all there. Building a real one would copy them through web streams,
 * which costs more than reading what is in them.
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
    /** Instead of `bytes`, for what is too large to hold. */
    readonly stream: Readable | null = null,
    /** Keys that what is read of it must not carry on. */
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
      // Of a long refusal only the beginning was read; that it is one matters more than its words.
      if (this.ok) throw error;
      return { error: { message: (await this.text()).slice(0, 2000), code: this.status } };
    }
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  }
}

/** What a refusal said, by the headers that came with it: the SDK's errors keep these, but of the body only one member. */
const BODIES = new WeakMap<object, string>();

export function rememberBody(response: RawResponse): void {
  if (!response.ok) BODIES.set(response.headers, response.bytes.toString("utf8", 0, 65_536));
}

export function rememberedBody(headers: unknown): string | null {
  return typeof headers === "object" && headers !== null ? (BODIES.get(headers) ?? null) : null;
}

/** Memory that waits for the next body: so many buffers of at most so many bytes. */
const KEPT = 64;
const KEPT_BYTES = 1 << 20;
const SMALLEST = 1 << 16;

const waiting: Buffer[] = [];

/**
 * Gathers the pieces of one body. They are copied as they come, into memory that later bodies use again: held as pieces until the last one is
 * there, they outlive the young generation, and collecting them takes longer than reading them.
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

  /** The whole body in memory of its own: a copy, unless it is too large for its memory to be kept. */
  take(): Buffer {
    const { memory, used } = this;
    const large = memory !== null && memory.length > KEPT_BYTES;
    const body = large ? memory.subarray(0, used) : Buffer.allocUnsafeSlow(used);
    if (!large) memory?.copy(body, 0, 0, used);
    this.drop();
    return body;
  }

  /** Leaves the memory to the next body. */
  drop(): void {
    if (this.memory && this.memory.length <= KEPT_BYTES && waiting.length < KEPT) waiting.push(this.memory);
    this.memory = null;
    this.used = 0;
  }
}

/** The lines of a stream of bytes, without their ends and without empty ones; none is decoded. A longer line than `most` is cut to `most` + 1 bytes. */
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

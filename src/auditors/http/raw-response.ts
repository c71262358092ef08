import type { Readable } from "node:stream";
import { blotSecrets, parseWithoutSecrets } from "./blot-secrets.js";

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

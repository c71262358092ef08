import { PassThrough, type Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { LineSplitter } from "../io/read-lines.js";
import { hasDoubledKeys } from "../measures/gate/route/unsafe-keys.js";
import { Problem } from "./problems.js";

/** Longest line accepted, in bytes. */
const LONGEST_LINE = 1 << 20;

/** Lines are answered after this time, however few they are, so that a broken stream loses no more. */
const SOON_MS = 1000;

const CHECK_MS = 1500;

class Refused extends Error {
  constructor(readonly line: string) {
    super("refused");
  }
}

/**
 * A stream that lasts as long as its sender is allowed to send. The check is repeated, since a stream may be open for long.
 * @param last the line that ends the answer
 */
export function whileAllowed(
  input: Readable,
  check: () => Promise<void>,
  last: (problem: Problem) => object,
): Readable {
  const allowed = new PassThrough();
  const look = async () => {
    const refused = await check().then(
      () => null,
      // An unreachable database is no reason to refuse the sender.
      (cause) => (cause instanceof Problem ? cause : null),
    );
    if (allowed.closed) return;
    if (refused === null) {
      timer = setTimeout(look, CHECK_MS);
      return;
    }
    // The answer uses the connection of the request, so further input is read and dropped.
    input.unpipe(allowed).resume();
    allowed.destroy(new Refused(JSON.stringify(last(refused))));
  };
  let timer = setTimeout(look, CHECK_MS);
  allowed.once("close", () => clearTimeout(timer));
  // Readers of the stream receive the error too.
  allowed.on("error", () => {});
  input.once("error", (cause) => allowed.destroy(cause));
  input.once("close", () => {
    if (!input.readableEnded) allowed.destroy();
  });
  return input.pipe(allowed);
}

/**
 * Answers a stream of JSON lines with another: one line for each line that is not empty, in order, `most` lines at a time. A line that is
 * not JSON, is too long or has a key twice is passed on as undefined, and is answered too. A refused stream ends with a line that says so.
 * @param ahead how many further parts may be under way while one is answered
 * @param prompt answer what has arrived before reading more, for callers that wait for an answer before sending the next line
 */
export async function* answerLines(
  input: Readable,
  { most, prompt = false, ahead = 0 }: { most: number; prompt?: boolean; ahead?: number },
  answer: (values: unknown[]) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  const lines = new LineSplitter(LONGEST_LINE);
  let waiting: unknown[] = [];
  const under: Promise<string>[] = [];
  let since = 0;
  const begin = () => {
    if (input.errored) throw input.errored;
    const text = answer(waiting).then((all) => all.map((line) => `${line}\n`).join(""));
    // Awaited later, in order.
    text.catch(() => {});
    under.push(text);
    waiting = [];
    since = Date.now();
  };
  const add = (bytes: Buffer) => {
    if (bytes.length === 0) return;
    if (waiting.length === 0) since = Date.now();
    waiting.push(parsed(bytes));
  };
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const more = () => {
    const next = chunks.next();
    // Awaited later, in order.
    next.catch(() => {});
    return next;
  };
  let next = more();
  try {
    for (;;) {
      const idle = waiting.length === 0 && under.length === 0;
      const got = idle ? await next : await within(since + SOON_MS - Date.now(), next);
      if (got?.done) break;
      for (const { bytes } of got ? lines.push(got.value) : []) {
        add(bytes);
        if (waiting.length >= most) begin();
        while (under.length > ahead) yield await under.shift()!;
      }
      if (got) next = more();
      const now = prompt || got === null;
      if (now && waiting.length > 0) begin();
      while (under.length > (now ? 0 : ahead)) yield await under.shift()!;
    }
    for (const { bytes } of lines.end()) add(bytes);
    if (waiting.length > 0) begin();
    while (under.length > 0) yield await under.shift()!;
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause;
    while (under.length > 0) yield await under.shift()!;
    yield `${cause.line}\n`;
  } finally {
    // Not through the iterator, which would wait for input that may never come.
    input.destroy();
    await Promise.allSettled(under);
  }
}

/** The value if it arrives in time; null otherwise. */
async function within<T>(ms: number, coming: Promise<T>): Promise<T | null> {
  const late = new AbortController();
  try {
    return await Promise.race([coming, delay(Math.max(0, ms), null, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}

function parsed(bytes: Buffer): unknown {
  if (bytes.length > LONGEST_LINE) return undefined;
  try {
    const text = bytes.toString("utf8");
    const value: unknown = JSON.parse(text);
    return hasDoubledKeys(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

import { PassThrough, type Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { LineSplitter } from "../io/read-lines.js";
import { hasDoubledKeys } from "../measures/gate/route/unsafe-keys.js";
import { Problem } from "./problems.js";

/** The longest line that is read, in bytes. */
const LONGEST_LINE = 1 << 20;

/** What has come is answered after so long, however few lines it is: a stream that breaks loses no more. */
const SOON_MS = 1000;

const CHECK_MS = 1500;

/** Ends a stream whose sender may no longer send. */
class Refused extends Error {
  constructor(readonly line: string) {
    super("refused");
  }
}

/**
 * A stream for as long as a check of its sender holds. It is asked again and again, since a stream may be open for long.
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
      // A database that is away says nothing of the sender.
      (cause) => (cause instanceof Problem ? cause : null),
    );
    if (allowed.closed) return;
    if (refused === null) {
      timer = setTimeout(look, CHECK_MS);
      return;
    }
    // The answer goes out by the connection of the request, so what still comes is read and dropped.
    input.unpipe(allowed).resume();
    allowed.destroy(new Refused(JSON.stringify(last(refused))));
  };
  let timer = setTimeout(look, CHECK_MS);
  allowed.once("close", () => clearTimeout(timer));
  // Who reads it hears of it too.
  allowed.on("error", () => {});
  input.once("error", (cause) => allowed.destroy(cause));
  input.once("close", () => {
    if (!input.readableEnded) allowed.destroy();
  });
  return input.pipe(allowed);
}

/**
 * Answers a stream of JSON lines with one: a line for each line that is not empty, in their order, so many lines at a time. A line that is not JSON,
 * is too long or has a key twice comes as undefined, and is answered too. A stream that is refused ends with a line that says so.
 * @param ahead how many further parts may be under way while one is answered
 * @param prompt answer what has arrived before more is read, for callers that wait for an answer before they send the next line
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
    // It is waited for in its turn.
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
    // It is waited for in its turn.
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
    // Not by the iterator, which would wait for what may never come.
    input.destroy();
    await Promise.allSettled(under);
  }
}

/** What comes in time; null: nothing has. */
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

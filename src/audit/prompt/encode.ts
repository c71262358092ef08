import type { TokenCounter } from "../../auditors/output-format.js";
import type { ContentParts } from "../../core/records/decision.js";
import { countCharacters } from "../../text/words.js";

/**
 * Encodes untrusted text for a prompt: one JSON string on one line. `JSON.parse` gives back exactly what was put in.
 *
 * Characters that cannot be seen, or could be mistaken for the prompt's own syntax, are written as `\uXXXX`:
 * - control and format characters, line and paragraph separators, bidi controls, zero-width, tag and all other default-ignorable
 *   characters, private use, noncharacters, lone surrogates. These are Unicode's own sets, so there is no list to maintain.
 * - `<` and `>` with their wide and small forms (some tokenizers fold them): most chat templates mark turns with `<|…|>`,
 *   `<start_of_turn>` and the like.
 * - `[` before `/`, `|`, `@`, a word in capitals (`[INST]`, `[TOOL_CALLS]`, `[gMASK]`) or `e~[`, and `]` before `~`: the other templates.
 *
 * Line breaks and tabs are written as in JSON, `\n` and `\t`. Letters of every script are unchanged.
 */
export function encodeText(text: string): string {
  return JSON.stringify(text).replace(NOT_SHOWN, escapeUnits);
}

const NOT_SHOWN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}<>＜＞﹤﹥]|\[(?=[/|@]|e~\[|[a-z]?[A-Z_]{3,}\])|\](?=~)/gu;

function escapeUnits(character: string): string {
  let escaped = "";
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/** A text whose middle, or whose end where `tail` is empty, was left out. */
interface CutText {
  head: string;
  tail: string;
  /** Characters (code points) left out. */
  left: number;
}

/** A text with more characters than this per allowed token does not fit; it is not counted to find out. */
const CHARACTERS_PER_TOKEN = 32;
/** Share of the kept text that is taken from the end. */
const TAIL = 0.25;
const MOST_TRIES = 8;

/** Tokens of the encoded text; Infinity where it is far above `limit`. */
export function encodedTokens(text: string, limit: number, counter: TokenCounter): number {
  return text.length > limit * CHARACTERS_PER_TOKEN ? Number.POSITIVE_INFINITY : counter.count(encodeText(text));
}

/**
 * As much of a text as has at most `limit` tokens once encoded. The length is estimated and then checked: a handful of counts of
 * about `limit` tokens each, however long the text. Never splits a code point.
 */
export function cutText(
  text: string,
  { limit, size, keepTail, counter }: { limit: number; size: number; keepTail: boolean; counter: TokenCounter },
): CutText {
  // This much always fits: a token is at least one byte, and a character at most the six of an escape.
  let best = Math.max(0, Math.floor((limit - 4) / 6));
  let keep = Math.floor(Number.isFinite(size) ? (text.length * limit) / size : limit * 3);
  for (let tries = 0; tries < MOST_TRIES && keep > best && keep < text.length; tries++) {
    const cut = take(text, keep, keepTail);
    const used = counter.count(encodeText(cut.head)) + (cut.tail ? counter.count(encodeText(cut.tail)) : 0);
    const scale = (0.97 * limit) / Math.max(1, used);
    if (used <= limit) {
      best = keep;
      if (scale < 1.15) break;
    }
    keep = Math.min(text.length - 1, Math.floor(keep * Math.min(4, scale)));
  }
  return take(text, Math.min(best, text.length), keepTail);
}

function take(text: string, keep: number, keepTail: boolean): CutText {
  const tailLength = keepTail ? Math.floor(keep * TAIL) : 0;
  let from = keep - tailLength;
  if (splitsPair(text, from)) from--;
  let to = text.length - tailLength;
  if (splitsPair(text, to)) to++;
  return { head: text.slice(0, from), tail: text.slice(to), left: countCharacters(text.slice(from, to)) };
}

function splitsPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** The content as lines, each a label and an encoded text. */
export interface ContentLines {
  lines: string[];
  tokens: number;
  /** Characters left out. */
  cut: number;
}

interface Piece {
  label: string;
  text: string;
  tokens: number;
}

/** Tokens of a label with its punctuation, and of the sentence that reports what was left out. */
const LABEL_TOKENS = 10;
const MARKER_TOKENS = 24;
/** A piece that may have fewer tokens than this is left out entirely: a few letters of it would only mislead. */
const LEAST_TOKENS = 8;

/** A token is at least one byte, and a character at most the six of an escape. */
const MOST_TOKENS_PER_CHARACTER = 6;

/**
 * The whole content if it certainly fits; null if that cannot be known without counting. Nearly all content is so short relative
 * to the model's context that counting its tokens would be the most expensive part of making a prompt.
 */
export function shortContentLines(content: ContentParts, limit: number): ContentLines | null {
  const { kind, language, url, context, title, body } = content;
  let characters = body.length + title.length + (kind?.length ?? 0) + (language?.length ?? 0) + (url?.length ?? 0);
  for (const text of context) characters += text.length;
  const tokens = MOST_TOKENS_PER_CHARACTER * characters + LABEL_TOKENS * (context.length + 5);
  if (tokens > limit) return null;
  return { lines: pieces(content, () => 0).map(shown), tokens, cut: 0 };
}

/**
 * Shows all of the content if it has at most `limit` tokens. Otherwise kind, language, URL and title get a small share of the
 * room, the surrounding texts a quarter of what is left (more where the body is short), and the body the rest. The body is cut in
 * the middle, since what breaks a rule is often at the end; everything else is cut at its end.
 */
export function contentLines(content: ContentParts, limit: number, counter: TokenCounter): ContentLines {
  const all = pieces(content, (text) => encodedTokens(text, limit, counter));
  if (sum(all) <= limit) return { lines: all.map(shown), tokens: sum(all), cut: 0 };

  const facts = all.filter(({ label }) => FACTS.has(label));
  const title = all.filter(({ label }) => label === "title");
  const around = all.filter(({ label }) => label.startsWith("context "));
  const body = all.at(-1)!;
  const writer = new Writer(counter);
  writer.write(facts, Math.floor(limit / 16));
  const forTitle = Math.min(sum(title), Math.floor(limit / 4));
  const left = Math.max(0, limit - writer.tokens - forTitle);
  writer.writeInTurn(around, Math.max(left - body.tokens, Math.floor(left / 4)));
  writer.write(title, forTitle);
  writer.write([body], limit - writer.tokens);
  return { lines: writer.lines, tokens: writer.tokens, cut: writer.cut };
}

const FACTS: ReadonlySet<string> = new Set(["kind", "language", "url"]);

/** The non-empty parts of a content in the order shown; the body is always included. */
function pieces(content: ContentParts, tokensOf: (text: string) => number): Piece[] {
  const piece = (label: string, text: string): Piece => ({ label, text, tokens: tokensOf(text) + LABEL_TOKENS });
  const optional = (label: string, text: string | null) => (text ? [piece(label, text)] : []);
  return [
    ...optional("kind", content.kind),
    ...optional("language", content.language),
    ...optional("url", content.url),
    ...content.context.map((text, i) => piece(`context ${i + 1} of ${content.context.length}`, text)),
    ...optional("title", content.title),
    piece("body", content.body),
  ];
}

function shown({ label, text }: Piece): string {
  return `${label}: ${encodeText(text)}`;
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { tokens }) => total + tokens, 0);
}

class Writer {
  readonly lines: string[] = [];
  tokens = 0;
  cut = 0;

  constructor(private readonly counter: TokenCounter) {}

  /** Each piece has a limit of its own. */
  write(pieces: readonly Piece[], limit: number): void {
    for (const piece of pieces) {
      if (piece.tokens <= limit) this.add(shown(piece), piece.tokens);
      else this.shorten(piece, limit);
    }
  }

  /** All pieces share one limit: the first ones are written whole, one is shortened, and the rest are only counted. */
  writeInTurn(pieces: readonly Piece[], limit: number): void {
    const end = this.tokens + limit - MARKER_TOKENS;
    for (let i = 0; i < pieces.length; i++) {
      const room = end - this.tokens;
      if (pieces[i]!.tokens <= room) this.add(shown(pieces[i]!), pieces[i]!.tokens);
      else if (room >= MARKER_TOKENS + LABEL_TOKENS + LEAST_TOKENS) this.shorten(pieces[i]!, room);
      else {
        const rest = pieces.slice(i);
        const characters = rest.reduce((total, { text }) => total + countCharacters(text), 0);
        this.leaveOut(rest.length > 1 ? `context ${i + 1} to ${pieces.length}` : rest[0]!.label, characters);
        return;
      }
    }
  }

  private shorten({ label, text, tokens }: Piece, room: number): void {
    const keepTail = label === "body";
    const limit = room - MARKER_TOKENS - LABEL_TOKENS * 2;
    if (limit < LEAST_TOKENS) {
      this.leaveOut(label, countCharacters(text));
      return;
    }
    const { head, tail, left } = cutText(text, { limit, size: tokens, keepTail, counter: this.counter });
    this.add(`${label}, beginning: ${encodeText(head)}`, limit + LABEL_TOKENS);
    this.leaveOut(label, left);
    if (tail) this.add(`${label}, end: ${encodeText(tail)}`, LABEL_TOKENS);
  }

  private leaveOut(label: string, characters: number): void {
    if (characters === 0) return;
    this.cut += characters;
    this.add(`(${characters} characters of ${label} left out here to fit)`, MARKER_TOKENS);
  }

  private add(line: string, tokens: number): void {
    this.lines.push(line);
    this.tokens += tokens;
  }
}

import type { TokenCounter } from "../../auditors/output-format.js";
import type { ContentParts } from "../../core/records/decision.js";
import { cutText, encodedTokens, encodeText } from "./encode.js";

/** The content as lines of a label and an encoded text each. */
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

/** Tokens of a label with its marks, and of the sentence that says what was left out. */
const LABEL_TOKENS = 10;
const MARKER_TOKENS = 24;
/** A piece that may have fewer tokens than this is left out whole: a few letters of it would only mislead. */
const LEAST_TOKENS = 8;

/** No token is shorter than a byte, and no character longer than the six of an escape. */
const MOST_TOKENS_PER_CHARACTER = 6;

/**
 * The content as it is shown where it certainly fits; null where that is not certain without counting. Nearly all content is so short against a
 * model's context that counting its tokens would be the dearest part of making a prompt.
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
 * Shows all of the content if it has at most `limit` tokens. Otherwise kind, language, address and title are held to a small share of the room, the
 * texts around it to a quarter of what is left (to more where the body is short), and the body gets the rest. The body is cut in its
 * middle, since what breaks a rule often stands at the end; everything else at its end.
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

/** The parts of a content that are not empty, in the order in which they are shown; the body is always there. */
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

  /** Each piece within a limit of its own. */
  write(pieces: readonly Piece[], limit: number): void {
    for (const piece of pieces) {
      if (piece.tokens <= limit) this.add(shown(piece), piece.tokens);
      else this.shorten(piece, limit);
    }
  }

  /** All of them within one limit: the first ones whole, one shortened, and the rest only counted. */
  writeInTurn(pieces: readonly Piece[], limit: number): void {
    const end = this.tokens + limit - MARKER_TOKENS;
    for (let i = 0; i < pieces.length; i++) {
      const room = end - this.tokens;
      if (pieces[i]!.tokens <= room) this.add(shown(pieces[i]!), pieces[i]!.tokens);
      else if (room >= MARKER_TOKENS + LABEL_TOKENS + LEAST_TOKENS) this.shorten(pieces[i]!, room);
      else {
        const rest = pieces.slice(i);
        const characters = rest.reduce((total, { text }) => total + [...text].length, 0);
        this.leaveOut(rest.length > 1 ? `context ${i + 1} to ${pieces.length}` : rest[0]!.label, characters);
        return;
      }
    }
  }

  private shorten({ label, text, tokens }: Piece, room: number): void {
    const keepTail = label === "body";
    const limit = room - MARKER_TOKENS - LABEL_TOKENS * 2;
    if (limit < LEAST_TOKENS) {
      this.leaveOut(label, [...text].length);
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

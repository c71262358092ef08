import { CLOSE_LIST, CLOSE_OBJECT, COMMA, type JsonCursor, OPEN_OBJECT, QUOTE } from "./json-cursor.js";

const NEWLINE = 10;
const NEXT_TOKEN = [CLOSE_OBJECT, COMMA, OPEN_OBJECT, QUOTE];
const LIST_END = Buffer.from("}]");
const NEXT_LIST = Buffer.from('"top_logprobs"');
/** The tokens of another choice are under this key. */
const NEXT_TOKENS = Buffer.from('"logprobs"');

/**
 * Skips lists of candidates. They are nine tenths of a body, so where possible they are not walked but jumped over, with a native search.
 *
 * On one line: a list of plain objects ends at the first `}]` outside of strings. If an object's end, a comma, the next object
 * and a letter in quotes follow, that place is outside of strings: no string could end before a letter. Otherwise (a candidate
 * that reads `}]`, another order of keys, the last token) the list is walked.
 *
 * Indented, as OpenAI writes: find the key of the next list, then search backwards for the lines between our list and the next
 * token; a string can contain neither. A forward search for these would stop at each of the indents that make up most of such a
 * body. If the tokens of another choice begin before that place, the next list belongs to another choice, and ours is walked.
 *
 * A server writes all its tokens alike: the first list with candidates is walked and shows which of the two methods finds its end, if any. If later
 * lists differ after all, a jump lands among the wrong brackets; the body then seems broken, and is scanned again without jumping.
 */
export class CandidateLists {
  private style: "unknown" | "line" | "indented" | "other";
  /** In an indented body: the end of the last candidate, the last line of the list, and what follows up to the first key of the next token. */
  private tail: Buffer = LIST_END;
  /** Where the tokens of the next choice begin. */
  private nextTokens = -1;

  constructor(
    private readonly cursor: JsonCursor,
    jump: boolean,
  ) {
    this.style = jump ? "unknown" : "other";
  }

  /** Skips the list at the cursor. */
  pass(): void {
    const { cursor, style } = this;
    const { bytes, at } = cursor;
    if (bytes[at + 1] === CLOSE_LIST) {
      cursor.at = at + 2;
      return;
    }
    if (style === "unknown") {
      const plain = cursor.skipNested();
      this.style = plain ? this.styleOf(at, cursor.at) : "other";
      return;
    }
    const end = style === "line" ? this.endOnLine(at) : style === "indented" ? this.endIndented(at) : -1;
    if (end < 0) cursor.skipNested();
    else cursor.at = end;
  }

  private styleOf(start: number, end: number): CandidateLists["style"] {
    if (this.endOnLine(start) === end) return "line";
    const tail = indentedTail(this.cursor.bytes, end);
    if (tail === null) return "unknown";
    this.tail = tail;
    return this.endIndented(start) === end ? "indented" : "unknown";
  }

  /** The place after the list that begins at `start`; -1: it has to be walked. */
  private endOnLine(start: number): number {
    const { bytes } = this.cursor;
    const end = bytes.indexOf(LIST_END, start);
    return end >= 0 && goesOn(bytes, end + LIST_END.length) ? end + LIST_END.length : -1;
  }

  private endIndented(start: number): number {
    const { bytes } = this.cursor;
    const next = bytes.indexOf(NEXT_LIST, start);
    if (next < 0) return -1;
    const end = bytes.lastIndexOf(this.tail, next);
    return end > start && end < this.tokensAfter(start) ? bytes.indexOf(CLOSE_LIST, end) + 1 : -1;
  }

  private tokensAfter(start: number): number {
    if (this.nextTokens < start) {
      const next = this.cursor.bytes.indexOf(NEXT_TOKENS, start);
      this.nextTokens = next < 0 ? Infinity : next;
    }
    return this.nextTokens;
  }
}

/** Whether the token's object ends here and another one with a named member begins. */
function goesOn(bytes: Buffer, from: number): boolean {
  let at = from;
  for (const expected of NEXT_TOKEN) {
    while (bytes[at] === 32) at++;
    if (bytes[at++] !== expected) return false;
  }
  const letter = bytes[at] ?? 0;
  return letter >= 97 && letter <= 122;
}

/** The bytes from the end of the last candidate (on the line before the `]` just before `listEnd`) to the quote after the next token's first key. */
function indentedTail(bytes: Buffer, listEnd: number): Buffer | null {
  let from = listEnd - 2;
  while (isBlank(bytes[from])) from--;
  let at = listEnd;
  for (const expected of NEXT_TOKEN) {
    while (isBlank(bytes[at]) || bytes[at] === NEWLINE) at++;
    if (bytes[at++] !== expected) return null;
  }
  if (bytes[from] !== NEWLINE) return null;
  while (isBlank(bytes[from]) || bytes[from] === NEWLINE) from--;
  return bytes[from] === CLOSE_OBJECT ? bytes.subarray(from, bytes.indexOf(QUOTE, at) + 1) : null;
}

/** White space within a line. */
function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 13;
}

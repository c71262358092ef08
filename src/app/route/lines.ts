import { isAscii, isUtf8 } from "node:buffer";

export interface InputLine {
  /** null: it is not UTF-8, or too long to be a decision. */
  text: string | null;
  /** Counted from 1. */
  number: number;
  /** Its length in the input. */
  bytes: number;
}

/** A line above this is answered without being read: memory must not grow with what somebody sends. */
export const MAX_LINE_BYTES = 16 << 20;

const NEWLINE = 0x0a;
const BRACE = 0x7b;

/**
 * The lines of a stream, all that a chunk completes at once, so that a line that arrives alone is answered alone. A leading BOM and a trailing CR are
 * dropped; empty lines are skipped but counted. A last line without a newline is a line.
 */
export async function* inputLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputLine[]> {
  const splitter = new LineSplitter();
  for await (const chunk of chunks) {
    const lines = splitter.push(chunk);
    if (lines.length > 0) yield lines;
  }
  const last = splitter.end();
  if (last.length > 0) yield last;
}

class LineSplitter {
  private pieces: Buffer[] = [];
  private held = 0;
  private number = 0;
  private tooLong = false;

  push(chunk: Buffer): InputLine[] {
    const lines: InputLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.finish(chunk.subarray(start, end), lines);
      start = end + 1;
    }
    if (start < chunk.length) this.hold(chunk.subarray(start));
    return lines;
  }

  end(): InputLine[] {
    const lines: InputLine[] = [];
    if (this.held > 0 || this.tooLong) this.finish(Buffer.alloc(0), lines);
    return lines;
  }

  private hold(piece: Buffer): void {
    this.held += piece.length;
    if (this.held > MAX_LINE_BYTES) {
      this.tooLong = true;
      this.pieces = [];
    }
    // A copy: the chunk may be overwritten by the next one.
    if (!this.tooLong) this.pieces.push(Buffer.from(piece));
  }

  private finish(piece: Buffer, lines: InputLine[]): void {
    const number = ++this.number;
    if (this.held + piece.length > MAX_LINE_BYTES) this.tooLong = true;
    const bytes = this.held > 0 && !this.tooLong ? Buffer.concat([...this.pieces, piece]) : piece;
    const text = this.tooLong ? null : textOf(bytes, number);
    if (text !== "") lines.push({ text, number, bytes: this.held + piece.length + 1 });
    this.pieces = [];
    this.held = 0;
    this.tooLong = false;
  }
}

function textOf(bytes: Buffer, number: number): string | null {
  const ascii = isAscii(bytes);
  if (!ascii && !isUtf8(bytes)) return null;
  // Latin-1 is copied without decoding.
  const text = bytes.toString(ascii ? "latin1" : "utf8");
  // JSON knows spaces, tabs and CR around a value itself; of the BOM it knows nothing.
  const whole = number === 1 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return whole.charCodeAt(0) !== BRACE && whole.trim() === "" ? "" : whole;
}

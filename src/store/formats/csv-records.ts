import { isUtf8 } from "node:buffer";
import { FileProblem } from "../../io/files.js";
import { readChunks } from "../../io/read-lines.js";

export interface CsvRecord {
  text: string;
  /** Of its first character, counted from 1; line breaks inside quotes count. */
  line: number;
  /** Where the record ends in the file, in bytes. */
  end: number;
  utf8: boolean;
  /** False where the file ends inside a quoted cell. */
  closed: boolean;
}

/** A quoted cell that goes on for longer has lost its closing quote. */
const MAX_RECORD_BYTES = 16 << 20;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

const CELL_START = 0;
const PLAIN = 1;
const QUOTED = 2;
const QUOTE_SEEN = 3;

/**
 * The records of a CSV file (RFC 4180), a batch at a time, in constant memory: where each begins and ends, not yet its cells.
 * Works on bytes, which is safe as the marks are ASCII, so that a record that is not UTF-8 can be separated from its neighbours.
 * A BOM is dropped; CRLF, LF and a lone CR end a record; empty lines are skipped but counted.
 */
export async function* readCsvRecords(path: string, delimiter: string): AsyncGenerator<CsvRecord[]> {
  const mark = delimiter.charCodeAt(0);
  let state = CELL_START;
  let line = 1;
  let recordLine = 1;
  let afterCr = false;
  let rest: Buffer = Buffer.alloc(0);
  let restOffset = 0;
  for await (const bytes of readChunks(path)) {
    const bom = restOffset === 0 && rest.length === 0 && bytes.subarray(0, 3).equals(BOM);
    if (bom) restOffset = BOM.length;
    const chunk = bom ? bytes.subarray(BOM.length) : bytes;
    const data = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    const batch: CsvRecord[] = [];
    let start = 0;
    for (let i = rest.length; i < data.length; i++) {
      const byte = data[i]!;
      if (afterCr) {
        afterCr = false;
        if (byte === LF) {
          start = i + 1;
          continue;
        }
      }
      if (state === QUOTED) {
        if (byte === QUOTE) state = QUOTE_SEEN;
        else if (byte === LF) line++;
      } else if (byte === LF || byte === CR) {
        push(batch, data.subarray(start, i), recordLine, restOffset + i + 1, true);
        start = i + 1;
        recordLine = ++line;
        state = CELL_START;
        afterCr = byte === CR;
      } else if (byte === mark) state = CELL_START;
      else if (byte === QUOTE) state = state === PLAIN ? PLAIN : QUOTED;
      else state = PLAIN;
    }
    restOffset += start;
    rest = data.subarray(start);
    if (rest.length > MAX_RECORD_BYTES) throw endless(path, recordLine);
    if (batch.length) yield batch;
  }
  const last: CsvRecord[] = [];
  push(last, rest, recordLine, restOffset + rest.length, state !== QUOTED);
  if (last.length) yield last;
}

function push(batch: CsvRecord[], bytes: Buffer, line: number, end: number, closed: boolean): void {
  if (bytes.length > 0) batch.push({ text: bytes.toString("utf8"), line, end, utf8: isUtf8(bytes), closed });
}

function endless(path: string, line: number): FileProblem {
  return new FileProblem(
    "csv_quote",
    `${path}: the record that starts in line ${line} is longer than 16 MB; a quote in it is probably never closed`,
    'Close the quote; a quote inside a quoted cell is written twice ("").',
  );
}

/** A cell of a record; null is an empty cell, "" one that was written as two quotes. */
export type Cell = string | null;

/**
 * The cells of one CSV record, or what is wrong with it.
 * @param trim drop space around cells that are not quoted, as people put it into headers
 */
export function csvCells(text: string, delimiter: string, trim = false): Cell[] | string {
  const cells: Cell[] = [];
  for (let i = 0; ; ) {
    if (text.charCodeAt(i) === 0x22) {
      let cell = "";
      let from = i + 1;
      for (;;) {
        const quote = text.indexOf('"', from);
        if (quote < 0) return "a quote is opened and never closed";
        if (text.charCodeAt(quote + 1) !== 0x22) {
          cell += text.slice(from, quote);
          i = quote + 1;
          break;
        }
        cell += text.slice(from, quote + 1);
        from = quote + 2;
      }
      if (i < text.length && text[i] !== delimiter) return "there is text after a closing quote";
      cells.push(cell);
    } else {
      const end = text.indexOf(delimiter, i);
      const stop = end < 0 ? text.length : end;
      cells.push(stop === i ? null : trim ? text.slice(i, stop).trim() : text.slice(i, stop));
      i = stop;
    }
    if (i >= text.length) return cells;
    i++;
  }
}

/** `sep=;`, which names the delimiter to Excel in a line before the header. */
export function namesDelimiter(line: string): boolean {
  return /^sep=[,;\t|]$/i.test(line);
}

/** What a first line `sep=;` names; otherwise of comma, semicolon and tab the one that the first line has most of, outside quotes. */
export function sniffDelimiter(head: string): string {
  const named = /^sep=([,;\t|])\r?\n/i.exec(head);
  if (named) return named[1]!;
  const counts = new Map([",", ";", "\t"].map((mark) => [mark, 0]));
  let quoted = false;
  for (const character of head) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "\n" || character === "\r")) break;
    else if (!quoted && counts.has(character)) counts.set(character, counts.get(character)! + 1);
  }
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}

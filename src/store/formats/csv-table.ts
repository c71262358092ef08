import { isUtf8 } from "node:buffer";
import { unguardCell } from "../../core/records/csv-row.js";
import { FileProblem } from "../../io/files.js";
import { readChunks } from "../../io/read-lines.js";
import { isObject, place } from "../records/fits.js";
import { type Fields, fieldAt, type RecordObject } from "../records/record-kinds.js";
import { Fault, looseCell, readLooseCell } from "./parse-json.js";

/**
 * The members of a record under dotted names, in its own order; lists stay lists and null is left out.
 * @param fields of the format. With them, cells of members that the format does not name are written so that their type can be
 *   read back; without, every value stays as it is.
 */
export function flattenRecord(record: RecordObject, fields: Fields | null = null): Map<string, unknown> {
  const cells = new Map<string, unknown>();
  walk(record, fields, [], fields !== null, cells);
  return cells;
}

function walk(
  object: RecordObject,
  fields: Fields | null,
  path: string[],
  typed: boolean,
  cells: Map<string, unknown>,
): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === null || value === undefined) continue;
    const field = fields?.byName.get(key) ?? null;
    const steps = [...path, key];
    if (isObject(value) && Object.keys(value).length > 0) walk(value, field?.fields ?? null, steps, typed, cells);
    else cells.set(columnName(steps), field || !typed ? value : looseCell(value));
  }
}

/** Every column of the format in its order. */
export function knownColumns(fields: Fields): string[] {
  return fields.list.flatMap((field) => [field.path, ...(field.fields ? knownColumns(field.fields) : [])]);
}

/**
 * Dotted column names: `content.body` is the member `body` of `content`. A dot or a backslash in a key itself is written with a
 * backslash before it, and an empty key as `\0`, so that every member of every record has a name of its own.
 */
export function columnName(path: readonly string[]): string {
  return path.map((key) => (key === "" ? "\\0" : key.replace(/[\\.]/g, "\\$&"))).join(".");
}

/** The path a column name represents. A name with an empty part (`No.`) is no one's path: it represents itself. */
export function columnPath(name: string): string[] {
  if (!name.includes(".") && !name.includes("\\")) return [name];
  const path: string[] = [];
  let key = "";
  let written = "";
  for (let i = 0; i <= name.length; i++) {
    const character = name[i];
    if (character === undefined || character === ".") {
      if (written === "") return [name];
      path.push(written === "\\0" ? "" : key);
      key = "";
      written = "";
      continue;
    }
    const escapes = character === "\\" && (name[i + 1] === "." || name[i + 1] === "\\");
    written += escapes ? character + name[i + 1] : character;
    key += escapes ? name[++i] : character;
  }
  return path;
}

interface Column {
  /** Its place in a row. */
  cell: number;
  path: string[];
  /** False for a column that the format does not name. */
  known: boolean;
}

/** Turns the rows of one CSV file into nested objects. Which type a value is to have is decided later, by its field. */
export class CsvTable {
  /** Names as they are in the file. */
  readonly names: string[];
  private readonly columns: readonly Column[];
  /** Columns of the content's parts, if there are any. */
  private readonly parts: Set<string>;

  /** @param rename columns that are to be read as other fields */
  constructor(header: readonly Cell[], fields: Fields, rename: ReadonlyMap<string, readonly string[]>, file: string) {
    this.names = header.map((cell) => unguardCell(cell ?? ""));
    const targets = new Set([...rename.values()].flat());
    const seen = new Set<string>();
    this.columns = this.names.flatMap((name, cell) => {
      // Written by pandas for its index, and by spreadsheets for columns that were emptied.
      if (name === "") return [];
      if (seen.has(name)) throw repeated(file, name);
      seen.add(name);
      // A column whose name another one takes gives way.
      if (targets.has(name) && !rename.has(name)) return [];
      return (rename.get(name) ?? [name]).map((field) => {
        const path = columnPath(field);
        return { cell, path, known: fieldAt(fields, path) !== null };
      });
    });
    const paths = this.columns.map(({ path }) => path);
    // A decider in a column of its own is its id, next to columns of other parts.
    if (paths.some((path) => path[0] === "decider" && path.length > 1 && path[1] !== "id")) {
      for (const { path } of this.columns) if (path.length === 1 && path[0] === "decider") path.push("id");
    }
    this.parts = new Set(paths.filter((path) => path[0] === "content" && path.length > 1).map((path) => path[1]!));
  }

  row(cells: readonly Cell[]): RecordObject | Fault {
    if (cells.length !== this.names.length) {
      return new Fault("", `has ${cells.length} cells where the header has ${this.names.length}`);
    }
    const row: RecordObject = {};
    let content: string | null = null;
    for (const column of this.columns) {
      const cell = cells[column.cell];
      if (cell === null || cell === undefined) continue;
      const text = unguardCell(cell);
      if (column.known && column.path.length === 1 && column.path[0] === "content") content = text;
      else if (!place(row, column.path, column.known ? text : readLooseCell(text))) {
        return new Fault(column.path.join("."), "is filled twice: as a whole and in parts");
      }
    }
    return this.withContent(row, content);
  }

  /** `content` next to columns of its parts is text, and the body if a part is filled; alone, it may be the whole as JSON. */
  private withContent(row: RecordObject, text: string | null): RecordObject | Fault {
    const { content } = row;
    if (isObject(content)) {
      if (text && content.body) return new Fault("content", "is filled twice: as a whole and in parts");
      if (text) content.body = text;
      else if (content.body === undefined && (text !== null || this.parts.has("body"))) content.body = null;
    } else if (text !== null) row.content = this.parts.size ? text : contentFromText(text);
    return row;
  }
}

/** Content in a column of text: JSON of an object with a body, or the text itself. */
export function contentFromText(text: string): unknown {
  if (!text.startsWith("{")) return text;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value.body === "string" ? value : text;
  } catch {
    return text;
  }
}

function repeated(file: string, name: string): FileProblem {
  return new FileProblem("csv_header", `${file}: column "${name}" appears twice`, "Rename or remove one of them.");
}

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
type Cell = string | null;

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

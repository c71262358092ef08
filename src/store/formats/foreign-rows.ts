import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { FileProblem, fileProblem } from "../../io/files.js";
import { readChunks, readLines } from "../../io/read-lines.js";
import { readParquet } from "../files/records.js";
import { readText } from "../files/rule-files.js";
import { isObject } from "../records/fits.js";
import type { Fields, RecordObject } from "../records/record-kinds.js";
import { type CsvRecord, CsvTable, csvCells, namesDelimiter, readCsvRecords } from "./csv-table.js";
import { Fault, hugeNumber, parseJson } from "./parse-json.js";
import { type RuleFileContent, type RuleFileOptions, readRuleFile } from "./rule-file.js";
import { type FileFormat, sniffFile } from "./sniff-file.js";

/** A row of another system's file: an object, or what is wrong with it. */
export interface ForeignRow {
  /** Counted from 1; in Parquet the number of the row. */
  line: number;
  value: RecordObject | Fault;
  /** The line itself where it could not be read. */
  text: string | null;
  /** The row as it is in the file; null where that is no text. */
  source: string | null;
}

interface ForeignBatch {
  rows: ForeignRow[];
  /** How far the file has been read; null where that is not known. */
  bytes: number | null;
  /** Names of the columns, where the file has a header. */
  columns: readonly string[] | null;
}

interface ForeignOptions {
  fields: Fields;
  /** Columns to be read as other fields. Done here for CSV, where names are flat; for the rest see `RowMap`. */
  rename: ReadonlyMap<string, readonly string[]>;
}

const NOT_UTF8 = "is not UTF-8 text; convert the file: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW";
const NOT_JSON = "is not valid JSON";
const TORN = "is not valid JSON; the file ends in the middle of it";

/** The rows of a file of records, streaming, in the order of the file. */
export async function* foreignRows(
  path: string,
  options: ForeignOptions,
  format: FileFormat = sniffFile(path),
): AsyncGenerator<ForeignBatch> {
  const rows = rowsOf(path, options, format);
  try {
    yield* rows;
  } catch (cause) {
    throw fileProblem(cause, path);
  }
}

function rowsOf(path: string, options: ForeignOptions, format: FileFormat): AsyncGenerator<ForeignBatch> {
  switch (format.format) {
    case "csv":
      return csvRows(path, options, format.delimiter);
    case "parquet":
      return parquetRows(path);
    case "json-array":
      return arrayRows(path);
    case "json-record":
      return oneRow(path);
    default:
      return jsonlRows(path);
  }
}

/** Rows are made in small lots: those of a whole mebibyte would outlive the young generation and swell the heap by 60 MB. */
function* slices<T>(items: readonly T[], size = 128): Generator<T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

async function* jsonlRows(path: string): AsyncGenerator<ForeignBatch> {
  for await (const lines of readLines(path)) {
    for (const slice of slices(lines)) {
      const rows = slice.map((line) => jsonRow(line.text, line.number, line.utf8, line.ended));
      yield { rows, bytes: slice.at(-1)!.offset, columns: null };
    }
  }
}

async function* arrayRows(path: string): AsyncGenerator<ForeignBatch> {
  for await (const elements of readJsonArray(path)) {
    for (const slice of slices(elements)) {
      const rows = slice.map(({ text, line, utf8, closed }) => jsonRow(text, line, utf8, closed));
      yield { rows, bytes: slice.at(-1)!.end, columns: null };
    }
  }
}

async function* oneRow(path: string): AsyncGenerator<ForeignBatch> {
  const bytes = readFileSync(path);
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  yield { rows: [jsonRow(text, 1, true, true)], bytes: bytes.length, columns: null };
}

function jsonRow(text: string, line: number, utf8: boolean, ended: boolean): ForeignRow {
  const bad = (reason: string) => ({ line, value: new Fault("", reason), text, source: text });
  if (!utf8) return bad(NOT_UTF8);
  try {
    const value = parseJson(text);
    const huge = hugeNumber(text);
    if (huge !== null) return bad(`has a number that is too large: ${huge}; write it as text if it is a name`);
    return isObject(value) ? { line, value, text: null, source: text } : bad("is not a JSON object");
  } catch {
    return bad(ended ? NOT_JSON : TORN);
  }
}

async function* csvRows(path: string, options: ForeignOptions, delimiter: string): AsyncGenerator<ForeignBatch> {
  let table: CsvTable | null = null;
  for await (const records of readCsvRecords(path, delimiter)) {
    for (const slice of slices(records)) {
      const rows: ForeignRow[] = [];
      for (const record of slice) {
        if (table) rows.push(csvRow(record, table, delimiter));
        else if (!namesDelimiter(record.text))
          table = new CsvTable(headerOf(record, delimiter, path), options.fields, options.rename, path);
      }
      yield { rows, bytes: slice.at(-1)!.end, columns: table?.names ?? [] };
    }
  }
}

function csvRow({ text, line, utf8 }: CsvRecord, table: CsvTable, delimiter: string): ForeignRow {
  const cells = utf8 ? csvCells(text, delimiter) : NOT_UTF8;
  const value = typeof cells === "string" ? new Fault("", cells) : table.row(cells);
  return { line, value, text: value instanceof Fault ? text : null, source: text };
}

function headerOf(record: { text: string; utf8: boolean }, delimiter: string, path: string) {
  const cells = record.utf8 ? csvCells(record.text, delimiter, true) : NOT_UTF8;
  if (typeof cells !== "string") return cells;
  throw new FileProblem("csv_header", `${path}: the header line: ${cells}`, "Fix the first line of the file.");
}

async function* parquetRows(path: string): AsyncGenerator<ForeignBatch> {
  let line = 0;
  for await (const values of readParquet(path)) {
    const rows = values.map((value) => ({ line: ++line, value, text: null, source: null }));
    yield { rows, bytes: null, columns: values[0] ? Object.keys(values[0]) : [] };
  }
}

interface JsonElement {
  text: string;
  /** Of its first character, counted from 1. */
  line: number;
  end: number;
  utf8: boolean;
  /** False where the file ends inside the element, or before the list is closed. */
  closed: boolean;
}

const MAX_ELEMENT_BYTES = 64 << 20;
const LF = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
/** Comma, space, tab, CR and LF. */
const BETWEEN = new Set([0x2c, 0x20, 0x09, 0x0d, LF]);

/**
 * The elements of a JSON array as text, a batch at a time, in constant memory. Only brackets and quotes are followed here; whether
 * an element is JSON is found when it is parsed.
 */
async function* readJsonArray(path: string): AsyncGenerator<JsonElement[]> {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let line = 1;
  let elementLine = 1;
  let inElement = false;
  let rest: Buffer = Buffer.alloc(0);
  let restOffset = 0;
  for await (const chunk of readChunks(path)) {
    const data = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    const batch: JsonElement[] = [];
    let start = inElement ? 0 : rest.length;
    const finish = (end: number) => {
      const bytes = data.subarray(start, end);
      batch.push({
        text: bytes.toString("utf8"),
        line: elementLine,
        end: restOffset + end,
        utf8: isUtf8(bytes),
        closed: true,
      });
      inElement = false;
      start = end;
    };
    for (let i = rest.length; i < data.length; i++) {
      const byte = data[i]!;
      if (byte === LF) line++;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
        continue;
      }
      if (depth === 1 && !inElement && !BETWEEN.has(byte) && !CLOSING.has(byte)) {
        inElement = true;
        elementLine = line;
        start = i;
      }
      if (byte === QUOTE) inString = true;
      else if (OPENING.has(byte)) depth++;
      else if (CLOSING.has(byte)) {
        depth--;
        if (depth === 0 && inElement) finish(i);
        else if (depth === 1 && inElement) finish(i + 1);
      } else if (byte === 0x2c && depth === 1 && inElement) finish(i);
      if (!inElement) start = i + 1;
    }
    restOffset += start;
    rest = data.subarray(start);
    if (rest.length > MAX_ELEMENT_BYTES) throw endless(path, elementLine);
    if (batch.length) yield batch;
  }
  if (depth <= 0) return;
  // Also where the last element is whole: more of them may be missing.
  const at = inElement ? elementLine : line;
  yield [{ text: rest.toString("utf8"), line: at, end: restOffset + rest.length, utf8: isUtf8(rest), closed: false }];
}

function endless(path: string, line: number): FileProblem {
  return new FileProblem(
    "json_element",
    `${path}: the element that starts in line ${line} is longer than 64 MB`,
    "Check for a quote or a bracket that is never closed, or give the records as JSONL, one a line.",
  );
}

/** A file that a person names. What is wrong with it as a whole is a FileProblem. */
export interface ForeignFile {
  /** As it was named. */
  readonly name: string;
  /** Of what it holds. */
  format(): FileFormat;
  /** In bytes. */
  size(): number;
  /** All of it, where it is text. */
  text(): string;
  /** Its rows, streaming, in their order. */
  rows(options: ForeignOptions, format: FileFormat): AsyncIterable<ForeignBatch>;
  /** Its rule sets, each with the text as its author wrote it; or a page's rules. */
  ruleSets(options?: RuleFileOptions): RuleFileContent;
}

/** The text of a file of rules. What is no text, or empty, is refused with what to do. */
export function readRuleText(path: string): string {
  sniffFile(path);
  return readText(path);
}

/** @param name how the file is called, where it is a copy of something else */
export function foreignFile(path: string, name = path): ForeignFile {
  const named = <T>(read: () => T): T => {
    try {
      return read();
    } catch (cause) {
      const problem = fileProblem(cause, path);
      if (name === path || !(problem instanceof FileProblem)) throw problem;
      throw new FileProblem(problem.code, problem.message.replaceAll(path, name), problem.remedy);
    }
  };
  return {
    name,
    format: () => named(() => sniffFile(path)),
    size: () => statSync(path).size,
    text: () => named(() => readText(path)),
    rows: (options, format) => foreignRows(path, options, format),
    ruleSets: (options) => named(() => readRuleFile(readText(path), name, options)),
  };
}

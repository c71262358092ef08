import { unguardCell } from "../../core/records/csv-row.js";
import { FileProblem } from "../../io/files.js";
import { isObject, place } from "../records/fits.js";
import { type Fields, fieldAt, type RecordObject } from "../records/record-kinds.js";
import type { Cell } from "./csv-records.js";
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

import { BOOLEANS } from "../../core/names.js";
import { type Actions, actionChoice, actionNames, parseAction } from "../../core/records/actions.js";
import { isTime, TIME_EXAMPLE } from "../../core/text-checks.js";
import { shellWord } from "../../text/printable.js";
import { columnPath } from "../formats/csv-table.js";
import { assign, canonicalValue, Fault } from "../formats/parse-json.js";
import { isObject, lookUp, place, shown } from "./fits.js";
import type { Mapping } from "./mapping.js";
import type { Field, Fields, RecordObject } from "./record-kinds.js";

/**
 * A row of another system's file as a record in canonical form (keys in the order of the format, then other keys sorted; null and empty values left
 * out), or its first problem. Types are accepted as a spreadsheet or a database gives them: a number for an id, "Yes" for true, JSON text for a
 * list.
 */
export function normalise(fields: Fields, row: RecordObject, actions: Actions): RecordObject | Fault {
  const record: RecordObject = {};
  for (const field of fields.list) {
    const value = row[field.name];
    if (isEmpty(value, field)) {
      if (field.required) return new Fault(field.path, "is missing");
      continue;
    }
    const normal = normaliseField(field, value, actions);
    if (normal instanceof Fault) return normal;
    if (normal !== undefined) record[field.name] = normal;
  }
  return addOthers(record, row, fields);
}

/** A record created by the program, in canonical form. */
export function canonicalRecord(fields: Fields, record: object, actions: Actions): RecordObject {
  const canonical = normalise(fields, record as RecordObject, actions);
  if (canonical instanceof Fault) throw new Error(`${canonical.field}: ${canonical.reason}`);
  return canonical;
}

function addOthers(record: RecordObject, row: RecordObject, fields: Fields): RecordObject | Fault {
  const others: string[] = [];
  for (const key of Object.keys(row)) {
    if (!fields.byName.has(key) && row[key] !== null && row[key] !== undefined) others.push(key);
  }
  for (const key of others.sort()) {
    const value = canonicalValue(row[key], key);
    if (value instanceof Fault) return value;
    if (value !== null) assign(record, key.toWellFormed(), value);
  }
  return record;
}

/** Empty text counts as null, as in a spreadsheet; only the text that was decided about may be empty. An object of nulls is null. */
function isEmpty(value: unknown, field: Field): boolean {
  if (value === undefined || value === null) return true;
  if (value === "") return field.type !== "content" && field.name !== "body";
  if (!isObject(value)) return false;
  const members = Object.values(value);
  return members.length > 0 && members.every((member) => member === null || member === undefined);
}

function normaliseField(field: Field, value: unknown, actions: Actions): unknown {
  switch (field.type) {
    case "text":
      return typeof value === "string" ? value.toWellFormed() : mismatch(field, value, "text");
    case "moment":
      return moment(field, value);
    case "time":
      return isTime(value) ? value : mismatch(field, value, TIME_EXAMPLE);
    case "id":
      if (typeof value === "number") return String(value);
      return typeof value === "string" ? value.toWellFormed() : mismatch(field, value, "text");
    case "action":
      return action(field, value, actions);
    case "choice":
      return oneOf(field, value);
    case "share": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      return typeof number === "number" && number >= 0 && number <= 1
        ? number
        : mismatch(field, value, "a number from 0 to 1");
    }
    case "chance": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      return typeof number === "number" && number > 0 && number <= 1
        ? number
        : mismatch(field, value, "a number above 0, at most 1");
    }
    case "boolean":
      return BOOLEANS.get(plain(value)) ?? mismatch(field, value, "true or false (also Yes/No, 1/0)");
    case "level":
      return LEVELS.get(plain(value)) ?? mismatch(field, value, "1, 2 or 3");
    case "texts":
    case "list":
      return list(field, fromJson(value));
    case "content":
      return typeof value === "string" ? value.toWellFormed() : content(field, value, actions);
    case "object": {
      const object = fromJson(value);
      if (isObject(object)) return normalise(field.fields!, object, actions);
      // A plain name becomes an object with that id.
      if (typeof value !== "object" && field.fields!.byName.has("id")) return { id: String(value).toWellFormed() };
      return mismatch(field, value, "an object");
    }
  }
}

/** Seconds or milliseconds since 1970, as in logs, between 2001 and 2286; other numbers have another length. */
const UNIX_TIME = /^(\d{10})(?:\.\d+)?$|^(\d{13})$/;

function moment(field: Field, value: unknown): unknown {
  if (typeof value !== "string" && typeof value !== "number") return mismatch(field, value, TIME_EXAMPLE);
  const unix = UNIX_TIME.exec(String(value).trim());
  if (unix) return new Date(unix[1] ? Number(unix[1]) * 1000 : Number(unix[2])).toISOString().replace(".000Z", "Z");
  return typeof value === "string" ? value.toWellFormed() : mismatch(field, value, TIME_EXAMPLE);
}

const LEVELS = new Map([
  ["1", 1],
  ["2", 2],
  ["3", 3],
]);

function plain(value: unknown): string {
  return typeof value === "object" ? "" : String(value).trim().toLowerCase();
}

function oneOf(field: Field, value: unknown): unknown {
  const wanted = plain(value);
  return field.values.includes(wanted) ? wanted : mismatch(field, value, field.values.join(", "));
}

function action(field: Field, value: unknown, actions: Actions): unknown {
  const known = typeof value === "object" ? null : parseAction(actions, String(value));
  if (known !== null) return known;
  const choice = actionChoice(actions);
  if (typeof value === "object") return mismatch(field, value, choice);
  const [first, ...others] = actionNames(actions);
  const flag = shellWord(`${field.path}:${String(value)}=${first}`);
  const hint = flag === null ? "" : `; --map-value ${flag}, or ${others.map((name) => `=${name}`).join(" ")}`;
  return new Fault(field.path, `unknown action ${shown(value)}; expected ${choice}${hint}`);
}

function list(field: Field, value: unknown): unknown {
  if (!Array.isArray(value)) return mismatch(field, value, 'a list, such as ["a","b"]');
  if (field.type === "list") return canonicalValue(value, field.path);
  const texts: string[] = [];
  for (const item of value) {
    if (typeof item !== "string" && typeof item !== "number") return mismatch(field, item, "a list of texts");
    texts.push(String(item).toWellFormed());
  }
  return texts;
}

function content(field: Field, value: unknown, actions: Actions): unknown {
  if (!isObject(value)) return mismatch(field, value, "text, or an object with a body");
  // A post with only a title: it has a body, which is empty.
  const bare = value.body === null && typeof value.title === "string" && value.title !== "";
  return normalise(field.fields!, bare ? { ...value, body: "" } : value, actions);
}

/** Lists and objects are JSON text in CSV, and in text columns of Parquet. */
function fromJson(value: unknown): unknown {
  // Only tried if it looks like JSON, because a failed attempt costs as much as the rest of the row.
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function mismatch(field: Field, value: unknown, expected: string): Fault {
  return new Fault(field.path, `got ${shown(value)}, expected ${expected}`);
}

/** Translates the rows of another system's file into the format, by a checked mapping. */
export class RowMap {
  /** Column -> its fields, as given. */
  readonly rename: ReadonlyMap<string, readonly string[]>;
  /** Field -> spelling (trimmed, lower case) -> value. */
  private readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  private readonly found = new Set<string>();

  constructor(
    readonly mapping: Mapping,
    fields: Fields,
  ) {
    this.rename = renames(mapping);
    this.values = spellings(mapping, fields);
  }

  /** Columns that no file contained. */
  unused(): string[] {
    return [...this.rename.keys()].filter((column) => !this.found.has(column));
  }

  noteColumns(columns: readonly string[]): void {
    for (const column of columns) if (this.rename.has(column)) this.found.add(column);
  }

  /** Moves renamed columns of a nested row; dotted names reach into objects. */
  renameIn(row: RecordObject): void {
    if (this.rename.size === 0) return;
    // All values are taken out before the first is put back, so that two columns can be swapped.
    const taken: [string, unknown][] = [];
    for (const [column, fields] of this.rename) {
      const value = take(row, column);
      if (value === undefined) continue;
      this.found.add(column);
      fields.forEach((field, i) => {
        taken.push([field, i > 0 && typeof value === "object" ? structuredClone(value) : value]);
      });
    }
    for (const [field, value] of taken) put(row, field, value);
  }

  /** Translates values, then sets the constant fields. */
  translateIn(row: RecordObject): void {
    for (const [field, spelling] of this.values) {
      const path = field.split(".");
      const value = lookUp(row, path);
      if (value === undefined || value === null || typeof value === "object") continue;
      const wanted = spelling.get(String(value).trim().toLowerCase());
      if (wanted === undefined) continue;
      take(row, field);
      place(row, path, wanted);
    }
    for (const { field, value } of this.mapping.constants) put(row, field, value);
  }
}

/** Sets the value of a field, replacing the existing one. */
function put(row: RecordObject, field: string, value: unknown): void {
  const path = field.split(".");
  const top = path[0]!;
  take(row, field);
  const whole = row[top];
  const isPlain = whole !== undefined && whole !== null && typeof whole !== "object";
  if (path.length > 1 && top === "content" && typeof whole === "string") row.content = { body: whole };
  if (path.length > 1 && top === "decider" && isPlain && whole !== "") row.decider = { id: whole };
  if (place(row, path, value)) return;
  // A plain value is in the way of members; the explicitly mapped value wins.
  delete row[top];
  place(row, path, value);
}

/** Removes and returns the value of a column, by its full name or its dotted path. */
function take(row: RecordObject, column: string): unknown {
  if (Object.hasOwn(row, column)) {
    const value = row[column];
    delete row[column];
    return value;
  }
  const path = columnPath(column);
  const value = path.length > 1 ? lookUp(row, path) : undefined;
  if (value === undefined) return undefined;
  const parent = lookUp(row, path.slice(0, -1)) as RecordObject;
  delete parent[path.at(-1)!];
  // An object that was emptied in this way is removed.
  if (Object.keys(parent).length === 0) take(row, path.slice(0, -1).join("."));
  return value;
}

function renames({ columns }: Mapping): Map<string, string[]> {
  const rename = new Map<string, string[]>();
  for (const { column, field } of columns) {
    const known = rename.get(column) ?? [];
    if (!known.includes(field)) rename.set(column, [...known, field]);
  }
  return rename;
}

function spellings({ values }: Mapping, fields: Fields): Map<string, Map<string, string>> {
  const known = new Map<string, Map<string, string>>();
  const actions = fields.list.filter(({ type }) => type === "action").map(({ path }) => path);
  // Values for a specific field take precedence over those for all fields.
  const inOrder = [...values.filter(({ field }) => field === null), ...values.filter(({ field }) => field !== null)];
  for (const { field, theirs, ours } of inOrder) {
    for (const each of field === null ? actions : [field]) {
      const spelling = known.get(each) ?? new Map<string, string>();
      known.set(each, spelling.set(theirs.trim().toLowerCase(), ours));
    }
  }
  return known;
}

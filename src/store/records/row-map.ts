import { columnPath } from "../formats/csv-table.js";
import { lookUp, place } from "./fits.js";
import type { Mapping } from "./mapping.js";
import type { Fields, RecordObject } from "./record-kinds.js";

/** Brings the rows of another system's file into the words of the format, by a mapping that was checked. */
export class RowMap {
  /** Column -> its fields, as they were given. */
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

  /** Columns that no file had. */
  unused(): string[] {
    return [...this.rename.keys()].filter((column) => !this.found.has(column));
  }

  noteColumns(columns: readonly string[]): void {
    for (const column of columns) if (this.rename.has(column)) this.found.add(column);
  }

  /** Moves renamed columns of a nested row; dotted names reach into objects. */
  renameIn(row: RecordObject): void {
    if (this.rename.size === 0) return;
    // All are taken before the first is put back, so that two columns can change places.
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

  /** Other words for values, then what is the same in every row. */
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

/** Puts a value where a field is, in place of what was there. */
function put(row: RecordObject, field: string, value: unknown): void {
  const path = field.split(".");
  const top = path[0]!;
  take(row, field);
  const whole = row[top];
  const isPlain = whole !== undefined && whole !== null && typeof whole !== "object";
  if (path.length > 1 && top === "content" && typeof whole === "string") row.content = { body: whole };
  if (path.length > 1 && top === "decider" && isPlain && whole !== "") row.decider = { id: whole };
  if (place(row, path, value)) return;
  // Something that has no members is where they are to go: what was named wins.
  delete row[top];
  place(row, path, value);
}

/** Removes and gives the value of a column, under its whole name or at its dotted path. */
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
  // An object that was emptied in this way is no field of anyone's.
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
  // What is said of one field goes before what is said of all.
  const inOrder = [...values.filter(({ field }) => field === null), ...values.filter(({ field }) => field !== null)];
  for (const { field, theirs, ours } of inOrder) {
    for (const each of field === null ? actions : [field]) {
      const spelling = known.get(each) ?? new Map<string, string>();
      known.set(each, spelling.set(theirs.trim().toLowerCase(), ours));
    }
  }
  return known;
}

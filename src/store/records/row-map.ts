import { InputError } from "../../core/errors.js";
import { nearestName } from "../../core/nearest-name.js";
import { type Actions, parseAction } from "../../core/records/actions.js";
import { columnPath } from "../formats/column-path.js";
import { isObject, lookUp, place } from "./fits.js";
import { type Fields, fieldAt, type RecordObject } from "./record-kinds.js";

/** Columns and values of somebody's file in the words of the format: `--map column=field`, `--map-value field:value=value`. */
export class RowMap {
  /** Column -> its fields, as they were given. */
  readonly rename: ReadonlyMap<string, readonly string[]>;
  /** Field -> spelling (trimmed, lower case) -> value. */
  private readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  private readonly found = new Set<string>();

  constructor(map: readonly string[], mapValue: readonly string[], fields: Fields, actions: Actions) {
    this.rename = parseColumns(map, fields);
    this.values = parseValues(mapValue, fields, actions);
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
    for (const [field, value] of taken) {
      const path = field.split(".");
      take(row, field);
      if (path.length > 1 && path[0] === "content" && typeof row.content === "string")
        row.content = { body: row.content };
      if (place(row, path, value)) continue;
      // Something that has no members stands where they are to go: what was named on the command line wins.
      delete row[path[0]!];
      place(row, path, value);
    }
  }

  translateIn(row: RecordObject): void {
    for (const [field, spellings] of this.values) {
      const path = field.split(".");
      const value = lookUp(row, path);
      if (value === undefined || value === null || typeof value === "object") continue;
      const wanted = spellings.get(String(value).trim().toLowerCase());
      if (wanted === undefined) continue;
      take(row, field);
      place(row, path, wanted);
    }
  }
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
  // An object that was emptied in this way is no field of anybody's.
  if (Object.keys(parent).length === 0) take(row, path.slice(0, -1).join("."));
  return value;
}

function parseColumns(flags: readonly string[], fields: Fields): Map<string, string[]> {
  const rename = new Map<string, string[]>();
  /** A field -> the column that it is read from. Plain content is its body. */
  const sources = new Map<string, string>();
  for (const flag of flags) {
    const equals = flag.lastIndexOf("=");
    const column = flag.slice(0, equals).trim();
    const field = flag.slice(equals + 1).trim();
    if (equals < 1 || column === "" || field === "") {
      throw new InputError("bad_map", `--map: got "${flag}", expected column=field`, "For example: --map text=content");
    }
    const [top] = field.split(".");
    if (!fields.byName.has(top!)) throw unknownField("--map", field, fields);
    const target = field === "content.body" ? "content" : field;
    const other = sources.get(target);
    if (other !== undefined && other !== column) {
      throw new InputError(
        "bad_map",
        `--map: "${other}" and "${column}" are both to be ${field}`,
        "Keep one of the two.",
      );
    }
    sources.set(target, column);
    const known = rename.get(column) ?? [];
    if (!known.includes(field)) rename.set(column, [...known, field]);
  }
  return rename;
}

function parseValues(flags: readonly string[], fields: Fields, actions: Actions): Map<string, Map<string, string>> {
  const values = new Map<string, Map<string, string>>();
  for (const flag of flags) {
    const colon = flag.indexOf(":");
    const equals = flag.lastIndexOf("=");
    if (colon < 1 || equals < colon) {
      throw new InputError(
        "bad_map_value",
        `--map-value: got "${flag}", expected field:value=value`,
        "For example: --map-value decision:removelink=remove",
      );
    }
    const field = flag.slice(0, colon).trim();
    const wanted = flag.slice(equals + 1).trim();
    const known = fieldAt(fields, field.split("."));
    if (!known) throw unknownField("--map-value", field, fields);
    if (known.type === "action" && parseAction(actions, wanted) === null) {
      throw new InputError(
        "bad_map_value",
        `--map-value: got "${wanted}" for ${field}, expected ${actions.positive} or ${actions.negative}`,
        "Other actions are named with --actions POSITIVE,NEGATIVE.",
      );
    }
    const spellings = values.get(field) ?? new Map<string, string>();
    spellings.set(
      flag
        .slice(colon + 1, equals)
        .trim()
        .toLowerCase(),
      wanted,
    );
    values.set(field, spellings);
  }
  return values;
}

function unknownField(flag: string, field: string, fields: Fields): InputError {
  const names = fields.list.map(({ name, fields: parts }) => (isObject(parts) ? `${name}[.…]` : name));
  const meant = nearestName(field, fields.byName.keys());
  const hint = meant === null ? "" : `Did you mean ${meant}? `;
  return new InputError(
    "unknown_field",
    `${flag}: there is no field "${field}"`,
    `${hint}Fields: ${names.join(", ")}.`,
  );
}

import data from "../../../data/foreign-words.json" with { type: "json" };
import { type Actions, actionSides, parseAction } from "../../core/records/actions.js";
import { isTime } from "../../core/text-checks.js";
import { columnName, columnPath } from "../../store/formats/csv-table.js";
import type { ForeignFile } from "../../store/formats/foreign-rows.js";
import { Fault } from "../../store/formats/parse-json.js";
import type { FileFormat } from "../../store/formats/sniff-file.js";
import { isObject, lookUp } from "../../store/records/fits.js";
import type { Fields, RecordObject } from "../../store/records/record-kinds.js";

/** Words of logs and queues for the restricting action, and for the other one; phrases are written without spaces. */
const RESTRICTS = words(data.restricts);
const PERMITS = words(data.permits);
/** Words in a column name that say who decided, or about what; the rest of the name is the action. */
const NEUTRAL = words(data.neutral);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** "removedBy", "Removed by" -> ["removed", "by"]. */
export function tokensOf(name: string): string[] {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** The action meant by another system's word; null: unknown. The whole value must be a listed word: "undo remove" is not a removal. */
function actionOfWord(value: string, actions: Actions): string | null {
  const own = parseAction(actions, value);
  if (own !== null) return own;
  // A question mark, a cross or a struck-out word changes the meaning.
  if (!PLAIN.test(value)) return null;
  const word = tokensOf(value).join("");
  const { restricting, other } = actionSides(actions);
  // With several restricting actions, "suspended" could be any of them.
  const only = (side: readonly string[]) => (side.length === 1 ? side[0]! : null);
  return RESTRICTS.has(word) ? only(restricting) : PERMITS.has(word) ? only(other) : null;
}

const PLAIN = /^[\p{L}\p{N}\s_.,:;'"’()[\]-]+!*\s*$/u;

const YES = words("true yes 1 y t x");
const NO = words("false no 0 n f");

export interface ActionValues {
  /** Their value -> our action, if the words differ. */
  known: { theirs: string; ours: string }[];
  /** Values not understood, most frequent first. */
  unknown: { value: string; rows: number }[];
  /** Share of the filled rows that are understood. */
  understood: number;
}

/** Reads a column's values as actions. The column's name gives yes and no their meaning: `removed`, `approved`. */
export function actionValues(column: ColumnSample, actions: Actions): ActionValues {
  const yes = column.frequent().every(([value]) => YES.has(value.toLowerCase()) || NO.has(value.toLowerCase()))
    ? yesOf(column.name, actions)
    : null;
  const known: ActionValues["known"] = [];
  const unknown: ActionValues["unknown"] = [];
  let rows = 0;
  for (const [value, count] of column.frequent()) {
    const ours = yes ? (YES.has(value.toLowerCase()) ? yes.yes : yes.no) : actionOfWord(value, actions);
    if (ours === null) unknown.push({ value, rows: count });
    else rows += count;
    const isOther = ours !== null && parseAction(actions, value) === null;
    if (isOther && !known.some(({ theirs }) => theirs.toLowerCase() === value.toLowerCase()))
      known.push({ theirs: value, ours });
  }
  return { known, unknown, understood: column.filled === 0 ? 0 : rows / column.filled };
}

/** What "yes" means in a column with this name. */
function yesOf(name: string, actions: Actions): { yes: string; no: string } | null {
  const word = tokensOf(name)
    .filter((token) => !NEUTRAL.has(token))
    .join("");
  const restricts = RESTRICTS.has(word);
  if (!restricts && !PERMITS.has(word)) return null;
  const { positive, negative, all } = actions;
  if (all) return null;
  return restricts ? { yes: positive, no: negative } : { yes: negative, no: positive };
}

/** What other systems call our fields, likeliest first: Reddit, Lemmy, Mastodon, Discourse, Coop, Ozone, spreadsheets. */
export const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(data.names).map(([field, list]) => [field, list.split(", ")]),
);

export const OTHER_CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = data.choices;

/** The values of one column in a file's first rows. */
export class ColumnSample {
  /** Number of rows in which it is not empty. */
  filled = 0;
  /** Counts of distinct values: only short ones, up to a few hundred. */
  readonly counts = new Map<string, number>();
  /** Every distinct value of the sample, truncated. */
  private readonly seen = new Set<string>();
  private readonly shapes = new Map<Shape, number>();
  private characters = 0;

  constructor(readonly name: string) {}

  add(value: unknown): void {
    if (value === null || value === undefined || value === "") return;
    const isPlain = typeof value !== "object";
    const text = (isPlain ? String(value) : JSON.stringify(value)).trim();
    this.filled++;
    this.characters += text.length;
    this.seen.add(text.slice(0, 300));
    if (text.length <= MOST_LETTERS && (this.counts.has(text) || this.counts.size < MOST_VALUES)) {
      this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
    }
    for (const [shape, test] of SHAPES) {
      if (isPlain ? test(text) : shape === "structure") this.shapes.set(shape, (this.shapes.get(shape) ?? 0) + 1);
    }
  }

  get distinct(): number {
    return this.seen.size;
  }

  get meanLength(): number {
    return this.filled === 0 ? 0 : this.characters / this.filled;
  }

  /** Share of the filled rows with this shape. */
  share(shape: Shape): number {
    return this.filled === 0 ? 0 : (this.shapes.get(shape) ?? 0) / this.filled;
  }

  frequent(): [value: string, count: number][] {
    return [...this.counts].sort((a, b) => b[1] - a[1]);
  }
}

const MOST_LETTERS = 60;
const MOST_VALUES = 300;
const MOST_COLUMNS = 300;
const MOST_ROWS = 5000;
/** Depth of nested objects that become columns. */
const MOST_LEVELS = 4;

const CODES = new Set(
  "ar bg bn ca cs da de el en es et eu fa fi fr gl he hi hr hu id it ja ko lt lv ms nb nl no pl pt ro ru sk sl sr sv sw ta te th tr uk ur vi zh".split(
    " ",
  ),
);

type Shape = "number" | "share" | "iso_time" | "other_time" | "url" | "language" | "spaces" | "structure";

const SHAPES: readonly [Shape, (text: string) => boolean][] = [
  ["number", (text) => /^-?\d+(?:[.,]\d+)?$/.test(text)],
  ["share", (text) => /^(?:0(?:\.\d+)?|1(?:\.0+)?|\.\d+)$/.test(text)],
  ["iso_time", (text) => isTime(text) || /^1[0-9]{9}(?:\.\d+)?$|^1[0-9]{12}$/.test(text)],
  [
    "other_time",
    (text) =>
      /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ ,T]|$)|^(?:\w{3},? )?\w{3,9}\.? \d{1,2},? \d{4}|^\d{1,2}\.? \w{3,9}\.? \d{4}/.test(
        text,
      ),
  ],
  ["url", (text) => /^(?:https?:\/\/|\/[\w-]+\/)\S+$/i.test(text)],
  ["language", (text) => /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(text) && CODES.has(text.slice(0, 2).toLowerCase())],
  ["spaces", (text) => /\S\s+\S/.test(text)],
  ["structure", () => false],
];

export interface FileSample {
  columns: ColumnSample[];
  /** Number of rows read. */
  rows: number;
}

/** Samples the first rows of a file, with the column names used there. */
export async function sampleColumns(file: ForeignFile, format: FileFormat, fields: Fields): Promise<FileSample> {
  const columns = new Map<string, ColumnSample>();
  const note = (name: string, value: unknown) => {
    const known = columns.get(name);
    if (!known && columns.size >= MOST_COLUMNS) return;
    const column = known ?? new ColumnSample(name);
    if (!known) columns.set(name, column);
    column.add(value);
  };
  let looked = 0;
  let rows = 0;
  for await (const batch of file.rows({ fields, rename: new Map() }, format)) {
    const header = format.format === "csv" ? (batch.columns ?? []).filter((name) => name !== "") : null;
    for (const name of header ?? []) note(name, null);
    for (const { value } of batch.rows) {
      looked++;
      if (value instanceof Fault) continue;
      rows++;
      if (header) for (const name of header) note(name, lookUp(value, columnPath(name)));
      else for (const [name, member] of members(value, [])) note(name, member);
    }
    if (looked >= MOST_ROWS) break;
  }
  return { columns: [...columns.values()], rows };
}

function* members(row: RecordObject, path: readonly string[]): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(row)) {
    const steps = [...path, key];
    if (isObject(value) && steps.length < MOST_LEVELS) yield* members(value, steps);
    // A deep list would overflow the stack of any code that writes it.
    else if (typeof value !== "object" || value === null) yield [steps.length > 1 ? columnName(steps) : key, value];
    else yield [steps.length > 1 ? columnName(steps) : key, Array.isArray(value) ? [] : {}];
  }
}

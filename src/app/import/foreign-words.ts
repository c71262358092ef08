import data from "../../../data/foreign-words.json" with { type: "json" };
import { type Actions, actionSides, parseAction } from "../../core/records/actions.js";
import type { ColumnSample } from "./sample-columns.js";

/** Words of logs and queues for the action that restricts, and for the other; phrases without their spaces. */
const RESTRICTS = words(data.restricts);
const PERMITS = words(data.permits);
/** Words in the name of a column that say who decided, or of what; the rest of the name is the action. */
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

/** The action that a word of another system represents; null: not known. The whole value has to be a word of the lists: "undo remove" is no removal. */
function actionOfWord(value: string, actions: Actions): string | null {
  const own = parseAction(actions, value);
  if (own !== null) return own;
  // A question mark, a cross or a struck-out word says something else.
  if (!PLAIN.test(value)) return null;
  const word = tokensOf(value).join("");
  const { restricting, other } = actionSides(actions);
  // "suspended" may be any of several restrictions.
  const only = (side: readonly string[]) => (side.length === 1 ? side[0]! : null);
  return RESTRICTS.has(word) ? only(restricting) : PERMITS.has(word) ? only(other) : null;
}

const PLAIN = /^[\p{L}\p{N}\s_.,:;'"’()[\]-]+!*\s*$/u;

const YES = words("true yes 1 y t x");
const NO = words("false no 0 n f");

export interface ActionValues {
  /** Their value -> our action, where the two are not the same word. */
  known: { theirs: string; ours: string }[];
  /** Values that could not be understood, most frequent first. */
  unknown: { value: string; rows: number }[];
  /** Share of the filled rows that could be. */
  understood: number;
}

/** What the values of a column are as actions. Yes and no are understood by the column's name: `removed`, `approved`. */
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

/** What "yes" means in a column of this name. */
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

/** What other systems call our fields, the likeliest first: Reddit, Lemmy, Mastodon, Discourse, Coop, Ozone, spreadsheets. */
export const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(data.names).map(([field, list]) => [field, list.split(", ")]),
);

/** Their words for our choices. */
export const OTHER_CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = data.choices;

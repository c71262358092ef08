import type { GuessReason } from "../../app/import/guess-columns.js";
import type { MappingGuess } from "../../app/import/guess-mapping.js";
import type { Mapping } from "../../store/records/mapping.js";
import { displayWidth, printable, shellWord } from "../../text/printable.js";
import { plural } from "../words/numbers.js";

type GuessedColumn = MappingGuess["columns"][number];

/** Value patterns that identify a field on their own. */
const VALUES: Readonly<Record<string, string>> = {
  id: "a different value in every row",
  content: "long texts",
  "content.body": "long texts",
  "content.language": "language codes",
  "content.url": "addresses",
  decided_at: "times",
  at: "times",
};

const REASONS: Readonly<Record<GuessReason, string>> = {
  given: "given",
  field: "the field's name",
  spelling: "the field's name",
  name: "name",
  values: "values",
};

/** What happens to times that are not ISO 8601. */
export const UNREAD_TIMES = "kept as text and ignored by rule versions, weekly figures and windows";

const MOST_KEPT = 20;
const MOST_UNKNOWN = 8;

/** What each column was taken for, and why: one line per column, then ids, words and what is missing. */
export function guessLines(guess: MappingGuess): string[] {
  const { mapping } = guess;
  const rows = guess.columns.flatMap((column): [string, string, string][] => {
    const { fields } = column;
    return fields.length === 0 ? [] : [[printable(column.column, 60), fields.join(", "), why(column)]];
  });
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => displayWidth(row[at]!)), 0));
  const pad = (text: string, at: number) => text + " ".repeat(widths[at]! - displayWidth(text));
  const kept = guess.columns.filter((column) => column.fields.length === 0).map(({ column }) => printable(column, 60));
  return [
    ...rows.map(([column, field, reason]) => `  ${pad(column, 0)} → ${pad(field, 1)}   ${reason}`),
    ...mapping.constants.map(({ field, value }) => `  ${field} is "${printable(value, 60)}" in every row`),
    ...(mapping.idFrom ? ["  id is a hash of each row: community, content, decision, decider, time and thread"] : []),
    ...wordLines(mapping),
    ...(kept.length ? [`  kept under their own names: ${listed(kept, MOST_KEPT)}`] : []),
    ...missingLines(guess),
  ];
}

function why({ by, fields, values, times_unreadable, rival }: GuessedColumn): string {
  const shown = values.length === 0 ? "" : `values ${values.map((value) => printable(value, 30)).join(", ")}`;
  const reason = by === "values" ? shown || (VALUES[fields[0]!] ?? REASONS.values) : REASONS[by!];
  return [
    reason,
    ...(by !== "values" && shown ? [shown] : []),
    ...(times_unreadable ? [`not ISO 8601: ${UNREAD_TIMES}`] : []),
    ...(rival ? [`or ${printable(rival, 60)}`] : []),
  ].join("; ");
}

function wordLines({ values }: Mapping): string[] {
  if (values.length === 0) return [];
  const words = values.map(
    ({ field, theirs, ours }) =>
      `${field === null ? "" : `${field}: `}${printable(theirs, 30)} = ${printable(ours, 30)}`,
  );
  return [`  words: ${listed(words, 12)}`];
}

function missingLines({ unknown, missing }: MappingGuess): string[] {
  const fields = [...new Set(unknown.map(({ field }) => field))];
  const wordsOf = (name: string) =>
    unknown
      .filter(({ field }) => field === name)
      .map(({ value, rows }) => `${printable(value, 30)} (${plural(rows, "row")})`);
  return [
    ...fields.map((field) => {
      const isAction = unknown.some((word) => word.field === field && word.actions.length > 0);
      return `  ${field}: not understood${isAction ? "" : ", so these rows are rejected"}: ${listed(wordsOf(field), MOST_UNKNOWN)}`;
    }),
    ...(missing.length ? [`  no column for ${missing.join(" and ")}`] : []),
  ];
}

function listed(items: readonly string[], most: number): string {
  const more = items.length - most;
  return `${items.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The command-line arguments equivalent to a mapping. */
export function mappingArguments(mapping: Mapping): string[] {
  return [
    ...mapping.columns.flatMap(({ column, field }) => ["--map", `${column}=${field}`]),
    ...mapping.constants.flatMap(({ field, value }) => ["--set", `${field}=${value}`]),
    ...(mapping.idFrom ? ["--id-from", mapping.idFrom] : []),
    ...mapping.values.flatMap(({ field, theirs, ours }) =>
      field === null ? ["--value", `${theirs}=${ours}`] : ["--map-value", `${field}:${theirs}=${ours}`],
    ),
  ];
}

/** Placeholders for what only the user knows. */
const BLANKS: Readonly<Record<string, string>> = { community: "<name>", content: "<text>" };

/** Arguments still needed: for required fields without a column, and for unknown words for actions. */
export function missingArguments({ missing, unknown }: MappingGuess): string[] {
  const actions = new Map(
    unknown.flatMap((word) => (word.actions.length > 0 ? [[word.value.toLowerCase(), word] as const] : [])),
  );
  return [
    ...missing.flatMap((field) =>
      field === "content" ? ["--map", "<column>=content"] : ["--set", `${field}=${BLANKS[field] ?? "<value>"}`],
    ),
    ...[...actions.values()].flatMap((word) => ["--value", `${word.value}=<${word.actions.join("|")}>`]),
  ];
}

/** A command to paste, one flag per line if it is long; null if a word of it cannot be shown unchanged. */
export function commandText(words: readonly string[]): string | null {
  const quoted = words.map((word) => shellWord(word, 4000));
  if (quoted.includes(null)) return null;
  const whole = quoted.join(" ");
  if (whole.length <= 100) return whole;
  return quoted.reduce<string>((text, word, i) => {
    if (i === 0) return word!;
    return words[i]!.startsWith("--") && i > 1 ? `${text} \\\n    ${word}` : `${text} ${word}`;
  }, "");
}

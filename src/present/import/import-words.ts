import type { LeftOut } from "../../adapters/adapter.js";
import { unusedRulesText } from "../../app/import/check-rule-sets.js";
import type { FromImport } from "../../app/import/import-from.js";
import { ID_PARTS } from "../../app/import/import-records.js";
import type { FileImport, ImportResult, ReasonCount } from "../../app/import/import-report.js";
import type { UnsureDecision } from "../../app/import/second-look.js";
import { actionNames } from "../../core/records/actions.js";
import type { Mapping } from "../../store/records/mapping.js";
import { printable } from "../../text/printable.js";
import { MISSING_COMMUNITY, pageRemark } from "../document/rules-document.js";
import { plural } from "../words/numbers.js";
import { commandText, guessLines, mappingArguments, missingArguments, UNREAD_TIMES } from "./mapping-words.js";

const MOST_REASONS = 10;

/** The command for a file, without its column options: `defensible import FILE --as labels`. */
export type CommandFor = (file: string) => readonly string[];

/** All remarks on an import except the number of records. */
export function importRemarks(result: ImportResult, commandFor: CommandFor): string[] {
  return [
    ...result.files.flatMap(({ file, drafted }) =>
      drafted ? [pageRemark(file, drafted.books, drafted.not_placed)] : [],
    ),
    ...result.files.flatMap((file) => problemLines(file, commandFor)),
    ...rejectLines(result),
    ...pageDateLines(result),
    ...result.files.flatMap((file) => suggestionLines(file, commandFor)),
    ...result.files.flatMap(sameIdLines),
    ...result.files.flatMap(unreadTimeLines),
    ...(result.unused_rules.length > 0
      ? [
          `note: ${printable(unusedRulesText(result.unused_rules), 1000)}`,
          "  `defensible audit` refuses rules that match no decision; import the decisions, or write `community:` as they do.",
        ]
      : []),
    ...(result.no_decisions && result.files.every(({ problem }) => !problem)
      ? [
          "note: the workspace has no decisions yet. Import them next: `defensible import decisions.csv` (CSV, JSONL or Parquet), then `defensible audit`.",
        ]
      : []),
    ...result.unused_maps
      .filter((name) => !result.files.some(({ guess }) => guess?.columns.some(({ column }) => column === name)))
      .map((name) => `--map ${printable(name)}: no file has such a column`),
  ];
}

function problemLines(entry: FileImport, commandFor: CommandFor): string[] {
  const { problem, guess, file } = entry;
  if (!problem) return [];
  const message = printable(problem.message, 500);
  const level = levelCommand(entry, commandFor);
  if (level !== null)
    return [
      message,
      "If the rules are those of the communities, paste (if they are the platform's, give --platform instead):",
      `  ${level}`,
    ];
  if (problem.code === "community_missing") return [message, `  ${MISSING_COMMUNITY}`];
  if (!asksMapping(problem) || !guess)
    return [message, ...(problem.remedy ? [`  ${printable(problem.remedy, 500)}`] : [])];
  if (guess.no_header || isProse(guess))
    return [message, ...commandLines(file, guess, commandFor).map((line) => `  ${line}`)];
  return [
    message,
    "",
    "What its columns seem to be:",
    ...guessLines(guess),
    "",
    ...commandLines(file, guess, commandFor),
  ];
}

/** The command that reads headings as communities, for a page refused because of them. */
function levelCommand({ problem, drafted, file }: FileImport, commandFor: CommandFor): string | null {
  if (problem?.code !== "headings_are_communities" || drafted?.community_level == null) return null;
  return commandText([...commandFor(file), "--community-level", String(drafted.community_level)]);
}

/** Whether a file was refused because of its columns or words. */
function asksMapping({ code }: NonNullable<FileImport["problem"]>): boolean {
  return code === "wrong_columns" || code === "unknown_words" || code === "unsure_decision";
}

/** A page has no date, so the command that adds one is shown. */
function pageDateLines({ files, rejects }: ImportResult): string[] {
  const pages = new Set(files.flatMap(({ file, drafted }) => (drafted ? [file] : [])));
  if (!rejects.some(({ file, field }) => field === "effective_from" && pages.has(file))) return [];
  return ["  A page has no date: `defensible rules draft FILE --effective-from DATE --out rules.yaml` gives it one."];
}

/** The fix for columns with other names, as one line. */
export function columnsRemedy(entry: FileImport, commandFor: CommandFor): string | undefined {
  const { guess, file, problem } = entry;
  const level = levelCommand(entry, commandFor);
  if (level !== null) return `${level.replace(/ \\\n\s*/g, " ")} (or --platform instead of --community-level)`;
  if (!problem || !asksMapping(problem) || !guess) return problem?.remedy;
  return commandLines(file, guess, commandFor)
    .map((line) => line.replace(/ \\\n\s*/g, " ").trim())
    .join(" ");
}

function commandLines(file: string, guess: NonNullable<FileImport["guess"]>, commandFor: CommandFor): string[] {
  if (guess.no_header)
    return [
      "The first line looks like a row. Write the names of the columns above it, such as id,community,text,action.",
    ];
  if (isProse(guess)) {
    return [
      "This is text, not a table: its first line has one column. `defensible rules draft FILE` shows how it reads as rules.",
    ];
  }
  const blanks = missingArguments(guess);
  const command = commandText([...commandFor(file), ...mappingArguments(guess.mapping), ...blanks]);
  const other = guess.other_kind === null ? [] : [otherKind(guess.other_kind)];
  if (command === null)
    return ["A name in this file cannot be shown as it is. Rename the column or the file.", ...other];
  const [lacks] = guess.missing;
  const column = lacks === undefined ? "" : ` (or name a column, such as --map COLUMN=${lacks})`;
  const isOpen = guess.unknown.some(({ actions }) => actions.length > 0);
  const without = isOpen ? ". Rows of a word that you leave out are rejected; with --yes the whole file is" : "";
  if (guess.unsure !== null) {
    const { column: byValues, claimant } = guess.unsure;
    const corrected = commandText([
      ...commandFor(file),
      ...mappingArguments(exchanged(guess.mapping, guess.unsure)),
      ...blanks,
    ]);
    const fill = blanks.length ? ", with what is between < and > written" : "";
    return [
      `If ${claimant} is the decision, paste${fill}:`,
      `  ${corrected}`,
      `If ${byValues} is:`,
      `  ${command}`,
      ...other,
    ];
  }
  const first = blanks.length
    ? `Write what is between < and >${column}, then paste${without}:`
    : "To import it like this, paste (or repeat the command with --yes):";
  return [first, `  ${command}`, ...other];
}

/** The mapping with the named column as the decision and the other as the label. */
function exchanged(mapping: Mapping, { column, claimant }: UnsureDecision): Mapping {
  const columns = mapping.columns.filter((each) => each.column !== column && each.column !== claimant);
  const swapped = [
    { column: claimant, field: "decision" },
    { column, field: "human_label" },
  ];
  const fields = new Map([
    ["decision", "human_label"],
    ["human_label", "decision"],
  ]);
  const values = mapping.values.map((each) =>
    each.field === null ? each : { ...each, field: fields.get(each.field) ?? each.field },
  );
  return { ...mapping, columns: [...columns, ...swapped], values };
}

/** A single column that is not content: a page of text, read as a table. */
function isProse({ columns }: NonNullable<FileImport["guess"]>): boolean {
  return columns.length === 1 && !columns[0]!.fields.some((field) => field.startsWith("content"));
}

function otherKind(kind: string): string {
  if (kind === "outcomes") return "Or, if these are outcomes of reviews: `defensible outcomes import`.";
  return `Or, if these are ${kind}: \`defensible import --as ${kind}\`.`;
}

/** Rejected rows by reason, most frequent first, with the first rows of each. */
function rejectLines(result: ImportResult): string[] {
  // The reason for a file refused as a whole is printed above.
  const rejected = result.files.reduce((sum, file) => sum + (file.problem ? 0 : file.rejected), 0);
  if (rejected === 0) return [];
  const several = new Set(result.reasons.flatMap(({ examples }) => examples.map(({ file }) => file))).size > 1;
  const more = result.reasons.length - MOST_REASONS;
  return [
    `Rejected ${plural(rejected, "row")}:`,
    ...result.reasons
      .slice(0, MOST_REASONS)
      .flatMap((reason) => reasonLines(reason, several || result.files.length > 1)),
    ...(more > 0 ? [`  and ${plural(more, "other reason")}`] : []),
  ];
}

function reasonLines({ field, reason, count, examples }: ReasonCount, named: boolean): string[] {
  return [
    `  ${plural(count, "row")}: ${printable(field ? `${field}: ${reason}` : reason, 500)}`,
    ...examples.map(({ file, line, text }) => {
      const where = `${named ? `${printable(file, 100)}, ` : ""}line ${line}`;
      return `    ${where}${text === null ? "" : `: ${printable(text, 100)}`}`;
    }),
  ];
}

/** What a guess would do with the rejected rows and with the columns kept unchanged. */
function suggestionLines({ guess, problem, file }: FileImport, commandFor: CommandFor): string[] {
  if (!guess || problem) return [];
  if (guess.needed)
    return [
      "",
      `What ${printable(file, 200)} seems to mean:`,
      ...guessLines(guess),
      "",
      ...commandLines(file, guess, commandFor),
    ];
  const { columns, values } = guess.certain;
  const more = mappingArguments({
    ...guess.mapping,
    columns: guess.mapping.columns.filter((one) => !columns.includes(one)),
    values: guess.mapping.values.filter((one) => !values.includes(one)),
    constants: [],
    idFrom: null,
  });
  const flags = commandText(more);
  return flags === null || more.length === 0
    ? []
    : [
        `note: ${printable(file, 200)} seems to say more than was read. To read it too: ${flags.replace(/ \\\n\s*/g, " ")}`,
      ];
}

function sameIdLines({ same_ids, file }: FileImport): string[] {
  if (!same_ids) return [];
  const examples = same_ids.examples.map(({ line, first_line }) => `line ${line} as line ${first_line}`).join(", ");
  return [
    `note: ${printable(file, 200)}: ${plural(same_ids.rows, "row")} got the id of an earlier row, with the same ${ID_PARTS.join(", ")}: ${examples}. Equal rows count once; map a column to id to keep them apart.`,
  ];
}

function unreadTimeLines({ times_unread, file }: FileImport): string[] {
  return (times_unread ?? []).map(
    ({ field, rows, example }) =>
      `note: ${printable(file, 200)}: ${field} of ${plural(rows, "row is", "rows are")} not ISO 8601, such as "${printable(example, 60)}": ${rows === 1 ? "it is" : "they are"} ${UNREAD_TIMES}. Write times such as 2026-10-02T09:00:00Z.`,
  );
}

/** What was left out of a foreign system's objects, and why. */
const LEFT_WORDS: Readonly<Record<LeftOut["code"], string>> = {
  unknown_field: "unknown fields, not read",
  unknown_kind: "unknown objects",
  other_action: "neither of the two actions",
  account_decision: "not about a piece of content",
  not_a_decision: "decide nothing",
  several_rules: "cite more than one rule, so none is kept as cited",
  undated_appeal: "appeals without a time, so no outcome",
  unread_text: "text that is in no rule",
  missing_text: "rules without text",
  unread_content: "parts of content that are not read",
  no_decision: "outcomes of decisions that were not taken",
};
const MOST_LEFT = 12;

/** "Left out:", a line for each reason, and advice on unknown actions. */
export function leftOutLines({ left_out, review_items, actions }: FromImport): string[] {
  const byCode = new Map<LeftOut["code"], LeftOut[]>();
  for (const one of left_out) byCode.set(one.code, [...(byCode.get(one.code) ?? []), one]);
  const lines = [...byCode].map(([code, all]) => {
    const named = all
      .slice(0, MOST_LEFT)
      .map(
        ({ what, count, file, line }) => `${printable(what, 80)} (${count}, first in ${printable(file, 100)}:${line})`,
      );
    const more = all.length > MOST_LEFT ? ` and ${all.length - MOST_LEFT} more` : "";
    const why = code === "other_action" && actions.all ? "none of the actions" : LEFT_WORDS[code];
    return `  ${why}: ${named.join(", ")}${more}`;
  });
  const [action] = byCode.get("other_action") ?? [];
  const others = actionNames(actions).filter((name) => name !== actions.positive);
  const example = action ? commandText(["--value", `${action.what}=${actions.positive}`]) : null;
  return [
    ...(lines.length > 0 ? ["Left out:", ...lines] : []),
    ...(example === null
      ? []
      : [`  To take such an action: ${example}, or ${others.map((name) => `=${name}`).join(" ")}.`]),
    ...(review_items > 0 ? [`${plural(review_items, "item")} waiting for a decision: not imported.`] : []),
  ];
}

const KIND_WORDS = {
  decisions: "decision",
  precedents: "precedent",
  labels: "label",
  outcomes: "outcome",
  rulesets: "rule set",
} as const;

/** "12 decisions and 1 rule set". */
function kinds(result: ImportResult): string {
  const parts = (Object.keys(KIND_WORDS) as (keyof typeof KIND_WORDS)[]).flatMap((kind) => {
    const files = result.files.filter((file) => file.kind === kind);
    const accepted = files.reduce((sum, file) => sum + file.accepted, 0);
    return files.length > 0 ? [plural(accepted, KIND_WORDS[kind])] : [];
  });
  return parts.length > 0 ? parts.join(" and ") : "nothing";
}

export function importSentence(result: ImportResult): string {
  const verb = result.dry_run ? "Would import" : "Imported";
  const rejectFiles = result.files.flatMap((file) => file.rejects_file ?? []);
  const where = rejectFiles.length
    ? ` Rejected rows are in ${rejectFiles.map((file) => printable(file)).join(", ")}.`
    : "";
  const refused = result.files.filter((file) => file.problem).length;
  const counts = [
    plural(result.duplicates, "duplicate"),
    `${result.rejected} rejected`,
    ...(refused ? [`${plural(refused, "file")} refused`] : []),
  ];
  const kept = result.profile
    ? ` Next time: \`defensible import --profile ${result.profile.name} FILE\` (kept in defensible.yaml).`
    : "";
  return `${verb} ${kinds(result)}; ${counts.join(", ")}.${where}${kept}`;
}

import { type Actions, actionNames } from "../../core/records/actions.js";
import { type Mapping, targetOf } from "../../store/records/mapping.js";
import { fieldAt, type KindOfRecord, RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";
import { type ColumnGuess, choiceValues, guessColumns } from "./guess-columns.js";
import { type ActionValues, actionValues, type ColumnSample, type FileSample } from "./sample-columns.js";
import { type UnsureDecision, unsureDecision } from "./second-look.js";

/** The probable meaning of a foreign file. */
export interface MappingGuess {
  /** In the order of the file. */
  columns: (ColumnGuess & {
    /** The most frequent values, if the field is an action or a choice. */
    values: string[];
    /** The field is a time, but its values are not ISO 8601, so nothing over time can be computed from them. */
    times_unreadable: boolean;
  })[];
  /** Everything given or guessed. */
  mapping: Mapping;
  /** What was given, and columns that match a field's name in another spelling. */
  certain: Mapping;
  /** Required fields without a column. */
  missing: string[];
  /** Values of actions and choices that are not understood. */
  unknown: {
    field: string;
    value: string;
    rows: number;
    /** Possible actions, if the field is an action; empty: the field is a choice. */
    actions: string[];
  }[];
  /** Without the guess, rows would be rejected. */
  needed: boolean;
  /** The guess goes beyond what is certain. */
  adds: boolean;
  /** Set if the decision was found by values alone while another column is named for it. */
  unsure: UnsureDecision | null;
  no_header: boolean;
  /** Another kind of record that the rows probably are. */
  other_kind: RecordKind | null;
}

/**
 * Guesses columns, words for actions and the source of ids. Pure.
 * @param kept columns that are not fields, whatever they look like
 */
export function guessMapping(
  sample: FileSample,
  kind: KindOfRecord,
  actions: Actions,
  given: Mapping,
  kept: ReadonlySet<string> = new Set(),
): MappingGuess {
  const guesses = guessColumns(sample, kind, actions, given, kept);
  const added = (reasons: readonly string[]) =>
    guesses.flatMap(({ column, fields, by }) =>
      by !== null && reasons.includes(by) ? fields.map((field) => ({ column, field })) : [],
    );
  const filled = new Set(
    [...guesses.flatMap(({ fields }) => fields), ...given.constants.map(({ field }) => field)].map((field) =>
      targetOf(field),
    ),
  );
  const lacks = kind.fields.list.filter(({ required, name }) => required && !filled.has(name)).map(({ name }) => name);
  const idFrom = given.idFrom ?? (lacks.includes("id") ? "hash" : null);
  const certain: Mapping = { ...given, columns: [...given.columns, ...added(["spelling"])] };
  const words = valuesOf(sample, guesses, kind, actions, given);
  const mapping: Mapping = {
    columns: [...certain.columns, ...added(["name", "values"])],
    values: [...given.values, ...words.values],
    constants: given.constants,
    idFrom,
  };
  const uncertain = new Set([...added(["name", "values"]).map(({ field }) => targetOf(field)), ...lacks]);
  const isRequired = (field: string) => kind.fields.byName.get(targetOf(field))?.required === true;
  return {
    columns: guesses.map((guess) => ({ ...guess, ...remarksOn(guess, sample, kind) })),
    mapping,
    certain,
    missing: lacks.filter((field) => field !== "id"),
    unknown: words.unknown,
    needed: [...uncertain].some(isRequired) || words.values.some(({ field }) => field === null || isRequired(field)),
    adds: mapping.columns.length > certain.columns.length || words.values.length > 0 || idFrom !== given.idFrom,
    unsure: unsureDecision(guesses, sample, actions),
    no_header: looksHeaderless(sample, guesses),
    other_kind: [...uncertain].some(isRequired) ? otherKind(kind.kind, sample) : null,
  };
}

/** Mapped words for actions and choices; under every field at once if the fields agree. */
function valuesOf(
  sample: FileSample,
  guesses: readonly ColumnGuess[],
  kind: KindOfRecord,
  actions: Actions,
  given: Mapping,
): { values: Mapping["values"]; unknown: MappingGuess["unknown"] } {
  const perField: { field: string; isAction: boolean; found: ActionValues }[] = [];
  for (const { column, fields } of guesses) {
    for (const path of fields) {
      const field = fieldAt(kind.fields, path.split("."));
      if (field?.type !== "action" && field?.type !== "choice") continue;
      const values = columnOf(sample, column);
      const isAction = field.type === "action";
      const found = isAction ? actionValues(values, actions) : choiceValues(values, path, field);
      const isGiven = (value: string) =>
        given.values.some((each) => (each.field ?? path) === path && sameWord(each.theirs, value));
      perField.push({
        field: path,
        isAction,
        found: {
          ...found,
          known: found.known.filter(({ theirs }) => !isGiven(theirs)),
          unknown: found.unknown.filter(({ value }) => !isGiven(value)),
        },
      });
    }
  }
  const byWord = new Map<string, string>();
  const agree = perField.every(({ isAction, found }) =>
    found.known.every(({ theirs, ours }) => {
      const word = theirs.toLowerCase();
      if (!isAction) return true;
      const other = byWord.get(word);
      byWord.set(word, ours);
      return other === undefined || other === ours;
    }),
  );
  const values: { field: string | null; theirs: string; ours: string }[] = [];
  for (const { field, isAction, found } of perField) {
    for (const { theirs, ours } of found.known) {
      const entry = { field: isAction && agree ? null : field, theirs, ours };
      if (!values.some((each) => each.field === entry.field && sameWord(each.theirs, theirs))) values.push(entry);
    }
  }
  return {
    values,
    unknown: perField.flatMap(({ field, isAction, found }) =>
      found.unknown.map(({ value, rows }) => ({
        field,
        value,
        rows,
        actions: isAction ? actionNames(actions) : [],
      })),
    ),
  };
}

function sameWord(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function columnOf(sample: FileSample, name: string): ColumnSample {
  return sample.columns.find((column) => column.name === name)!;
}

function remarksOn({ column, fields }: ColumnGuess, sample: FileSample, kind: KindOfRecord) {
  const types = fields.map((field) => fieldAt(kind.fields, field.split("."))?.type);
  const values = columnOf(sample, column);
  const isWord = types.includes("action") || types.includes("choice");
  return {
    values: isWord
      ? values
          .frequent()
          .slice(0, 5)
          .map(([value]) => value)
      : [],
    times_unreadable: types.includes("moment") && values.share("iso_time") < 0.9 && values.filled > 0,
  };
}

/** Whether a column name is a number, a time, an address or a sentence, or occurs repeatedly as a value of its own column. */
function looksHeaderless({ columns, rows }: FileSample, guesses: readonly ColumnGuess[]): boolean {
  if (rows === 0 || guesses.some(({ by }) => by === "given" || by === "field" || by === "spelling")) return false;
  const isValue = (column: ColumnSample) =>
    /^-?\d+(?:\.\d+)?$|^\d{4}-\d\d-\d\d|^https?:\/\//.test(column.name) ||
    column.name.length > 80 ||
    (column.counts.has(column.name) && column.filled > 1);
  return columns.some(isValue);
}

/** Another kind that the rows seem to be, if any. */
function otherKind(kind: RecordKind, { columns }: FileSample): RecordKind | null {
  const names = new Set(columns.map(({ name }) => name));
  const has = (name: string) => names.has(name) || names.has(`${name}.body`);
  const fits = Object.values(RECORD_KINDS).find(
    (other) => other.kind !== kind && other.fields.list.every((field) => !field.required || has(field.name)),
  );
  return fits?.kind ?? null;
}

import type { Actions } from "../../core/records/actions.js";
import { type Mapping, targetOf } from "../../store/records/mapping.js";
import { type Field, type Fields, fieldAt, type KindOfRecord } from "../../store/records/record-kinds.js";
import { printable } from "../../text/printable.js";
import {
  actionValues,
  type ColumnSample,
  type FileSample,
  OTHER_CHOICES,
  OTHER_NAMES,
  tokensOf,
} from "./sample-columns.js";
import { isNamedForActions, withFirstLook } from "./second-look.js";

/** Why a column is taken for a field: given, its exact name, another spelling of it, a name other systems use, or its values. */
export type GuessReason = "given" | "field" | "spelling" | "name" | "values";

export interface ColumnGuess {
  column: string;
  /** Dotted paths; empty: the column stays as it is. */
  fields: string[];
  by: GuessReason | null;
  /** Another column that fits this field equally well. */
  rival: string | null;
}

interface Candidate {
  column: ColumnSample;
  field: string;
  by: GuessReason;
  score: number;
}

const SAME = 90;
const NAMED = 80;
const PART_OF_NAME = 45;
const BY_VALUES = 30;
/** Score below all other reasons. */
const UNREAD = 20;
/** Columns about an author or a reporter, not about the decider. */
const OF_OTHERS = new Set("author user username reporter reported report poster op sender submitter victim".split(" "));

/** In the name of a column of actions: a second look at the decision. */
const OF_PEOPLE = new Set(
  "qa human people second senior supervisor reviewer gold truth annotator true correct expected".split(" "),
);

/** Guesses the field of each column, one field per column, from names and a sample of values. Pure. */
export function guessColumns(
  sample: FileSample,
  kind: KindOfRecord,
  actions: Actions,
  given: Mapping,
  kept: ReadonlySet<string>,
): ColumnGuess[] {
  const taken = new Set([...given.columns, ...given.constants].map(({ field }) => targetOf(field)));
  if (given.idFrom) taken.add("id");
  const guesses = sample.columns.map(({ name }): ColumnGuess => {
    const fields = given.columns.filter(({ column }) => column === name).map(({ field }) => field);
    if (fields.length > 0) return { column: name, fields, by: "given", rival: null };
    const isField = fieldAt(kind.fields, name.split(".")) !== null && !taken.has(targetOf(name));
    return { column: name, fields: isField ? [name] : [], by: isField ? "field" : null, rival: null };
  });
  for (const { fields } of guesses) for (const field of fields) taken.add(targetOf(field));
  const byName = new Map(guesses.map((guess) => [guess.column, guess]));
  // A column whose name is already a path of our format is left as it is.
  const isFree = ({ name }: ColumnSample) =>
    byName.get(name)!.by === null && !(name.includes(".") && kind.fields.byName.has(name.split(".")[0]!));
  const candidates = sample.columns
    .filter((column) => column.filled > 0 && !kept.has(column.name) && isFree(column) && isPasteable(column.name))
    .flatMap((column) => candidatesOf(column, sample, kind.fields, actions))
    .filter(({ field }) => !taken.has(field))
    .sort((a, b) => b.score - a.score);
  for (const { column, field, by, score } of candidates) {
    const guess = byName.get(column.name)!;
    if (guess.by !== null) continue;
    if (!taken.has(field)) {
      Object.assign(guess, { fields: [field], by });
      taken.add(field);
      continue;
    }
    const winner = guesses.find((each) => each.fields.includes(field) && each.by !== "given" && each.by !== "field");
    const best = candidates.find((each) => each.column.name === winner?.column && each.field === field);
    if (winner && best && best.score - score < 3) winner.rival ??= column.name;
  }
  const firsts = candidates.filter(({ column, field }) => field === "decision" && byName.get(column.name)!.by === null);
  const looked = withFirstLook(
    guesses,
    firsts.map(({ column, by }) => ({ column: column.name, by })),
    (name) => nameScore(name, "decision") > PART_OF_NAME,
  );
  return inParts(withDecision(looked, taken), given);
}

/** Whether a name can be displayed and pasted into a shell unchanged. */
function isPasteable(name: string): boolean {
  return name.trim() === name && name !== "" && printable(name, 200) === name;
}

function candidatesOf(column: ColumnSample, sample: FileSample, fields: Fields, actions: Actions): Candidate[] {
  return guessable(fields).flatMap(([field, known]): Candidate[] => {
    const named = nameScore(column.name, field);
    const fit = fits(field, known, column, sample, actions, named);
    if (!fit) return isUnreadAction(field, column, named) ? [{ column, field, by: "name", score: UNREAD }] : [];
    if (named > 0) return [{ column, field, by: named === SAME ? "spelling" : "name", score: named }];
    const score = valuesScore(field, column, sample, actions);
    return score > 0 ? [{ column, field, by: "values", score }] : [];
  });
}

/** A column named for actions whose words are mostly unknown: the user is asked for them. */
function isUnreadAction(field: string, column: ColumnSample, named: number): boolean {
  const isNamed = named > PART_OF_NAME && isNamedForActions(column.name);
  const isWords = column.distinct <= 60 && column.meanLength <= 40 && !isNumeric(column);
  return field === "decision" && isNamed && isWords && column.share("structure") === 0;
}

/** Fields that can be guessed. Content is guessed as its body and the decider as a whole; lists and objects have no plain form. */
function guessable(fields: Fields): [string, Field][] {
  return fields.list.flatMap((field): [string, Field][] => {
    if (field.type === "content") return guessable(field.fields!).map(([path, part]) => [targetOf(path), part]);
    if (field.name === "decider") {
      const parts = guessable(field.fields!).filter(([path]) => path !== "decider");
      return [["decider", field.fields!.byName.get("id")!], ...parts];
    }
    if (field.name === "gold" || field.type === "texts" || field.type === "list") return [];
    if (field.type === "object") return guessable(field.fields!);
    return [[targetOf(field.path), field]];
  });
}

function nameScore(name: string, field: string): number {
  const tokens = tokensOf(name);
  const whole = tokens.join("");
  if (whole === "") return 0;
  const own =
    field === "decider" ? ["decider", "decider.id"] : field === "content" ? ["content", "content.body"] : [field];
  if (own.some((each) => tokensOf(each).join("") === whole)) return SAME;
  const others = OTHER_NAMES[field === "content" ? "content.body" : field] ?? [];
  const exact = others.findIndex((each) => each.replaceAll(" ", "") === whole);
  if (exact >= 0) return NAMED - Math.min(30, exact * 0.6);
  const isText = field === "content" || field === "content.title";
  if (!isText && tokens.some((token) => OF_OTHERS.has(token))) return 0;
  if (field === "human_label" && tokens.some((token) => OF_PEOPLE.has(token))) return PART_OF_NAME;
  const text = ` ${tokens.join(" ")} `;
  const part = [field, ...others].findIndex((each) => each.length >= 4 && text.includes(` ${each} `));
  return part >= 0 ? PART_OF_NAME - 1 - part * 0.3 : 0;
}

/** Whether a column's values are compatible with a field. */
function fits(
  field: string,
  known: Field,
  column: ColumnSample,
  { rows }: FileSample,
  actions: Actions,
  named: number,
): boolean {
  const isCertain = named === SAME;
  const isPart = named > 0 && named <= PART_OF_NAME;
  if (column.share("structure") > 0) return false;
  const { distinct, meanLength } = column;
  switch (known.type) {
    case "action":
      return distinct <= 60 && (isCertain || actionValues(column, actions).understood >= 0.5);
    case "choice":
      return distinct <= 60 && choiceValues(column, field, known).understood >= 0.5;
    case "share":
      return column.share("share") >= 0.95;
    case "level":
      return column.frequent().every(([value]) => ["1", "2", "3"].includes(value)) && column.counts.size === distinct;
    case "boolean":
      return isCertain;
    case "moment":
    case "time":
      return column.share("iso_time") + column.share("other_time") >= 0.9;
  }
  switch (field) {
    case "id":
      return column.filled >= 0.99 * rows && (isCertain || distinct >= 0.98 * column.filled) && meanLength <= 200;
    case "community":
      return meanLength <= 80 && (isCertain || rows < 20 || distinct < 0.9 * rows) && column.share("share") < 0.9;
    case "content":
      return column.share("iso_time") < 0.9 && (isCertain || !isNumeric(column)) && (!isPart || isProse(column));
    case "content.title":
      return !isNumeric(column) && (!isPart || column.share("spaces") >= 0.5);
    case "content.language":
      return column.share("language") >= 0.8 || (meanLength <= 20 && named > PART_OF_NAME);
    case "content.url":
      return column.share("url") >= 0.8;
    case "content.kind":
      return distinct <= 30 && meanLength <= 30 && !isNumeric(column) && actionValues(column, actions).understood < 0.5;
    case "decider":
      return meanLength <= 80 && column.share("iso_time") < 0.5 && column.share("share") < 0.9;
    case "rationale":
      return !isNumeric(column);
    case "cited_rule":
    case "rule_id":
      return meanLength <= 120;
    default:
      return meanLength <= 200;
  }
}

function isNumeric(column: ColumnSample): boolean {
  return column.share("number") >= 0.9;
}

function isProse(column: ColumnSample): boolean {
  return column.meanLength >= 15 && column.share("spaces") >= 0.5;
}

/** How strongly the values alone suggest a field; 0: not at all. */
function valuesScore(field: string, column: ColumnSample, { rows }: FileSample, actions: Actions): number {
  const isUsual = column.filled >= 0.5 * rows;
  switch (field) {
    case "decision":
      return isUsual && column.distinct <= 40 && actionValues(column, actions).understood >= 0.9 ? BY_VALUES : 0;
    case "content":
      return isUsual && isProse(column) && column.meanLength >= 20
        ? BY_VALUES + Math.min(10, column.meanLength / 100)
        : 0;
    case "decided_at":
    case "at":
      return isUsual && column.share("iso_time") >= 0.95 && !isNumeric(column) ? BY_VALUES : 0;
    case "content.language":
      return column.share("language") >= 0.95 && !column.counts.has("no") ? BY_VALUES : 0;
    case "content.url":
      return column.share("url") >= 0.95 ? BY_VALUES - 1 : 0;
    case "id":
      return tokensOf(column.name).at(-1) === "id" && !tokensOf(column.name).some((token) => OF_OTHERS.has(token))
        ? BY_VALUES
        : 0;
    default:
      return 0;
  }
}

/** Maps their choices to ours. */
export function choiceValues(column: ColumnSample, field: string, { values }: Field) {
  const words = OTHER_CHOICES[field] ?? {};
  const known: { theirs: string; ours: string }[] = [];
  const unknown: { value: string; rows: number }[] = [];
  let rows = 0;
  for (const [value, count] of column.frequent()) {
    const plain = value.toLowerCase();
    const ours = values.includes(plain) ? plain : words[tokensOf(value).join(" ")];
    if (ours === undefined) unknown.push({ value, rows: count });
    else rows += count;
    if (ours !== undefined && ours !== plain) known.push({ theirs: value, ours });
  }
  return { known, unknown, understood: column.filled === 0 ? 0 : rows / column.filled };
}

/** Without another decision column, a human label is the decision. */
function withDecision(guesses: ColumnGuess[], taken: ReadonlySet<string>): ColumnGuess[] {
  if (taken.has("decision")) return guesses;
  const label = guesses.find(({ fields, by }) => fields[0] === "human_label" && (by === "name" || by === "values"));
  if (label) label.fields = ["decision"];
  return guesses;
}

/** Content with a title, a language, … gets a body; a title alone is the content. Likewise for the decider and its id. */
function inParts(guesses: ColumnGuess[], given: Mapping): ColumnGuess[] {
  const all = [...guesses.flatMap(({ fields }) => fields), ...given.constants.map(({ field }) => field)];
  const guessed = (field: string) =>
    guesses.find(({ fields, by }) => fields[0] === field && by !== "given" && by !== "field");
  const has = (prefix: string) => all.some((field) => field.startsWith(prefix));
  const body = guessed("content");
  if (body && has("content.")) body.fields = ["content.body"];
  const title = guessed("content.title");
  if (title && !body && !all.includes("content") && !all.includes("content.body")) {
    title.fields = [all.some((field) => /^content\.(?!title)/.test(field)) ? "content.body" : "content"];
  }
  const decider = guessed("decider");
  if (decider && has("decider.")) decider.fields = ["decider.id"];
  return guesses;
}

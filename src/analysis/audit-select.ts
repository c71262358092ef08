import { type Actions, actionSides } from "../core/records/actions.js";
import { FORMULA } from "../core/records/csv-row.js";
import { CELLS } from "../measures/metrics/tally.js";
import { sqlName, sqlString } from "../store/files/duckdb.js";

type ColumnKind =
  | "text"
  | "probability"
  | "probabilities"
  | "number"
  | "integer"
  | "level"
  | "boolean"
  | "number_there";

/**
 * What the analysis reads of an audit. Of `number_there` only whether there is a number: parsing two more columns of a million rows would
 * cost a tenth of a second.
 */
const COLUMNS: Record<string, ColumnKind> = {
  decision_id: "text",
  arm: "text",
  replicate: "integer",
  community: "text",
  decision: "text",
  human_label: "text",
  outcome: "text",
  level: "level",
  inverse: "boolean",
  level_map: "level",
  p_defensible: "probability",
  inverse_yes_prob: "probability",
  h_weight_bits: "number_there",
  h_citation_bits: "number_there",
  pds: "probability",
  citation_tokens: "integer",
  language: "text",
  "citation.scope": "text",
  "citation.rule_id": "text",
  "citation.grounded": "boolean",
  "inverse_citation.scope": "text",
  "trace.precedent_weight": "text",
  flags: "text",
};

/** Columns that only some analyses look at (`TableOptions.also`), so that the others do not pay for them. */
const MORE_COLUMNS = {
  level_probs: "probabilities",
  lambda_nats: "number",
  h_weight_bits: "number",
  h_citation_bits: "number",
  inverse_log_odds: "number",
  temperature: "number",
  p_calibrated: "probability",
  thread_id: "text",
  decided_at: "text",
  created_at: "text",
  auditor: "text",
  auditor_version: "text",
  prompt_version: "text",
  ruleset_version: "text",
  template: "text",
  signal: "text",
  missing: "text",
  logprob_space: "text",
  tier: "text",
  samples: "integer",
  "trace.policy_citation": "text",
} as const satisfies Record<string, ColumnKind>;

export type MoreColumn = keyof typeof MORE_COLUMNS;

/** The columns of a table and how each is read. */
export type ColumnKinds = ReadonlyMap<string, ColumnKind>;

export function columnKinds(also: readonly MoreColumn[] = []): ColumnKinds {
  const more = also.map((name): [string, ColumnKind] => [name, MORE_COLUMNS[name]]);
  return new Map([...Object.entries(COLUMNS), ...more]);
}

const SQL_TYPES: Record<ColumnKind, string> = {
  text: "VARCHAR",
  probability: "DOUBLE",
  probabilities: "DOUBLE[]",
  number: "DOUBLE",
  integer: "INTEGER",
  level: "INTEGER",
  boolean: "BOOLEAN",
  number_there: "BOOLEAN",
};

/** Text that anyone may have written; the other columns have words of ours. */
const GUARDED = new Set(["decision_id", "community", "language", "citation.rule_id", "thread_id"]);

/** Columns whose content is in a row's cell; they are not stored again. */
const IN_CELL = new Set(["decision", "human_label", "outcome", "level", "inverse"]);

/** Type under which a column of a CSV file is parsed. */
export function csvType(name: string, kinds: ColumnKinds): string {
  const kind = kinds.get(name);
  // Whole numbers too: read as INTEGER, a level of 2.5 would quietly become 3.
  return kind === "probability" || kind === "number" || kind === "integer" ? "DOUBLE" : "VARCHAR";
}

export interface ReadOptions {
  kinds: ColumnKinds;
  /** Columns of the file: name -> type, with fields of structs as dotted names whose type is the name itself. */
  types: ReadonlyMap<string, string>;
  /** Text cells may carry the guard against spreadsheet formulas. */
  guarded: boolean;
  /** Numbers have been read as numbers. */
  typed: boolean;
}

/** SELECT list that reads every column in its type; what is absent or does not fit is NULL. */
export function readList(options: ReadOptions): string {
  return [...options.kinds.keys()].map((name) => `${readColumn(name, options)} AS ${flat(name)}`).join(", ");
}

/** SELECT list of what is stored of rows read by `readList`: each row's cell, and the columns there are next to it. */
export function storedList(types: ReadonlyMap<string, string>, actions: Actions, kinds: ColumnKinds): string {
  const named = actions.all ? ["decision AS own_action", "human_label AS human_action"] : [];
  return [`(${cellExpression(actions)})::SMALLINT AS cell`, ...named, ...storedColumns(types, kinds).map(flat)].join(
    ", ",
  );
}

/**
 * SELECT list that gives every column back from what is stored, and each row's place in the table as `row_id`. A foreign file may say
 * nothing of arms and replicates.
 */
export function viewList(types: ReadonlyMap<string, string>, actions: Actions, kinds: ColumnKinds): string {
  const stored = storedColumns(types, kinds);
  const columns = [...kinds].flatMap(([name, kind]) => {
    if (IN_CELL.has(name)) return [];
    const value = stored.includes(name) ? flat(name) : `NULL::${SQL_TYPES[kind]}`;
    if (name === "arm") return `coalesce(${value}, '') AS arm`;
    // A blank is no thread: decisions that share nothing would be one.
    if (name === "thread_id") return `CASE WHEN trim(${value}) <> '' THEN ${value} END AS thread_id`;
    if (name === "replicate") return `coalesce(${value}, 0) AS replicate`;
    return `${value} AS ${flat(name)}`;
  });
  const [positive, negative] = [sqlString(actions.positive), sqlString(actions.negative)];
  // A cell has the side of an action; of more than two it does not say which action.
  const named = actions.all
    ? ["own_action AS decision", "CASE WHEN cell >= 0 THEN human_action END AS human_label"]
    : [
        `CASE WHEN ${positiveCell("cell")} THEN ${positive} ELSE ${negative} END AS decision`,
        `CASE WHEN cell >= 0 THEN CASE ${CELL.human("cell")} WHEN 0 THEN ${positive} WHEN 1 THEN ${negative} END END AS human_label`,
      ];
  return [
    "cell",
    "rowid AS row_id",
    ...columns,
    `CASE WHEN cell >= 0 THEN 'verdict' WHEN cell IN (${ERROR_POSITIVE}, ${ERROR_NEGATIVE}) THEN 'error' ELSE 'unscored' END AS outcome`,
    ...named,
    `CASE WHEN cell >= 0 THEN ${CELL.level("cell")} END AS level`,
    `CASE WHEN cell >= 0 THEN ${CELL.inverse("cell")} END AS inverse`,
  ].join(", ");
}

/** Codes of audits without a verdict, by outcome and action. Verdicts have the index of their cell. */
const UNSCORED_POSITIVE = -1;
const UNSCORED_NEGATIVE = -2;
const ERROR_POSITIVE = -3;
const ERROR_NEGATIVE = -4;
/** No rule was in force: the auditor was not asked. */
const NO_RULES_POSITIVE = -5;
const NO_RULES_NEGATIVE = -6;

/** What came of the audit with this code, and whether its decision restricts. */
export function readCode(code: number): { outcome: "verdict" | "unscored" | "error" | "no_rules"; positive: boolean } {
  if (code >= 0) return { outcome: "verdict", positive: CELLS[code]!.positive };
  const outcome = code >= UNSCORED_NEGATIVE ? "unscored" : code >= ERROR_NEGATIVE ? "error" : "no_rules";
  return { outcome, positive: code % 2 !== 0 };
}

/** SQL: the decision of a row with this code restricts. */
export function positiveCell(cell: string): string {
  return `(${cell} BETWEEN 0 AND 89 OR ${cell} IN (${UNSCORED_POSITIVE}, ${ERROR_POSITIVE}, ${NO_RULES_POSITIVE}))`;
}

/** SQL for what the code of a verdict says (`cellIndex` in metrics/tally.ts), by the name of the column that has it. */
export const CELL = {
  /** 1 to 3. */
  level: (cell: string) => `(${cell} // 10 % 3 + 1)`,
  inverse: (cell: string) => `(${cell} // 5 % 2 = 0)`,
  /** (level − 1) · 2 + (inverse 0, not 1). */
  kind: (cell: string) => `(${cell} // 5 % 6)`,
  /** The human label: 0 restricts, 1 does not, 2 is absent. */
  human: (cell: string) => `(${cell} // 30 % 3)`,
};

/** SQL for the code of the same decision with another verdict, of unknown scope. */
export function cellWith(cell: string, { level, inverse }: { level: string; inverse: string }): string {
  return `(${cell} // 30 * 30 + (${level} - 1) * 10 + (NOT ${inverse})::INTEGER * 5 + 4)`;
}

/** SQL: no rule was in force for a row with this code. */
export function withoutRules(cell: string): string {
  return `${cell} IN (${NO_RULES_POSITIVE}, ${NO_RULES_NEGATIVE})`;
}

/**
 * SQL for a row's code: for a verdict the number that `cellIndex` in metrics/tally.ts computes (its scope is that of what the opposite
 * rests on, where the trace says it), NULL for a row that no report can count. A file without outcomes has a verdict where it has both
 * answers. A sum of short CASEs, NULL where one of them is, takes a fourth of the time of nested ones.
 */
function cellExpression(actions: Actions): string {
  const { restricting, other } = actionSides(actions);
  const known = `(${[...restricting, ...other].map(sqlString).join(", ")})`;
  const when = (names: readonly string[], then: number) => names.map((name) => `WHEN ${sqlString(name)} THEN ${then}`);
  const either = (ifPositive: number, ifNegative: number) =>
    `CASE decision ${[...when(restricting, ifPositive), ...when(other, ifNegative)].join(" ")} END`;
  const named = "decision_id <> '' AND community <> ''";
  const verdict = [
    either(0, 90),
    `CASE WHEN human_label IS NULL THEN 60 ELSE CASE human_label ${[...when(restricting, 0), ...when(other, 30)].join(" ")} END END`,
    "CASE level WHEN 1 THEN 0 WHEN 2 THEN 10 WHEN 3 THEN 20 END",
    "CASE inverse WHEN true THEN 0 WHEN false THEN 5 END",
    `CASE coalesce(inverse_citation_scope, citation_scope) WHEN 'community' THEN 1 WHEN 'platform' THEN 0 WHEN 'none' THEN 3
       WHEN 'precedent' THEN 1 WHEN 'mixed' THEN 2 ELSE 4 END`,
    `CASE WHEN ${named} AND coalesce(outcome, 'verdict') = 'verdict' THEN 0 END`,
  ];
  return `coalesce(${verdict.join(" + ")}, CASE WHEN ${named} AND coalesce(human_label IN ${known}, true) THEN
    CASE WHEN outcome = 'error' THEN ${either(ERROR_POSITIVE, ERROR_NEGATIVE)}
    WHEN contains(coalesce(flags, ''), 'no_rules') THEN ${either(NO_RULES_POSITIVE, NO_RULES_NEGATIVE)}
    ELSE ${either(UNSCORED_POSITIVE, UNSCORED_NEGATIVE)} END END)`;
}

function storedColumns(types: ReadonlyMap<string, string>, kinds: ColumnKinds): string[] {
  return [...kinds.keys()].filter((name) => types.has(name) && !IN_CELL.has(name));
}

/** Struct fields are under a flat name in the table. */
function flat(name: string): string {
  return name.replace(".", "_");
}

/** Type of a `p_defensible` that the file does not have and its `level_probs` imply. */
export const DERIVED = "derived";

/** SQL: P(level 1 or 2) by the probabilities of the three levels; NULL where they are missing. */
function derivedDefensible(): string {
  const levels = "TRY_CAST(level_probs AS DOUBLE[])";
  const share = `(${levels}[1] + ${levels}[2]) / list_sum(${levels})`;
  return `CASE WHEN len(${levels}) = 3 AND list_min(${levels}) >= 0 AND list_sum(${levels}) > 0 AND ${share} BETWEEN 0 AND 1 THEN ${share} END`;
}

function readColumn(name: string, { kinds, types, guarded, typed }: ReadOptions): string {
  const kind = kinds.get(name)!;
  if (types.get(name) === DERIVED) return derivedDefensible();
  if (!types.has(name)) return `NULL::${SQL_TYPES[kind]}`;
  const [head, field] = name.split(".");
  const inStruct = field !== undefined && types.get(name) === name;
  const column = inStruct ? `${sqlName(head!)}.${sqlName(field)}` : sqlName(name);
  const number = typed ? column : `TRY_CAST(${column} AS DOUBLE)`;
  switch (kind) {
    case "text":
      return guarded && GUARDED.has(name) ? unguarded(column) : `${column}::VARCHAR`;
    case "boolean":
      if (types.get(name) === "BOOLEAN") return column;
      // The usual spellings first: lower() on a million cells takes as long as reading them.
      return `CASE ${column}::VARCHAR WHEN 'true' THEN true WHEN 'false' THEN false ELSE
        CASE lower(${column}::VARCHAR) WHEN 'true' THEN true WHEN 'yes' THEN true WHEN '1' THEN true
        WHEN 'false' THEN false WHEN 'no' THEN false WHEN '0' THEN false END END`;
    case "number_there":
      // A digit, sign or point in front; NULL where nothing is there, so that a count of values is a count of numbers.
      return `CASE WHEN ${column}::VARCHAR >= '+' AND ${column}::VARCHAR < ':' THEN true END`;
    case "level":
      if (WHOLE.has(types.get(name)!)) return `TRY_CAST(${column} AS INTEGER)`;
      // As text, which costs nothing to read; `2.0` takes the long way.
      return `CASE ${column}::VARCHAR WHEN '1' THEN 1 WHEN '2' THEN 2 WHEN '3' THEN 3 ELSE ${wholeNumber(`TRY_CAST(${column} AS DOUBLE)`)} END`;
    case "integer":
      return WHOLE.has(types.get(name)!) ? `TRY_CAST(${column} AS INTEGER)` : wholeNumber(number);
    case "number":
      return number;
    case "probabilities":
      return `TRY_CAST(${column} AS DOUBLE[])`;
    default:
      // Neither 7 nor NaN is a probability; the row then has none.
      return `CASE WHEN ${number} BETWEEN 0 AND 1 THEN ${number} END`;
  }
}

/** Types of Parquet in which a number is whole as it is. */
const WHOLE = new Set(["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"]);

function wholeNumber(number: string): string {
  const whole = `TRY_CAST(${number} AS INTEGER)`;
  return `CASE WHEN ${whole} = ${number} THEN ${whole} END`;
}

/** Exported text cells carry a `'` before what a spreadsheet would take for a formula. */
export function unguarded(text: string): string {
  const guarded = sqlString(`^'(${FORMULA})`);
  // What begins with a `'`: two comparisons take half of the time of `starts_with`.
  return `CASE WHEN ${text} >= '''' AND ${text} < '(' THEN regexp_replace(${text}, ${guarded}, '\\1') ELSE ${text} END`;
}

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
 * The columns that the analysis reads from an audit. `number_there` only records whether there is a number: parsing two more columns of a million
 * rows would take a tenth of a second.
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

/** Columns used by some analyses only (`TableOptions.also`), so that the others do not pay for them. */
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

/** Text that may come from anyone; the other columns contain this program's own words. */
const GUARDED = new Set(["decision_id", "community", "language", "citation.rule_id", "thread_id"]);

/** Columns whose content is in a row's cell, so they are not stored again. */
const IN_CELL = new Set(["decision", "human_label", "outcome", "level", "inverse"]);

/** Type under which a column of a CSV file is parsed. */
export function csvType(name: string, kinds: ColumnKinds): string {
  const kind = kinds.get(name);
  // Integers too: read as INTEGER, a level of 2.5 would silently become 3.
  return kind === "probability" || kind === "number" || kind === "integer" ? "DOUBLE" : "VARCHAR";
}

export interface ReadOptions {
  kinds: ColumnKinds;
  /** Columns of the file: name -> type. Fields of structs have dotted names, and the name itself as the type. */
  types: ReadonlyMap<string, string>;
  /** Whether text cells may carry the guard against spreadsheet formulas. */
  guarded: boolean;
  /** Whether numbers were read as numbers. */
  typed: boolean;
}

/** SELECT list that reads every column in its type. Absent or unfit values are NULL. */
export function readList(options: ReadOptions): string {
  return [...options.kinds.keys()].map((name) => `${readColumn(name, options)} AS ${flat(name)}`).join(", ");
}

/** SELECT list of the stored form of rows read by `readList`: each row's cell, and the columns outside the cell. */
export function storedList(types: ReadonlyMap<string, string>, actions: Actions, kinds: ColumnKinds): string {
  const named = actions.all ? ["decision AS own_action", "human_label AS human_action"] : [];
  return [`(${cellExpression(actions)})::SMALLINT AS cell`, ...named, ...storedColumns(types, kinds).map(flat)].join(
    ", ",
  );
}

/** SELECT list that restores all columns from the stored form, and each row's index as `row_id`. A foreign file may lack arms and replicates. */
export function viewList(types: ReadonlyMap<string, string>, actions: Actions, kinds: ColumnKinds): string {
  const stored = storedColumns(types, kinds);
  const columns = [...kinds].flatMap(([name, kind]) => {
    if (IN_CELL.has(name)) return [];
    const value = stored.includes(name) ? flat(name) : `NULL::${SQL_TYPES[kind]}`;
    if (name === "arm") return `coalesce(${value}, '') AS arm`;
    // A blank value is not a thread: unrelated decisions would form one.
    if (name === "thread_id") return `CASE WHEN trim(${value}) <> '' THEN ${value} END AS thread_id`;
    if (name === "replicate") return `coalesce(${value}, 0) AS replicate`;
    return `${value} AS ${flat(name)}`;
  });
  const [positive, negative] = [sqlString(actions.positive), sqlString(actions.negative)];
  // A cell contains the side of an action; with more than two actions, not which action it is.
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

/** Codes of audits without a verdict, by outcome and action. For verdicts the code is the index of their cell. */
const UNSCORED_POSITIVE = -1;
const UNSCORED_NEGATIVE = -2;
const ERROR_POSITIVE = -3;
const ERROR_NEGATIVE = -4;
/** No rule was in effect, so the auditor was not asked. */
const NO_RULES_POSITIVE = -5;
const NO_RULES_NEGATIVE = -6;

/** The outcome of the audit with this code, and whether its decision restricts. */
export function readCode(code: number): { outcome: "verdict" | "unscored" | "error" | "no_rules"; positive: boolean } {
  if (code >= 0) return { outcome: "verdict", positive: CELLS[code]!.positive };
  const outcome = code >= UNSCORED_NEGATIVE ? "unscored" : code >= ERROR_NEGATIVE ? "error" : "no_rules";
  return { outcome, positive: code % 2 !== 0 };
}

/** SQL: whether the decision of a row with this code restricts. */
export function positiveCell(cell: string): string {
  return `(${cell} BETWEEN 0 AND 89 OR ${cell} IN (${UNSCORED_POSITIVE}, ${ERROR_POSITIVE}, ${NO_RULES_POSITIVE}))`;
}

/** SQL for the parts of a verdict's code (`cellIndex` in metrics/tally.ts), by column name. */
export const CELL = {
  /** 1 to 3. */
  level: (cell: string) => `(${cell} // 10 % 3 + 1)`,
  inverse: (cell: string) => `(${cell} // 5 % 2 = 0)`,
  /** (level − 1) · 2 + (inverse 0, not 1). */
  kind: (cell: string) => `(${cell} // 5 % 6)`,
  /** The human label: 0 restricts, 1 does not, 2 is absent. */
  human: (cell: string) => `(${cell} // 30 % 3)`,
};

/** SQL for the code of the same decision with another verdict and an unknown scope. */
export function cellWith(cell: string, { level, inverse }: { level: string; inverse: string }): string {
  return `(${cell} // 30 * 30 + (${level} - 1) * 10 + (NOT ${inverse})::INTEGER * 5 + 4)`;
}

/** SQL: whether no rule was in effect for a row with this code. */
export function withoutRules(cell: string): string {
  return `${cell} IN (${NO_RULES_POSITIVE}, ${NO_RULES_NEGATIVE})`;
}

/**
 * SQL for a row's code: for a verdict the number computed by `cellIndex` in metrics/tally.ts (its scope is that of the basis of the opposite, if
 * the trace gives one), NULL for a row that no report can count. A file without outcomes has a verdict in every row with both answers. A sum of
 * short CASEs, NULL if one of them is, takes a fourth of the time of nested ones.
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

/** Struct fields have a flat name in the table. */
function flat(name: string): string {
  return name.replace(".", "_");
}

/** Type of a `p_defensible` that is missing from the file but implied by its `level_probs`. */
export const DERIVED = "derived";

/** SQL: P(level 1 or 2) from the probabilities of the three levels; NULL if they are missing. */
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
      // Checks the usual spellings first: lower() on a million cells takes as long as reading them.
      return `CASE ${column}::VARCHAR WHEN 'true' THEN true WHEN 'false' THEN false ELSE
        CASE lower(${column}::VARCHAR) WHEN 'true' THEN true WHEN 'yes' THEN true WHEN '1' THEN true
        WHEN 'false' THEN false WHEN 'no' THEN false WHEN '0' THEN false END END`;
    case "number_there":
      // Tests for a leading digit, sign or point; NULL otherwise, so that a count of values is a count of numbers.
      return `CASE WHEN ${column}::VARCHAR >= '+' AND ${column}::VARCHAR < ':' THEN true END`;
    case "level":
      if (WHOLE.has(types.get(name)!)) return `TRY_CAST(${column} AS INTEGER)`;
      // Compared as text, which is fast to read; `2.0` takes the slow path.
      return `CASE ${column}::VARCHAR WHEN '1' THEN 1 WHEN '2' THEN 2 WHEN '3' THEN 3 ELSE ${wholeNumber(`TRY_CAST(${column} AS DOUBLE)`)} END`;
    case "integer":
      return WHOLE.has(types.get(name)!) ? `TRY_CAST(${column} AS INTEGER)` : wholeNumber(number);
    case "number":
      return number;
    case "probabilities":
      return `TRY_CAST(${column} AS DOUBLE[])`;
    default:
      // Neither 7 nor NaN is a probability; such a value is NULL.
      return `CASE WHEN ${number} BETWEEN 0 AND 1 THEN ${number} END`;
  }
}

/** Parquet types whose numbers are always integers. */
const WHOLE = new Set(["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"]);

function wholeNumber(number: string): string {
  const whole = `TRY_CAST(${number} AS INTEGER)`;
  return `CASE WHEN ${whole} = ${number} THEN ${whole} END`;
}

/** Removes the `'` that exports put before text cells that a spreadsheet would interpret as a formula. */
export function unguarded(text: string): string {
  const guarded = sqlString(`^'(${FORMULA})`);
  // Text that begins with a `'`: two comparisons take half of the time of `starts_with`.
  return `CASE WHEN ${text} >= '''' AND ${text} < '(' THEN regexp_replace(${text}, ${guarded}, '\\1') ELSE ${text} END`;
}

import { existsSync } from "node:fs";
import { InputError } from "../../core/errors.js";
import { LABEL_DRAWS } from "../../core/names.js";
import type { LabelSample } from "../../core/records/label.js";
import { chooseLabels, type LabelGroup } from "../../measures/metrics/label-sample.js";
import { sqlName, sqlString } from "../../store/files/duckdb.js";
import type { AuditSource, RecordsFile } from "../../store/ports.js";
import { unguarded } from "../audit-select.js";
import type { AuditTable } from "../audit-table.js";
import { loadJsonLines, loadJsonRows, openParquet, readCsvHeader } from "../json-lines-table.js";

/** Table (decision_id, level; for drawn labels also weight) of targets for `readScoreColumns`. */
export const TARGETS = "targets";

/** Verdicts of the analysis that have a target, how many of these targets are level 3, and the number of decisions with any label. */
export interface TargetCount {
  n: number;
  indefensible: number;
  given: number;
  /** Decisions to which one rater gave different levels; only if there are any. */
  contradicted?: number;
  /** How the labels were drawn; only for labels. */
  sample?: LabelSample;
}

/** The annotations contained in the decisions themselves. */
export async function loadGoldTargets(
  table: AuditTable,
  decisions: { jsonl: string; parquet: string },
): Promise<TargetCount> {
  const parts: string[] = [];
  if (existsSync(decisions.parquet)) {
    const { relation, columns } = await openParquet(table.db, decisions.parquet);
    const gold = columns.find((column) => column.column_name === "gold");
    // Our own export stores objects as JSON text.
    const level = gold?.column_type.startsWith("STRUCT") ? "gold.level" : "json_extract_string(gold::JSON, '$.level')";
    if (gold) parts.push(`SELECT id::VARCHAR AS decision_id, TRY_CAST(${level} AS INTEGER) AS level FROM ${relation}`);
  }
  if (existsSync(decisions.jsonl)) {
    await table.db.run("DROP TABLE IF EXISTS gold_lines");
    await loadJsonLines(table.db, decisions.jsonl, ["id", "gold.level"], "gold_lines");
    parts.push(`SELECT id AS decision_id, TRY_CAST("gold.level" AS INTEGER) AS level FROM gold_lines`);
  }
  if (parts.length === 0) return makeTargets(table, "SELECT NULL::VARCHAR AS decision_id, 0 AS level WHERE false");
  return makeTargets(
    table,
    `SELECT DISTINCT ON (decision_id) * FROM (${parts.join(" UNION ALL ")}) WHERE level IS NOT NULL`,
  );
}

/** The verdicts of another run or file on the same decisions. */
export async function loadVerdictTargets(table: AuditTable, source: AuditSource): Promise<TargetCount> {
  const fields = ["decision_id", "arm", "replicate", "outcome", "level"];
  const { relation, names } = await openFile(table, source, fields, "other_audits");
  const column = (name: string, otherwise: string) =>
    names.has(name) ? `coalesce(${sqlName(name)}::VARCHAR, ${otherwise})` : otherwise;
  return makeTargets(
    table,
    `SELECT ${source.format === "csv" ? unguarded("decision_id") : "decision_id::VARCHAR"} AS decision_id, TRY_CAST(level AS INTEGER) AS level
     FROM ${relation}
     WHERE ${column("arm", "''")} = '' AND ${column("replicate", "'0'")} IN ('0', '0.0') AND ${column("outcome", "'verdict'")} = 'verdict'
     QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY line DESC) = 1`,
  );
}

/** The most frequent level of a run's further audits of a decision (replicate 1 and up); on a tie the more severe. */
export async function loadReplicateTargets(table: AuditTable): Promise<TargetCount> {
  return makeTargets(
    table,
    `SELECT decision_id, level FROM audits WHERE arm = '' AND replicate >= 1 AND outcome = 'verdict' AND level BETWEEN 1 AND 3
     GROUP BY decision_id, level QUALIFY row_number() OVER (PARTITION BY decision_id ORDER BY count(*) DESC, level DESC) = 1`,
  );
}

/** Creates the table of targets and counts it. */
export async function makeTargets(table: AuditTable, select: string): Promise<TargetCount> {
  await table.db.run(`CREATE OR REPLACE TABLE ${TARGETS} AS ${select}`);
  const [row] = await table.db.rows<TargetCount>(
    `SELECT count(*)::INTEGER AS n, count(*) FILTER (t.level = 3)::INTEGER AS indefensible,
       (SELECT count(*) FROM ${TARGETS})::INTEGER AS given
     FROM audits a JOIN ${TARGETS} t USING (decision_id)
     WHERE a.cell >= 0 AND a.arm = '' AND a.replicate = 0 AND t.level BETWEEN 1 AND 3`,
  );
  return row ?? { n: 0, indefensible: 0, given: 0 };
}

/** A file as a relation with its line numbers as `line`, and the names of its columns. */
export async function openFile(
  table: AuditTable,
  { path, format, rows }: RecordsFile,
  fields: readonly string[],
  name: string,
): Promise<{ relation: string; names: ReadonlySet<string> }> {
  const { db } = table;
  if (!rows && !existsSync(path)) throw new InputError("no_file", `no file ${path}`, "Check the path.");
  if (rows || format === "jsonl") {
    await db.run(`DROP TABLE IF EXISTS ${name}`);
    await (rows ? loadJsonRows(db, rows, fields, name) : loadJsonLines(db, path, fields, name));
    return { relation: name, names: new Set(fields) };
  }
  const number = "row_number() OVER () AS line";
  if (format === "csv") {
    const { names, delimiter } = readCsvHeader(path);
    const columns = names.map((column) => `${sqlString(column)}: 'VARCHAR'`).join(", ");
    const relation = `(SELECT *, ${number} FROM read_csv(${sqlString(path)}, auto_detect = false, header = true, delim = ${sqlString(delimiter)},
      quote = '"', escape = '"', columns = {${columns}}, hive_partitioning = false))`;
    return { relation, names: new Set(names) };
  }
  const { relation, columns } = await openParquet(db, path);
  return {
    relation: `(SELECT *, ${number} FROM ${relation})`,
    names: new Set(columns.map((column) => column.column_name)),
  };
}

/** Table created by `loadLabelSample`: decision_id, level, inverse (NULL: not answered), drawn_in (its cell), inclusion (NULL: unknown). */
export const LABEL_SAMPLE = "label_sample";

/** SQL for the name of a verdict: the stratum of a rating sheet. */
export const VERDICT_NAME = `'level ' || level || ', inverse ' || CASE WHEN inverse THEN 'Yes' ELSE 'No' END`;

interface LabelSampleOptions {
  source: "human" | "gold" | "auditor";
  /** The run of these audits. Default null: unknown, as for a file. */
  runId?: string | null;
}

type LoadedLabels = Required<TargetCount>;

/**
 * The labels of one source that are valid for a run (`chooseLabels`), one row per decision. With several raters: the median level, on a tie the
 * more severe; among those who answered, the most frequent inverse, on a tie Yes. Only the last label of each rater counts.
 */
export async function loadLabelSample(
  table: AuditTable,
  file: RecordsFile,
  { source, runId = null }: LabelSampleOptions,
): Promise<LoadedLabels> {
  const { db } = table;
  const labels = await openLabels(table, file);
  await db.run(
    `CREATE OR REPLACE TABLE said_labels AS SELECT * FROM ${labels} WHERE source = ${sqlString(source)}
     QUALIFY row_number() OVER (PARTITION BY decision_id, coalesce(rater, line::VARCHAR), drawn, frame ORDER BY line DESC) = 1`,
  );
  await poolSheets(table, labels, source);
  const groups = await db.rows<LabelGroup>(
    `SELECT drawn, frame, count(DISTINCT decision_id) FILTER (verdict IS NOT NULL)::INTEGER AS labels,
       count(DISTINCT decision_id) FILTER (verdict IS NOT NULL AND inclusion IS NOT NULL)::INTEGER AS chances,
       count(DISTINCT decision_id) FILTER (stratum = verdict)::INTEGER AS own_verdict,
       count(DISTINCT (coalesce(stratum, ''), coalesce(inclusion, 0))) FILTER (verdict IS NOT NULL)::INTEGER AS cells,
       count(DISTINCT coalesce(inclusion, 0)) FILTER (verdict IS NOT NULL)::INTEGER AS inclusions
     FROM said_labels LEFT JOIN (SELECT decision_id, ${VERDICT_NAME} AS verdict FROM audits WHERE ${VERDICTS}) USING (decision_id)
     GROUP BY drawn, frame ORDER BY drawn NULLS LAST, frame NULLS LAST`,
  );
  const sample = chooseLabels(groups, runId);
  const used = groups.filter((_, i) => sample.designs[i]!.used);
  const isUsed = used.map(({ drawn, frame }) => `(${is("drawn", drawn)} AND ${is("frame", frame)})`).join(" OR ");
  // Only a draw by stratum fixes the number of labels in each; reviews are drawn one by one.
  const byStratum = `CASE WHEN drawn IN ('sheet', 'random') THEN coalesce(stratum, '') ELSE '' END`;
  await db.run(
    `CREATE OR REPLACE TABLE ${LABEL_SAMPLE} AS
     WITH counted AS (SELECT * FROM said_labels WHERE ${isUsed || "false"}
       QUALIFY row_number() OVER (PARTITION BY decision_id, coalesce(rater, line::VARCHAR) ORDER BY line DESC) = 1)
     SELECT decision_id, list_sort(list(level))[(count(*) // 2 + 1)::INTEGER] AS level,
       CASE WHEN count(inverse) > 0 THEN 2 * count(*) FILTER (inverse) >= count(inverse) END AS inverse,
       ${sample.weighted === "by_stratum" ? `min(${byStratum})` : "''"} AS drawn_in, min(inclusion) AS inclusion
     FROM counted GROUP BY decision_id`,
  );
  await nameCells(table, sample);
  const [count] = await db.rows<Omit<LoadedLabels, "sample">>(
    `SELECT count(*)::INTEGER AS n, count(*) FILTER (t.level = 3)::INTEGER AS indefensible,
       (SELECT count(DISTINCT decision_id) FROM said_labels)::INTEGER AS given,
       (SELECT count(DISTINCT decision_id) FROM (SELECT decision_id FROM ${labels} WHERE source = ${sqlString(source)} AND rater IS NOT NULL
         GROUP BY decision_id, rater, drawn, frame HAVING count(DISTINCT level) > 1))::INTEGER AS contradicted
     FROM audits a JOIN ${LABEL_SAMPLE} t USING (decision_id) WHERE a.${VERDICTS}`,
  );
  return { sample, ...count! };
}

/**
 * Several sheets drawn from one population count as one draw: every decision of a stratum (or of the whole population, if sheets have no strata)
 * had the same probability of being on any of them. That probability is the number of labelled decisions divided by the size of the stratum, taken
 * from the most complete sheet.
 */
async function poolSheets({ db }: AuditTable, labels: string, source: string): Promise<void> {
  await db.run(
    `WITH sheets AS (SELECT drawn, frame, stratum, sheet, count(DISTINCT decision_id) / min(inclusion) AS size,
         count(inclusion) = count(*) AND min(inclusion) = max(inclusion) AS alike
       FROM ${labels} WHERE source = ${sqlString(source)} AND drawn IN ('random', 'sheet') GROUP BY ALL),
     several AS (SELECT drawn, frame, stratum, max(size) AS size FROM sheets GROUP BY ALL HAVING count(*) > 1 AND bool_and(alike)),
     pooled AS (SELECT s.drawn, s.frame, s.stratum, least(1, count(DISTINCT l.decision_id) / any_value(s.size)) AS chance
       FROM several s JOIN said_labels l ON l.drawn = s.drawn AND l.frame IS NOT DISTINCT FROM s.frame AND l.stratum IS NOT DISTINCT FROM s.stratum
       GROUP BY s.drawn, s.frame, s.stratum)
     UPDATE said_labels l SET inclusion = p.chance FROM pooled p
     WHERE l.drawn = p.drawn AND l.frame IS NOT DISTINCT FROM p.frame AND l.stratum IS NOT DISTINCT FROM p.stratum`,
  );
}

const VERDICTS = "cell >= 0 AND arm = '' AND replicate = 0";

/** If cells are verdicts, they are those of the run: the cell of a label is that of its decision. */
async function nameCells({ db }: AuditTable, { weighted }: LabelSample): Promise<void> {
  if (weighted !== "by_verdict") return;
  await db.run(
    `UPDATE ${LABEL_SAMPLE} SET drawn_in = a.verdict FROM
       (SELECT decision_id, ${VERDICT_NAME} AS verdict FROM audits WHERE ${VERDICTS}) a WHERE a.decision_id = ${LABEL_SAMPLE}.decision_id`,
  );
}

function is(column: string, value: string | null): string {
  return value === null ? `${column} IS NULL` : `${column} = ${sqlString(value)}`;
}

/** SQL for how many verdicts of the run each label represents, with mean 1 over the labelled ones; empty if all weights are equal. */
function weightOf({ weighted }: LabelSample): string {
  if (weighted === "by_stratum") return ", 1 / t.inclusion AS weight";
  if (weighted !== "by_verdict") return "";
  return `, (SELECT count(*) FROM audits WHERE ${VERDICTS} AND ${VERDICT_NAME} = t.drawn_in)
    / (SELECT count(*) FROM audits a JOIN ${LABEL_SAMPLE} l USING (decision_id) WHERE a.${VERDICTS} AND l.drawn_in = t.drawn_in) AS weight`;
}

/** The labels of one source as the targets of a calibration, weighted by how they were drawn. */
export async function loadLabelTargets(
  table: AuditTable,
  file: RecordsFile,
  options: LabelSampleOptions,
): Promise<TargetCount> {
  const { sample, contradicted, given } = await loadLabelSample(table, file, options);
  const count = await makeTargets(
    table,
    `SELECT t.decision_id, t.level${weightOf(sample)} FROM ${LABEL_SAMPLE} t WHERE ${sample.weighted === "by_verdict" ? "t.drawn_in <> ''" : "true"}`,
  );
  return { ...count, given, ...(contradicted > 0 ? { contradicted } : {}), sample };
}

/** SQL for the identity of a rater: ` Ana` and `ana` are the same. */
function raterKey(rater: string): string {
  return `nullif(lower(trim(regexp_replace(nfc_normalize(${rater}), '\\s+', ' ', 'g'))), '')`;
}

/**
 * View `labels` (decision_id, level, inverse, source, rater, drawn, inclusion, stratum, frame, sheet, line) on a file of labels. Without a source,
 * labels count as human.
 */
async function openLabels(table: AuditTable, file: RecordsFile): Promise<string> {
  const fields = [
    "decision_id",
    "level",
    "inverse",
    "source",
    "rater",
    "drawn",
    "inclusion",
    "stratum",
    "frame",
    "sheet_id",
  ];
  const { relation, names } = await openFile(table, file, fields, "label_rows");
  const missing = ["decision_id", "level"].filter((name) => !names.has(name));
  if (missing.length > 0) {
    throw new InputError(
      "missing_columns",
      `labels: ${file.path} lacks ${missing.join(" and ")}`,
      "A label is decision_id, level (1 to 3) and, unless it is a person's, source (docs/formats.md).",
    );
  }
  const text = (name: string) => (names.has(name) ? `nullif(${sqlName(name)}::VARCHAR, '')` : "NULL::VARCHAR");
  const id = file.format === "csv" ? unguarded("decision_id") : "decision_id::VARCHAR";
  const source = `coalesce(lower(nullif(trim(${text("source")}), '')), 'human')`;
  const drawn = `lower(nullif(trim(${text("drawn")}), ''))`;
  const inclusion = `TRY_CAST(${text("inclusion")} AS DOUBLE)`;
  /** Rejects a file with rows that meet a condition; `got`: SQL for the offending value. */
  const refuse = async (rows: string, got: string, what: string, remedy: string) => {
    const [row] = await table.db.rows<{ n: number; got: string | null }>(
      `SELECT count(*)::INTEGER AS n, ${got} AS got FROM ${relation} WHERE ${rows}`,
    );
    if (!row?.n) return;
    const found = `${row.n} row${row.n === 1 ? "" : "s"} ${what.replace("GOT", row.got ?? "nothing")}`;
    throw new InputError("bad_labels", `labels: ${file.path} has ${found}`, remedy);
  };
  await refuse(
    "TRY_CAST(level AS DOUBLE) NOT IN (1, 2, 3) OR TRY_CAST(level AS DOUBLE) IS NULL",
    "any_value(level)::VARCHAR",
    "whose level is not 1, 2 or 3; got GOT",
    "Fix these rows. (A decision's human_label is what a person decided, not a label of defensibility.)",
  );
  await refuse(
    `${source} NOT IN ('human', 'gold', 'auditor')`,
    `array_to_string(list_sort(list(DISTINCT '"' || ${text("source")} || '"'))[:5], ', ')`,
    "of an unknown source; got GOT, expected human, gold or auditor",
    "Fix these rows, or leave the source out: then they are people's.",
  );
  await refuse(
    `${drawn} NOT IN (${LABEL_DRAWS.map(sqlString).join(", ")})
       OR (${text("inclusion")} IS NOT NULL AND NOT coalesce(${inclusion} > 0 AND ${inclusion} <= 1, false))`,
    `coalesce(any_value(${text("drawn")}), 'nothing') || ', inclusion ' || coalesce(any_value(${text("inclusion")}), 'nothing')`,
    "whose design cannot be; got drawn GOT",
    `drawn is one of ${LABEL_DRAWS.join(", ")}; inclusion is a chance above 0, at most 1 (docs/formats.md).`,
  );
  await table.db.run(
    `CREATE OR REPLACE VIEW labels AS SELECT ${id} AS decision_id, TRY_CAST(level AS INTEGER) AS level,
       CASE lower(${text("inverse")}) WHEN 'true' THEN true WHEN 'yes' THEN true WHEN '1' THEN true
         WHEN 'false' THEN false WHEN 'no' THEN false WHEN '0' THEN false END AS inverse,
       ${source} AS source, ${raterKey(text("rater"))} AS rater, coalesce(${text("sheet_id")}, '') AS sheet, ${drawn} AS drawn, ${inclusion} AS inclusion,
       ${text("stratum")} AS stratum, ${text("frame")} AS frame, line FROM ${relation}`,
  );
  return "labels";
}

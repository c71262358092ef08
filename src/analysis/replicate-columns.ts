import { InputError } from "../core/errors.js";
import { type Duck, sqlName, sqlString } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { CELL } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { readCsvHeader } from "./json-lines-table.js";
import { doubles, integers } from "./score-table.js";

/**
 * SQL: whether the level probabilities of an audit are those at temperature 1, so that the distribution of its level follows from them. Those of
 * space `tempered` were converted when they were read; those of space `unknown` may be either, unless the temperature is 1.
 */
export const UNIT_SPACE = unitSpace("temperature");

export function unitSpace(temperature: string): string {
  return `coalesce(coalesce(signal, '') <> 'sampling' AND (logprob_space IN ('raw', 'tempered') OR ${temperature} = 1), false)`;
}

/** Required values of these columns in a foreign file, wherever they are not empty. */
const EXPECTED = {
  temperature: { what: "a number from 0 on", holds: "v IS NOT NULL AND isfinite(v) AND v >= 0" },
  replicate: { what: "a whole number from 0 on", holds: "v IS NOT NULL AND isfinite(v) AND v >= 0 AND v = floor(v)" },
} as const;

/**
 * Rejects a foreign file whose temperatures or replicates cannot be read: if they were ignored, audits of several temperatures would be combined,
 * or repetitions share the same number. Call it after `openAuditTable`.
 */
export async function refuseUnreadable(db: Duck, source: AuditSource): Promise<void> {
  if (source.own) return;
  const { relation, columns } = await rawText(db, source);
  for (const [name, { what, holds }] of Object.entries(EXPECTED)) {
    if (!columns.includes(name)) continue;
    const text = `trim(${sqlName(name)}::VARCHAR)`;
    const bad = `FROM (SELECT ${text} AS t, TRY_CAST(${text} AS DOUBLE) AS v FROM ${relation}) WHERE t IS NOT NULL AND t <> '' AND NOT (${holds})`;
    const [row] = await db.rows<{ n: number; first: string }>(
      `SELECT count(*)::INTEGER AS n, min(t[1:40]) AS first ${bad}`,
    );
    if (!row?.n) continue;
    throw new InputError(
      "unreadable_column",
      `audits: ${source.path} has ${row.n} row${row.n === 1 ? "" : "s"} with an unreadable ${name}; got ${JSON.stringify(row.first)}, expected ${what}`,
      "Fix these rows, or leave the cell empty where it is not known.",
    );
  }
}

/** The file without conversions. */
async function rawText(db: Duck, { path, format }: AuditSource): Promise<{ relation: string; columns: string[] }> {
  if (format === "jsonl") return { relation: "json_lines", columns: Object.keys(EXPECTED) };
  if (format === "csv") {
    const { delimiter, names } = readCsvHeader(path);
    const columns = names.map((name) => `${sqlString(name)}: 'VARCHAR'`).join(", ");
    const relation = `read_csv(${sqlString(path)}, auto_detect = false, header = true, delim = ${sqlString(delimiter)}, quote = '"', escape = '"', columns = {${columns}}, hive_partitioning = false)`;
    return { relation, columns: names };
  }
  const relation = `read_parquet(${sqlString(path)}, hive_partitioning = false)`;
  const rows = await db.rows<{ column_name: string }>(`DESCRIBE SELECT * FROM ${relation}`);
  return { relation, columns: rows.map(({ column_name }) => column_name) };
}

/** Most arms named individually in a note. */
const NAMED = 6;

/** A note on audits in arms that are not read, with their names, so that a mistyped temperature does not go unnoticed. Null if absent. */
export async function leftOutNote(db: Duck, source: AuditSource, read: string): Promise<string | null> {
  const arms = await db.rows<{ arm: string; n: number }>(
    `SELECT arm[1:40] AS arm, count(*)::INTEGER AS n FROM audits WHERE NOT (${read}) GROUP BY 1 ORDER BY n DESC, arm`,
  );
  if (arms.length === 0) return null;
  const [all] = await db.rows<{ n: number }>("SELECT count(*)::INTEGER AS n FROM audits");
  const left = arms.reduce((sum, { n }) => sum + n, 0);
  const names = arms.slice(0, NAMED).map(({ arm, n }) => `${arm} (${n})`);
  const more = arms.length > NAMED ? ` and ${arms.length - NAMED} more` : "";
  const where = source.own ? "" : ` of ${source.path}`;
  return `${left} of ${all!.n} audits${where} are left out: their arm is no temperature (written t=0.7), template or pilot: ${names.join(", ")}${more}`;
}

/** A note on arms whose name gives another temperature than their column. Null if absent. */
export async function contradictionNote(db: Duck, armTemperature: string): Promise<string | null> {
  const arms = await db.rows<{ arm: string; n: number; least: number; most: number }>(
    `SELECT arm[1:40] AS arm, count(*)::INTEGER AS n, min(temperature) AS least, max(temperature) AS most FROM audits
     WHERE ${armTemperature} <> temperature GROUP BY 1 ORDER BY arm`,
  );
  if (arms.length === 0) return null;
  const differing = arms.slice(0, NAMED).map(({ arm, n, least, most }) => {
    return `${arm} (${n} with ${least === most ? least : `${least} to ${most}`})`;
  });
  return `the names of arms and the column temperature differ, and the names were believed: ${differing.join(", ")}`;
}

/** Decisions of one community that were audited twice under the same text, by whether the opposite was found derivable. */
export interface RepeatCount {
  community: string;
  /** Derivable only in the first audit, and only in the second. */
  plus: number;
  minus: number;
  n: number;
}

/** The first two replicates of every decision, over all arms; empty if nothing was audited twice. */
export async function countRepeats(table: AuditTable): Promise<RepeatCount[]> {
  return table.db.rows<RepeatCount>(
    `SELECT a.community, count(*) FILTER (a.inverse AND NOT b.inverse)::INTEGER AS plus,
       count(*) FILTER (NOT a.inverse AND b.inverse)::INTEGER AS minus, count(*)::INTEGER AS n
     FROM (SELECT * FROM audits WHERE replicate = 0 AND cell >= 0) a
     JOIN (SELECT decision_id, arm, inverse FROM audits WHERE replicate = 1 AND cell >= 0) b USING (decision_id, arm)
     GROUP BY ALL ORDER BY ALL`,
  );
}

/** The verdicts of an arm's replicated decisions, ordered by decision and replicate. */
export interface ReplicateColumns {
  decisions: number;
  /** Rows of decision d: start[d] to start[d + 1]. */
  start: Int32Array;
  /** Community index of each decision. */
  community: Int32Array;
  communities: number;
  level: Uint8Array;
  inverse: Uint8Array;
  /** Probabilities of the levels; NaN: absent. */
  p1: Float64Array;
  p2: Float64Array;
  p3: Float64Array;
  pds: Float64Array;
  inverseYesProb: Float64Array;
  /** 1: the level probabilities are those at temperature 1, so the distribution of the draws follows; 0: unknown, or they are shares of draws. */
  unitSpace: Uint8Array;
  /** The temperature of the rows; null if they differ or lack it. */
  temperature: number | null;
}

/** Reads the decisions of an arm that have at least `least` verdicts. The table must have been opened with `SIGNAL_COLUMNS`. */
export async function readReplicates(table: AuditTable, arm: string, least: number): Promise<ReplicateColumns> {
  const { db } = table;
  await db.run(
    `CREATE OR REPLACE TABLE replicated AS SELECT decision_id, k, row_number() OVER (ORDER BY decision_id) - 1 AS number,
       dense_rank() OVER (ORDER BY community) - 1 AS community_number
     FROM (SELECT decision_id, any_value(community) AS community, count(*) AS k FROM audits
           WHERE cell >= 0 AND arm = ${sqlString(arm)} GROUP BY decision_id HAVING count(*) >= ${least})`,
  );
  const [size] = await db.rows<{
    decisions: number;
    n: number;
    communities: number;
    low: number | null;
    high: number | null;
  }>(
    `SELECT count(*)::INTEGER AS decisions, coalesce(sum(k), 0)::INTEGER AS n, coalesce(max(community_number) + 1, 0)::INTEGER AS communities,
       (SELECT min(temperature) FROM audits WHERE arm = ${sqlString(arm)}) AS low,
       (SELECT max(temperature) FROM audits WHERE arm = ${sqlString(arm)}) AS high FROM replicated`,
  );
  const { decisions, n, communities, low, high } = size!;
  const columns: ReplicateColumns = {
    decisions,
    start: new Int32Array(decisions + 1),
    community: new Int32Array(decisions),
    communities,
    level: new Uint8Array(n),
    inverse: new Uint8Array(n),
    p1: new Float64Array(n),
    p2: new Float64Array(n),
    p3: new Float64Array(n),
    pds: new Float64Array(n),
    inverseYesProb: new Float64Array(n),
    unitSpace: new Uint8Array(n),
    temperature: low === high ? low : null,
  };
  if (n > 0) await fill(table, arm, columns);
  return columns;
}

async function fill(table: AuditTable, arm: string, columns: ReplicateColumns): Promise<void> {
  const absent = "'NaN'::DOUBLE";
  const result = await table.db.connection.stream(
    `SELECT number::INTEGER, community_number::INTEGER, ${CELL.level("cell")}::INTEGER, ${CELL.inverse("cell")}::INTEGER,
       coalesce(level_probs[1], ${absent}), coalesce(level_probs[2], ${absent}), coalesce(level_probs[3], 1 - p_defensible, ${absent}),
       coalesce(pds, ${absent}), coalesce(inverse_yes_prob, ${absent}), ${UNIT_SPACE}::INTEGER
     FROM audits JOIN replicated USING (decision_id) WHERE cell >= 0 AND arm = ${sqlString(arm)} ORDER BY number, replicate`,
  );
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const numbers = integers(chunk, 0);
    const communities = integers(chunk, 1);
    for (let i = 0; i < numbers.length; i++) {
      columns.start[numbers[i]! + 1]!++;
      columns.community[numbers[i]!] = communities[i]!;
    }
    columns.level.set(integers(chunk, 2), at);
    columns.inverse.set(integers(chunk, 3), at);
    columns.p1.set(doubles(chunk, 4), at);
    columns.p2.set(doubles(chunk, 5), at);
    columns.p3.set(doubles(chunk, 6), at);
    columns.pds.set(doubles(chunk, 7), at);
    columns.inverseYesProb.set(doubles(chunk, 8), at);
    columns.unitSpace.set(integers(chunk, 9), at);
    at += chunk.rowCount;
  }
  for (let d = 0; d < columns.decisions; d++) columns.start[d + 1]! += columns.start[d]!;
}

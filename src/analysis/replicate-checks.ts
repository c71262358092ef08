import { InputError } from "../core/errors.js";
import { sqlName, sqlString } from "../store/files/audit-columns.js";
import type { Duck } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { readCsvHeader } from "./csv-header.js";

/** What a foreign file must have in these columns, where it has anything. */
const EXPECTED = {
  temperature: { what: "a number from 0 on", holds: "v IS NOT NULL AND isfinite(v) AND v >= 0" },
  replicate: { what: "a whole number from 0 on", holds: "v IS NOT NULL AND isfinite(v) AND v >= 0 AND v = floor(v)" },
} as const;

/**
 * Refuses a foreign file whose temperatures or replicates cannot be read: passed over, they would put audits of several temperatures together, or
 * repetitions under the same number. After `openAuditTable`.
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
      "Mend these rows, or leave the cell empty where it is not known.",
    );
  }
}

/** The file as it stands. */
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

/** Arms named one by one in a note. */
const NAMED = 6;

/** Audits in arms that are not read, with their names: a mistyped temperature must not vanish. Null: there are none. */
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

/** Arms whose name says another temperature than their column. Null: there are none. */
export async function contradictionNote(db: Duck, armTemperature: string): Promise<string | null> {
  const arms = await db.rows<{ arm: string; n: number; least: number; most: number }>(
    `SELECT arm[1:40] AS arm, count(*)::INTEGER AS n, min(temperature) AS least, max(temperature) AS most FROM audits
     WHERE ${armTemperature} <> temperature GROUP BY 1 ORDER BY arm`,
  );
  if (arms.length === 0) return null;
  const told = arms.slice(0, NAMED).map(({ arm, n, least, most }) => {
    return `${arm} (${n} with ${least === most ? least : `${least} to ${most}`})`;
  });
  return `the names of arms and the column temperature differ, and the names were believed: ${told.join(", ")}`;
}

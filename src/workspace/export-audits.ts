import { copyFileSync } from "node:fs";
import type { Audit } from "../domain/audit.js";
import { AUDIT_COLUMNS, columnsArgument, sqlString } from "../ledger/audit-columns.js";
import { withDuckDB } from "../ledger/duckdb.js";
import type { Ledger } from "../ledger/ledger.js";
import { AsideFile } from "./aside-file.js";
import { csvHeader, csvRow } from "./csv.js";

export type ExportFormat = "jsonl" | "csv" | "parquet";

interface Column {
  name: string;
  field: string | null;
}

/** Columns of the CSV form: fields of objects stand under dotted names. */
const CSV_COLUMNS = Object.entries(AUDIT_COLUMNS).flatMap(([name, type]): Column[] => {
  const fields = /^STRUCT\((.*)\)$/.exec(type)?.[1];
  if (!fields) return [{ name, field: null }];
  return fields.split(", ").map((field) => ({ name, field: field.split(" ")[0]! }));
});

/** Writes the audits of a run to a file, streaming: aside first, then renamed. Returns how many there were. */
export async function exportAudits(ledger: Ledger, runId: string, format: ExportFormat, out: string): Promise<number> {
  const file = new AsideFile(out);
  try {
    const rows =
      format === "parquet" ? await writeParquet(ledger, runId, file) : await writeLines(ledger, runId, format, file);
    file.commit();
    return rows;
  } finally {
    file.discard();
  }
}

async function writeLines(ledger: Ledger, runId: string, format: "jsonl" | "csv", file: AsideFile): Promise<number> {
  let rows = 0;
  const write =
    format === "csv" ? (audit: Audit) => csvRow(CSV_COLUMNS.map((column) => fieldOf(audit, column))) : jsonLine;
  if (format === "csv")
    file.write(csvHeader(CSV_COLUMNS.map(({ name, field }) => (field ? `${name}.${field}` : name))));
  for await (const audits of ledger.audits(runId)) {
    rows += audits.length;
    for (const audit of audits) file.write(write(audit));
  }
  return rows;
}

function jsonLine(audit: Audit): string {
  return `${JSON.stringify(audit)}\n`;
}

function fieldOf(audit: Audit, { name, field }: Column): unknown {
  const value: unknown = audit[name];
  return field === null ? value : (value as Record<string, unknown> | null | undefined)?.[field];
}

/** A sealed run is Parquet already; a live one is converted by way of its lines. */
async function writeParquet(ledger: Ledger, runId: string, file: AsideFile): Promise<number> {
  const source = ledger.source(runId);
  file.close();
  return withDuckDB(async (db) => {
    if (source.format === "parquet") copyFileSync(source.path, file.aside);
    else {
      const lines = new AsideFile(`${file.aside}.jsonl`);
      try {
        await writeLines(ledger, runId, "jsonl", lines);
        lines.close();
        await db.run(
          `COPY (SELECT * FROM read_json(${sqlString(lines.aside)}, format = 'newline_delimited', columns = ${columnsArgument()}))
           TO ${sqlString(file.aside)} (FORMAT parquet, COMPRESSION zstd)`,
        );
      } finally {
        lines.discard();
      }
    }
    const [row] = await db.rows<{ n: number }>(
      `SELECT count(*)::INTEGER AS n FROM read_parquet(${sqlString(file.aside)}, hive_partitioning = false)`,
    );
    return row?.n ?? 0;
  });
}

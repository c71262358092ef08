import { extname } from "node:path";
import { InputError } from "../../core/errors.js";
import type { AuditSource } from "../../store/ports.js";

/** The format of a file of audits or decisions, by its ending. */
export function auditFormat(path: string): AuditSource["format"] {
  const known: Record<string, AuditSource["format"]> = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
  };
  const format = known[extname(path).toLowerCase()];
  if (format) return format;
  throw new InputError(
    "unknown_format",
    `${path}: expected a file ending in .jsonl, .csv or .parquet`,
    "Rename or convert it.",
  );
}

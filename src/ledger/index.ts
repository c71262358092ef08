export { type Duck, openDuckDB, withDuckDB } from "./duckdb.js";
export { FileLedger } from "./file-ledger.js";
export { fileError, writeFileAtomic } from "./files.js";
export type { AuditSource, Ledger, Outcome, RunWriter } from "./ledger.js";
export { LineLog } from "./line-log.js";
export { acquireLock } from "./lock.js";
export { type Line, readLines } from "./read-lines.js";

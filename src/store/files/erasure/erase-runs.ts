import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RAW_LOG_NAME } from "../../../auditors/recorded/raw-log.js";
import type { Audit } from "../../../core/records/audit.js";
import { canonicalJson } from "../../../evidence/canonical.js";
import { AsideFile } from "../../../io/files.js";
import { acquireLock } from "../../../io/lock.js";
import { erasedAudit } from "../../records/erased.js";
import { questionIds } from "../../records/question-ids.js";
import { sqlString } from "../audit-columns.js";
import { withDuckDB } from "../duckdb.js";
import { parquetAudits } from "../run-store.js";
import { writeParquet } from "../seal.js";
import { rewriteLines, rowOf } from "./rewrite.js";

/** Locks every run that is not finished: its process may hold decisions in memory. Fails with a BusyError where one is being written. */
export function lockOpenRuns(root: string): () => void {
  const locks: (() => void)[] = [];
  const release = () => {
    for (const unlock of locks.splice(0)) unlock();
  };
  try {
    for (const run of runFolders(root)) {
      if (existsSync(join(root, run, "audits.parquet"))) continue;
      locks.push(acquireLock(join(root, run, "lock"), `run ${run}`));
    }
  } catch (cause) {
    release();
    throw cause;
  }
  return release;
}

export function runFolders(root: string): string[] {
  if (!existsSync(root)) return [];
  const entries = readdirSync(root, { withFileTypes: true });
  return entries.filter((one) => one.isDirectory() && !one.name.startsWith(".")).map(({ name }) => name);
}

/** Erases what one run has of decisions. Returns counts by file. */
export async function eraseRun(
  folder: string,
  ids: ReadonlySet<string>,
  dryRun: boolean,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const note = (name: string, count: number) => {
    if (count > 0) counts[name] = count;
  };
  note("audits.jsonl", await rewriteLines(join(folder, "audits.jsonl"), (line) => erasedLine(line, ids), dryRun));
  note("audits.parquet", await eraseParquet(join(folder, "audits.parquet"), ids, dryRun));
  const isOf = (key: string) => ids.has(key.split("\u0000")[0]!);
  note(RAW_LOG_NAME, await dropAnswers(join(folder, RAW_LOG_NAME), isOf, dryRun));
  const batches = existsSync(join(folder, "batch"));
  const asked = batches ? questionIds(rowOf(readText(join(folder, "manifest.json"))), ids) : new Set();
  note(
    "batch/answers.jsonl",
    await dropAnswers(join(folder, "batch", "answers.jsonl"), (key) => asked.has(key), dryRun),
  );
  return counts;
}

/** A line of audits without texts. A torn one is dropped: the next writer would cut it off. */
function erasedLine(line: string, ids: ReadonlySet<string>): string | null {
  const row = rowOf(line) as Audit | null;
  if (row === null) return null;
  if (!ids.has(row.decision_id)) return line;
  const erased = erasedAudit(row);
  return canonicalJson(erased) === canonicalJson(row) ? line : JSON.stringify(erased);
}

/** A finished run is written anew with the columns that it has: the other rows must stay what was sealed. */
async function eraseParquet(path: string, ids: ReadonlySet<string>, dryRun: boolean): Promise<number> {
  if (!existsSync(path)) return 0;
  const changed = (audit: Audit) =>
    ids.has(audit.decision_id) && canonicalJson(erasedAudit(audit)) !== canonicalJson(audit);
  let [count, size] = [0, 0];
  for await (const audits of parquetAudits(path)) {
    size += audits.length;
    count += audits.filter(changed).length;
  }
  if (count === 0 || dryRun) return count;
  const columns = await withDuckDB((db) =>
    db.rows<{ column_name: string; column_type: string }>(
      `DESCRIBE SELECT * FROM read_parquet(${sqlString(path)}, hive_partitioning = false)`,
    ),
  );
  const copy = async (sorted: string) => {
    const file = new AsideFile(sorted);
    for await (const audits of parquetAudits(path)) {
      for (const audit of audits) {
        file.write(`${JSON.stringify(ids.has(audit.decision_id) ? erasedAudit(audit) : audit)}\n`);
      }
    }
    file.commit();
  };
  const types = Object.fromEntries(columns.map(({ column_name, column_type }) => [column_name, column_type]));
  await writeParquet(path, size, copy, types);
  return count;
}

/** Drops answers of a raw log by their keys. One that has no others is deleted. */
async function dropAnswers(path: string, isOf: (key: string) => boolean, dryRun: boolean): Promise<number> {
  let kept = 0;
  const count = await rewriteLines(
    path,
    (line) => {
      const row = rowOf(line);
      // What a crash tore counts as absent.
      if (row === null) return null;
      if (typeof row.key === "string" && isOf(row.key)) return null;
      if (typeof row.key === "string") kept += 1;
      return line;
    },
    dryRun,
  );
  if (count > 0 && kept === 0 && !dryRun) rmSync(path, { force: true });
  return count;
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

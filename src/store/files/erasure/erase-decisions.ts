import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RAW_LOG_NAME } from "../../../auditors/recorded/raw-log.js";
import { ERASED } from "../../../core/names.js";
import type { Audit } from "../../../core/records/audit.js";
import type { Decision } from "../../../core/records/decision.js";
import { canonicalJson } from "../../../evidence/canonical.js";
import { AsideFile, fileError, syncFile, syncFolder, writeFileAtomic } from "../../../io/files.js";
import { acquireLock } from "../../../io/lock.js";
import type { Quotes } from "../../../text/quotes.js";
import { Fault } from "../../formats/parse-json.js";
import { erasedAudit, erasedDecision, isErased, questionIds } from "../../records/erased.js";
import { canonicalRecord, normalise } from "../../records/normalise.js";
import { RECORD_KINDS } from "../../records/record-kinds.js";
import { sqlString, withDuckDB } from "../duckdb.js";
import { hashBytes, hashDecisions, readParquet } from "../records.js";
import { parquetAudits } from "../run-store.js";
import { writeParquet } from "../seal.js";
import type { Workspace } from "../workspace.js";
import { rewriteLines, rowOf } from "./rewrite.js";

/**
 * Erases decisions in their files, and whatever other decisions quote from them at length, for example in their context. The rows of a
 * `decisions.parquet` move to `decisions.jsonl`, because its columns are arbitrary. The hash of the decisions is kept, so that runs can continue.
 */
export async function eraseDecisions(workspace: Workspace, ids: ReadonlySet<string>, quotes: Quotes, dryRun: boolean) {
  const { decisions: jsonl, decisionsParquet: parquet } = workspace.paths;
  if (!dryRun) finishMove(workspace);
  const erased = (decision: Decision): Decision => {
    if (ids.has(String(decision.id))) return isErased(decision) ? decision : erasedDecision(decision);
    return quotes.without(decision, ERASED, "long");
  };
  const line = (decision: Decision) =>
    JSON.stringify(canonicalRecord(RECORD_KINDS.decisions.fields, decision, workspace.config.actions));
  const change = (text: string) => {
    const row = rowOf(text) as Decision | null;
    const next = row && erased(row);
    return next === row ? text : line(next!);
  };
  const moved = await inParquet(workspace, erased);
  const before = dryRun ? "" : await hashDecisions(workspace);
  if (moved.length === 0) {
    const ready = async (aside: string) => keepHash(workspace, before, [aside, parquet]);
    return { jsonl: await rewriteLines(jsonl, change, dryRun, ready), parquet: 0 };
  }
  const text = existsSync(jsonl) ? readFileSync(jsonl, "utf8").split("\n").filter(Boolean) : [];
  const next = text.map(change);
  const counts = { jsonl: next.filter((one, i) => one !== text[i]).length, parquet: moved.length };
  if (dryRun) return counts;
  try {
    await copyOthers(parquet, moved, asideOf(parquet));
    writeFileSync(asideOf(jsonl), [...next, ...moved.map(line)].map((one) => `${one}\n`).join(""));
    for (const path of [parquet, jsonl]) syncFile(asideOf(path));
    await keepHash(workspace, before, [asideOf(jsonl), asideOf(parquet)]);
    renameSync(asideOf(parquet), parquet);
    renameSync(asideOf(jsonl), jsonl);
    syncFolder(dirname(jsonl));
  } catch (cause) {
    throw fileError(cause, parquet);
  }
  return counts;
}

const asideOf = (path: string) => `${path}.erasing`;

/** Completes an interrupted move. A process killed between the two renames leaves one temporary file; before them, both. */
function finishMove({ paths: { decisions, decisionsParquet } }: Workspace): void {
  if (existsSync(asideOf(decisions)) && !existsSync(asideOf(decisionsParquet))) {
    renameSync(asideOf(decisions), decisions);
  }
  for (const path of [decisionsParquet, decisions]) rmSync(asideOf(path), { force: true });
}

/** The changed decisions. */
async function inParquet({ paths, config }: Workspace, erased: (decision: Decision) => Decision): Promise<Decision[]> {
  const found: Decision[] = [];
  if (!existsSync(paths.decisionsParquet)) return found;
  for await (const rows of readParquet(paths.decisionsParquet)) {
    for (const row of rows) {
      const decision = normalise(RECORD_KINDS.decisions.fields, row, config.actions);
      if (decision instanceof Fault) continue;
      const next = erased(decision as Decision);
      if (next !== (decision as unknown)) found.push(next);
    }
  }
  return found;
}

async function copyOthers(path: string, moved: readonly Decision[], target: string): Promise<void> {
  const gone = moved.map(({ id }) => sqlString(id)).join(", ");
  await withDuckDB((db) =>
    db.run(
      `COPY (SELECT * FROM read_parquet(${sqlString(path)}, hive_partitioning = false) WHERE id::VARCHAR NOT IN (${gone}))
       TO ${sqlString(target)} (FORMAT parquet, COMPRESSION zstd)`,
    ),
  );
}

/** Makes files of decisions with this hash count as those before the erasure. */
async function keepHash(workspace: Workspace, before: string, files: readonly string[]): Promise<void> {
  const hash = createHash("sha256");
  await hashBytes(hash, files);
  const alias = { found: hash.digest("hex").slice(0, 16), counts_as: before };
  writeFileAtomic(join(workspace.paths.chain, "decisions.json"), `${JSON.stringify(alias)}\n`);
}

/** Locks every unfinished run, because its process may hold decisions in memory. Fails with a BusyError if one is being written. */
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

/** Erases everything that one run has about decisions. Returns counts by file. */
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

/** A line of audits without texts. A torn line is dropped, because the next writer would cut it off anyway. */
function erasedLine(line: string, ids: ReadonlySet<string>): string | null {
  const row = rowOf(line) as Audit | null;
  if (row === null) return null;
  if (!ids.has(row.decision_id)) return line;
  const erased = erasedAudit(row);
  return canonicalJson(erased) === canonicalJson(row) ? line : JSON.stringify(erased);
}

/** A finished run is rewritten with its existing columns, because the other rows must stay as they were sealed. */
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

/** Drops answers of a raw log by their keys. If no others remain, the log is deleted. */
async function dropAnswers(path: string, isOf: (key: string) => boolean, dryRun: boolean): Promise<number> {
  let kept = 0;
  const count = await rewriteLines(
    path,
    (line) => {
      const row = rowOf(line);
      // A torn line counts as absent.
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

import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ERASED } from "../../../core/names.js";
import type { Decision } from "../../../core/records/decision.js";
import { fileError, syncFile, syncFolder, writeFileAtomic } from "../../../io/files.js";
import type { Quotes } from "../../../text/quotes.js";
import { Fault } from "../../formats/parse-json.js";
import { readParquet } from "../../formats/read-parquet.js";
import { erasedDecision, isErased } from "../../records/erased.js";
import { canonicalRecord, normalise } from "../../records/normalise.js";
import { RECORD_KINDS } from "../../records/record-kinds.js";
import { sqlString } from "../audit-columns.js";
import { withDuckDB } from "../duckdb.js";
import { hashBytes, hashDecisions } from "../records.js";
import type { Workspace } from "../workspace.js";
import { rewriteLines, rowOf } from "./rewrite.js";

/**
 * Erases decisions in their files, and what other decisions quote of them at length, such as their context. The rows of a `decisions.parquet` move to `decisions.jsonl`: its columns may be any. The hash of the decisions
 * stays, so that runs go on.
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

/** A process that was killed between the two renamings left the second file aside; before them, both. */
function finishMove({ paths: { decisions, decisionsParquet } }: Workspace): void {
  if (existsSync(asideOf(decisions)) && !existsSync(asideOf(decisionsParquet))) {
    renameSync(asideOf(decisions), decisions);
  }
  for (const path of [decisionsParquet, decisions]) rmSync(asideOf(path), { force: true });
}

/** Those that change, changed. */
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

/** Files of decisions with this hash count as those before the erasure. */
async function keepHash(workspace: Workspace, before: string, files: readonly string[]): Promise<void> {
  const hash = createHash("sha256");
  await hashBytes(hash, files);
  const alias = { found: hash.digest("hex").slice(0, 16), counts_as: before };
  writeFileAtomic(join(workspace.paths.chain, "decisions.json"), `${JSON.stringify(alias)}\n`);
}

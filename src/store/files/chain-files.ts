import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { InputError } from "../../core/errors.js";
import { type ChainEntry, type ChainHead, type ChainSource, readChainLine } from "../../evidence/chain.js";
import { ERASURES, isErasedBy, readTombstone, type Tombstone } from "../../evidence/tombstone.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { LineLog } from "../../io/line-log.js";
import { waitForLock } from "../../io/lock.js";
import { readLines } from "../../io/read-lines.js";
import type { ChainStore } from "../ports.js";
import { restOf } from "../records/erased.js";
import { gatePaths } from "./gate-files.js";
import type { Workspace } from "./workspace.js";

/** The chain of a workspace and the logs that it covers, besides the runs. */
export interface ChainFiles extends ChainStore {
  /** SHA-256 of the ids of decisions in the log of erasures. */
  buried(): Promise<ReadonlySet<string>>;
  /** Adds to the log of erasures. */
  bury(tombstones: readonly Tombstone[]): Promise<void>;
  /** Deletes the salts of records that tombstones took something of. Returns how many. */
  deleteSalts(buried: readonly Tombstone[], dryRun: boolean): Promise<number>;
}

export function chainFiles(workspace: Pick<Workspace, "root" | "paths">): ChainFiles {
  const { chain: folder } = workspace.paths;
  const path = join(folder, "chain.jsonl");
  const erasures = join(folder, "erasures.jsonl");
  const { routes, history } = gatePaths(workspace);
  const logs = { routes, gate: history, outcomes: workspace.paths.outcomes, [ERASURES]: erasures };
  return {
    async read() {
      const entries: ChainEntry[] = [];
      const heads: ChainHead[] = [];
      for (const [i, line] of (await linesOf(path)).entries()) {
        const read = readChainLine(line);
        if (read === null) {
          throw new InputError("bad_chain", `${path}, line ${i + 1}: was changed; not a line of the chain`);
        }
        if ("source" in read) entries.push(read);
        else heads.push(read);
      }
      return { entries, heads };
    },
    async logs() {
      const found: ChainSource[] = [];
      for (const [source, file] of Object.entries(logs)) {
        found.push({ source, records: await linesOf(file), complete: false });
      }
      return found;
    },
    append: (entries, head) => appendLines(path, [...entries, head]),
    rest: restOf,
    where(source, n) {
      const log = (logs as Record<string, string>)[source];
      if (log !== undefined) return `${relative(workspace.root, log)}:${n + 1}`;
      return `${source.replace(/^audits:(.*)$/, "runs/$1/audits.parquet")}, row ${n + 1}`;
    },
    async withSealLock(work) {
      makeFolder(folder);
      const unlock = await waitForLock(join(folder, "lock"), "the chain");
      try {
        return await work();
      } finally {
        unlock();
      }
    },
    buried: async () => new Set((await linesOf(erasures)).flatMap((line) => readTombstone(line)?.decision ?? [])),
    bury: (tombstones) => appendLines(erasures, tombstones),
    async deleteSalts(buried, dryRun) {
      const earlier = (await linesOf(erasures)).flatMap((line) => readTombstone(line) ?? []);
      const isErased = isErasedBy([...earlier, ...buried]);
      let deleted = 0;
      const lines = (await linesOf(path)).map((line) => {
        const read = readChainLine(line);
        if (!read || !("source" in read) || read.salt === null || !isErased(read)) return line;
        deleted += 1;
        return JSON.stringify({ ...read, salt: null });
      });
      if (deleted > 0 && !dryRun) writeFileAtomic(path, lines.map((line) => `${line}\n`).join(""));
      return deleted;
    },
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw fileError(cause, folder);
  }
}

async function appendLines(path: string, values: readonly object[]): Promise<void> {
  if (values.length === 0) return;
  makeFolder(dirname(path));
  const log = new LineLog(path);
  try {
    log.append(values.map((value) => JSON.stringify(value)));
  } finally {
    await log.close();
  }
}

/** Whole lines of a file. What may still be written is left for the next time. */
async function linesOf(path: string): Promise<string[]> {
  const found: string[] = [];
  if (!existsSync(path)) return found;
  for await (const lines of readLines(path)) {
    for (const { text, ended } of lines) if (ended) found.push(text);
  }
  return found;
}

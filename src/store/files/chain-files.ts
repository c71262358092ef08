import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../../core/errors.js";
import { type Chain, type ChainEntry, type ChainHead, type ChainSource, readChainLine } from "../../evidence/chain.js";
import { fileError } from "../../io/files.js";
import { LineLog } from "../../io/line-log.js";
import { waitForLock } from "../../io/lock.js";
import { readLines } from "../../io/read-lines.js";
import { gatePaths } from "./gate-files.js";
import type { Workspace } from "./workspace.js";

/** The chain of a workspace and the logs that it covers, besides the runs. */
export interface ChainFiles {
  read(): Promise<Chain>;
  /** Lines of the append-only logs, as they were written. */
  logs(): Promise<ChainSource[]>;
  append(entries: readonly ChainEntry[], head: ChainHead): Promise<void>;
  /** Runs something while no other process seals. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function chainFiles(workspace: Pick<Workspace, "root" | "paths">): ChainFiles {
  const path = join(workspace.root, "chain", "chain.jsonl");
  const { routes, history } = gatePaths(workspace);
  const logs = { routes, gate: history, outcomes: join(workspace.root, "outcomes.jsonl") };
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
    async append(entries, head) {
      const log = new LineLog(path);
      try {
        log.append([...entries, head].map((line) => JSON.stringify(line)));
      } finally {
        await log.close();
      }
    },
    async alone(work) {
      try {
        mkdirSync(dirname(path), { recursive: true });
      } catch (cause) {
        throw fileError(cause, dirname(path));
      }
      const unlock = await waitForLock(join(dirname(path), "lock"), "the chain");
      try {
        return await work();
      } finally {
        unlock();
      }
    },
  };
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

import { type KeyObject, randomBytes } from "node:crypto";
import { canonicalJson } from "../../evidence/canonical.js";
import {
  type Chain,
  type ChainCheck,
  type ChainEntry,
  type ChainHead,
  type ChainSource,
  extendChain,
  verifyChain,
} from "../../evidence/chain.js";
import type { Context } from "../../store/context.js";

/** Where the chain is kept, and the logs besides the runs. */
interface ChainStore {
  read(): Promise<Chain>;
  logs(): Promise<ChainSource[]>;
  append(entries: readonly ChainEntry[], head: ChainHead): Promise<void>;
  alone<T>(work: () => Promise<T>): Promise<T>;
}

type Places = Pick<Context, "runs" | "now">;

/** Adds every new record to the chain. Refuses nothing: what was changed before is found by `checkSeal`. */
export async function seal(
  places: Places,
  chain: ChainStore,
  key: KeyObject | null,
): Promise<{ added: number; head: ChainHead | null }> {
  return chain.alone(async () => {
    const salt = () => randomBytes(16).toString("hex");
    const sources = await sourcesOf(places, chain);
    const { entries, head } = extendChain(await chain.read(), sources, places.now().toISOString(), salt, key);
    if (head) await chain.append(entries, head);
    return { added: entries.length, head };
  });
}

/** Holds every record of the workspace against the chain. */
export async function checkSeal(
  places: Places,
  chain: ChainStore,
  options: { trusted: KeyObject | null; kept: ChainHead | null },
): Promise<ChainCheck> {
  return verifyChain(await chain.read(), await sourcesOf(places, chain), options);
}

/** Runs that are finished, oldest first, then the logs. The audits of an open run may still change. */
async function sourcesOf({ runs }: Places, chain: ChainStore): Promise<ChainSource[]> {
  const sources: ChainSource[] = [];
  for (const { run_id, status } of (await runs.list()).reverse()) {
    if (status !== "sealed") continue;
    const records: string[] = [];
    try {
      for await (const batch of runs.audits(run_id)) records.push(...batch.map(canonicalJson));
    } catch {
      // A file that cannot be read has lost its records.
      records.length = 0;
    }
    sources.push({ source: `audits:${run_id}`, records, complete: true });
  }
  return [...sources, ...(await chain.logs())];
}

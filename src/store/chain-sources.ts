import { canonicalJson } from "../evidence/canonical.js";
import type { ChainSource } from "../evidence/chain.js";
import type { ChainStore, RunStore } from "./ports.js";

/** What the chain covers: runs that are finished, oldest first, then the logs. The audits of an open run may still change. */
export async function chainSources(runs: RunStore, chain: Pick<ChainStore, "logs" | "rest">): Promise<ChainSource[]> {
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
  return [...sources, ...(await chain.logs())].map((one) => ({
    ...one,
    rest: (record) => chain.rest(one.source, record),
  }));
}

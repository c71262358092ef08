import { type KeyObject, randomBytes } from "node:crypto";
import { type ChainCheck, type ChainHead, extendChain, verifyChain } from "../../evidence/chain.js";
import { chainSources } from "../../store/chain-sources.js";
import type { Context } from "../../store/context.js";

type Places = Pick<Context, "runs" | "chain" | "now">;

/** Adds every new record to the chain. Refuses nothing: what was changed before is found by `checkSeal`. */
export async function seal(
  { runs, chain, now }: Places,
  key: KeyObject | null,
): Promise<{ added: number; head: ChainHead | null }> {
  return chain.alone(async () => {
    const salt = () => randomBytes(16).toString("hex");
    const sources = await chainSources(runs, chain);
    const { entries, head } = extendChain(await chain.read(), sources, now().toISOString(), salt, key);
    if (head) await chain.append(entries, head);
    return { added: entries.length, head };
  });
}

/** Holds every record of the workspace against the chain. */
export async function checkSeal(
  { runs, chain }: Places,
  options: { trusted: KeyObject | null; kept: ChainHead | null },
): Promise<ChainCheck> {
  return verifyChain(await chain.read(), await chainSources(runs, chain), options);
}

import { type KeyObject, randomBytes } from "node:crypto";
import { sha256 } from "../../evidence/canonical.js";
import { type Chain, type ChainHead, type ChainSource, extendChain } from "../../evidence/chain.js";
import type { Tombstone } from "../../evidence/tombstone.js";
import { type ChainCheck, type ChainProblem, sealProblems, verifyChain } from "../../evidence/verify-chain.js";
import type { Context } from "../../store/context.js";
import { chainSources } from "../../store/records/erased.js";
import { Refusal } from "../notices.js";
import { replayGate } from "./replay-gate.js";

type Places = Pick<Context, "runs" | "chain" | "now">;

export interface SealOptions {
  /** Seal new records even if sealed ones were changed. `checkSeal` still finds those. */
  force?: boolean;
  /** Ids of decisions whose tombstones will be sealed. Other tombstones of sealed records are refused. */
  erasing?: readonly string[];
}

export interface Sealed {
  added: number;
  /** null: there was nothing new. */
  head: ChainHead | null;
  /** Problems that `force` ignored; absent: no problems. */
  passed_over?: ChainProblem[];
}

export type SealRefusal =
  | { code: "chain_broken"; problems: ChainProblem[] }
  | { code: "records_changed"; problems: ChainProblem[] }
  | { code: "unknown_erasure"; tombstones: Tombstone[] };

/** Adds every new record to the chain. Existing records are checked first: a head must not confirm what was changed. */
export async function seal(
  { runs, chain, now }: Places,
  key: KeyObject | null,
  options: SealOptions = {},
): Promise<Sealed> {
  return chain.withSealLock(async () => {
    const salt = () => randomBytes(16).toString("hex");
    const { sealed, sources, passed } = await checkBeforeSeal({ runs, chain }, options);
    const { entries, head } = extendChain(sealed, sources, now().toISOString(), salt, key);
    if (head) await chain.append(entries, head);
    return { added: entries.length, head, ...(passed.length > 0 && { passed_over: passed }) };
  });
}

/** Throws wherever `seal` would refuse, and writes nothing. */
export async function checkBeforeSeal(
  { runs, chain }: Pick<Places, "runs" | "chain">,
  { force = false, erasing = [] }: SealOptions,
): Promise<{ sealed: Chain; sources: ChainSource[]; passed: ChainProblem[] }> {
  const sources = await chainSources(runs, chain);
  const sealed = await chain.read();
  const found = sealProblems(sealed, sources, new Set(erasing.map(sha256)));
  const refuse = (why: SealRefusal) => new Refusal<SealRefusal>(why);
  if (found.chain.length > 0) throw refuse({ code: "chain_broken", problems: located(chain, found.chain) });
  if (found.erasures.length > 0) throw refuse({ code: "unknown_erasure", tombstones: found.erasures });
  const passed = located(chain, found.records);
  if (passed.length > 0 && !force) throw refuse({ code: "records_changed", problems: passed });
  return { sealed, sources, passed };
}

/** Adds the place of each record. */
function located({ where }: Context["chain"], problems: readonly ChainProblem[]): ChainProblem[] {
  return problems.map((one) => ("source" in one ? { ...one, where: where(one.source, one.n) } : one));
}

/** Compares every record of the workspace with the chain and, if that is intact, the active gate with its history. */
export async function checkSeal(
  { runs, chain, gate }: Places & Pick<Context, "gate">,
  options: { trusted: KeyObject | null; kept: ChainHead | null },
): Promise<ChainCheck> {
  const check = verifyChain(await chain.read(), await chainSources(runs, chain), options);
  const problems = located(chain, check.problems);
  if (problems.some((one) => "source" in one && one.source === "gate")) return { ...check, problems };
  const { other, compared } = await replayGate(gate);
  problems.push(...other.map((part) => ({ code: "gate_not_in_history" as const, part })));
  return { ...check, ok: problems.length === 0, problems, gate_compared: compared };
}

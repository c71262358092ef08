import type { AuditTable } from "../../analysis/audit-table.js";
import { countGateCohorts, heldOut } from "../../analysis/gate-counts.js";
import type { ThreadsAt } from "../../analysis/thread-counts.js";
import type { GateKey } from "../../core/gate.js";
import type { GateLimits } from "../../measures/gate/gate-input.js";
import { type PassOptions, passGate } from "../../measures/gate/pass-gate.js";

/** Half of the decisions choose, the other half certifies. Fixed: a seed that could be tried out would be chosen by its result. */
const HELD_OUT = { seed: 1, share: 0.5 };

/** Cohorts that were chosen on one part of the decisions, so that the other part can say what they are worth. */
export interface ChosenCommunities {
  /** Share of the decisions that is held out, and the seed of the hash that says which. */
  share: number;
  seed: number;
  /** Whole threads are held out. */
  by_thread: boolean;
  /** Decisions that a cohort needs on the part it is chosen on: the gate's minimum times the part's share. */
  min_decisions: number;
  keys: ReadonlySet<string>;
  /** SQL for the rows that are held out. */
  condition: string;
}

/**
 * The cohorts that pass on the part of the decisions that is not held out, in the same mode and by the same limits. People's labels
 * stay out of it, which are of all decisions.
 */
export async function chooseCommunities(
  table: AuditTable,
  options: Pick<PassOptions, "mode" | "q" | "delta" | "adjust" | "threadCap"> & {
    by: readonly GateKey[];
    limits: GateLimits;
    threads: ThreadsAt | null;
  },
): Promise<ChosenCommunities> {
  const { by, limits, threads, mode, q, delta, adjust, threadCap } = options;
  const condition = heldOut({ ...HELD_OUT, threads: threads !== null });
  const cohorts = await countGateCohorts(table, { by, where: `NOT (${condition})`, threads });
  const min_decisions = Math.ceil(limits.min_decisions * (1 - HELD_OUT.share));
  const passes = passGate(cohorts, { ...limits, min_decisions }, { mode, q, delta, adjust, threadCap, look: "once" });
  const keys = new Set(cohorts.filter((_, i) => passes[i]).map(({ key }) => key));
  return { ...HELD_OUT, by_thread: threads !== null, min_decisions, keys, condition };
}

import type { Decision } from "../../../core/records/decision.js";
import type { Line } from "../../../io/read-lines.js";
import { type ActionFlips, actionFlips } from "../../../measures/stability/action-flips.js";
import { flipRate } from "../../../measures/stability/cell-stats.js";

/** Decisions listed one by one: those on which the decider was least of one mind. */
const LISTED = 1000;

export interface FlippedDecision {
  id: string;
  community: string;
  /** The first proposal, which is the decision. */
  decision: string;
  /** Share of the proposals by action. */
  shares: Record<string, number>;
  proposals: number;
  flip_rate: number;
}

export interface ProposalFlips extends ActionFlips {
  /** Decisions in the file, those too that were proposed once. */
  of: number;
  /** Proposals that the decisions with several have, the fewest and the most; null: there are none. */
  proposals: { least: number; most: number } | null;
  /** Those with both actions, the most divided first; at most 1,000. */
  decisions: FlippedDecision[];
}

/** How often proposals differ for the same content; null: there are none. What a killed process tore is left out. */
export async function readFlips(batches: AsyncIterable<Line[]>): Promise<ProposalFlips | null> {
  const counted: { community: string; counts: number[] }[] = [];
  const flipped: FlippedDecision[] = [];
  let of = 0;
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for await (const lines of batches) {
    for (const { text, ended } of lines) {
      if (!ended) continue;
      const { id, community, decision, decider } = JSON.parse(text) as Decision;
      of++;
      const actions = decider?.replicates;
      if (!actions) continue;
      const counts = Object.values(actions);
      counted.push({ community, counts });
      const proposals = counts.reduce((sum, count) => sum + count, 0);
      const rate = flipRate(counts);
      if (rate === null) continue;
      least = Math.min(least, proposals);
      most = Math.max(most, proposals);
      if (rate === 0) continue;
      const shares = Object.fromEntries(Object.entries(actions).map(([name, count]) => [name, count / proposals]));
      flipped.push({ id, community, decision, shares, proposals, flip_rate: rate });
    }
  }
  if (of === 0) return null;
  flipped.sort((a, b) => b.flip_rate - a.flip_rate || (a.id < b.id ? -1 : 1));
  const proposals = most === 0 ? null : { least, most };
  return { ...actionFlips(counted), of, proposals, decisions: flipped.slice(0, LISTED) };
}

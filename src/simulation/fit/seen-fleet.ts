import type { SimulatedCohort, WorldSettings } from "../../core/results/simulation.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { createRng } from "../../stats/random/create-rng.js";
import { type CommunityPlan, planCommunities } from "../world/plan-communities.js";
import { partsOf } from "./paper-noise.js";

/** What a gate sees of a community. */
export interface SeenCommunity {
  decisions: number;
  indefensible: number;
  inverse: number;
}

/** The communities of a fleet with at least `min` decisions, as the paper's auditor sees them: no text is written. */
export function seenFleet(
  cohort: SimulatedCohort,
  threads: WorldSettings["threads"],
  seed: number,
  min: number,
): SeenCommunity[] {
  const rng = createRng(seed).fork("seen");
  return planCommunities(cohort, rng)
    .filter(({ decisions }) => decisions >= min)
    .map((plan, i) => seenCommunity(plan, threads, rng.fork(`community ${i}`)));
}

function seenCommunity(plan: CommunityPlan, threads: WorldSettings["threads"], rng: Rng): SeenCommunity {
  const { state, open, error, decisions } = plan;
  const parts = partsOf({ open, void: Math.min(state.void, 1 - open), implied: state.implied, error });
  const seen: SeenCommunity = { decisions, indefensible: 0, inverse: 0 };
  let first: number | null = null;
  for (let i = 0; i < decisions; i++) {
    if (first === null || rng.next() >= 1 - 1 / threads.size) first = null;
    const again: boolean = first !== null && rng.next() < threads.correlation;
    const part: number = again ? first! : pick(parts, rng.next());
    first ??= part;
    const { levels, inverse } = parts[part]![1];
    if (rng.next() < levels[2]) seen.indefensible += 1;
    if (rng.next() < inverse) seen.inverse += 1;
  }
  return seen;
}

function pick(parts: ReturnType<typeof partsOf>, place: number): number {
  let left = place;
  for (let i = 0; i < parts.length; i++) {
    left -= parts[i]![0];
    if (left < 0) return i;
  }
  return parts.length - 1;
}

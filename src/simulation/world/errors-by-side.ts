import type { SimulatedCohort } from "../../core/results/simulation.js";
import type { Side } from "./side-state.js";

/**
 * Of the content that calls for one side, how much is decided the other way: errors are shared out between the two by `missed`, and what one side
 * cannot take, being too rare, goes to the other.
 *
 * Formula: min(error · missed, violating) of the clear content is removable and approved, min(error (1 − missed), 1 − violating) the reverse, each
 * with what the other could not take; over the side's share.
 * Range: [0, 1].
 * Undefined when: never; a side without content has no errors: 0.
 * Differs from the paper: not in the paper.
 * @see docs/simulation.md
 * @example errorsBySide(0.1, { missed: 0.5, violating: 0.25 }).remove // => 0.2
 */
export function errorsBySide(
  error: number,
  { missed, violating }: Pick<SimulatedCohort, "missed" | "violating">,
): Record<Side, number> {
  const allowed = 1 - violating;
  const [approved, removed] = [error * missed, error * (1 - missed)];
  const beyond = { approved: Math.max(0, approved - violating), removed: Math.max(0, removed - allowed) };
  return {
    remove: rate(approved + beyond.removed, violating),
    approve: rate(removed + beyond.approved, allowed),
  };
}

function rate(errors: number, share: number): number {
  return share > 0 ? Math.min(errors, share) / share : 0;
}

import type { GateOptions } from "../../src/measures/gate/gate-evaluation.js";
import type { GateCohort } from "../../src/measures/gate/gate-input.js";
import { createRng } from "../../src/stats/random/create-rng.js";

export interface GateCall {
  cohorts: GateCohort[];
  options: GateOptions;
}

/** Fleets of all kinds, from one community to forty, some of which pass, with settings of every mode. */
export function gateCalls(count: number): GateCall[] {
  const rng = createRng(20261115);
  return Array.from({ length: count }, (_, i) => {
    const bad = 0.3 * rng.next();
    const open = 0.4 * rng.next();
    const cohorts = Array.from({ length: 1 + rng.int(40) }, (_, j) => {
      const n = rng.int(400);
      const indefensible = Math.round(n * bad * rng.next());
      const pure = Math.round((n - indefensible) * open * rng.next());
      const inverse = pure + Math.round(indefensible * rng.next());
      const unscored = rng.int(3);
      return { key: `c${j}`, n, indefensible, inverse_yes: inverse, inverse_yes_pure: pure, unscored };
    });
    const limits = {
      di: 0.7 + 0.25 * rng.next(),
      ai: 0.1 + 0.3 * rng.next(),
      min_decisions: 25,
      variable: "ai" as const,
    };
    const mode = (["paper", "shrunk", "certified"] as const)[i % 3]!;
    // The frontier is the slow part, and the same code for every fleet.
    return { cohorts, options: { limits, mode, q: 0.1, ...(i % 10 ? { frontier: false as const } : {}) } };
  });
}

/** Cells of so many communities' tallies: counts of every kind of verdict. */
export function tallyCells(communities: number, cells: number): number[][] {
  const rng = createRng(7);
  return Array.from({ length: communities }, () => Array.from({ length: cells }, () => rng.int(4)));
}

import type { SimulatedCohort, SimulatedState } from "../../core/results/simulation.js";
import { fleetCohort } from "../world/fleet-cohort.js";
import { PAPER_RATES } from "../world/paper-rates.js";

/** What is planted of a governance state of the fleet. */
export interface FleetState {
  name: string;
  communities: number;
  volume: number;
  open: number;
  error: number;
}

/** Found by `node scripts/fit-fleet.mjs`: see `docs/simulation.md`. */
export const FITTED_FLEET: readonly FleetState[] = [
  { name: "earned_autonomy", communities: 165, volume: 1, open: 0.005207, error: 0.03444 },
  { name: "policy_gaps", communities: 27.96, volume: 0.3216, open: 0.005744, error: 0.4576 },
  { name: "normative_complexity", communities: 79.72, volume: 0.5032, open: 0.1669, error: 0.07774 },
];

/** Communities of a state are more alike, and their sizes less unequal, than elsewhere: with more scatter the printed counts cannot come out. */
const SCATTER = { concentration: 200, tail: 3 } as const;

/** The fleet with states that are seen as published once its decisions have been audited. */
export function fittedFleet(states: readonly FleetState[]): SimulatedCohort {
  return { ...fleetCohort(), ...SCATTER, states: states.map(stateOf) };
}

/** Void content, of which the paper prints nothing here, is left out; implied content goes with open content as at level 2. */
function stateOf({ name, communities, volume, open, error }: FleetState): SimulatedState {
  const [, a2] = PAPER_RATES.inverse;
  const oneSided = ((1 - a2) / a2) * open;
  return { name, weight: communities, volume, open, void: 0, implied: oneSided / ((1 - open) * (1 - error)), error };
}

import type { SimulatedCohort, WorldSettings } from "../../core/results/simulation.js";

/** A cohort where nothing else is said: see `docs/simulation.md`. */
export const COHORT: SimulatedCohort = {
  name: "main",
  communities: 12,
  decisions: 600,
  large: null,
  tail: 1.2,
  states: [],
  concentration: 40,
  exact: true,
  violating: 0.25,
  missed: 0.5,
  implicit_norms: 0.06,
  shared_errors: 0.4,
  slips: 0.02,
  open_removed: { people: 0.5, decider: 0.5 },
  platform: 0.15,
  precedence: 0.02,
  tiers: null,
};

/** A world, its cohorts apart. */
export const WORLD: WorldSettings = {
  book: "harbour",
  start: "2026-01-01T00:00:00Z",
  days: 180,
  cohorts: [],
  draws: [],
  rules: { min: 6, max: 9 },
  relations: { described: 0.3, detailed: 0.12, cleared: 0.1, excepted: 0.08 },
  subjective: 3,
  decider: { id: "quarry-2", confidence: 0.975, confidence_drop: 0.01 },
  labelled: 1,
  preference: 4,
  precedents: { per_community: 5, foreign: 0 },
  languages: { bilingual: 0.1, foreign: 0.4 },
  threads: { size: 1.5, correlation: 0.2 },
  drift: null,
  contest: { settled: 0.08, implied: 0.3, open: 0.7, void: 0.4, concentration: 6 },
};

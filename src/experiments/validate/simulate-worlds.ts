import { type SimulatedAuditor, simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import type { SimulatedCohort, SimulatedState, WorldSettings } from "../../core/results/simulation.js";
import { applyToColumns } from "../../measures/calibration/calibration-model.js";
import { chooseCalibration } from "../../measures/calibration/choose-calibration.js";
import { paperScores } from "../../measures/calibration/paper/design.js";
import { fitPaper } from "../../measures/calibration/paper/fit-paper.js";
import { EQUAL_WEIGHTS } from "../../measures/signals/components.js";
import { generatePlatformRules, generateWorld } from "../../simulation/world/generate-world.js";
import { type ExpectedRates, expectedRates } from "../../simulation/world/level-shares.js";
import { communitySizes } from "../../simulation/world/plan-communities.js";
import { createRng, type Rng } from "../../stats/random/create-rng.js";
import { drawBeta } from "../../stats/random/draw-normal.js";
import {
  type AuditedWorld,
  auditWorld,
  type Condition,
  joinColumns,
  type WorldCase,
  type WorldCommunity,
} from "./audit-world.js";
import type { Validate } from "./result.js";
import { scoreRow } from "./run-truth.js";
import { WorldTally } from "./world-tally.js";

/** Communities whose states and sizes are drawn, in this many worlds, so that their shares are known far better than those of any one world. */
const COMMUNITIES = 24_000;
const LEAST_WORLDS = 50;
const MOST_WORLDS = 2000;
const BETA_DRAWS = 1000;

/**
 * Long-run rates of the process that draws worlds: those of its states by the settings, each weighted by its mean share of a world's
 * decisions, over worlds that are not audited. A rate taken from the judged worlds would lie in the interval of a single one by
 * construction.
 */
export function processRates(settings: WorldSettings, rng: Rng): ExpectedRates {
  const cohort = settings.cohorts[0]!;
  const shares = stateShares(cohort, rng.fork("sizes"));
  const sums: ExpectedRates = { defensibility_index: 0, ambiguity_index: 0, ambiguity_pure: 0 };
  for (const state of cohort.states) {
    const share = shares.get(state) ?? 0;
    const rates = expectedRates({ ...state, void: meanVoid(state, cohort.concentration, rng.fork("void")) });
    for (const name of Object.keys(sums) as (keyof ExpectedRates)[]) sums[name] += share * rates[name];
  }
  return sums;
}

function stateShares(cohort: SimulatedCohort, rng: Rng): ReadonlyMap<SimulatedState, number> {
  const worlds = Math.min(MOST_WORLDS, Math.max(LEAST_WORLDS, Math.ceil(COMMUNITIES / cohort.communities)));
  const shares = new Map<SimulatedState, number>();
  for (let world = 0; world < worlds; world++) {
    for (const { state, decisions } of communitySizes(cohort, rng.fork(`world ${world}`))) {
      shares.set(state, (shares.get(state) ?? 0) + decisions / cohort.decisions / worlds);
    }
  }
  return shares;
}

/**
 * The mean share of content that no rule covers. A community's open share is drawn around that of its state, and the uncovered share is
 * limited to the rest.
 */
function meanVoid({ open, void: none }: SimulatedState, concentration: number, rng: Rng): number {
  let sum = 0;
  for (let i = 0; i < BETA_DRAWS; i++) {
    sum += Math.min(none, 1 - drawBeta(open * concentration, (1 - open) * concentration, rng));
  }
  return sum / BETA_DRAWS;
}

/** Shares of its own family's mistakes that an auditor lets pass. */
const BIASES = [0.1, 0.3, 0.5];

/**
 * The auditors of each world: one without errors, so that only sampling error remains; the one in the settings; and the same one auditing a
 * decider of its own family.
 */
function conditionsOf(auditor: SimulatedAuditor): Condition[] {
  return [
    { name: "faultless", auditor: faultless(auditor), sameFamily: false },
    { name: "as set", auditor: { ...auditor, bias: 0 }, sameFamily: false },
    ...BIASES.map((bias) => ({
      name: `bias ${bias}`,
      auditor: { ...auditor, bias },
      sameFamily: true,
    })),
  ];
}

function faultless({ seed, family }: SimulatedAuditor): SimulatedAuditor {
  return simulatedAuditorSchema.parse({
    seed,
    family,
    noise: 0,
    bias: 0,
    lean: { most: [0, 0, 0] },
    verbosity: 0,
    confidence: { least: 0.999, most: 0.999 },
    inverse: { emission: "reading" },
    citation: { other: 0, invented: 0 },
    faults: { refusal: 0, truncation: 0, missing: 0 },
  });
}

export interface WorldsRequest extends WorldSize {
  settings: WorldSettings;
  auditor: SimulatedAuditor;
  worlds: number;
  temperature: number;
  /** Decisions of each world whose truth is known, to correct the auditor by. */
  labels: number;
  seed: number;
  progress?: (done: number) => void;
}

/**
 * Audits many worlds of one kind under several conditions: the error of each estimate, how often its interval covers, the communities that
 * each gate wrongly lets through, and how scores fitted on some worlds perform on the others.
 */
export function simulateWorlds(request: WorldsRequest): NonNullable<Validate["worlds"]> {
  const settings = resized(request.settings, request);
  const conditions = conditionsOf(request.auditor);
  const tallies = conditions.map((condition) => new WorldTally(condition, request.labels));
  const scored: AuditedWorld["columns"][] = [];
  for (let i = 0; i < request.worlds; i++) {
    const seed = request.seed + i;
    const world = drawWorld(settings, seed);
    conditions.forEach((condition, c) => {
      const audited = auditWorld(world, condition, {
        temperature: request.temperature,
        weights: EQUAL_WEIGHTS,
        seed,
      });
      tallies[c]!.add(world, audited, seed);
      if (condition.name === "as set") scored.push(audited.columns);
    });
    request.progress?.(i + 1);
  }
  const process = processRates(settings, createRng(request.seed).fork("process"));
  const half = Math.ceil(scored.length / 2);
  return {
    count: request.worlds,
    communities: request.communities,
    decisions: request.decisions,
    largest_community: tallies[0]!.largestShare(),
    conditions: tallies.map((tally) => tally.result(process)),
    scores: request.worlds < 2 ? [] : heldOutScores(scored.slice(0, half), scored.slice(half), request.seed),
    fitted_on: request.worlds < 2 ? 0 : half,
    evaluated_on: request.worlds < 2 ? 0 : scored.length - half,
  };
}

/** Fits scores on some worlds and judges them on others by the truth. */
function heldOutScores(
  some: readonly AuditedWorld["columns"][],
  others: readonly AuditedWorld["columns"][],
  seed: number,
): NonNullable<Validate["worlds"]>["scores"] {
  const fitted = joinColumns(some);
  const held = joinColumns(others);
  const truth = held.targetLevel.subarray(0, held.n);
  const row = (name: string, score: Float64Array) => scoreRow(name, score.subarray(0, held.n), truth, seed);
  const { weights } = fitPaper(fitted);
  const choice = chooseCalibration(fitted, { seed, folds: 5 });
  return [
    row("plain confidence exp(λ)", held.lambdaNats.map(Math.exp)),
    row("1 − p(L3)", held.pDefensible),
    row("S, weights of the paper's fit", paperScores(held, { ...weights, component: "h_w" })),
    ...(choice.refused
      ? []
      : [row(`calibrated (${choice.chosen}) on truth of other worlds`, applyToColumns(choice.model, held))]),
  ];
}

/** Size of the worlds: large enough for a gate of 25 decisions, small enough to make many. */
interface WorldSize {
  communities: number;
  decisions: number;
}

/** The first generated cohort of the settings, resized, with communities that are a sample, as intervals over communities assume. */
export function resized(settings: WorldSettings, { communities, decisions }: WorldSize): WorldSettings {
  const [cohort] = settings.cohorts;
  return {
    ...settings,
    cohorts: [{ ...cohort!, communities, decisions, large: null, tiers: null, exact: false }],
    draws: [],
  };
}

/** A world without its texts: what estimators and a simulated auditor need. */
export function drawWorld(settings: WorldSettings, seed: number): WorldCommunity[] {
  const communities: WorldCommunity[] = [];
  const platform = generatePlatformRules(settings, seed).rules.length;
  for (const { community, expected, ruleSet, cases } of generateWorld(settings, seed)) {
    const own: WorldCase[] = [];
    for (const { decision, truth } of cases()) {
      const { id, human_label: label } = decision;
      own.push({
        // Ids repeat from world to world; the auditor must not misread the same cases in each.
        decisionId: `${seed}/${id}`,
        positive: decision.decision === "remove",
        humanPositive: label ? label === "remove" : null,
        truth,
      });
    }
    const platformRules = platform / (platform + ruleSet.rules.length);
    communities.push({ name: community, expected, platformRules, cases: own });
  }
  return communities;
}

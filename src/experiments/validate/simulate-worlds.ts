import type { SimulatedAuditor } from "../../core/results/simulated-auditor.js";
import type { WorldSettings } from "../../core/results/simulation.js";
import type { Validate } from "../../core/results/validate.js";
import { applyToColumns } from "../../measures/calibration/calibration-model.js";
import { chooseCalibration } from "../../measures/calibration/choose-calibration.js";
import { fitPaper } from "../../measures/calibration/fit-paper.js";
import { paperScores } from "../../measures/calibration/paper-scores.js";
import { EQUAL_WEIGHTS } from "../../measures/signals/weights.js";
import { createRng } from "../../stats/random/create-rng.js";
import { type AuditedWorld, auditWorld } from "./audit-world.js";
import { conditionsOf } from "./conditions.js";
import { drawWorld, resized, type WorldSize } from "./draw-world.js";
import { joinColumns } from "./join-columns.js";
import { processRates } from "./process-rates.js";
import { scoreRow } from "./score-rows.js";
import { WorldTally } from "./world-tally.js";

export interface WorldsRequest extends WorldSize {
  settings: WorldSettings;
  auditor: SimulatedAuditor;
  worlds: number;
  temperature: number;
  /** Decisions of each world whose truth is told, to correct the auditor by. */
  labels: number;
  seed: number;
  progress?: (done: number) => void;
}

/**
 * Many worlds of one kind, each audited under several conditions: how far off each estimate is, how often its interval covers, whom each gate lets
 * through that it should not, and how scores fitted on some worlds do on the others.
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

/** Fitted on some worlds, judged on others by what is true there. */
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

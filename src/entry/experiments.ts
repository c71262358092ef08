/**
 * Experiments on auditors and rules, and simulated worlds whose truth is known.
 * @packageDocumentation
 */

export { type AttackBuild, buildAttacks } from "../experiments/attack/build/build-attacks.js";
export { DEFAULT_WANTED as DEFAULT_ATTACKS, type Wanted as AttackWanted } from "../experiments/attack/build/plan.js";
export * from "../experiments/attack/run/analyse-attacks.js";
export * from "../experiments/attack/run/read-cases.js";
export { type ScoredCase, scoreCase } from "../experiments/attack/run/tables.js";
export { type CircularityRequest, runCircularity } from "../experiments/circularity/experiment.js";
export { buildDual, type DualInputs } from "../experiments/dual/build-dual.js";
export { type GapRequest, runGap } from "../experiments/gap/experiment.js";
export { buildScopes, SCOPE_ARMS, type ScopesInputs } from "../experiments/rules/build-scopes.js";
export * from "../experiments/rules/build-tiers.js";
export { KnownRules } from "../experiments/rules/compare-arms.js";
export * from "../experiments/rules/diff-checks.js";
export { diffEffect, type EffectInputs } from "../experiments/rules/diff-effect.js";
export { wordDiff } from "../experiments/rules/document/change-blocks.js";
export { type DiffInputs, type DiffPlan, planDiff } from "../experiments/rules/plan-diff.js";
export { runSignal, type SignalRequest } from "../experiments/signal/experiment.js";
export { simulationOf, type WorldWishes } from "../experiments/simulate/make-world.js";
export { buildStability, type StabilityInputs } from "../experiments/stability/build-stability.js";
export { type PlanSettings, StabilityPlan } from "../experiments/stability/stability-plan.js";
export { buildReplicate, type ReplicateInputs, type StepResults } from "../experiments/study/build-replicate.js";
export { heldOutRow, type PaperCalibration, paperCalibration } from "../experiments/study/calibration-table.js";
export { comparePaper, compareWith, PAPER, type ReferenceStudy, readReference } from "../experiments/study/compare.js";
export * from "../experiments/study/datasets.js";
export { type GateTable, gateTable } from "../experiments/study/gate-table.js";

export { ACCESSORS, PAPER_VALUES, type PaperValue, type StudyNumber } from "../experiments/study/values.js";
export { type BookSide, readSide } from "../store/files/rule-files.js";
export { prepareFolder, type WrittenWorld, writeWorld } from "../store/files/simulated-world.js";
export * from "./simulation.js";

/**
 * Experiments on auditors and rules, and simulated worlds whose truth is known.
 * @packageDocumentation
 */

export * from "../experiments/attack/index.js";
export { type CircularityRequest, runCircularity } from "../experiments/circularity/run-circularity.js";
export { buildDual, type DualInputs } from "../experiments/dual/build-dual.js";
export { type GapRequest, runGap } from "../experiments/gap/run-gap.js";
export * from "../experiments/replicate/index.js";
export * from "../experiments/rules/index.js";
export { runSignal, type SignalRequest } from "../experiments/signal/run-signal.js";
export {
  prepareFolder,
  simulationOf,
  type WorldWishes,
  type WrittenWorld,
  writeWorld,
} from "../experiments/simulate/index.js";
export { buildStability, type StabilityInputs } from "../experiments/stability/build-stability.js";
export { type PlanSettings, StabilityPlan } from "../experiments/stability/stability-plan.js";
export * from "./simulation.js";

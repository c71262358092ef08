export * from "./attack/index.js";
export { type CircularityRequest, runCircularity } from "./circularity/run-circularity.js";
export { buildDual, type DualInputs } from "./dual/build-dual.js";
export { type GapRequest, runGap } from "./gap/run-gap.js";
export * from "./rules/index.js";
export { runSignal, type SignalRequest } from "./signal/run-signal.js";
export { prepareFolder, simulationOf, type WorldWishes, type WrittenWorld, writeWorld } from "./simulate/index.js";
export { buildStability, type StabilityInputs } from "./stability/build-stability.js";
export { type PlanSettings, StabilityPlan } from "./stability/stability-plan.js";

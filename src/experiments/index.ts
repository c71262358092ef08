export * from "./attack/index.js";
export { buildDual, type DualInputs } from "./dual/build-dual.js";
export * from "./rules/index.js";
export { prepareFolder, simulationOf, type WorldWishes, type WrittenWorld, writeWorld } from "./simulate/index.js";
export { buildStability, type StabilityInputs } from "./stability/build-stability.js";
export { type PlanSettings, StabilityPlan } from "./stability/stability-plan.js";

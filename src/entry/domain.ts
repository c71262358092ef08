/**
 * @deprecated Import from "defensible" instead.
 * @packageDocumentation
 */

export * from "../core/calibration.js";
export * from "../core/config.js";
export * from "../core/estimate.js";
export * from "../core/estimate-schema.js";
export * from "../core/figure.js";
export * from "../core/gate.js";
export * from "../core/language.js";
export * from "../core/names.js";
export * from "../core/records/actions.js";
export * from "../core/records/audit.js";
export * from "../core/records/case.js";
export * from "../core/records/decision.js";
export * from "../core/records/label.js";
export * from "../core/records/level.js";
export * from "../core/records/manifest.js";
export * from "../core/records/route.js";
export * from "../core/records/rule-set.js";
export * from "../core/results/compare.js";
export * from "../core/results/experiment.js";
export * from "../core/results/lint.js";
export * from "../core/results/plan.js";
export * from "../core/results/realised-risk.js";
export * from "../core/results/report.js";
export * from "../core/results/simulation.js";
export * from "../experiments/attack/result.js";
export * from "../experiments/circularity/result.js";
export * from "../experiments/dual/result.js";
export * from "../experiments/gap/result.js";
export * from "../experiments/humans/result.js";
export * from "../experiments/rules/diff/result.js";
export * from "../experiments/rules/scopes/result.js";
export * from "../experiments/rules/tiers/result.js";
export * from "../experiments/signal/result.js";
export * from "../experiments/stability/result.js";
export * from "../experiments/study/result.js";
export * from "../experiments/validate/result.js";
export * from "./schemas.js";

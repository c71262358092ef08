export { DRIFT_ODDS_RATIOS, driftAlternatives } from "./alternatives.js";
export { bernoulliCusum, type CusumChart, type CusumResult, type CusumSteps, cusumSteps } from "./bernoulli-cusum.js";
export { cusumAverageRunLength } from "./cusum-arl.js";
export { cusumThreshold, type DesignedCusum } from "./cusum-threshold.js";
export { type EDetectorOptions, type EDetectorResult, eDetector } from "./e-detector.js";
export { fleetEvidence, type KeyEvidence } from "./fleet-evidence.js";
export { productLogE } from "./product-e-value.js";
export { evidenceOfReturn } from "./reinstatement.js";
export { planWatch, WATCH_ALPHA, WATCH_DELTA, type WatchPlan } from "./watch-plan.js";
export { StreamWatch, watchStreams } from "./watch-streams.js";
export {
  P0_SOURCES,
  type P0Source,
  type ReinstatedEvent,
  type ResetEvent,
  type SuspendedEvent,
  type Suspension,
  WATCH_DETECTORS,
  WATCHED,
  type WatchDetector,
  type WatchEvent,
  type Watched,
  type WatchKeyState,
  type WatchOptions,
  type WatchRow,
  type WatchState,
} from "./watch-types.js";

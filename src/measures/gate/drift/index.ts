export {
  bernoulliCusum,
  type CusumChart,
  type CusumResult,
  type CusumSteps,
  cusumAverageRunLength,
  cusumSteps,
  cusumThreshold,
  type DesignedCusum,
} from "./cusum.js";
export {
  DRIFT_ODDS_RATIOS,
  driftAlternatives,
  type EDetectorOptions,
  type EDetectorResult,
  eDetector,
  productLogE,
} from "./e-detector.js";
export { fleetEvidence, type KeyEvidence, planWatch, WATCH_ALPHA, WATCH_DELTA, type WatchPlan } from "./watch-plan.js";
export { StreamWatch, watchStreams } from "./watch-streams.js";
export {
  evidenceOfReturn,
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

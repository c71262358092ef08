export {
  allowedFailures,
  type CertifyOptions,
  type CertifySize,
  certainSize,
  certifySize,
  type PlanSize,
  sizeAllowing,
  zeroFailureSize,
} from "./certify-size.js";
export {
  ASSUMED_PRIORS,
  certifiedRegion,
  clusterSize,
  correlationSize,
  judgeCorrelation,
  labelSize,
  paperRegion,
  type RatePrior,
  type RegionOptions,
  shrunkRegion,
} from "./gate-region.js";
export { type HolmPower, holmPower } from "./holm-power.js";
export { type JointOptions, jointSize } from "./joint-size.js";
export { estimateSize, pairedPower, pairedSize } from "./paired-size.js";
export {
  ambiguityOf,
  type GateRegion,
  type GateTruth,
  passProbability,
  truthFromIndices,
  YES_IF_INDEFENSIBLE,
} from "./pass-probability.js";
export { type PlanGateOptions, planCertify, planGate, TABLE_RATES } from "./plan-gate.js";

export {
  allowedFailures,
  type CertifyOptions,
  type CertifySize,
  certifySize,
  type PlanSize,
  sizeAllowing,
  zeroFailureSize,
} from "./certify-size.js";
export { estimateSize } from "./estimate-size.js";
export {
  ASSUMED_PRIORS,
  certifiedRegion,
  paperRegion,
  type RatePrior,
  type RegionOptions,
  shrunkRegion,
} from "./gate-region.js";
export { type HolmPower, holmPower } from "./holm-power.js";
export { type JointOptions, jointSize } from "./joint-size.js";
export { pairedPower, pairedSize } from "./paired-size.js";
export {
  ambiguityOf,
  type GateRegion,
  type GateTruth,
  passProbability,
  truthFromIndices,
  YES_IF_INDEFENSIBLE,
} from "./pass-probability.js";
export { planCertify } from "./plan-certify.js";
export { type PlanGateOptions, planGate, TABLE_RATES } from "./plan-gate.js";
export { certainSize } from "./power-search.js";
export { clusterSize, correlationSize, judgeCorrelation, labelSize } from "./small-sizes.js";

export {
  ambiguousCount,
  GATE_VARIABLES,
  type GateCohort,
  type GateLimits,
  type GateVariable,
  STANDARD_LIMITS,
} from "./gate-input.js";

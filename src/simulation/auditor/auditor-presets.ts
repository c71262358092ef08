import { type SimulatedAuditor, simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import { paperAuditor } from "./paper-auditor.js";

/** A named auditor, every setting written out. */
export function auditorPreset(name: "default" | "paper"): SimulatedAuditor {
  return name === "paper" ? paperAuditor() : simulatedAuditorSchema.parse({});
}

import { type SimulatedAuditor, simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import type { Condition } from "./audit-world.js";

/** Shares of its own family's mistakes that an auditor waves through. */
const BIASES = [0.1, 0.3, 0.5];

/**
 * The auditors that a world is given to: one without any fault, so that what is left is sampling; the one that is set; and the same one
 * auditing a decider of its own backbone.
 */
export function conditionsOf(auditor: SimulatedAuditor): Condition[] {
  return [
    { name: "faultless", auditor: faultless(auditor), sameFamily: false },
    { name: "as set", auditor: { ...auditor, bias: 0 }, sameFamily: false },
    ...BIASES.map((bias) => ({
      name: `bias ${bias}`,
      auditor: { ...auditor, bias },
      sameFamily: true,
    })),
  ];
}

function faultless({ seed, family }: SimulatedAuditor): SimulatedAuditor {
  return simulatedAuditorSchema.parse({
    seed,
    family,
    noise: 0,
    bias: 0,
    lean: { most: [0, 0, 0] },
    verbosity: 0,
    confidence: { least: 0.999, most: 0.999 },
    inverse: { emission: "reading" },
    citation: { other: 0, invented: 0 },
    faults: { refusal: 0, truncation: 0, missing: 0 },
  });
}

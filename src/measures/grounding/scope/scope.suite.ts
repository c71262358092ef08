import type { PartialTrace } from "../../../core/records/audit.js";
import { contentParts } from "../../../core/records/decision.js";
import { frameOf } from "../frame.suite.js";
import type { ScopeInput } from "./scope-verdict.js";

/** Rules with exceptions, a permission, and a platform that forbids what the community allows. */
export const FRAME = frameOf(
  [
    [
      "community",
      "R1",
      "No selling among members",
      "Do not offer pots for sale or ask for bids. Talking about what galleries charge is fine. Exception: a post marked [bazaar] may offer one pot.",
    ],
    [
      "community",
      "R2",
      "No kiln repair advice",
      "Questions about wiring, thermocouples or insulation are removed. Exception: naming an electrician who repairs kilns stays.",
    ],
    ["community", "R3", "Meetings are welcome", "Members may announce meetings and say who hosts them and where."],
    [
      "platform",
      "P1",
      "No private addresses",
      "Home addresses and telephone numbers of another person are removed, whatever a community allows.",
    ],
  ],
  [["pottery-p1", "Selling my wheel and two boxes of clay, make me an offer."]],
);

export function traceOf(changes: Partial<PartialTrace> = {}): PartialTrace {
  return {
    logic_chain: "The content does not meet the rule.",
    policy_citation: "community rule R1",
    precedent_weight: "High",
    inverse_check: "No",
    inverse_citation: null,
    defensibility_level: 1,
    level3_reason: null,
    ...changes,
  };
}

export function inputOf(
  body: string,
  decision: "approve" | "remove",
  trace: Partial<PartialTrace> = {},
  frame = FRAME,
): ScopeInput {
  return { frame, content: contentParts(body), decision, trace: traceOf(trace), citation: null };
}

import type { Decision } from "../../../core/records/decision.js";
import type { Proposals } from "./propose.js";

/**
 * The record of a proposed decision: the same content under another decider. What was said about the earlier decision goes with it only where it
 * still holds: gold for the same action; an appeal never. Where a person made the earlier one, it becomes the human label. Of several proposals the
 * first is the decision; all of them are counted beside it.
 */
export function proposedDecision(
  earlier: Decision,
  { proposal, actions }: Proposals,
  decider: string,
  replicates: number,
): Decision {
  const { appeal: _, gold, rationale: __, cited_rule: ___, decider: by, ...kept } = earlier;
  const human = earlier.human_label ?? (by?.kind === "human" ? earlier.decision : null);
  return {
    ...kept,
    decision: proposal.decision,
    ...(human ? { human_label: human } : {}),
    decider: {
      kind: "model",
      id: decider,
      ...(proposal.confidence === null ? {} : { confidence: proposal.confidence }),
      ...(replicates > 1 ? { replicates: actions } : {}),
    },
    ...(proposal.rationale ? { rationale: proposal.rationale } : {}),
    ...(proposal.cited_rule ? { cited_rule: proposal.cited_rule } : {}),
    ...(gold && proposal.decision === earlier.decision ? { gold } : {}),
  };
}

import type { Truth } from "../../core/records/truth.js";
import type { Rng } from "../../stats/random/create-rng.js";
import type { Community } from "./community.js";
import { type ContentPlan, rightSide } from "./draw-content.js";
import { otherSide, type Side } from "./side-state.js";

export interface HumanLabel {
  side: Side;
  cause: Truth["cause"];
}

/** What people say of the same content, and why, if it is not what the decider said. */
export function drawLabel(plan: ContentPlan, decision: Side, community: Community, rng: Rng): HumanLabel {
  const { cohort } = community;
  const right = rightSide(plan);
  const coin = rng.next();
  const shared = rng.next() < cohort.shared_errors;
  let side: Side;
  if (right === null) side = coin < community.prefersRemoval ? "remove" : "approve";
  else if (decision !== right && shared) side = decision;
  else side = plan.relation === "unwelcome" ? "remove" : right;
  const slipped = rng.next() < cohort.slips;
  if (slipped) side = otherSide(side);
  return { side, cause: side === decision ? "none" : causeOf(plan, decision, right, slipped) };
}

function causeOf(plan: ContentPlan, decision: Side, right: Side | null, slipped: boolean): Truth["cause"] {
  if (plan.states.wiki === "open") return "policy_ambiguity";
  // Where no outcome is derivable, no decision is right either.
  if (right !== decision) return "model_error";
  return plan.relation === "unwelcome" && !slipped ? "implicit_norm" : "human_error";
}

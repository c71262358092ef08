import { type Base, isForbidden, type Made, wrongAction } from "./base.js";

/** The decision is the other one; everything else stays. */
export function flipAction(base: Base): Made {
  const decision = wrongAction(base);
  return {
    target: "input",
    archetype: isForbidden(base) ? "forbidden_let_stand" : "allowed_restricted",
    content: base.decision.content,
    decision,
    attack: { what: "the decision was turned into its opposite, the content kept", text: decision },
  };
}

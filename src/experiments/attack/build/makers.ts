import type { AttackKind } from "../../../core/results/attack.js";
import type { Maker } from "./base.js";
import { flipAction } from "./flip.js";
import { inventedCitation, inventedReason, precedentInContext, ruleInContent, ruleInContext } from "./hallucinate.js";
import { injectPrompt } from "./inject.js";
import { bendCitation, bendRule, rewordCitation } from "./paraphrase.js";
import { stretchRule } from "./penumbra.js";
import { invertPrecedence } from "./precedence.js";
import { spliceCitation } from "./splice.js";
import { changeLanguage } from "./translate.js";

/** How a kind is made: its manners take turns. */
export interface KindMakers {
  /** Attacks on the input, made of decisions that the rules settle. */
  input: readonly Maker[];
  /** Attacks on the trace, made of clean cases. */
  trace: readonly Maker[];
  /** Which bases the input makers can use: `platform` is forbidden by a rule of the platform. */
  needs: "platform" | "forbidden" | "settled";
}

/**
 * In the order in which they choose their bases: the scarcest material first, then the kinds that take decisions as they come, so that these are of both
 * actions as the pool is.
 */
export const MAKERS: Readonly<Partial<Record<AttackKind, KindMakers>>> = {
  precedence_inversion: { input: [invertPrecedence], trace: [], needs: "platform" },
  action_flip: { input: [flipAction], trace: [], needs: "settled" },
  hallucinated_grounding: {
    input: [inventedReason, ruleInContent, ruleInContext, precedentInContext],
    trace: [inventedCitation],
    needs: "settled",
  },
  rule_paraphrase: { input: [bendRule], trace: [rewordCitation, bendCitation], needs: "settled" },
  penumbra: { input: [stretchRule], trace: [], needs: "forbidden" },
  foreign_language: { input: [changeLanguage], trace: [], needs: "forbidden" },
  prompt_injection: { input: [injectPrompt], trace: [], needs: "forbidden" },
  citation_splice: { input: [], trace: [spliceCitation], needs: "settled" },
};

import type { RootCause } from "../../measures/metrics/root-causes.js";
import type { Words } from "./word-table.js";

export const CAUSES: readonly RootCause[] = ["model_error", "policy_ambiguity", "implicit_norm"];

/** What each cause of a disagreement is in plain words, and what follows from it. */
export const CAUSE_WORDS: Readonly<Record<RootCause, Words & { remedy: string }>> = {
  model_error: {
    name: "Decider's error",
    meaning: "The rules do not carry what the decider did.",
    remedy: "correct or retrain the decider",
  },
  policy_ambiguity: {
    name: "Ambiguous rules",
    meaning: "The rules carry both the decision and its opposite: person and decider are both right.",
    remedy: "clarify the rules or develop precedents",
  },
  implicit_norm: {
    name: "Unwritten norm",
    meaning: "The rules carry the decider's decision alone: the person applied a norm that is not written.",
    remedy: "write the norm down, or stop enforcing it",
  },
};

/** The same in the midst of a line; and what only the truth can name. */
export const CAUSE_NAMES: Readonly<Record<RootCause | "human_error" | "none", string>> = {
  model_error: "decider's error",
  policy_ambiguity: "ambiguous rules",
  implicit_norm: "unwritten norm",
  human_error: "person's error",
  none: "none",
};

/** How each cause shows in a verdict. */
export const CAUSE_SIGNS: Readonly<Record<RootCause, string>> = {
  model_error: "level 3",
  policy_ambiguity: "level 1 or 2, opposite derivable",
  implicit_norm: "level 1 or 2, opposite not derivable",
};

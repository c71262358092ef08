/** Sources of variance, for people. */
export const VARIANCE_SOURCES: Record<string, string> = {
  case: "case",
  temperature: "temperature",
  prompt: "prompt",
  auditor: "auditor",
  case_by_temperature: "case × temperature",
  case_by_prompt: "case × prompt",
  case_by_auditor: "case × auditor",
  interactions: "other interactions",
  trace: "trace",
  token: "token",
};

/** What the slope of the ratio of Flippers to Stable over temperature says. */
export const RATIO_READINGS = {
  flat: "no slope is found, and the fall to 1 that sampling noise predicts is excluded: flat, as far as the interval goes",
  falls: "it falls towards 1 as temperature rises, which is what sampling noise predicts; it is not flat",
  rises: "it rises with temperature",
  undecided:
    "neither a slope nor the fall to 1 that sampling noise predicts is excluded: these cases do not decide whether it is flat",
  undefined: "undefined",
} as const;

/** How correlations are counted on halves of the replicates. */
export const DISJOINT_NOTE =
  "Consistency: the share of the commonest level. Disjoint: the one from replicates 0, 2, 4 …, the other from 1, 3, 5 …: no draw is in both. Coupled: both from all, as the paper does; sd and the shares of levels then count the same draws, and part of ρ is noise correlated with itself. Halves are noisier, which draws ρ towards 0.";

export const STABILITY_LIMITS =
  "That rock solid cases are never boundary-unstable is arithmetic: a level with 95 % leaves level 3 above 95 % or below 5 %. That no action flips is so because the audited action is given to the auditor; whether a decider flips is measured by `defensible decide --replicates`. Stable is not right: an auditor may repeat the same mistake. A spread and the share of the commonest level of the same draws go together mechanically, which is why correlations are shown on disjoint replicates.";

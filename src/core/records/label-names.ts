/**
 * How a decision came to be labelled: a simple random draw; a sheet with equal numbers of each verdict; the random review of what was automated;
 * a review queue; an appeal; or no chance mechanism at all.
 */
export const LABEL_DRAWS = ["random", "sheet", "review", "queue", "appeal", "convenience"] as const;
export type LabelDraw = (typeof LABEL_DRAWS)[number];

/** What is wrong with the sample that labels are. */
export const LABEL_FLAGS = ["design_unknown", "other_frame", "no_design", "inclusion_missing"] as const;
export type LabelFlag = (typeof LABEL_FLAGS)[number];

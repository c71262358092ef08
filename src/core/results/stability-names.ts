/** Stability classes by the share of the commonest level, most stable first; apart from the schema, as the actions are. */
export const STABILITY_CLASSES = ["rock_solid", "mostly_stable", "moderate", "highly_unstable"] as const;
export type StabilityClass = (typeof STABILITY_CLASSES)[number];

/** What repeated audits say of the line between defensible and not, by the share of level 3. */
export const BOUNDARY_STATES = ["stably_defensible", "boundary_unstable", "stably_indefensible"] as const;
export type BoundaryState = (typeof BOUNDARY_STATES)[number];

/** Groups that a pilot forms before anything is measured. */
export const STABILITY_GROUPS = ["flipper", "stable"] as const;
export type StabilityGroup = (typeof STABILITY_GROUPS)[number];

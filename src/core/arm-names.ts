/** The arm under which the opposite action is audited. */
export const FLIP_ARM = "opposite";

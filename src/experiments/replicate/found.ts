import type { Estimate } from "../../core/estimate.js";

/** A number that has no interval: a count, or an error measured in a single community. */
export interface Plain {
  plain: number;
  n: number;
}

/** Our value of something that the paper prints. */
export type Found = Estimate | Plain;

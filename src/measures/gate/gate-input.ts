import { GATE_VARIABLES, type GateVariable } from "../../core/names.js";
import type { HarmCount, HarmLimit } from "./harm.js";
import type { CohortThreads } from "./thread-units.js";

/** Counts of the verdicts of one cohort (a community, unless the gate is asked for another key): all that a gate looks at. */
export interface GateCohort {
  /** Name of the community, or of the cohort. */
  key: string;
  n: number;
  /** Verdicts of level 3. */
  indefensible: number;
  /** Verdicts whose inverse check says Yes. */
  inverse_yes: number;
  /** Of these, the ones that are not level 3. */
  inverse_yes_pure: number;
  /** Audits without a verdict. */
  unscored: number;
  /**
   * n / n*, n* = (Σn_t)² / Σn_t² over the sizes n_t of its threads: as how many independent verdicts the cautious gate takes
   * n of them. Nothing is estimated. Null or absent where no thread is known.
   */
  design_effect?: number | null;
  /** Verdicts that do harm, by how much; absent: harm was not counted. */
  harm?: HarmCount[];
  /** Closed threads, the certified gate's units of evidence. Absent: no decision has a `thread_id`, each represents itself. */
  threads?: CohortThreads;
}

export { GATE_VARIABLES, type GateVariable };

/** Rates are ratios of counts: 27 of 30 must meet 0.90, which as a double is a little more than 27/30. */
export const LIMIT_SLACK = 1e-9;

export interface GateLimits {
  /** Least Defensibility Index. */
  di: number;
  /** Greatest Ambiguity Index. */
  ai: number;
  min_decisions: number;
  variable: GateVariable;
  /** Greatest expected harm of a decision; absent: harm is not limited. */
  harm_limit?: HarmLimit | undefined;
}

/** The paper's Standard scenario. @see paper §9 */
export const STANDARD_LIMITS: GateLimits = Object.freeze({ di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" });

/** Verdicts that count against the gate's ambiguity limit. */
export function ambiguousCount(cohort: GateCohort, variable: GateVariable): number {
  return variable === "ai" ? cohort.inverse_yes : cohort.inverse_yes_pure;
}

/** By how much the cautious gate multiplies counts: 1 for independent verdicts, less where they come in threads. */
export function effectiveShare(cohort: Pick<GateCohort, "design_effect">): number {
  return 1 / Math.max(1, cohort.design_effect ?? 1);
}

import type { Report } from "../../core/results/report.js";
import { rootCause } from "./root-causes.js";
import type { Tally } from "./tally.js";
import {
  accurateButIndefensible,
  disagreementsDefensible,
  falseNegativesDefensible,
  falsePositivesDefensible,
  indefensibleGivenAgreement,
} from "./trap.js";

/** What agreement hides, and why decider and people disagree: for a report and for each cohort of the gap experiment. */
export function trapMetrics(tallies: readonly Tally[]): Pick<Report, "trap" | "root_causes"> {
  return {
    trap: {
      fn_defensible: falseNegativesDefensible(tallies),
      fp_defensible: falsePositivesDefensible(tallies),
      disagreements_defensible: disagreementsDefensible(tallies),
      accurate_but_indefensible: {
        joint: accurateButIndefensible(tallies),
        conditional: indefensibleGivenAgreement(tallies),
      },
    },
    root_causes: {
      model_error: rootCause(tallies, "model_error"),
      policy_ambiguity: rootCause(tallies, "policy_ambiguity"),
      implicit_norm: rootCause(tallies, "implicit_norm"),
    },
  };
}

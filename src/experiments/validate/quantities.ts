import type { Estimate } from "../../core/estimate.js";
import type { Truth } from "../../core/records/truth.js";
import type { ValidatedQuantity } from "../../core/results/validate.js";
import { ambiguityIndex } from "../../measures/metrics/ambiguity-index.js";
import { defensibilityIndex } from "../../measures/metrics/defensibility-index.js";
import { pureAmbiguity } from "../../measures/metrics/pure-ambiguity.js";
import { scopedAmbiguity } from "../../measures/metrics/scoped-ambiguity.js";
import type { Tally } from "../../measures/metrics/tally.js";

/** A quantity as it is measured, and what makes it true of a decision. */
interface Quantity {
  measure: (tallies: readonly Tally[]) => Estimate;
  holds: (truth: Pick<Truth, "level" | "inverse" | "rule">) => boolean;
}

export const QUANTITIES: Readonly<Record<ValidatedQuantity, Quantity>> = {
  defensibility_index: { measure: defensibilityIndex, holds: ({ level }) => level !== 3 },
  ambiguity_index: { measure: ambiguityIndex, holds: ({ inverse }) => inverse },
  ambiguity_pure: { measure: pureAmbiguity, holds: ({ inverse, level }) => inverse && level !== 3 },
  ambiguity_platform: {
    measure: (tallies) => scopedAmbiguity(tallies, "platform"),
    holds: ({ inverse, rule }) => inverse && rule?.scope === "platform",
  },
  ambiguity_community: {
    measure: (tallies) => scopedAmbiguity(tallies, "community"),
    holds: ({ inverse, rule }) => inverse && rule?.scope === "community",
  },
};

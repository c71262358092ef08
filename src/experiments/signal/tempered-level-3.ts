import type { ReplicateColumns } from "../../analysis/replicate-columns.js";
import { samplingLaw } from "../../measures/stability/sampling-law.js";

/** Why p(L3) at the temperature of the draws is undefined. */
export const UNKNOWN_SPACE =
  "it is not known whether the probabilities are before or after temperature (logprob_space), so that the law of the draws is not known";

/** p(L3) of each row under the law that levels are drawn from at a temperature; NaN where the row does not say that law. */
export function temperedLevel3(
  { p1, p2, p3, unitSpace }: Pick<ReplicateColumns, "p1" | "p2" | "p3" | "unitSpace">,
  temperature: number,
): Float64Array {
  return p3.map((third, i) => {
    if (unitSpace[i] === 0) return Number.NaN;
    // A row may say p(L3) alone.
    if (temperature === 1) return third;
    return samplingLaw(p1[i]!, p2[i]!, third, temperature)?.[2] ?? Number.NaN;
  });
}

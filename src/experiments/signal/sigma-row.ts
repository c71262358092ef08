import type { SignalColumns } from "../../analysis/signal-columns.js";
import { undefinedEstimate } from "../../core/estimate.js";
import type { SigmaRow } from "../../core/results/signal-experiment.js";
import { shareEstimate } from "../../measures/metrics/share.js";
import { ratioOfMeans } from "../../stats/intervals/ratio-of-means.js";
import { associateBinary, meanWhere, pairUp } from "./associate.js";

type SigmaColumns = Pick<SignalColumns, "inverse" | "inverseYesProb" | "community" | "communities">;

const NONE = "no verdict has σ(ρ)";

/** A row of the paper's table of σ(ρ) as a proxy for ambiguity: one temperature of a run, or a run of its own. */
export function sigmaRow(source: Pick<SigmaRow, "name" | "temperature">, columns: SigmaColumns): SigmaRow {
  const paired = pairUp(columns.inverseYesProb, (i) => columns.inverse[i]!, columns);
  const counts = Array.from({ length: columns.communities.length }, () => ({ k: 0, n: 0 }));
  for (let i = 0; i < paired.partner.length; i++) {
    const one = counts[paired.cluster[i]!]!;
    one.n++;
    one.k += paired.partner[i]!;
  }
  const n = paired.values.length;
  return {
    ...source,
    n,
    ambiguity_index: shareEstimate(counts, NONE),
    ...associateBinary(paired, false, NONE),
    yes: meanWhere(paired, 1, 1, "no verdict with σ(ρ) has inverse = Yes"),
    no: meanWhere(paired, 0, 1, "no verdict with σ(ρ) has inverse = No"),
    ratio:
      n === 0
        ? undefinedEstimate(NONE, 0)
        : ratioOfMeans(paired.values, paired.partner, paired.cluster, paired.clusters),
  };
}

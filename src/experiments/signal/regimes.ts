import type { SignalColumns } from "../../analysis/signal-columns.js";
import { undefinedEstimate } from "../../core/estimate.js";
import type { RegimeRow, SigmaRow, SignalName, ValueSpan } from "../../core/results/signal-experiment.js";
import { shareEstimate } from "../../measures/metrics/rate.js";
import { ratioOfMeans } from "../../stats/intervals/ratio-of-means.js";
import { quantile } from "../../stats/ranks/quantile.js";
import { associateBinary, type MeasuredColumns, meanWhere, pairUp, SIGNALS } from "./signals.js";

/** Sd of signals over the replicates of each row's decision; NaN where it was audited once. */
export type ReplicateSpread = Partial<Record<SignalName, Float64Array>>;

const NO_LABELS = "no verdict with this signal has a human label";

/** Each signal, and its sd over replicates, in disagreements against agreements. */
export function regimeRows(columns: MeasuredColumns, spread: ReplicateSpread): RegimeRow[] {
  const row = (
    signal: SignalName,
    statistic: RegimeRow["statistic"],
    values: Float64Array,
    most: number,
  ): RegimeRow => {
    const paired = pairUp(values, (i) => (columns.agrees[i] === 2 ? null : 1 - columns.agrees[i]!), columns);
    const empty = statistic === "sd" ? "no labelled decision was audited more than once" : NO_LABELS;
    const { values: x, partner, cluster, clusters } = paired;
    return {
      signal,
      statistic,
      agree: meanWhere(paired, 0, most, empty),
      disagree: meanWhere(paired, 1, most, empty),
      ratio: x.length === 0 ? undefinedEstimate(empty, 0) : ratioOfMeans(x, partner, cluster, clusters),
    };
  };
  return SIGNALS.flatMap(({ name, values, most }) => {
    const sd = spread[name];
    const plain = row(name, "value", values(columns), most);
    return sd ? [plain, row(name, "sd", sd, Number.MAX_VALUE)] : [plain];
  });
}

/** Where a number lies among the rows of one regime; null without rows. */
export function spanOf(values: Float64Array, agrees: Uint8Array, regime: 0 | 1): ValueSpan | null {
  const kept = values.filter((value, i) => agrees[i] === regime && Number.isFinite(value)).sort();
  if (kept.length === 0) return null;
  return {
    n: kept.length,
    least: kept[0]!,
    p05: quantile(kept, 0.05),
    median: quantile(kept, 0.5),
    p95: quantile(kept, 0.95),
    most: kept.at(-1)!,
  };
}

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

import { reference } from "../../../test/references/recalibration.js";
import type { ScoreColumns } from "./score-columns.js";
import { emptyColumns, fillRow } from "./synthetic.suite.js";

/** The rows that test/references/recalibration.py fitted. */
export function referenceColumns(target: readonly number[] = reference.data.target): ScoreColumns {
  const { data } = reference;
  const columns = emptyColumns(
    data.target.length,
    [...new Set(data.community)].sort((a, b) => a - b).map((c) => `c${c}`),
  );
  for (const [i, probs] of data.p.entries()) {
    fillRow(columns, i, {
      probs,
      rho: data.rho[i]!,
      weightBits: data.weight_bits[i]!,
      citationBits: data.citation_bits[i]!,
      positive: data.positive[i]!,
      community: data.community[i]!,
      target: target[i]!,
    });
  }
  return columns;
}

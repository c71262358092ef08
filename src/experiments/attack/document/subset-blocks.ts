import type { Estimate } from "../../../core/estimate.js";
import type { AttackResult } from "../../../core/results/attack.js";
import { type Block, table } from "../../../present/document/document.js";
import { decimal, whole } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";

/** The paper's table of what escaped, what was caught and what was clean. @see paper §8.2 */
export function subsetBlocks({ subsets }: AttackResult): Block[] {
  const mean = (value: Estimate) => {
    if (value.estimate !== null) return decimal(value.estimate, 3);
    return "–";
  };
  return [
    { kind: "heading", text: "Escaped, caught and clean: mean signals" },
    table(
      ["cases", ">n", ">H[κ] bits", ">confidence", ">S", ">P(defensible)", ">overlap"],
      [
        ...subsets.map((row) => [
          printable(row.subset, 70),
          typeof row.reason === "string" ? "–" : whole(row.n),
          mean(row.h_citation_bits),
          mean(row.confidence),
          mean(row.pds),
          mean(row.p_defensible),
          mean(row.overlap),
        ]),
        ["the paper: escaped fabrications", "39", "0.129", "0.971", "", "0.795", "0.741"],
        ["the paper: caught fabrications", "38", "0.021", "0.997", "", "0.002", ""],
        ["the paper: clean", "800", "0.078", "0.979", "", "0.737", ""],
      ],
    ),
    {
      kind: "text",
      text: "1 and 2 are the paper's two layers, all are these and the third. Confidence is exp(λ), the probability of the verdict's level. The paper's column is headed PDS, but S cannot be below 0.343 with its weights: its 0.002 is 1 minus the probability of level 3, so that it stands under P(defensible) here. A dash: no audit has the value, or there is only one. Intervals are in the JSON.",
    },
  ];
}

import type { AttackResult } from "../../../src/experiments/attack/result.js";
import { printable } from "../../../src/text/printable.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Term } from "../../parts/text/term.tsx";

const SIGNALS = [
  { field: "h_citation_bits", name: <Term symbol="H[κ]">H[κ], bits</Term>, paper: ["0.129", "0.021", "0.078"] },
  { field: "confidence", name: "Confidence exp(λ)", paper: ["0.971", "0.997", "0.979"] },
  { field: "pds", name: <Term symbol="S" />, paper: ["", "", ""] },
  { field: "p_defensible", name: <Term symbol="p_defensible">P(defensible)</Term>, paper: ["0.795", "0.002", "0.737"] },
  { field: "overlap", name: <Term symbol="overlap">Overlap</Term>, paper: ["0.741", "", ""] },
] as const;

const PAPER = [
  { name: "the paper: escaped fabrications", n: "39" },
  { name: "the paper: caught fabrications", n: "38" },
  { name: "the paper: clean", n: "800" },
];

/** The paper's table of what escaped, what was caught and what was clean. */
export function SubsetTable({ result, at }: Kept<AttackResult>) {
  return (
    <>
      <PlainTable
        caption="Escaped, caught and clean: mean signals"
        heads={[
          { key: "cases", name: "Cases" },
          { key: "n", name: "Number", align: "right" },
          ...SIGNALS.map(({ field, name }) => ({ key: field, name, align: "right" as const })),
        ]}
        rows={[
          ...result.subsets
            .map((row, i) => ({ row, i }))
            .filter(({ row }) => row.n > 0)
            .map(({ row, i }) => ({
              key: row.subset,
              cells: [
                printable(row.subset, 70),
                typeof row.reason === "string" ? null : <Num key="n" at={`${at}/subsets/${i}/n`} as="whole" />,
                ...SIGNALS.map(({ field }) =>
                  row[field].estimate === null ? null : (
                    <Est key={field} at={`${at}/subsets/${i}/${field}`} as="fine" with="value" />
                  ),
                ),
              ],
            })),
          ...PAPER.map(({ name, n }, i) => ({
            key: name,
            cells: [name, n, ...SIGNALS.map(({ paper }) => paper[i] || null)],
          })),
        ]}
      />
      <p className="small muted">
        1 and 2 are the paper's two layers, all are these and the third. The paper's column is headed PDS, but S cannot
        be below 0.343 with its weights: its 0.002 is 1 minus the probability of level 3, so that it stands under
        P(defensible) here. A dash: no audit has the value, or there is only one.
      </p>
    </>
  );
}

import type { Humans } from "../../../src/experiments/humans/result.js";
import { RATED_SIGNALS } from "../../../src/present/words/experiments/experiment-words.js";
import { pCell, unbroken } from "../../../src/present/words/numbers.js";
import { wordOr } from "../../../src/present/words/word-table.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";

/** Rank correlations of ratings with the auditor's signals, over cases and over cases and raters. */
export function CorrelationTable({ result, at }: Kept<Humans>) {
  return (
    <>
      <PlainTable
        caption="Spearman's rank correlations"
        heads={[
          { key: "of", name: "Correlation of" },
          { key: "rho", name: "ρ, interval over cases", align: "right" },
          { key: "both", name: "Interval over cases and raters", align: "right" },
          { key: "p", name: "p", align: "right" },
          { key: "n", name: "Cases", align: "right" },
          { key: "corrected", name: "Without rater error", align: "right" },
        ]}
        rows={result.correlations.map(({ signal, spearman, two_way, disattenuated }, i) => {
          const row = `${at}/correlations/${i}`;
          return {
            key: signal,
            cells: [
              wordOr(RATED_SIGNALS, signal, 60),
              <Est key="rho" at={`${row}/spearman`} as="decimal" with="interval" />,
              two_way && (
                <span key="both">
                  <Num at={`${row}/two_way/lower`} as="decimal" /> to <Num at={`${row}/two_way/upper`} as="decimal" />
                </span>
              ),
              spearman.estimate === null ? null : unbroken(pCell(spearman.p_value)),
              <Num key="n" at={`${row}/spearman/n`} as="whole" />,
              disattenuated === null ? null : <Num key="corrected" at={`${row}/disattenuated`} as="decimal" />,
            ],
          };
        })}
      />
      <p className="small muted">
        The first interval takes the raters as given and cases as the sample; the second draws both. The last column
        divides by the square root of the reliability of the mean rating: what the correlation would be if the raters
        were without error, above 1 where that overcorrects. A dash means undefined.
      </p>
    </>
  );
}

import type { SliceReport } from "../../../../src/measures/gate/slices.js";
import { formatNumber, plural } from "../../../../src/present/words/numbers.js";
import { printable } from "../../../../src/text/printable.js";
import { Nothing } from "../../../parts/nothing.tsx";
import { Est } from "../../../parts/numbers/est.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { PlainTable } from "../../../parts/tables/plain-table.tsx";
import { Prose } from "../../../parts/text/prose.tsx";
import { Term } from "../../../parts/text/term.tsx";
import { UserText } from "../../../parts/text/written.tsx";
import { FINDINGS } from "./use-stored-gate.ts";

const AT = `${FINDINGS}/slices`;
const MOST_ROWS = 20;

/** Rates by language, tag or any other property, with a warning where automation falls harder on one value. */
export function SlicesSection({ slices }: { slices: SliceReport | null }) {
  return (
    <section aria-labelledby="slices">
      <h2 id="slices">
        <Term symbol="slices">Slices</Term>: does automation fall harder on some?
      </h2>
      {slices ? (
        <Compared slices={slices} />
      ) : (
        <Nothing
          why="The decisions have no two languages, kinds or tags to compare. Any other field can be named:"
          command="defensible gate --slices FIELD"
        />
      )}
    </section>
  );
}

function Compared({ slices }: { slices: SliceReport }) {
  const rows = slices.rows.map((row, i) => ({ row, at: `${AT}/rows/${i}` }));
  const names = [...new Set(slices.rows.map((row) => row.slice))];
  return (
    <>
      <p>
        {slices.warnings.length === 0
          ? "No difference between values is more than chance would give"
          : `${plural(slices.warnings.length, "difference")} between values ${slices.warnings.length === 1 ? "is" : "are"} more than chance would give`}{" "}
        at {formatNumber(slices.alpha, "limit")}, after correction for <Num at={`${AT}/tests`} as="whole" /> tests.{" "}
        <UserText text={slices.note} max={400} /> Each value is compared with all other decisions; adj. p is the p of
        that comparison, adjusted.
      </p>
      {slices.warnings.length > 0 && (
        <ul className="remarks" aria-label="Differences">
          {[...new Set(slices.warnings.map(({ text }) => text))].map((text) => (
            <li key={text}>
              <Prose text={text} max={300} />
            </li>
          ))}
        </ul>
      )}
      {names.map((name) => (
        <PlainTable
          key={name}
          caption={captionOf(name, rows.filter(({ row }) => row.slice === name).length)}
          heads={[
            { key: "value", name: "Value" },
            { key: "n", name: "Verdicts", align: "right" },
            { key: "di", name: "Defensibility", align: "right" },
            { key: "automated", name: "Automated", align: "right" },
            { key: "bad", name: "Automated and indefensible", align: "right" },
            { key: "p-bad", name: "Adj. p, indefensible", align: "right" },
            { key: "p-automated", name: "Adj. p, automated", align: "right" },
            { key: "p-both", name: "Adj. p, both", align: "right" },
          ]}
          rows={rows
            .filter(({ row }) => row.slice === name)
            .slice(0, MOST_ROWS)
            .map(({ row, at }) => ({
              key: row.value,
              cells: [
                <UserText key="value" text={row.value} max={60} />,
                <Num key="n" at={`${at}/n`} as="whole" />,
                <Est key="di" at={`${at}/di`} with="interval" />,
                <Est key="automated" at={`${at}/automation_rate`} with="value" />,
                <Est key="bad" at={`${at}/automated_indefensible_rate`} with="value" />,
                <Num key="p-bad" at={`${at}/tests/indefensible/adjusted_p`} as="probability" />,
                <Num key="p-automated" at={`${at}/tests/automated/adjusted_p`} as="probability" />,
                <Num key="p-both" at={`${at}/tests/automated_indefensible/adjusted_p`} as="probability" />,
              ],
            }))}
        />
      ))}
    </>
  );
}

function captionOf(name: string, values: number): string {
  const by = `By ${printable(name, 40)}`;
  return values > MOST_ROWS ? `${by}: the ${MOST_ROWS} commonest of ${values} values` : by;
}

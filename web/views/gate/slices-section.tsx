import { formatNumber } from "../../../src/figures/number-form.js";
import { printable } from "../../../src/figures/printable.js";
import type { SliceReport } from "../../../src/gate/slices.js";
import { Est } from "../../parts/est.tsx";
import { Num } from "../../parts/num.tsx";
import { PlainTable } from "../../parts/plain-table.tsx";
import { Term } from "../../parts/term.tsx";
import { UserText } from "../../parts/user-text.tsx";
import { STORED } from "./use-stored-gate.ts";

const AT = `${STORED}/slices`;
const MOST_ROWS = 20;

/** Rates by language, tag or any other property, with a warning where automation falls harder on one value. */
export function SlicesSection({ slices }: { slices: SliceReport }) {
  const rows = slices.rows.map((row, i) => ({ row, at: `${AT}/rows/${i}` }));
  const names = [...new Set(slices.rows.map((row) => row.slice))];
  return (
    <section aria-labelledby="slices">
      <h2 id="slices">
        <Term symbol="slices">Slices</Term>: does automation fall harder on some?
      </h2>
      <p>
        {slices.warnings.length === 0
          ? "No difference between values is more than chance would give"
          : `${slices.warnings.length.toLocaleString("en")} differences between values are more than chance would give`}{" "}
        at {formatNumber(slices.alpha, "limit")}, after correction for <Num at={`${AT}/tests`} as="whole" /> tests.{" "}
        <UserText text={slices.note} max={400} />
      </p>
      {slices.warnings.length > 0 && (
        <ul className="remarks" aria-label="Differences">
          {[...new Set(slices.warnings.map(({ text }) => text))].map((text) => (
            <li key={text}>
              <UserText text={text} max={300} />
            </li>
          ))}
        </ul>
      )}
      {names.map((name) => (
        <PlainTable
          key={name}
          caption={`By ${printable(name, 40)}`}
          heads={[
            { key: "value", name: "value" },
            { key: "n", name: "verdicts", align: "right" },
            { key: "di", name: "DI", align: "right" },
            { key: "automated", name: "automated", align: "right" },
            { key: "bad", name: "automated and indefensible", align: "right" },
            { key: "p-bad", name: "adjusted p, indefensible", align: "right" },
            { key: "p-automated", name: "automated", align: "right" },
            { key: "p-both", name: "both", align: "right" },
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
    </section>
  );
}

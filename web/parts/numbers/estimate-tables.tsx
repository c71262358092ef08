import type { ReactNode } from "react";
import type { Estimate } from "../../../src/core/estimate.js";
import { clusterToShow } from "../../../src/measures/metrics/target.js";
import { isSilent, type NumberForm } from "../../../src/present/words/numbers.js";
import { valueAt } from "../../../src/present/words/sentence.js";
import { usePage } from "../../data/page-context.ts";
import { ScrollFrame } from "../tables/plain-table.tsx";
import { Counts } from "./est.tsx";
import { Num } from "./num.tsx";

export interface EstimateRow {
  key: string;
  name: ReactNode;
  /** JSON pointer to an estimate. */
  at: string;
  as?: NumberForm;
}

/** Estimates below each other: value, both intervals, counts. A column that none of them fills is left out. */
export function EstimateTable({ id, caption, rows }: { id: string; caption: string; rows: readonly EstimateRow[] }) {
  const page = usePage();
  const all = rows.map((row) => ({ ...row, estimate: valueAt(page, row.at) as Estimate | undefined }));
  const clustered = all.some(({ estimate }) => estimate && clusterToShow(estimate));
  return (
    <div className="table-frame">
      <ScrollFrame label={caption}>
        <table id={id} className="estimates">
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Quantity</span>
              </th>
              <th scope="col" className="right">
                Value
              </th>
              <th scope="col">95 % interval</th>
              {clustered && <th scope="col">With communities as clusters</th>}
              <th scope="col" className="right">
                Decisions
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map(({ key, name, at, as = "percent", estimate }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <EstimateCells at={at} as={as} estimate={estimate} clustered={clustered} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </div>
  );
}

interface CellsProps {
  at: string;
  as: NumberForm;
  estimate: Estimate | undefined;
  clustered: boolean;
}

function EstimateCells({ at, as, estimate, clustered }: CellsProps) {
  if (!estimate || estimate.estimate === null) {
    return (
      <>
        <td className="right undefined">–</td>
        <td className="undefined" colSpan={clustered ? 2 : 1}>
          undefined: {estimate?.reason ?? "the report does not have it"}
        </td>
        <td className="right">{estimate && <Num at={`${at}/n`} as="whole" />}</td>
      </>
    );
  }
  if (isSilent(estimate)) {
    return (
      <>
        <td className="right">
          <Num at={`${at}/estimate`} as={as} />
        </td>
        <td className="undefined" colSpan={clustered ? 2 : 1}>
          no interval
        </td>
        <td className="right">
          <Num at={`${at}/n`} as="whole" />
        </td>
      </>
    );
  }
  return (
    <>
      <td className="right">
        <Num at={`${at}/estimate`} as={as} />
      </td>
      <td>
        <Num at={`${at}/lower`} as={as} /> to <Num at={`${at}/upper`} as={as} />
      </td>
      {clustered && (
        <td>
          {clusterToShow(estimate) ? (
            <>
              <Num at={`${at}/cluster/lower`} as={as} /> to <Num at={`${at}/cluster/upper`} as={as} />
            </>
          ) : (
            <span className="undefined">–</span>
          )}
        </td>
      )}
      <td className="right">
        <Counts of={estimate} mark={at} alone="" />
      </td>
    </>
  );
}

import { useMemo } from "react";
import type { CohortMetrics } from "../../../src/core/results/report.js";
import { pointerPart, valueAt } from "../../../src/present/words/sentence.js";
import { usePage } from "../../data/page-context.ts";
import { type Column, DataTable } from "../tables/data-table.tsx";
import { Term } from "../text/term.tsx";
import { capitalised } from "../text/words.ts";
import { UserText } from "../text/written.tsx";
import { Est } from "./est.tsx";
import { Num } from "./num.tsx";

interface Row {
  name: string;
  at: string;
  metrics: CohortMetrics;
}

interface MetricsTableProps {
  id: string;
  caption: string;
  /** What the parts are. */
  part: string;
  /** JSON pointer to a record of metrics. */
  at: string;
  keys: readonly string[];
  /** Which measure of agreement has a meaning within one part. */
  agreement: "f1" | "accuracy";
}

/** The headline numbers of the parts of a whole. */
export function MetricsTable({ id, caption, part, at, keys, agreement }: MetricsTableProps) {
  const page = usePage();
  const rows = useMemo(
    () =>
      keys.map((name): Row => {
        const place = `${at}/${pointerPart(name)}`;
        return { name, at: place, metrics: valueAt(page, place) as CohortMetrics };
      }),
    [page, at, keys],
  );
  const columns = useMemo(() => columnsFor(part, agreement), [part, agreement]);
  return (
    <div className="stacked">
      <DataTable id={id} caption={caption} columns={columns} rows={rows} rowKey={(row) => row.name} sort="-n" />
    </div>
  );
}

function columnsFor(part: string, agreement: "f1" | "accuracy"): Column<Row>[] {
  const name = agreement === "f1" ? "F1" : "accuracy";
  const gap = agreement === "f1" ? "di_minus_f1" : "di_minus_accuracy";
  return [
    { key: "name", name: part, value: (row) => row.name, cell: (row) => <UserText text={row.name} max={40} /> },
    {
      key: "n",
      name: "Verdicts",
      value: ({ metrics }) => metrics.counts.verdicts,
      cell: ({ at, metrics }) => (
        <>
          <Num at={`${at}/counts/verdicts`} as="whole" />
          {metrics.counts.attempted > metrics.counts.verdicts && (
            <span className="of">
              {" "}
              of <Num at={`${at}/counts/attempted`} as="whole" />
            </span>
          )}
        </>
      ),
      align: "right",
    },
    estimate("di", "Defensibility", "DI", "defensibility_index", ({ defensibility_index: one }) => one.estimate),
    estimate("ai", "Ambiguity", "AI", "ambiguity_index", ({ ambiguity_index: one }) => one.estimate),
    estimate("pure", "Pure ambiguity", "AI_pure", "ambiguity_pure", ({ ambiguity_pure: one }) => one.estimate),
    estimate(
      "agreement",
      capitalised(name),
      name,
      `agreement/${agreement}`,
      (metrics) => metrics.agreement[agreement].estimate,
    ),
    {
      key: "gap",
      name: `Defensibility − ${name}`,
      head: <Term symbol={`gap, DI − ${name}`}>Defensibility − {name}</Term>,
      value: ({ metrics }) => metrics.gap[gap].estimate,
      cell: ({ at, metrics }) =>
        metrics.gap[gap].estimate === null ? (
          <span className="undefined">–</span>
        ) : (
          <Est at={`${at}/gap/${gap}`} as="points" with="interval" />
        ),
    },
  ];
}

function estimate(
  key: string,
  name: string,
  symbol: string,
  field: string,
  value: (metrics: CohortMetrics) => number | null,
): Column<Row> {
  return {
    key,
    name,
    head: <Term symbol={symbol}>{name}</Term>,
    value: ({ metrics }) => value(metrics),
    cell: ({ at, metrics }) =>
      value(metrics) === null ? <span className="undefined">–</span> : <Est at={`${at}/${field}`} with="interval" />,
  };
}

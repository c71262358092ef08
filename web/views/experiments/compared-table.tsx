import { useMemo } from "react";
import type { Compared, Replicate } from "../../../src/experiments/study/result.js";
import { differenceCell, intervalCell, valueText } from "../../../src/present/words/experiments/estimate-cells.js";
import { printable } from "../../../src/text/printable.js";
import { SelectBox } from "../../parts/controls/choices.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { type Column, DataTable } from "../../parts/tables/data-table.tsx";
import { useQuery } from "../../route/use-route.ts";

type Row = Compared & { at: string };

/** A printed number in its own unit. Numbers are marked as they are shown: shares as percentages, others with their digits. */
function Value({ row, field, value }: { row: Row; field: string; value: number | null }) {
  if (value === null) return <span className="undefined">–</span>;
  if (row.unit === "count") return <Num at={`${row.at}/${field}`} as="whole" />;
  if (row.unit === "share" && row.digits <= 3) return <Num at={`${row.at}/${field}`} as="percent" />;
  return <span className="num">{valueText(value, row)}</span>;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: "place", name: "Of the paper", value: ({ place }) => place },
  { key: "what", name: "Number", value: ({ what }) => what },
  {
    key: "ours",
    name: "Ours",
    value: ({ ours }) => ours.value,
    cell: (row) => <Value row={row} field="ours/value" value={row.ours.value} />,
    align: "right",
  },
  { key: "interval", name: "95 % interval", value: (row) => intervalCell(row) || null, align: "right" },
  {
    key: "paper",
    name: "The paper's",
    value: ({ paper }) => paper,
    cell: (row) => <Value row={row} field="paper" value={row.paper} />,
    align: "right",
  },
  {
    key: "difference",
    name: "Difference",
    value: ({ difference }) => difference,
    cell: (row) => differenceCell(row) || "–",
    align: "right",
  },
  { key: "verdict", name: "Verdict", value: ({ verdict }) => verdict ?? null },
  {
    key: "note",
    name: "To know",
    value: ({ caveat, why, ours }) => [caveat, why, ours.reason].filter(Boolean).join("; ") || null,
    cell: ({ caveat, why, ours }) => printable([caveat, why, ours.reason].filter(Boolean).join("; "), 400),
  },
];

/** Every printed number, of one table of the paper or of all. */
export function ComparedTable({ result, at }: { result: Replicate; at: string }) {
  const [place, setPlace] = useQuery("place", "", "compared-numbers");
  const places = useMemo(() => [...new Set(result.compared.map((one) => one.place))], [result]);
  const rows = useMemo(
    () =>
      result.compared
        .map((one, i): Row => ({ ...one, at: `${at}/compared/${i}` }))
        .filter((one) => place === "" || one.place === place),
    [result, at, place],
  );
  return (
    <>
      <div className="controls">
        <SelectBox
          label="Table or section of the paper"
          all="all"
          value={place}
          options={places.map((name) => ({ value: name, name }))}
          onChange={setPlace}
        />
      </div>
      <DataTable
        id="compared-numbers"
        caption="Printed numbers beside ours; an interval is that of our sampling alone"
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => row.id}
        first={25}
      />
    </>
  );
}

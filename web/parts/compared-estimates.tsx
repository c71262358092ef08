import type { ReactNode } from "react";
import type { Estimate } from "../../src/core/estimate.js";
import type { NumberForm } from "../../src/present/words/numbers.js";
import { valueAt } from "../../src/present/words/sentence.js";
import { usePage } from "../data/page-context.ts";
import { Est } from "./est.tsx";
import { Num } from "./num.tsx";
import { PlainTable } from "./plain-table.tsx";

interface ComparedProps {
  caption: string;
  /** What the rows are. */
  of: string;
  /** Each row is an estimate of every column, at the column's pointer and this one; `count`: a whole number instead. */
  rows: readonly { name: ReactNode; field: string; as?: NumberForm; count?: boolean }[];
  columns: readonly { key: string; name: ReactNode; at: string }[];
  with?: "value" | "interval" | "all";
  /** Columns below each other and rows side by side, where there are more columns than fit. */
  turned?: boolean;
}

/** The same estimates of several things, side by side. Why some are undefined is told below, each reason once. */
export function ComparedEstimates(props: ComparedProps) {
  const { caption, of, rows, columns, with: beside = "interval", turned = false } = props;
  const page = usePage();
  const reasons = new Set<string>();
  const cell = (at: string, as: NumberForm, count: boolean) => {
    if (count) return <Num key={at} at={at} as="whole" />;
    const estimate = valueAt(page, at) as Estimate | undefined;
    if (estimate && estimate.estimate !== null) return <Est key={at} at={at} as={as} with={beside} />;
    if (estimate) reasons.add(estimate.reason);
    return null;
  };
  const at = (row: (typeof rows)[number], column: (typeof columns)[number]) =>
    cell(`${column.at}/${row.field}`, row.as ?? "percent", row.count ?? false);
  const lines = turned
    ? columns.map((column) => ({ key: column.key, cells: [column.name, ...rows.map((row) => at(row, column))] }))
    : rows.map((row) => ({ key: row.field, cells: [row.name, ...columns.map((column) => at(row, column))] }));
  const heads = turned
    ? rows.map(({ field, name }) => ({ key: `column ${field}`, name, align: "right" as const }))
    : columns.map(({ key, name }) => ({ key: `column ${key}`, name, align: "right" as const }));
  return (
    <>
      <PlainTable caption={caption} heads={[{ key: "of", name: of }, ...heads]} rows={lines} />
      {reasons.size > 0 && (
        <p className="small muted">A dash means undefined: {[...reasons].slice(0, 6).join("; ")}.</p>
      )}
    </>
  );
}

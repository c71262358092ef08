import { type ReactNode, useMemo, useState } from "react";
import { useQuery } from "../route/use-route.ts";

export interface Column<Row> {
  key: string;
  /** Plain words, for the head, screen readers and files. */
  name: string;
  head?: ReactNode;
  /** What rows are sorted by. */
  value: (row: Row) => string | number | null;
  cell?: (row: Row) => ReactNode;
  align?: "left" | "right";
}

interface DataTableProps<Row> {
  /** Names the table, and its place in the address. */
  id: string;
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Column sorted by at first, with `-` before it for the largest first. */
  sort?: string;
  /** Rows shown before somebody asks for all. */
  first?: number;
  empty?: ReactNode;
}

/** A table whose heads sort it. How it is sorted stands in the address. */
export function DataTable<Row>({
  id,
  caption,
  columns,
  rows,
  rowKey,
  sort = "",
  first = 50,
  empty,
}: DataTableProps<Row>) {
  const [order, setOrder] = useQuery(`${id}.sort`, sort);
  const [all, setAll] = useState(false);
  const key = order.replace(/^-/, "");
  const descending = order.startsWith("-");
  const sorted = useMemo(
    () =>
      sortRows(
        rows,
        columns.find((column) => column.key === key),
        descending,
      ),
    [rows, columns, key, descending],
  );
  if (rows.length === 0) return <>{empty ?? <p className="nothing">No rows.</p>}</>;
  const shown = all ? sorted : sorted.slice(0, first);
  return (
    <div className="table-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen must scroll by keyboard too */}
      <section className="table-scroll" tabIndex={0} aria-label={caption}>
        <table id={id}>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={column.align === "right" ? "right" : undefined}
                  aria-sort={column.key === key ? (descending ? "descending" : "ascending") : "none"}
                >
                  <button
                    type="button"
                    className="sort"
                    onClick={() => setOrder(nextOrder(column, rows, key, descending))}
                  >
                    {column.head ?? column.name}
                    <span className="sort-mark" aria-hidden="true">
                      {column.key === key ? (descending ? "▾" : "▴") : ""}
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map((column) => (
                  <td key={column.key} className={column.align === "right" ? "right" : undefined}>
                    {column.cell ? column.cell(row) : (column.value(row) ?? <span className="undefined">–</span>)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < sorted.length && (
        <button type="button" className="more" onClick={() => setAll(true)}>
          Show all {sorted.length.toLocaleString("en")} rows
        </button>
      )}
    </div>
  );
}

/** Numbers are wanted largest first, names from A; a second click turns it round. */
function nextOrder<Row>(column: Column<Row>, rows: readonly Row[], key: string, descending: boolean): string {
  if (column.key === key) return descending ? column.key : `-${column.key}`;
  return rows.some((row) => typeof column.value(row) === "number") ? `-${column.key}` : column.key;
}

/** Rows without a value stand last, whichever way the table is sorted; ties keep their order. */
function sortRows<Row>(rows: readonly Row[], column: Column<Row> | undefined, descending: boolean): readonly Row[] {
  if (!column) return rows;
  const sign = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: column.value(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      if (typeof a.value === "number" && typeof b.value === "number") return sign * (a.value - b.value);
      return sign * String(a.value).localeCompare(String(b.value), "en");
    })
    .map(({ row }) => row);
}

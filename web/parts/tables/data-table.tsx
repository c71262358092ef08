import { type ReactNode, useMemo, useRef } from "react";
import { whole } from "../../../src/present/words/numbers.js";
import { useQuery } from "../../route/use-route.ts";
import { MoreRows, ScrollFrame } from "./scroll-frame.tsx";

export interface Column<Row> {
  key: string;
  /** Plain words for the head, screen readers and files. */
  name: string;
  head?: ReactNode;
  /** Sort key. */
  value: (row: Row) => string | number | null;
  cell?: (row: Row) => ReactNode;
  align?: "left" | "right";
}

interface DataTableProps<Row> {
  /** Also the table's name in the address. */
  id: string;
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Initial sort column, with `-` for largest first. */
  sort?: string;
  /** Rows shown before the reader asks for all. */
  first?: number;
  /** Rows beyond `first` are paged, for very long tables. */
  paged?: boolean;
  empty?: ReactNode;
}

/** More rows slow a browser down, so they are paged. */
const MOST_AT_ONCE = 500;

/** A sortable table. The address holds its order. */
export function DataTable<Row>({
  id,
  caption,
  columns,
  rows,
  rowKey,
  sort = "",
  first = 50,
  paged: wanted = false,
  empty,
}: DataTableProps<Row>) {
  const paged = wanted || rows.length > MOST_AT_ONCE;
  const frame = useRef<HTMLElement>(null);
  const [order, setOrder] = useQuery(`${id}.sort`, sort, id);
  const [page, setPage] = useQuery(`${id}.page`, "1");
  const [all, setAll] = useQuery(`${id}.all`);
  const key = order.replace(/^-/, "");
  const descending = order.startsWith("-");
  const sorted = useMemo(() => sortRows(rows, columns, order), [rows, columns, order]);
  if (rows.length === 0) return <>{empty ?? <p className="nothing">No rows.</p>}</>;
  // A page beyond the last, after a filter changed, becomes the first.
  const asked = paged ? Math.floor(Number(page)) - 1 : 0;
  const at = asked > 0 && asked * first < sorted.length ? asked : 0;
  const shown = all !== "" && !paged ? sorted : sorted.slice(at * first, (at + 1) * first);
  return (
    <div className="table-frame">
      <ScrollFrame label={caption} ref={frame}>
        <table id={id}>
          <caption>
            <span>{caption}</span>
            {shown.length < sorted.length && (
              <span className="on-paper">
                Rows {whole(at * first + 1)} to {whole(at * first + shown.length)} of {whole(sorted.length)}
              </span>
            )}
          </caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={column.align}
                  aria-sort={column.key === key ? (descending ? "descending" : "ascending") : "none"}
                >
                  <SortHead
                    column={column}
                    order={column.key === key ? (descending ? "▾" : "▴") : ""}
                    onSort={() => setOrder(nextOrder(column, rows, key, descending))}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map((column) => (
                  <td key={column.key} className={column.align} data-name={column.name}>
                    {column.cell ? column.cell(row) : (column.value(row) ?? <span className="undefined">–</span>)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      {paged && sorted.length > first && (
        <Pager
          first={at * first + 1}
          last={at * first + shown.length}
          of={sorted.length}
          onTurn={(by) => setPage(String(at + 1 + by))}
        />
      )}
      {!paged && shown.length < sorted.length && (
        <MoreRows of={sorted.length} frame={frame} onMore={() => setAll("yes")} />
      )}
    </div>
  );
}

interface SortHeadProps<Row> {
  column: Column<Row>;
  order: "▾" | "▴" | "";
  onSort: () => void;
}

/** The name is the sort button. A focusable head, such as a term, cannot be inside a button and is next to it. */
function SortHead<Row>({ column: { name, head }, order, onSort }: SortHeadProps<Row>) {
  if (head === undefined) {
    return (
      <button type="button" className="sort" onClick={onSort}>
        {name}
        <span className="sort-mark" aria-hidden="true">
          {order || "↕"}
        </span>
      </button>
    );
  }
  return (
    <span className="sort">
      {head}
      <button type="button" className="sort-mark" aria-label={`Sort by ${name}`} onClick={onSort}>
        {order || "↕"}
      </button>
    </span>
  );
}

/** Numbers start largest first, names from A; a second click reverses the order. */
function nextOrder<Row>(column: Column<Row>, rows: readonly Row[], key: string, descending: boolean): string {
  if (column.key === key) return descending ? column.key : `-${column.key}`;
  return rows.some((row) => typeof column.value(row) === "number") ? `-${column.key}` : column.key;
}

interface PagerProps {
  /** First and last row shown, from 1, and the total. */
  first: number;
  last: number;
  of: number;
  onTurn: (by: 1 | -1) => void;
}

/** The part of a long table that is shown, and paging. Buttons at an end stay enabled: a disabled one would lose the focus. */
function Pager({ first, last, of, onTurn }: PagerProps) {
  return (
    <nav className="pager" aria-label="Pages of the table">
      <button type="button" aria-disabled={first <= 1} onClick={() => first > 1 && onTurn(-1)}>
        Previous rows
      </button>
      <span aria-live="polite">
        rows {whole(first)} to {whole(last)} of {whole(of)}
      </span>
      <button type="button" aria-disabled={last >= of} onClick={() => last < of && onTurn(1)}>
        Next rows
      </button>
    </nav>
  );
}

/** Rows sorted by a column (`-` before its key: largest first). Rows without a value are always last; ties keep their order. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: string): readonly Row[] {
  const column = columns.find(({ key }) => key === order.replace(/^-/, ""));
  if (!column) return rows;
  const sign = order.startsWith("-") ? -1 : 1;
  return rows
    .map((row) => ({ row, value: column.value(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      if (typeof a.value === "number" && typeof b.value === "number") return sign * (a.value - b.value);
      return sign * collator.compare(String(a.value), String(b.value));
    })
    .map(({ row }) => row);
}

/** Made once: a new collator for each comparison is a hundred times slower. */
const collator = new Intl.Collator("en");

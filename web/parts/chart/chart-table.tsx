import { useRef, useState } from "react";
import type { FigureRow } from "../../../src/core/figure.js";
import { figureColumns } from "../../../src/present/figures/missing.js";
import { plural, whole } from "../../../src/present/words/numbers.js";
import { type Cell, columnName, safeText } from "../../draw/value-text.ts";
import { MoreRows, ScrollFrame } from "../tables/scroll-frame.tsx";

interface ChartTableProps {
  id: string;
  title: string;
  rows: readonly FigureRow[];
  /** Number of the figure's rows. */
  all: number;
}

const FIRST = 200;

export function ChartTable({ id, title, rows, all }: ChartTableProps) {
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLElement>(null);
  const columns = figureColumns(rows);
  const shown = open ? rows : rows.slice(0, FIRST);
  const numeric = new Set(columns.filter((name) => rows.some((row) => typeof row[name] === "number")));
  return (
    <div className="chart-table" id={id}>
      <ScrollFrame label={`Data of: ${title}`} ref={frame}>
        <table>
          <caption>
            {plural(rows.length, "row")}
            {all > rows.length && ` of what is chosen; the CSV file has all ${whole(all)}`}
          </caption>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col" className={numeric.has(name) ? "right" : undefined}>
                  {columnName(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows never change places, and nothing else names them
              <tr key={i}>
                {columns.map((name) => (
                  <td key={name} className={numeric.has(name) ? "right" : undefined}>
                    <bdi>{cellText(row[name] ?? null)}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      {shown.length < rows.length && <MoreRows of={rows.length} frame={frame} onMore={() => setOpen(true)} />}
    </div>
  );
}

/** Six digits are enough to read; the files have all. */
function cellText(value: Cell): string {
  if (value === null) return "–";
  if (typeof value === "number") return String(Number(value.toPrecision(6))).replace("-", "−");
  return typeof value === "boolean" ? (value ? "yes" : "no") : safeText(value, 300);
}

import type { Figure, FigureAxis, FigureRow } from "../../src/core/figure.js";
import { distinct } from "./chart-model.ts";
import { type Cell, safeText, valueName } from "./value-text.ts";

/** How an axis places its values: numbers to scale, categories in sequence. */
export interface Axis {
  spec: FigureAxis;
  kind: "number" | "category";
  /** Values of a category axis, in order; also those of a bar's number axis. */
  categories: Cell[];
  /** Categories left out for lack of space. */
  left: number;
  step: number;
  /** Position of a value; null if it has none. */
  at: (value: Cell) => number | null;
  name: (value: Cell) => string;
  label: string;
}

/** With more names than this a chart is unreadable. */
export const MOST_CATEGORIES = 30;

export function buildAxis(figure: Figure, which: "x" | "y", rows: readonly FigureRow[]): Axis {
  const spec = figure[which];
  const values = distinct(rows, spec.field).filter((value) => value !== null);
  const numbers = values.filter((value) => typeof value === "number");
  const kind = !spec.order && figure.mark !== "cell" && numbers.length === values.length ? "number" : "category";
  const common = { spec, kind, name: (value: Cell) => valueName(spec.field, value), label: axisLabel(spec) } as const;
  if (kind === "number") {
    const sorted = [...numbers].sort((a, b) => a - b);
    const gaps = sorted.slice(1).map((value, i) => value - sorted[i]!);
    const usable = (value: Cell): value is number =>
      typeof value === "number" && Number.isFinite(value) && (spec.scale !== "log" || value > 0);
    return {
      ...common,
      categories: sorted,
      left: 0,
      step: gaps.length > 0 ? Math.min(...gaps) : 1,
      at: (value) => (usable(value) ? value : null),
    };
  }
  const distinctValues = new Set<Cell>(values);
  const ordered = [...new Set<Cell>([...(spec.order ?? []).filter((value) => distinctValues.has(value)), ...values])];
  const categories = ordered.slice(0, MOST_CATEGORIES);
  const places = new Map<Cell, number>(categories.map((value, i) => [value, i]));
  return {
    ...common,
    categories,
    left: ordered.length - categories.length,
    step: 1,
    at: (value) => places.get(value) ?? null,
  };
}

/** The label with its unit; percentages have theirs at each number. */
function axisLabel({ label, unit, format }: FigureAxis): string {
  const isImplied = !unit || ((format === "percent" || format === "points") && /^(share|fraction)$/.test(unit));
  return safeText(isImplied ? label : `${label} (${unit})`, 160);
}

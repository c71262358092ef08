import type { Figure, FigureRow } from "../../src/core/figure.js";
import { type Axis, buildAxis, MOST_CATEGORIES } from "./axis.ts";
import { type Chosen, chosenRows, chosenValues, distinct } from "./choose-rows.ts";
import { crossed, placeRows } from "./place-rows.ts";
import { planNotes } from "./plan-notes.ts";
import { type SeriesStyle, seriesStyles } from "./series-style.ts";
import { spreadPoints } from "./spread.ts";
import { addUpToWholes } from "./stacks.ts";
import { type Cell, valueName } from "./value-name.ts";

export interface Span {
  lower: number;
  upper: number;
}

/** One row with the places of its values. */
export interface Point {
  row: FigureRow;
  x: number;
  y: number;
  xSpan: Span | null;
  ySpan: Span | null;
  /** Index of its series and of its panel. */
  series: number;
  panel: number;
  /** Lines are broken where something undefined lay between; each unbroken piece has its number. */
  piece: number;
  size: number;
  /** What is written beside it. */
  label: string | null;
}

export interface Series extends SeriesStyle {
  name: string;
  faint: boolean;
}

/** Everything about a figure that is decided before anything is drawn. */
export interface Plan {
  figure: Figure;
  chosen: Record<string, Cell>;
  x: Axis;
  y: Axis;
  /** Categories stand at the side, and bars lie. */
  horizontal: boolean;
  stacked: boolean;
  series: Series[];
  panels: string[];
  points: Point[];
  /** Points of the figure's lines over its points. */
  curve: Point[];
  /** Width of the place that a series has within a category; 0 where nothing was set apart. */
  slot: number;
  /** What a reader must know about what is not drawn. */
  notes: string[];
}

const MOST_PANELS = 12;

export function planFigure(given: Figure, asked?: Chosen): Plan {
  // Cells lie on both axes: nothing else can tell series apart but panels.
  const figure = given.mark === "cell" && given.series ? { ...given, facet: given.facet ?? given.series } : given;
  const chosen = chosenValues(figure, asked);
  const rows = chosenRows(figure.rows, chosen);
  const x = buildAxis(figure, "x", rows);
  const y = buildAxis(figure, "y", rows);
  const horizontal = figure.mark !== "cell" && y.kind === "category" && x.kind === "number";
  const field = figure.mark === "cell" ? undefined : figure.series;
  const values = field ? ordered(distinct(rows, field), figure.series_order) : [null];
  const allPanels = figure.facet ? ordered(distinct(rows, figure.facet)) : [null];
  const places = { figure, x, y, series: values, panels: allPanels.slice(0, MOST_PANELS) };
  const { points, undrawn } = placeRows(rows, places);
  const plan: Plan = {
    figure,
    chosen,
    x,
    y,
    horizontal,
    stacked: figure.mark === "bar" && (figure.stack ?? addUpToWholes(points, horizontal)),
    series: seriesOf(figure, field, values),
    panels: places.panels.map((value) => (figure.facet ? valueName(figure.facet, value) : "")),
    points,
    curve: placeRows(chosenRows(figure.curve?.rows ?? [], chosen), places).points,
    slot: 0,
    notes: planNotes(figure, {
      chosen,
      rows: rows.length,
      undrawn,
      crossed: crossed(figure, x, y, rows.length),
      names: MOST_CATEGORIES,
      namesOf: Math.max(x.left, y.left) > 0 ? MOST_CATEGORIES + Math.max(x.left, y.left) : 0,
      panels: places.panels.length,
      panelsOf: allPanels.length,
    }),
  };
  return { ...plan, slot: spreadPoints(plan) };
}

function seriesOf({ faint = [] }: Figure, field: string | undefined, values: readonly Cell[]): Series[] {
  const styles = seriesStyles(field ?? "", field ? values : ["DI"], faint);
  return values.map((value, i) => ({
    name: field ? valueName(field, value) : "",
    faint: field !== undefined && faint.includes(value),
    ...styles[i]!,
  }));
}

/** Values in the order asked for; numbers by size; others as they come. */
function ordered(values: readonly Cell[], order: readonly Cell[] = []): Cell[] {
  if (order.length === 0 && values.every((value) => typeof value === "number")) {
    return [...values].sort((a, b) => Number(a) - Number(b));
  }
  return [...order.filter((value) => values.includes(value)), ...values.filter((value) => !order.includes(value))];
}

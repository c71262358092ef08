import type { Figure, FigureRow } from "../../src/core/figure.js";
import { plural, whole } from "../../src/present/words/numbers.js";
import { type Axis, buildAxis, MOST_CATEGORIES } from "./axis.ts";
import { addUpToWholes, crossed, placeRows, spreadPoints, type Undrawn } from "./place-rows.ts";
import { type SeriesStyle, seriesStyles } from "./series-style.ts";
import { type Cell, columnName, valueName } from "./value-text.ts";

export interface Span {
  lower: number;
  upper: number;
}

/** A row with its positions. */
export interface Point {
  row: FigureRow;
  x: number;
  y: number;
  xSpan: Span | null;
  ySpan: Span | null;
  /** Index of its series, and of its panel. */
  series: number;
  panel: number;
  /** Number of its unbroken piece; lines are broken where a value is undefined. */
  piece: number;
  size: number;
  label: string | null;
}

export interface Series extends SeriesStyle {
  name: string;
  faint: boolean;
}

/** Everything about a figure that is decided before drawing. */
export interface ChartModel {
  figure: Figure;
  chosen: Record<string, Cell>;
  x: Axis;
  y: Axis;
  /** Categories are at the side, and bars are horizontal. */
  horizontal: boolean;
  stacked: boolean;
  series: Series[];
  panels: string[];
  points: Point[];
  /** Points of the figure's line over its points. */
  curve: Point[];
  /** Width reserved for a series within a category; 0 if nothing was set apart. */
  slot: number;
  /** Notes on what is not drawn. */
  notes: string[];
}

const MOST_PANELS = 12;

export function chartModel(given: Figure, asked?: Chosen): ChartModel {
  // Cells use both axes, so only panels can separate series.
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
  const model: ChartModel = {
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
  return { ...model, slot: spreadPoints(model) };
}

function seriesOf({ faint = [] }: Figure, field: string | undefined, values: readonly Cell[]): Series[] {
  const styles = seriesStyles(field ?? "", field ? values : ["DI"], faint);
  return values.map((value, i) => ({
    name: field ? valueName(field, value) : "",
    faint: field !== undefined && faint.includes(value),
    ...styles[i]!,
  }));
}

/** Values in the requested order; numbers by size; others as they come. */
function ordered(values: readonly Cell[], order: readonly Cell[] = []): Cell[] {
  if (order.length === 0 && values.every((value) => typeof value === "number")) {
    return [...values].sort((a, b) => Number(a) - Number(b));
  }
  return [...order.filter((value) => values.includes(value)), ...values.filter((value) => !order.includes(value))];
}

interface Drawn {
  chosen: Chosen;
  rows: number;
  undrawn: Undrawn;
  /** Too many intervals to draw. */
  crossed: boolean;
  names: number;
  namesOf: number;
  panels: number;
  panelsOf: number;
}

/** What a reader must know of title and chart: a title about another choice, and everything left out. */
function planNotes(figure: Figure, drawn: Drawn): string[] {
  const { rows, undrawn, names, namesOf, panels, panelsOf } = drawn;
  const notes = titleNotes(figure, drawn.chosen);
  if (figure.of !== undefined && figure.of > figure.rows.length) {
    notes.push(`${whole(figure.rows.length)} of ${whole(figure.of)} rows are in this figure.`);
  }
  if (namesOf > 0) notes.push(`Drawn: the first ${whole(names)} of ${whole(namesOf)}; the data have all.`);
  if (panelsOf > panels) notes.push(`Drawn: ${plural(panels, "panel")} of ${whole(panelsOf)}; the data have all.`);
  if (undrawn.undefined > 0) notes.push(`${whole(undrawn.undefined)} of ${whole(rows)} not drawn: undefined.`);
  if (undrawn.outside > 0) notes.push(`${whole(undrawn.outside)} of ${whole(rows)} not drawn: outside the axes.`);
  if (drawn.crossed) notes.push("Intervals are in the data, not in the picture.");
  return notes;
}

/** A title describes the first choice; says so if another is shown. */
function titleNotes(figure: Figure, chosen: Chosen): string[] {
  const first = Object.entries(chosenValues(figure));
  if (figure.title_of_all || first.every(([field, value]) => chosen[field] === value)) return [];
  const names = first.map(([field, value]) => {
    const name = valueName(field, value);
    return name.includes("=") ? name : `${columnName(field)} ${name}`;
  });
  return [`The title is about ${names.join(", ")}, not about what is chosen here.`];
}

export type Chosen = Readonly<Record<string, Cell>>;

/** Distinct values of a column, in the order of the rows. */
export function distinct(rows: readonly FigureRow[], field: string): Cell[] {
  return [...new Set(rows.map((row) => row[field] ?? null))];
}

/** The value of each `choose` column: the requested one if the rows have it, else the first. */
function chosenValues(figure: Figure, asked: Chosen = {}): Record<string, Cell> {
  const chosen: Record<string, Cell> = {};
  let rows: readonly FigureRow[] = figure.rows;
  for (const field of figure.choose ?? []) {
    const values = distinct(rows, field);
    const wanted = asked[field];
    const value = wanted !== undefined && values.includes(wanted) ? wanted : (values[0] ?? null);
    chosen[field] = value;
    // Columns are chosen one after the other, so that no choice gives an empty chart.
    rows = rows.filter((row) => (row[field] ?? null) === value);
  }
  return chosen;
}

export function chosenRows(rows: readonly FigureRow[], chosen: Chosen): FigureRow[] {
  const wanted = Object.entries(chosen);
  return rows.filter((row) => wanted.every(([field, value]) => (row[field] ?? null) === value));
}

const SWAPPED = { x: "y", y: "x", both: "both", none: "none", diagonal: "diagonal" } as const;

/** The figure with swapped axes, for names that do not fit below it. */
export function flipped(figure: Figure): Figure {
  const { x, y, interval, references, zone } = figure;
  return {
    ...figure,
    x: y,
    y: x,
    ...(interval && { interval: SWAPPED[interval] }),
    ...(references && { references: references.map((line) => ({ ...line, axis: SWAPPED[line.axis] })) }),
    ...(zone && { zone: { ...zone, x: zone.y, y: zone.x } }),
  };
}

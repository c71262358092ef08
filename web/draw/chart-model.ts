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
  /** What is written next to it. */
  label: string | null;
}

export interface Series extends SeriesStyle {
  name: string;
  faint: boolean;
}

/** Everything about a figure that is decided before anything is drawn. */
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
  /** Points of the figure's lines over its points. */
  curve: Point[];
  /** Width of the place that a series has within a category; 0 where nothing was set apart. */
  slot: number;
  /** What a reader must know about what is not drawn. */
  notes: string[];
}

const MOST_PANELS = 12;

export function chartModel(given: Figure, asked?: Chosen): ChartModel {
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

/** Values in the order asked for; numbers by size; others as they come. */
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
  /** Intervals are too many to draw. */
  crossed: boolean;
  names: number;
  namesOf: number;
  panels: number;
  panelsOf: number;
}

/** What the reader must know of title and picture: where they tell of different choices, and what is left out. Nothing is left out silently. */
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

/** A title is about the first choice; where another is looked at, that is said. */
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

/** Each value of a column once, in the order of the rows. */
export function distinct(rows: readonly FigureRow[], field: string): Cell[] {
  return [...new Set(rows.map((row) => row[field] ?? null))];
}

/** The value of each `choose` column that is looked at: the one asked for where the rows have it, else the first. */
function chosenValues(figure: Figure, asked: Chosen = {}): Record<string, Cell> {
  const chosen: Record<string, Cell> = {};
  let rows: readonly FigureRow[] = figure.rows;
  for (const field of figure.choose ?? []) {
    const values = distinct(rows, field);
    const wanted = asked[field];
    const value = wanted !== undefined && values.includes(wanted) ? wanted : (values[0] ?? null);
    chosen[field] = value;
    // Columns are chosen one after the other, so that no choice leads to an empty picture.
    rows = rows.filter((row) => (row[field] ?? null) === value);
  }
  return chosen;
}

export function chosenRows(rows: readonly FigureRow[], chosen: Chosen): FigureRow[] {
  const wanted = Object.entries(chosen);
  return rows.filter((row) => wanted.every(([field, value]) => (row[field] ?? null) === value));
}

const SWAPPED = { x: "y", y: "x", both: "both", none: "none", diagonal: "diagonal" } as const;

/** The same figure with its axes swapped, for names that do not fit under it. */
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

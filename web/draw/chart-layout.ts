import type { ChartModel } from "./chart-model.ts";
import { type LegendItem, layLegend } from "./legend.ts";
import { valueRoom, writesValues } from "./marks/value-marks.ts";
import { type Scale, scaleOf } from "./scale.ts";
import { balancedText, textWidth, wrapText } from "./text-fit.ts";
import { columnName, tickText, valueName } from "./value-text.ts";

export const FONT_SIZE = 12;
export const LINE_HEIGHT = 15;

/** Sizes and positions of everything around the marks. */
export interface ChartLayout {
  width: number;
  height: number;
  margin: { top: number; right: number; bottom: number; left: number };
  columns: number;
  rows: number;
  /** Gaps between panels, horizontally and vertically. */
  gap: number;
  rowGap: number;
  /** The last row has fewer panels: each panel then has its own numbers below, so that no column looks cut off. */
  ragged: boolean;
  x: Scale;
  y: Scale;
  xNames: string[];
  yNames: string[];
  xLabel: string[];
  yLabel: string[];
  legend: LegendItem[];
  /** Where title, legend and y label begin. */
  titleTop: number;
  legendTop: number;
  labelTop: number;
  title: string[];
  subtitle: string[];
  notes: string[];
}

const PANEL_GAP = 34;
/** Minimum gap between panels, and between the last number of one and the first of the next. */
const COLUMN_GAP = 40;
const NUMBER_GAP = 22;
/** Line height of a name on several lines. */
export const NAME_LINE = 15;
/** Margin for letters wider on the screen than estimated. A standalone chart has an edge. */
const WIDER = 8;
const TITLE_SIZE = 15;
/** Width of title letters relative to the estimate: bold, but few wide ones. */
const BOLD = 0.97;

/** The words of a standalone chart: title, and the notes that a page shows around it. */
export interface Alone {
  title: string;
  notes: readonly string[];
}

/** The layout. A standalone chart includes its title, choices and notes. */
export function layOutChart(model: ChartModel, width: number, alone?: Alone): ChartLayout {
  const title = alone?.title;
  const columns = columnsOf(model, width);
  const rows = Math.ceil(Math.max(1, model.panels.length) / columns);
  const yNamesFull = model.y.categories.map(model.y.name);
  const panelHeight = heightOf(model, width, columns);
  const y = scaleOf(model, "y", Math.max(2, Math.round(panelHeight / 50)));
  const yNames =
    model.y.kind === "category" ? yNamesFull.map((name) => fitted(name, nameRoom(width), 2)) : namesOf(model, y);
  const edge = title ? 12 : 0;
  const left = Math.ceil(Math.max(24, ...yNames.map(lineWidth)) + 10) + (edge || WIDER);
  const written = writesValues(model);
  const right = 20 + (edge || WIDER) + (written && model.horizontal ? 40 : 0);
  const panelWidth = (between: number) => (width - left - right - (columns - 1) * between) / columns;
  const wide = scaleOf(model, "x", Math.max(2, Math.floor(panelWidth(COLUMN_GAP) / 75)));
  const gap = Math.max(columnGap(model, wide), written && model.horizontal ? Math.ceil(valueRoom(model)) : 0);
  const x = thinned(model, wide, panelWidth(gap));
  const band = panelWidth(gap) / Math.max(1, model.x.kind === "category" ? x.ticks.length : model.x.categories.length);
  const xNames =
    model.x.kind === "category"
      ? x.ticks.map((i) => fitted(model.x.name(model.x.categories[i] ?? null), Math.max(20, band - 6), 3))
      : namesOf({ ...model, y: model.x }, x);
  const xLabel = wrapText(model.x.label, width - left, FONT_SIZE, 2);
  const yLabel = wrapText(model.y.label, width - 2 * edge, FONT_SIZE, 2);
  const titleLines = title ? balancedText(title, (width - 24) / BOLD, TITLE_SIZE) : [];
  const titleTop = title ? 16 : 0;
  const subtitle = title ? wrapText(chosenText(model), width - 24, FONT_SIZE) : [];
  const legendTop = titleTop + titleLines.length * 20 + subtitle.length * LINE_HEIGHT + (title ? 10 : 0);
  const legend = layLegend(model, width - 2 * edge);
  const legendHeight = legend.reduce((height, item) => Math.max(height, item.y + item.height), 0);
  const labelTop = legendTop + legendHeight + (legend.length > 0 ? 8 : 0);
  const panelTitles = model.panels.length > 1 ? 22 : 0;
  const above = (written && !model.horizontal ? 12 : 0) + (namesAbove(model) ? LINE_HEIGHT : 0);
  const top = labelTop + yLabel.length * LINE_HEIGHT + 8 + panelTitles + above;
  const notes = alone ? [...model.notes, ...alone.notes].flatMap((note) => wrapText(note, width - 24, 11)) : [];
  const ticksHeight = namesHeight(xNames);
  const notesHeight = notes.length > 0 ? 10 + notes.length * 14 : 0;
  const bottom = 10 + ticksHeight + 6 + xLabel.length * LINE_HEIGHT + 4 + notesHeight + (title ? 10 : 0);
  const ragged = columns > 1 && model.panels.length % columns !== 0;
  const rowGap = PANEL_GAP + (ragged ? 10 + ticksHeight : 0);
  const height = Math.round(top + rows * panelHeight + (rows - 1) * rowGap + bottom);
  return {
    width,
    height,
    margin: { top, right, bottom, left },
    columns,
    rows,
    gap,
    rowGap,
    ragged,
    x,
    y,
    xNames,
    yNames,
    xLabel,
    yLabel,
    legend,
    titleTop,
    legendTop,
    labelTop,
    title: titleLines,
    subtitle,
    notes,
  };
}

export function panelSize(layout: ChartLayout): { width: number; height: number } {
  const { rows, columns, gap, rowGap, width, height, margin } = layout;
  return {
    width: (width - margin.left - margin.right - (columns - 1) * gap) / columns,
    height: (height - margin.top - margin.bottom - (rows - 1) * rowGap) / rows,
  };
}

/** Padding of Plot's panel scales that leaves these gaps. */
export function panelPadding(layout: ChartLayout): { x: number; y: number } {
  const { width, height } = panelSize(layout);
  return {
    x: layout.columns === 1 ? 0 : layout.gap / (width + layout.gap),
    y: layout.rows === 1 ? 0 : layout.rowGap / (height + layout.rowGap),
  };
}

/** Columns of panels, with equal rows: four panels are two and two, not three and one. */
export function columnsOf({ panels }: Pick<ChartModel, "panels">, width: number): number {
  const count = Math.max(1, panels.length);
  const rows = Math.ceil(count / Math.max(1, Math.min(3, Math.floor(width / 230))));
  return Math.ceil(count / rows);
}

function heightOf(model: ChartModel, fullWidth: number, columns: number): number {
  const { figure, horizontal, y, slot, series, stacked } = model;
  if (figure.mark === "cell") return Math.max(90, y.categories.length * 44);
  if (horizontal) {
    const side = slot > 0 && !stacked && slot < 0.6 ? series.length : 1;
    const named = y.categories.map(y.name).some((name) => textWidth(name, FONT_SIZE) > nameRoom(fullWidth)) ? 40 : 25;
    const each = Math.max(named, side * (figure.mark === "bar" ? 13 : 11) + 8);
    return Math.max(72, y.categories.length * each);
  }
  const width = fullWidth / columns;
  const isScatter = figure.mark === "point" && model.x.kind === "number";
  const wanted = columns > 1 ? width * 0.72 : width * (isScatter ? 0.56 : 0.42);
  // On a narrow screen points need height in place of width.
  const least = columns > 1 ? 140 : isScatter ? Math.min(300, width * 0.8) : 200;
  return Math.round(Math.min(isScatter ? 400 : 300, Math.max(least, wanted)));
}

/** "temperature: T = 0.1 · score: S". */
export function chosenText({ chosen }: ChartModel): string {
  return Object.entries(chosen)
    .map(([field, value]) => `${columnName(field)}: ${valueName(field, value)}`)
    .join(" · ");
}

export function namesHeight(names: readonly string[]): number {
  const lines = Math.max(1, ...names.map((name) => name.split("\n").length));
  return lines === 1 ? 13 : lines * NAME_LINE;
}

/** Bars reach the top of the chart, so names of vertical lines are placed above it. */
export function namesAbove({ figure: { mark, references = [] }, panels }: ChartModel): boolean {
  return mark === "bar" && panels.length <= 1 && references.some(({ axis }) => axis === "x");
}

/** Gap between panels for the last number of one and the first of the next. */
function columnGap({ x }: ChartModel, { ticks }: Scale): number {
  if (x.kind === "category") return COLUMN_GAP;
  const half = (tick: number | undefined) =>
    tick === undefined ? 0 : textWidth(tickText(x.spec, ticks)(tick), FONT_SIZE) / 2;
  return Math.max(COLUMN_GAP, Math.ceil(half(ticks.at(0)) + half(ticks.at(-1)) + NUMBER_GAP));
}

/** Pixels for names at the side. */
const nameRoom = (width: number) => Math.max(60, Math.min(260, width * 0.36));

const lineWidth = (name: string) => Math.max(...name.split("\n").map((line) => textWidth(line, FONT_SIZE)));

function fitted(name: string, width: number, lines: number): string {
  return wrapText(name, width, FONT_SIZE, lines).join("\n");
}

function namesOf(model: ChartModel, { ticks }: Scale): string[] {
  return ticks.map(tickText(model.y.spec, ticks));
}

/** As many ticks as fit: numbered categories (cases by rank) and dates along a line do not need a name each, and numbers on a curved scale crowd. */
function thinned({ x, figure }: ChartModel, scale: Scale, width: number): Scale {
  if (x.kind === "number" && scale.type !== "linear") return uncrowded(scale, tickText(x.spec, scale.ticks), width);
  if (x.kind !== "category") return scale;
  const numbered = x.categories.every((value) => typeof value === "number");
  const dated = figure.mark === "line" && x.categories.every((value) => /^\d{4}\b/.test(String(value)));
  if (!numbered && !dated) return scale;
  const each = dated ? Math.max(...x.categories.map((value) => textWidth(x.name(value), FONT_SIZE))) + 14 : 30;
  const every = Math.ceil(scale.ticks.length / Math.max(2, Math.floor(width / each)));
  return { ...scale, ticks: scale.ticks.filter((_, i) => i % every === 0) };
}

function uncrowded(scale: Scale, name: (tick: number) => string, width: number): Scale {
  const bend = scale.type === "log" ? Math.log : Math.sqrt;
  const [from, to] = scale.domain.map(bend) as [number, number];
  let free = Number.NEGATIVE_INFINITY;
  const ticks = scale.ticks.filter((tick) => {
    const at = (width * (bend(tick) - from)) / (to - from);
    const half = textWidth(name(tick), FONT_SIZE) / 2 + 4;
    if (at - half < free) return false;
    free = at + half;
    return true;
  });
  return { ...scale, ticks };
}

import { type LegendItem, layLegend } from "./legend.ts";
import { valueRoom, writesValues } from "./marks/value-marks.ts";
import type { Plan } from "./plan.ts";
import { type Scale, scaleOf } from "./scale.ts";
import { balancedText, textWidth, wrapText } from "./text-fit.ts";
import { columnName, tickText, valueName } from "./value-text.ts";

export const FONT_SIZE = 12;
export const LINE_HEIGHT = 15;

/** Sizes and places of everything around the marks. */
export interface Frame {
  width: number;
  height: number;
  margin: { top: number; right: number; bottom: number; left: number };
  columns: number;
  rows: number;
  /** Between panels that are side by side, and between those below each other. */
  gap: number;
  rowGap: number;
  /** The last row has fewer panels than the others: each panel has its own numbers below, so that no column looks cut off. */
  ragged: boolean;
  x: Scale;
  y: Scale;
  xNames: string[];
  yNames: string[];
  xLabel: string[];
  yLabel: string[];
  legend: LegendItem[];
  /** Where title, legend and label of y begin. */
  titleTop: number;
  legendTop: number;
  labelTop: number;
  title: string[];
  subtitle: string[];
  notes: string[];
}

const PANEL_GAP = 34;
/** At least; the last number of one panel and the first of the next are side by side in it, this far apart. */
const COLUMN_GAP = 40;
const NUMBER_GAP = 22;
/** Lines of a name that takes several. */
export const NAME_LINE = 15;
/** Room at both edges for letters that are wider on the screen than by the estimate. A self-contained picture has an edge. */
const WIDER = 8;
const TITLE_SIZE = 15;
/** Letters of a title relative to those of the estimate: bold, but few of them wide. */
const BOLD = 0.97;

/** Words of a self-contained picture: title, and below it what a page says around it. */
export interface Alone {
  title: string;
  notes: readonly string[];
}

/** The frame; of a self-contained picture title, what was chosen, and notes are inside. */
export function buildFrame(plan: Plan, width: number, alone?: Alone): Frame {
  const title = alone?.title;
  const columns = columnsOf(plan, width);
  const rows = Math.ceil(Math.max(1, plan.panels.length) / columns);
  const yNamesFull = plan.y.categories.map(plan.y.name);
  const panelHeight = heightOf(plan, width, columns);
  const y = scaleOf(plan, "y", Math.max(2, Math.round(panelHeight / 50)));
  const yNames =
    plan.y.kind === "category" ? yNamesFull.map((name) => fitted(name, nameRoom(width), 2)) : namesOf(plan, y);
  const edge = title ? 12 : 0;
  const left = Math.ceil(Math.max(24, ...yNames.map(lineWidth)) + 10) + (edge || WIDER);
  const written = writesValues(plan);
  const right = 20 + (edge || WIDER) + (written && plan.horizontal ? 40 : 0);
  const panelWidth = (between: number) => (width - left - right - (columns - 1) * between) / columns;
  const wide = scaleOf(plan, "x", Math.max(2, Math.floor(panelWidth(COLUMN_GAP) / 75)));
  const gap = Math.max(columnGap(plan, wide), written && plan.horizontal ? Math.ceil(valueRoom(plan)) : 0);
  const x = thinned(plan, wide, panelWidth(gap));
  const band = panelWidth(gap) / Math.max(1, plan.x.kind === "category" ? x.ticks.length : plan.x.categories.length);
  const xNames =
    plan.x.kind === "category"
      ? x.ticks.map((i) => fitted(plan.x.name(plan.x.categories[i] ?? null), Math.max(20, band - 6), 3))
      : namesOf({ ...plan, y: plan.x }, x);
  const xLabel = wrapText(plan.x.label, width - left, FONT_SIZE, 2);
  const yLabel = wrapText(plan.y.label, width - 2 * edge, FONT_SIZE, 2);
  const titleLines = title ? balancedText(title, (width - 24) / BOLD, TITLE_SIZE) : [];
  const titleTop = title ? 16 : 0;
  const subtitle = title ? wrapText(chosenText(plan), width - 24, FONT_SIZE) : [];
  const legendTop = titleTop + titleLines.length * 20 + subtitle.length * LINE_HEIGHT + (title ? 10 : 0);
  const legend = layLegend(plan, width - 2 * edge);
  const legendHeight = legend.reduce((height, item) => Math.max(height, item.y + item.height), 0);
  const labelTop = legendTop + legendHeight + (legend.length > 0 ? 8 : 0);
  const panelTitles = plan.panels.length > 1 ? 22 : 0;
  const above = (written && !plan.horizontal ? 12 : 0) + (namesAbove(plan) ? LINE_HEIGHT : 0);
  const top = labelTop + yLabel.length * LINE_HEIGHT + 8 + panelTitles + above;
  const notes = alone ? [...plan.notes, ...alone.notes].flatMap((note) => wrapText(note, width - 24, 11)) : [];
  const ticksHeight = namesHeight(xNames);
  const notesHeight = notes.length > 0 ? 10 + notes.length * 14 : 0;
  const bottom = 10 + ticksHeight + 6 + xLabel.length * LINE_HEIGHT + 4 + notesHeight + (title ? 10 : 0);
  const ragged = columns > 1 && plan.panels.length % columns !== 0;
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

/** Width and height of a panel. */
export function panelSize(frame: Frame): { width: number; height: number } {
  const { rows, columns, gap, rowGap, width, height, margin } = frame;
  return {
    width: (width - margin.left - margin.right - (columns - 1) * gap) / columns,
    height: (height - margin.top - margin.bottom - (rows - 1) * rowGap) / rows,
  };
}

/** Padding of Plot's scales of panels that leaves the gaps between them. */
export function panelPadding(frame: Frame): { x: number; y: number } {
  const { width, height } = panelSize(frame);
  return {
    x: frame.columns === 1 ? 0 : frame.gap / (width + frame.gap),
    y: frame.rows === 1 ? 0 : frame.rowGap / (height + frame.rowGap),
  };
}

/** Panels next to each other, as many in each row: four panels are two and two, not three and one. */
export function columnsOf({ panels }: Pick<Plan, "panels">, width: number): number {
  const count = Math.max(1, panels.length);
  const rows = Math.ceil(count / Math.max(1, Math.min(3, Math.floor(width / 230))));
  return Math.ceil(count / rows);
}

function heightOf(plan: Plan, fullWidth: number, columns: number): number {
  const { figure, horizontal, y, slot, series, stacked } = plan;
  if (figure.mark === "cell") return Math.max(90, y.categories.length * 44);
  if (horizontal) {
    const side = slot > 0 && !stacked && slot < 0.6 ? series.length : 1;
    const named = y.categories.map(y.name).some((name) => textWidth(name, FONT_SIZE) > nameRoom(fullWidth)) ? 40 : 25;
    const each = Math.max(named, side * (figure.mark === "bar" ? 13 : 11) + 8);
    return Math.max(72, y.categories.length * each);
  }
  const width = fullWidth / columns;
  const isScatter = figure.mark === "point" && plan.x.kind === "number";
  const wanted = columns > 1 ? width * 0.72 : width * (isScatter ? 0.56 : 0.42);
  // On a narrow screen points need height where they have no width.
  const least = columns > 1 ? 140 : isScatter ? Math.min(300, width * 0.8) : 200;
  return Math.round(Math.min(isScatter ? 400 : 300, Math.max(least, wanted)));
}

/** "temperature: T = 0.1 · score: S". */
export function chosenText({ chosen }: Plan): string {
  return Object.entries(chosen)
    .map(([field, value]) => `${columnName(field)}: ${valueName(field, value)}`)
    .join(" · ");
}

/** Pixels that names below the picture take. */
export function namesHeight(names: readonly string[]): number {
  const lines = Math.max(1, ...names.map((name) => name.split("\n").length));
  return lines === 1 ? 13 : lines * NAME_LINE;
}

/** Bars fill the picture up to its top: names of upright lines are above it. */
export function namesAbove({ figure: { mark, references = [] }, panels }: Plan): boolean {
  return mark === "bar" && panels.length <= 1 && references.some(({ axis }) => axis === "x");
}

/** Room between panels for the last number of one and the first of the next. */
function columnGap({ x }: Plan, { ticks }: Scale): number {
  if (x.kind === "category") return COLUMN_GAP;
  const half = (tick: number | undefined) =>
    tick === undefined ? 0 : textWidth(tickText(x.spec, ticks)(tick), FONT_SIZE) / 2;
  return Math.max(COLUMN_GAP, Math.ceil(half(ticks.at(0)) + half(ticks.at(-1)) + NUMBER_GAP));
}

/** Pixels for the names at the side. */
const nameRoom = (width: number) => Math.max(60, Math.min(260, width * 0.36));

const lineWidth = (name: string) => Math.max(...name.split("\n").map((line) => textWidth(line, FONT_SIZE)));

function fitted(name: string, width: number, lines: number): string {
  return wrapText(name, width, FONT_SIZE, lines).join("\n");
}

function namesOf(plan: Plan, { ticks }: Scale): string[] {
  return ticks.map(tickText(plan.y.spec, ticks));
}

/**
 * Numbered categories, such as cases by rank, and dates along a line need no name each, and numbers of a curved scale crowd: as many ticks as
 * there is room for.
 */
function thinned({ x, figure }: Plan, scale: Scale, width: number): Scale {
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

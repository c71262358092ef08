import { z } from "zod";

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const axisSchema = z.looseObject({
  /** Column of `rows`. */
  field: z.string(),
  label: z.string(),
  unit: z.string().optional(),
  /** Format of values; without it, text and numbers are unchanged. */
  format: z.enum(["percent", "points", "whole", "decimal"]).optional(),
  /** Fixed ends of a numeric scale, if they do not follow from the data. */
  domain: z.tuple([z.number(), z.number()]).optional(),
  /** Fixed order of categories, if it does not follow from the rows. */
  order: z.array(cell).optional(),
  scale: z.enum(["linear", "log", "sqrt"]).optional(),
});

/** The data of one figure: its message in words, its axes, and its points as plain rows. A renderer adds no information. */
export const figureSchema = z.looseObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  /** The finding in words, with its numbers. */
  title: z.string(),
  mark: z.enum(["point", "line", "bar", "area", "cell"]),
  x: axisSchema,
  y: axisSchema,
  /** Column that separates series. */
  series: z.string().optional(),
  /** Fixed order of the series, if it does not follow from the rows. */
  series_order: z.array(cell).optional(),
  /** Column whose values each get a panel. */
  facet: z.string().optional(),
  /** Columns of which the reader selects one value at a time; a static figure shows the first. */
  choose: z.array(z.string()).optional(),
  /** With `choose`: whether the title is about every choice or only the first. */
  title_of_all: z.boolean().optional(),
  /** Numeric column shown as the area of points, and its label. */
  size: z.object({ field: z.string(), label: z.string() }).optional(),
  /** For cells: numeric column shown as shade and written in the cell. Default: `share`, otherwise `n`. */
  value: axisSchema.optional(),
  /** For bars: the series are parts of one whole, so they are stacked. */
  stack: z.boolean().optional(),
  /** Background series for contrast with the others. */
  faint: z.array(cell).optional(),
  /** Column of text written next to a point; nothing is written for null. */
  label: z.string().optional(),
  /** Columns with the ends of an area along y that points are compared with, such as the values expected by chance. */
  band: z.object({ lower: z.string(), upper: z.string(), label: z.string() }).optional(),
  /** Column that names a point. */
  name: z.string().optional(),
  /** Columns `<field>_lower`, `<field>_upper`, or plain `lower`, `upper`, contain the interval of this axis' values. Default: the numeric axis. */
  interval: z.enum(["x", "y", "both", "none"]).optional(),
  /** Reference lines. */
  references: z
    .array(z.object({ axis: z.enum(["x", "y", "diagonal"]), value: z.number(), label: z.string() }))
    .optional(),
  /** An area with a meaning, such as the region in which the gate opens. */
  zone: z
    .object({ x: z.tuple([z.number(), z.number()]), y: z.tuple([z.number(), z.number()]), label: z.string() })
    .optional(),
  /** Lines over the points, such as a smoothed curve: rows with the same columns for x, y, series, facet and choose. */
  curve: z.object({ label: z.string(), rows: z.array(z.record(z.string(), cell)) }).optional(),
  /** What a reader must know to interpret it correctly. */
  caption: z.string().optional(),
  /** The corresponding figure or table of the paper. */
  paper: z.string().optional(),
  rows: z.array(z.record(z.string(), cell)),
  /** Number of rows before they were thinned out for the figure. */
  of: z.number().int().optional(),
});

export type Figure = z.infer<typeof figureSchema>;
export type FigureAxis = Figure["x"];
export type FigureRow = Figure["rows"][number];

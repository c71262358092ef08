import { z } from "zod";

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const axisSchema = z.looseObject({
  /** Column of `rows`. */
  field: z.string(),
  label: z.string(),
  unit: z.string().optional(),
  /** How values are written; text and numbers as they are where it is missing. */
  format: z.enum(["percent", "points", "whole", "decimal"]).optional(),
  /** Ends of a scale of numbers that do not follow from the data. */
  domain: z.tuple([z.number(), z.number()]).optional(),
  /** Order of categories that does not follow from the rows. */
  order: z.array(cell).optional(),
  scale: z.enum(["linear", "log", "sqrt"]).optional(),
});

/** The data of one picture: what it shows in words, its axes, and its points as plain rows. A renderer adds nothing but ink. */
export const figureSchema = z.looseObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  /** Says the finding, from the numbers. */
  title: z.string(),
  mark: z.enum(["point", "line", "bar", "area", "cell"]),
  x: axisSchema,
  y: axisSchema,
  /** Column that separates series. */
  series: z.string().optional(),
  /** Order of the series that does not follow from the rows. */
  series_order: z.array(cell).optional(),
  /** Column whose values get a panel each. */
  facet: z.string().optional(),
  /** Columns of which the reader looks at one value at a time; a still picture shows the first. */
  choose: z.array(z.string()).optional(),
  /** With `choose`: the title is about every choice. Otherwise it is about the first. */
  title_of_all: z.boolean().optional(),
  /** Column of numbers that the area of points follows, and what it is. */
  size: z.object({ field: z.string(), label: z.string() }).optional(),
  /** For cells: column of numbers that their shade follows and that is written in them. Default: `share`, else `n`. */
  value: axisSchema.optional(),
  /** For bars: the series are parts of one whole, so they are stacked. */
  stack: z.boolean().optional(),
  /** Series that are only the ground on which the others show up. */
  faint: z.array(cell).optional(),
  /** Column of text that is written next to a point; nothing where it is null. */
  label: z.string().optional(),
  /** Columns with the ends of an area along y that the points are held against, such as what chance alone would give. */
  band: z.object({ lower: z.string(), upper: z.string(), label: z.string() }).optional(),
  /** Column that names a point. */
  name: z.string().optional(),
  /** Columns `<field>_lower`, `<field>_upper`, or plain `lower`, `upper`, hold the interval of this axis' values. Default: the axis of numbers. */
  interval: z.enum(["x", "y", "both", "none"]).optional(),
  /** Lines that the points are held against. */
  references: z
    .array(z.object({ axis: z.enum(["x", "y", "diagonal"]), value: z.number(), label: z.string() }))
    .optional(),
  /** An area with a meaning, such as where the gate opens. */
  zone: z
    .object({ x: z.tuple([z.number(), z.number()]), y: z.tuple([z.number(), z.number()]), label: z.string() })
    .optional(),
  /** Lines over the points, such as a smoothed curve: rows with the same columns for x, y, series, facet and choose. */
  curve: z.object({ label: z.string(), rows: z.array(z.record(z.string(), cell)) }).optional(),
  /** What a reader must know to read it right. */
  caption: z.string().optional(),
  /** The paper's figure or table that this one is the counterpart of. */
  paper: z.string().optional(),
  rows: z.array(z.record(z.string(), cell)),
  /** Rows there were before they were thinned out for the picture. */
  of: z.number().int().optional(),
});

export type Figure = z.infer<typeof figureSchema>;
export type FigureAxis = Figure["x"];
export type FigureRow = Figure["rows"][number];

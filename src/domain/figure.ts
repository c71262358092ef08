import { z } from "zod";

const axisSchema = z.object({
  /** Column of `rows`. */
  field: z.string(),
  label: z.string(),
  unit: z.string().optional(),
});

/** The data of one picture: what it shows in words, its axes, and its points as plain rows. A renderer adds nothing but ink. */
export const figureSchema = z.looseObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  /** Says the finding, from the numbers. */
  title: z.string(),
  mark: z.enum(["point", "line", "bar", "area", "cell"]),
  x: axisSchema,
  y: axisSchema,
  /** Column that tells series apart. */
  series: z.string().optional(),
  /** The paper's figure or table that this one is the counterpart of. */
  paper: z.string().optional(),
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /** Rows there were before they were thinned out for the picture. */
  of: z.number().int().optional(),
});

export type Figure = z.infer<typeof figureSchema>;
export type FigureRow = Figure["rows"][number];

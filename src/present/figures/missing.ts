import type { Figure } from "../../core/figure.js";

/** Why a picture cannot be drawn, and the command that would change it. */
export interface Missing {
  missing: string;
  command?: string;
}

/** The data of a picture, or why there are none. An empty picture says nothing. */
export type MaybeFigure = Figure | Missing;

export function isMissing(figure: MaybeFigure): figure is Missing {
  return "missing" in figure;
}

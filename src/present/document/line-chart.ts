/** A curve of a chart: one value between 0 and 1 for each column, drawn with one letter. */
export interface ChartCurve {
  letter: string;
  values: readonly number[];
}

export interface ChartOptions {
  /** Values of x, ascending; one column each. */
  x: readonly number[];
  curves: readonly ChartCurve[];
  /** Rows of the plot. Default 11. */
  rows?: number;
  /** A vertical line at this x: a limit. */
  mark?: number;
  xLabel: (x: number) => string;
  /** Lines under the axis. */
  caption: readonly string[];
}

/** Where several curves run through the same place. */
const SHARED = "#";

/**
 * Curves from 0 to 100 % in plain characters, for a terminal without colour. Each curve has a letter; `#` is where two or more coincide.
 * Steep pieces are filled in, so that a curve is one line.
 */
export function lineChart({ x, curves, rows = 11, mark, xLabel, caption }: ChartOptions): string[] {
  const columns = x.length;
  const grid = Array.from({ length: rows }, () => new Array<string>(columns).fill(" "));
  const rowOf = (value: number) => Math.round((1 - Math.min(1, Math.max(0, value))) * (rows - 1));
  if (mark !== undefined) {
    const column = x.findIndex((value) => value >= mark - 1e-9);
    if (column >= 0) for (const row of grid) row[column] = "┊";
  }
  for (const { letter, values } of curves) {
    let before = rowOf(values[0] ?? 0);
    for (let column = 0; column < columns; column++) {
      const here = rowOf(values[column] ?? 0);
      const step = Math.sign(here - before);
      for (let row = step === 0 ? here : before + step; ; row += step) {
        const there = grid[row]![column]!;
        grid[row]![column] = there === " " || there === "┊" || there === letter ? letter : SHARED;
        if (row === here) break;
      }
      before = here;
    }
  }
  const labels = new Map([
    [0, "100 %"],
    [Math.round((rows - 1) / 2), "50 %"],
    [rows - 1, "0 %"],
  ]);
  const lines = grid.map((row, index) => {
    const label = labels.get(index) ?? "";
    return `${label.padStart(5)} ${label ? "┤" : "│"}${row.join("")}`.trimEnd();
  });
  return [
    ...lines,
    `      └${"─".repeat(columns)}`,
    `       ${axisLabels(x, xLabel)}`,
    ...caption.map((line) => `       ${line}`),
  ];
}

/** Columns from one label of the axis to the next. */
const LABEL_STEP = 10;

/** Labels of x at a readable distance from each other. */
function axisLabels(x: readonly number[], label: (x: number) => string): string {
  const line = new Array<string>(x.length + 8).fill(" ");
  for (let column = 0; column < x.length; column += LABEL_STEP) {
    [...label(x[column]!)].forEach((character, i) => {
      line[column + i] = character;
    });
  }
  return line.join("").trimEnd();
}

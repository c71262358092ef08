import type { Report } from "../../../core/results/report.js";
import type { Compared, Replicate } from "../../../experiments/study/result.js";
import { type NumberForm, wideInterval } from "../numbers.js";
import { numberAt, type Piece, rangeAt } from "../sentence.js";

type Scale = Pick<Compared, "unit" | "digits">;

/** How a number of a study is written: as the paper would print it. */
export function formOf({ unit, digits }: Scale): NumberForm {
  if (unit === "share") return digits > 3 ? "risk" : "percent";
  if (unit === "points") return "points";
  if (unit === "count") return "count";
  return digits < 3 ? "decimal" : digits === 3 ? "fine" : "finer";
}

/** A number with its interval; `at`: pointer to what has `value`, `lower` and `upper`. */
export function valueCell(at: string, scale: Scale): Piece {
  return rangeAt(`${at}/value`, at, formOf(scale));
}

/** The number of the reference; `at`: pointer to the compared number. */
export function referenceCell(at: string, scale: Scale): Piece {
  return numberAt(`${at}/paper`, formOf(scale));
}

/** Ours − the reference's; a difference of shares is in points. Empty where ours is missing. */
export function differenceCell(at: string, { difference, ...scale }: Scale & Pick<Compared, "difference">): Piece {
  return difference === null ? "" : numberAt(`${at}/difference`, scale.unit === "share" ? "points" : formOf(scale));
}

/** How many numbers are the same, different, undecided. */
export function verdictCounts(rows: readonly Compared[]): Record<NonNullable<Compared["verdict"]>, number> {
  const counts = { same: 0, different: 0, undecided: 0 };
  for (const { verdict } of rows) if (verdict) counts[verdict]++;
  return counts;
}

/** Numbers that say something: what was fed into a world proves nothing when it comes out again. */
export function tellingRows({ simulation, compared }: Pick<Replicate, "simulation" | "compared">): Compared[] {
  const judged = compared.filter(({ verdict }) => verdict);
  return simulation?.paper_rates ? judged.filter(({ role }) => role !== "input") : judged;
}

/** How far both are apart, in margins. */
export function distance({ difference, margin }: Compared): number {
  return difference === null || !margin ? 0 : Math.abs(difference) / margin;
}

/** Neither the gap to F1 nor that to accuracy is beyond chance. */
export function withinChance({ di_minus_f1, di_minus_accuracy }: Report["gap"]): boolean {
  return [di_minus_f1, di_minus_accuracy].every((difference) => {
    const interval = wideInterval(difference);
    return interval === null || (interval.lower <= 0 && interval.upper >= 0);
  });
}

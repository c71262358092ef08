import type { Compared } from "../../domain/replicate.js";
import { decimal, whole } from "../numbers.js";

type Scale = Pick<Compared, "unit" | "digits">;

/** A value as the paper would print it. */
export function valueText(value: number | null, { unit, digits }: Scale): string {
  if (value === null) return "–";
  if (unit === "count") return whole(Math.round(value));
  if (unit === "number") return decimal(value, digits);
  const percent = decimal(100 * value, Math.max(1, digits - 2));
  return unit === "share" ? `${percent} %` : `${value >= 0 ? "+" : ""}${percent} pp`;
}

/** The interval, without units: they stand beside it. */
export function intervalCell({ ours: { lower, upper }, unit, digits }: Compared): string {
  if (lower === null || upper === null) return "";
  const end = (value: number) =>
    unit === "count"
      ? whole(Math.round(value))
      : unit === "number"
        ? decimal(value, digits)
        : decimal(100 * value, Math.max(1, digits - 2));
  return `${end(lower)} to ${end(upper)}`;
}

/** ours − paper, signed. */
export function differenceCell({ difference, unit, digits }: Compared): string {
  if (difference === null) return "";
  const sign = difference >= 0 ? "+" : "−";
  const size = Math.abs(difference);
  if (unit === "count") return `${sign}${whole(Math.round(size))}`;
  if (unit === "number") return `${sign}${size.toFixed(digits)}`;
  return `${sign}${(100 * size).toFixed(Math.max(1, digits - 2))} pp`;
}

export function withinCell({ within }: Compared): string {
  return within === null ? "" : within ? "yes" : "no";
}

/** How far the paper's value lies from our interval, in halves of its width; 0 inside. */
export function distance({ paper, ours: { lower, upper } }: Compared): number {
  if (lower === null || upper === null) return 0;
  const outside = Math.max(lower - paper, paper - upper, 0);
  return outside === 0 ? 0 : outside / Math.max((upper - lower) / 2, 1e-9);
}

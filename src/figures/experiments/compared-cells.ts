import type { Compared } from "../../domain/replicate.js";
import { decimal, whole } from "../numbers.js";

type Scale = Pick<Compared, "unit" | "digits">;

/** A value as the paper would print it. */
export function valueText(value: number | null, scale: Scale): string {
  if (value === null) return "–";
  return `${digitsOf(value, scale, scale.unit === "points" ? "+" : "")}${UNITS[scale.unit]}`;
}

/** The interval, without units: they stand beside it. */
export function intervalCell({ ours: { lower, upper }, ...scale }: Compared): string {
  return lower === null || upper === null ? "" : `${digitsOf(lower, scale)} to ${digitsOf(upper, scale)}`;
}

/** ours − paper, signed. */
export function differenceCell({ difference, ...scale }: Compared): string {
  if (difference === null) return "";
  return `${digitsOf(difference, scale, "+")}${scale.unit === "share" ? " pp" : UNITS[scale.unit]}`;
}

const UNITS: Readonly<Record<Scale["unit"], string>> = { share: " %", points: " pp", number: "", count: "" };

/** A value without its unit; `plus` stands before what is above zero. Nothing that rounds to zero has a sign. */
function digitsOf(value: number, { unit, digits }: Scale, plus = ""): string {
  const size = Math.abs(value);
  const text =
    unit === "count"
      ? whole(Math.round(size))
      : unit === "number"
        ? decimal(size, digits)
        : decimal(100 * size, Math.max(1, digits - 2));
  const sign = value < 0 ? "−" : plus;
  return /[1-9]/.test(text) ? `${sign}${text}` : text;
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

import type { FigureAxis } from "../../src/core/figure.js";
import { decimal, formatNumber, whole } from "../../src/present/words/numbers.js";

/** A value of an axis in full, as tips and cells show it. */
export function valueText({ format }: Pick<FigureAxis, "format">, value: number): string {
  if (format) return formatNumber(value, format).replace("-", "−");
  return Number.isInteger(value) ? whole(value) : decimal(value, Math.abs(value) < 0.01 ? 5 : 3);
}

/** Writes ticks with as few digits as tell all of them apart. */
export function tickText({ format }: Pick<FigureAxis, "format">, ticks: readonly number[]): (value: number) => string {
  const factor = format === "percent" || format === "points" ? 100 : 1;
  const digits = Math.max(0, ...ticks.map((tick) => digitsOf(factor * tick)));
  const plain = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value) => {
    const text = plain.format(factor * value).replace("-", "−");
    if (format === "percent") return `${text} %`;
    if (format === "points") return `${value > 0 ? "+" : ""}${text} pp`;
    return text;
  };
}

function digitsOf(value: number): number {
  const text = String(Number(value.toPrecision(10)));
  const exponent = text.indexOf("e-");
  if (exponent >= 0) return Math.min(20, Number(text.slice(exponent + 2)));
  return text.includes(".") ? text.length - text.indexOf(".") - 1 : 0;
}

import type { Estimate } from "../../domain/estimate.js";
import { decimal } from "../../figures/numbers.js";

/** "0.183 (0.16–0.21)"; a dash for undefined. */
export function valueText(estimate: Estimate, digits = 3): string {
  if (estimate.estimate === null) return "–";
  const { lower, upper } = estimate;
  // A dash between negative numbers is read as a sign.
  const to = lower < 0 ? " to " : "–";
  return `${signed(estimate.estimate, digits)} (${signed(lower, digits)}${to}${signed(upper, digits)})`;
}

/** A number without a sign where it rounds to 0; a dash for undefined. */
export function signed(value: number | null, digits: number): string {
  return decimal(value !== null && Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value, digits);
}

/** "62 % (48–74)". */
export function shareText(estimate: Estimate, digits = 0): string {
  if (estimate.estimate === null) return "–";
  const part = (value: number) => (100 * value).toFixed(digits);
  return `${part(estimate.estimate)} % (${part(estimate.lower)}–${part(estimate.upper)})`;
}

export function temperatureText(temperature: number | null): string {
  return temperature === null ? "T unknown" : `T = ${temperature}`;
}

export function pCell(p: number | null): string {
  return p === null ? "–" : p < 0.001 ? "< 0.001" : p.toFixed(3);
}

/** `mostly_stable` -> "mostly stable". */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

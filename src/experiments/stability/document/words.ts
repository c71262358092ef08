import type { Estimate } from "../../../core/estimate.js";
import { decimal } from "../../../present/words/numbers.js";

/** "0.183 (0.16–0.21)"; a dash for undefined. */
export function valueText(estimate: Estimate, digits = 3): string {
  if (estimate.estimate === null) return "–";
  const { lower, upper } = estimate;
  // A dash between negative numbers is read as a sign.
  const to = lower < 0 ? " to " : "–";
  return `${decimal(estimate.estimate, digits)} (${decimal(lower, digits)}${to}${decimal(upper, digits)})`;
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

/** `mostly_stable` -> "mostly stable". */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { bootstrapEstimate } from "../../stats/resampling/stratified-bootstrap.js";
import type { Answer, CaseBootstrap, Statistic } from "./case-bootstrap.js";
import { slope } from "./group-means.js";

/** A slope over temperature, per unit of it. */
export interface Slope {
  estimate: Estimate;
  /** Of "no slope", by the bootstrap. */
  p_value: number | null;
}

export interface RatioSlope extends Slope {
  /** How far the slope lies above the one that would bring the ratio to 1 at the highest temperature. */
  above_convergence: Estimate;
  reading: "flat" | "falls" | "rises" | "undecided" | "undefined";
}

/** Temperatures in ascending order, if all are known and there are several; else null. */
export function ascendingTemperatures(temperatures: readonly (number | null)[]): number[] | null {
  const known = temperatures.filter((t) => t !== null);
  return known.length === temperatures.length && known.length > 1 && new Set(known).size === known.length
    ? known
    : null;
}

const ONE = "one temperature has no slope";

/**
 * Slope of a statistic over temperature, tested by drawing cases.
 *
 * Formula: least squares through (T, statistic at T), for the sample and for each draw of cases.
 * Range: real, per unit of temperature.
 * Undefined when: fewer than two temperatures, or the statistic is undefined at one of them.
 * Differs from the paper: the paper calls 71.1 to 73.0 % invariant by eye.
 * @see paper §7.2
 */
export function askSlope(
  bootstrap: CaseBootstrap,
  temperatures: readonly number[] | null,
  values: readonly Statistic[],
): (n: number, reason?: string) => Slope {
  if (!temperatures) return (n) => ({ estimate: undefinedEstimate(ONE, n), p_value: null });
  const answer = bootstrap.ask((weights) =>
    slope(
      temperatures,
      values.map((value) => value(weights)),
    ),
  );
  return (n, reason = "undefined at one of the temperatures") => slopeOf(answer, n, reason);
}

function slopeOf(answer: Answer, n: number, reason: string): Slope {
  return { estimate: bootstrapEstimate(answer(), n, reason), p_value: answer().p_zero };
}

/**
 * Slope of the ratio of Flippers to Stable, and whether it may be called flat: if sampling noise made the spread, the ratio would
 * fall to 1 as temperature rises.
 *
 * Formula: b = slope of the ratio; c = (1 − ratio at the lowest T) / (highest T − lowest T) is the slope that reaches 1. Falls or
 * rises where the interval of b excludes 0; flat only where it contains 0 and that of b − c lies above 0; else undecided.
 * Range: see `RatioSlope`.
 * Undefined when: fewer than two temperatures, a group without cases, or no ratio at one of them.
 * Differs from the paper: it reads 1.63, 1.64, 1.57, 1.52 as flat without a test.
 * @see paper §7.2, appendix A.4
 */
export function askRatioSlope(
  bootstrap: CaseBootstrap,
  temperatures: readonly number[] | null,
  ratios: readonly Statistic[],
): (n: number, reason: string) => RatioSlope {
  const own = askSlope(bootstrap, temperatures, ratios);
  const above = temperatures
    ? bootstrap.ask((weights) => {
        const values = ratios.map((value) => value(weights));
        const rise = slope(temperatures, values);
        return rise === null ? null : rise - (1 - values[0]!) / (temperatures.at(-1)! - temperatures[0]!);
      })
    : null;
  return (n, reason) => {
    const slopeItself = own(n, reason);
    const above_convergence = above ? bootstrapEstimate(above(), n, reason) : undefinedEstimate(ONE, n);
    return { ...slopeItself, above_convergence, reading: reading(slopeItself.estimate, above_convergence) };
  };
}

function reading(own: Estimate, above: Estimate): RatioSlope["reading"] {
  if (own.estimate === null || above.estimate === null) return "undefined";
  if (own.upper < 0) return "falls";
  if (own.lower > 0) return "rises";
  return above.lower > 0 ? "flat" : "undecided";
}

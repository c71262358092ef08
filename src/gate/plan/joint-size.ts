import type { PlanCertificate } from "../../domain/plan.js";
import { allowedFailures } from "./certify-size.js";
import { type GateTruth, passProbability } from "./pass-probability.js";

export interface JointOptions {
  /** Greatest rate of indefensible decisions, greatest Ambiguity Index. */
  limit: number;
  aiLimit: number;
  delta: number;
  power: number;
  truth: GateTruth;
  /** No smaller n is worth looking at. */
  from: number;
  /** Default 5,000. */
  largest?: number;
}

const LARGEST = 5000;

/**
 * How many decisions certify both limits of the gate at once, with a given probability.
 *
 * Formula: at each n both exact tests must reject at δ (their union has no penalty: a community that is beyond either limit passes with
 * probability at most δ); power by `passProbability`. `smallest` is the first n that reaches it, `from_then_on` the first from which on
 * no n up to a quarter more falls below.
 * Range: n at least what either limit alone needs.
 * Undefined when: no n up to `largest` is enough: null with the reason.
 * Differs from the paper: the paper has no sample sizes.
 * @see docs/plan.md
 */
export function jointSize(options: JointOptions): PlanCertificate["joint"] {
  const { limit, aiLimit, delta, power, truth, from, largest = LARGEST } = options;
  let smallest: PlanCertificate["joint"]["smallest"] = null;
  let steady: PlanCertificate["joint"]["smallest"] = null;
  for (let n = from; n <= largest; n++) {
    const failures = allowedFailures(n, limit, delta);
    const yes = allowedFailures(n, aiLimit, delta);
    const region = { mostYes: failures < 0 || yes < 0 ? new Int32Array(0) : new Int32Array(failures + 1).fill(yes) };
    const reached = passProbability(n, region, truth);
    if (reached < power) steady = null;
    else {
      const size = { n, failures, inverse_yes: yes, power: reached };
      smallest ??= size;
      steady ??= size;
    }
    if (steady && n > 1.25 * steady.n + 50) return { smallest, from_then_on: steady, reason: null };
  }
  return { smallest, from_then_on: null, reason: `more than ${largest} decisions` };
}

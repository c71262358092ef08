import type { PlanCertificate } from "../../../core/results/plan.js";
import type { GateLook } from "../adjustment.js";
import { allowedFailures, certifySize } from "./certify-size.js";
import { ambiguityOf } from "./gate-truth.js";
import { type GateTruth, passProbability } from "./pass-probability.js";
import { firstReaching, lastBelow, type PowerCurve } from "./power-search.js";

export interface JointOptions {
  /** Greatest rate of indefensible decisions, greatest Ambiguity Index. */
  limit: number;
  aiLimit: number;
  delta: number;
  power: number;
  truth: GateTruth;
  /** Default `once`. */
  look?: GateLook;
  /** No smaller n is worth looking at. */
  from: number;
  /** Default 5,000. */
  largest?: number;
}

const LARGEST = 5000;

/**
 * How many decisions certify both limits of the gate at once, with a given probability.
 *
 * Formula: at each n both tests must reject at δ (their union has no penalty: a community that is beyond either limit passes with
 * probability at most δ); power by `passProbability`. `smallest` is the first n that reaches it, `from_then_on` the first from which on
 * no n falls below. It is followed to where either limit alone fails with at most half of 1 − power from then on (`certifySize`): both
 * together then fail with at most 1 − power.
 * Range: n at least what either limit alone needs.
 * Undefined when: no n up to `largest` is enough: null with the reason.
 * Differs from the paper: the paper has no sample sizes.
 * @see docs/plan.md
 */
export function jointSize(options: JointOptions): PlanCertificate["joint"] {
  const { limit, aiLimit, delta, power, truth, look = "once", from, largest = LARGEST } = options;
  const reason = `more than ${largest} decisions`;
  const curve: PowerCurve<Allowed> = {
    allowed: (n) => ({
      failures: allowedFailures(n, limit, delta, look),
      yes: allowedFailures(n, aiLimit, delta, look),
    }),
    same: (a, b) => a.failures === b.failures && a.yes === b.yes,
    power: (n, allowed) => passProbability(n, region(allowed), truth),
  };
  const sizeAt = (n: number) => {
    const allowed = curve.allowed(n);
    return { n, failures: allowed.failures, inverse_yes: allowed.yes, power: curve.power(n, allowed) };
  };
  const first = firstReaching(curve, power, from, largest);
  if (first === null) return { smallest: null, from_then_on: null, reason };
  const each = { delta, look, power: (1 + power) / 2 };
  const ends = [
    certifySize({ ...each, limit, truth: truth.indefensible }),
    certifySize({ ...each, limit: aiLimit, truth: ambiguityOf(truth) }),
  ];
  const unknown = ends.find((end) => !end.from_then_on);
  if (unknown) return { smallest: sizeAt(first), from_then_on: null, reason: unknown.reason };
  const end = Math.max(...ends.map((one) => one.from_then_on!.n));
  const steady = (lastBelow(curve, power, first, end) ?? first - 1) + 1;
  return steady > largest
    ? { smallest: sizeAt(first), from_then_on: null, reason }
    : { smallest: sizeAt(first), from_then_on: sizeAt(steady), reason: null };
}

interface Allowed {
  failures: number;
  yes: number;
}

function region({ failures, yes }: Allowed): { mostYes: Int32Array } {
  return { mostYes: failures < 0 || yes < 0 ? new Int32Array(0) : new Int32Array(failures + 1).fill(yes) };
}

import type { PlanCertificate, PlanCertify } from "../../../core/results/plan.js";
import { DEFAULT_THREAD_CAP } from "../thread-units.js";
import { certifySize, sizeAllowing } from "./certify-size.js";
import { holmPower } from "./holm-power.js";
import { jointSize, threadedSize } from "./joint-size.js";
import { truthFromIndices } from "./pass-probability.js";

/** Steps shown: numbers of decisions at which one more failure is allowed. */
const STEPS = 4;
/** Sizes times communities up to which Holm is followed exactly. */
const HOLM_WORK = 500_000;

/** Sizes to certify that a rate is below its limit, alone, jointly with the limit on ambiguity, and for several communities. */
export function planCertify(inputs: PlanCertify["inputs"]): PlanCertify {
  const { delta, communities } = inputs;
  const one = certificate(inputs, delta);
  const many = communities > 1 ? certificate(inputs, delta / communities) : null;
  return {
    format: 1,
    what: "certify",
    inputs,
    one_community: one,
    ...(inputs.thread_sizes ? { threads: inThreads(inputs, inputs.thread_sizes) } : {}),
    each_of_many: many,
    holm: many ? holmSize(inputs, one, many) : null,
  };
}

function inThreads(inputs: PlanCertify["inputs"], sizes: readonly number[]): NonNullable<PlanCertify["threads"]> {
  const { limit, ai_limit: aiLimit, truth, ai_truth: aiTruth, delta, power } = inputs;
  const cap = inputs.thread_cap ?? DEFAULT_THREAD_CAP;
  return threadedSize({ limit, aiLimit, truth, aiTruth, delta, power, sizes, cap });
}

function certificate(inputs: PlanCertify["inputs"], delta: number): PlanCertificate {
  const { limit, ai_limit: aiLimit, power, truth, ai_truth: aiTruth, look = "once" } = inputs;
  const alone = certifySize({ limit, delta, power, truth, look });
  const ai = certifySize({ limit: aiLimit, delta, power, truth: aiTruth, look });
  const steps = Array.from({ length: STEPS }, (_, failures) => ({
    failures,
    n: sizeAllowing(failures, limit, delta, look),
  }));
  const impossible = !alone.smallest || !ai.smallest;
  const reason = !alone.smallest ? alone.reason : `ambiguity: ${ai.reason}`;
  return {
    delta,
    zero_failures: alone.zero_failures,
    steps,
    indefensible: { smallest: alone.smallest, from_then_on: alone.from_then_on, reason: alone.reason },
    joint: impossible
      ? { smallest: null, from_then_on: null, reason }
      : jointSize({
          limit,
          aiLimit,
          delta,
          power,
          look,
          truth: truthFromIndices(truth, aiTruth),
          from: Math.max(alone.smallest!.n, ai.smallest!.n),
        }),
  };
}

/** Between what one test needs and what Bonferroni needs: Holm is never better than the one nor worse than the other. */
function holmSize(inputs: PlanCertify["inputs"], one: PlanCertificate, many: PlanCertificate): PlanCertify["holm"] {
  const { limit, delta, power, truth, communities, look = "once" } = inputs;
  const none = (reason: string | null) => ({ n: null, expected_share: null, all: null, reason });
  const from = one.indefensible.smallest?.n;
  const to = many.indefensible.smallest?.n;
  if (from === undefined || to === undefined) return none(many.indefensible.reason);
  if ((to - from + 1) * communities > HOLM_WORK) return none("too many communities to follow exactly; see Bonferroni");
  for (let n = from; n <= to; n++) {
    const reached = holmPower({ communities, n, limit, delta, truth, look });
    if (reached.expected_share >= power) return { n, ...reached, reason: null };
  }
  return none("not below Bonferroni's");
}

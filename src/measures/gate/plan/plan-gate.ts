import type { PlanCertificate, PlanCertify, PlanGate } from "../../../core/results/plan.js";
import { DEFAULT_THREAD_CAP, type GateLimits } from "../gate-input.js";
import { certifySize, sizeAllowing } from "./certify-size.js";
import {
  ASSUMED_PRIORS,
  certifiedRegion,
  paperRegion,
  type RatePrior,
  type RegionOptions,
  shrunkRegion,
} from "./gate-region.js";
import { jointSize, threadedSize } from "./joint-size.js";
import {
  ambiguityOf,
  type GateRegion,
  type GateTruth,
  holmPower,
  passProbability,
  truthFromIndices,
  YES_IF_INDEFENSIBLE,
} from "./pass-probability.js";

export interface PlanGateOptions {
  n: number;
  limits: GateLimits;
  /** δ of the certified gate, over all communities. Default 0.05. */
  delta?: number;
  communities?: number;
  /** For the shrunk gate. Default 0.05. */
  risk?: number;
  priors?: { indefensible: RatePrior; ambiguity: RatePrior };
  /** How often the opposite of a defensible decision is also defensible. Default 0.03. */
  open?: number;
  yesIfIndefensible?: number;
  /** True rates of indefensible decisions on the curve. Default 0 to 0.3 in steps of 0.005. */
  rates?: readonly number[];
  /** Sample sizes in addition to n. Default 25 to 800. */
  sizes?: readonly number[];
}

/** Rates shown in tables. */
export const TABLE_RATES = [0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2] as const;
const FEW_RATES = [0.02, 0.05, 0.1, 0.15] as const;
const OPEN = [0, 0.03, 0.06, 0.1] as const;
const SIZES = [25, 50, 100, 200, 400, 800] as const;
const CURVE = Array.from({ length: 61 }, (_, i) => i / 200);

/**
 * How often each gate passes a community, as a function of its true rates: the operating characteristic of the three modes at any number of
 * decisions. The certified gate is evaluated at δ divided by the number of communities (Bonferroni, the smallest level that Holm grants); the
 * shrunk gate with a given prior, not a fitted one, for a community considered alone.
 */
export function planGate(options: PlanGateOptions): PlanGate {
  const { n, limits, delta = 0.05, communities = 1, risk = 0.05, priors = ASSUMED_PRIORS } = options;
  const { open = 0.03, yesIfIndefensible = YES_IF_INDEFENSIBLE, rates = CURVE } = options;
  const sizes = [...new Set([...(options.sizes ?? SIZES), n])].sort((a, b) => a - b);
  const region: RegionOptions = { limits, delta: delta / communities, risk, priors };
  const truth = (indefensible: number, often = open): GateTruth => ({
    indefensible,
    yes_if_indefensible: yesIfIndefensible,
    yes_if_defensible: often,
  });
  const at = (regions: Regions, size: number, world: GateTruth) => ({
    indefensible: world.indefensible,
    ambiguity: counted(world, limits).ambiguity,
    paper: passProbability(size, regions.paper, counted(world, limits).truth),
    shrunk: passProbability(size, regions.shrunk, counted(world, limits).truth),
    certified: passProbability(size, regions.certified, counted(world, limits).truth),
  });
  const here = regionsAt(n, region);
  return {
    format: 1,
    what: "gate",
    inputs: {
      n,
      di: limits.di,
      ai: limits.ai,
      min_decisions: limits.min_decisions,
      variable: limits.variable,
      delta,
      communities,
      risk,
      open,
      yes_if_indefensible: yesIfIndefensible,
      priors,
    },
    passing_counts: { paper: greatest(here.paper), shrunk: greatest(here.shrunk), certified: greatest(here.certified) },
    curve: rates.map((rate) => at(here, n, truth(rate))),
    by_n: sizes.flatMap((size) => {
      const regions = regionsAt(size, region);
      return FEW_RATES.map((rate) => ({ n: size, ...at(regions, size, truth(rate)) }));
    }),
    by_open: OPEN.flatMap((often) => TABLE_RATES.map((rate) => ({ open: often, ...at(here, n, truth(rate, often)) }))),
  };
}

interface Regions {
  paper: GateRegion;
  shrunk: GateRegion;
  certified: GateRegion;
}

function regionsAt(n: number, options: RegionOptions): Regions {
  return { paper: paperRegion(n, options), shrunk: shrunkRegion(n, options), certified: certifiedRegion(n, options) };
}

/** With AI_pure as gate variable, contradictions do not count. */
function counted(truth: GateTruth, limits: GateLimits): { truth: GateTruth; ambiguity: number } {
  const seen = limits.variable === "ai" ? truth : { ...truth, yes_if_indefensible: 0 };
  return { truth: seen, ambiguity: ambiguityOf(seen) };
}

function greatest({ mostYes }: GateRegion): { indefensible: number; inverse_yes: number } | null {
  const passing = mostYes.findLastIndex((most) => most >= 0);
  return passing < 0 ? null : { indefensible: passing, inverse_yes: mostYes[0]! };
}

/** Number of steps shown: sample sizes at which one more failure is allowed. */
const STEPS = 4;
/** Largest size × communities for which Holm is computed exactly. */
const HOLM_WORK = 500_000;

/** Sizes needed to certify that a rate is below its limit: alone, jointly with the ambiguity limit, and for several communities. */
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

/** Holm needs at least what one test needs and at most what Bonferroni needs. */
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

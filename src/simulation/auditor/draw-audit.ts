import { atTemperature, type SimulatedAuditor, type TemperatureRate } from "../../core/results/simulated-auditor.js";
import { logitNormalLocation } from "../../stats/distributions/normal.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { drawNormal } from "../../stats/random/draw-normal.js";
import type { CaseReading } from "./read-case.js";

type Three = readonly [number, number, number];

/** An auditor's rates at one temperature, as draws need them. */
export interface Rates {
  temperature: number;
  missed: Three;
  invented: Three;
  /** Share of traces that lean to another level where `contest` is 1, by level. */
  lean: Three;
  leanInverse: Three;
  /** Location of ρ by level, if the trace takes the opposite to be derivable and if not. */
  yes: Three;
  no: Three;
  /** Mean of ln H[κ] by level. */
  citation: Three;
  /** Loadings of the case's two citation effects; their squares sum to case_sd². */
  citationCase: number;
  citationMixed: number;
  refusal: number;
  /** Refusals and truncations together. */
  noAnswer: number;
  missing: number;
}

export interface CompiledAuditor {
  settings: SimulatedAuditor;
  /** Log-odds of `weight.doubt`. */
  doubt: Three;
  at(temperature: number): Rates;
}

/** An auditor whose rates are computed once for each temperature. */
export function compileAuditor(settings: SimulatedAuditor): CompiledAuditor {
  const rates = new Map<number, Rates>();
  return {
    settings,
    doubt: three((level) => logit(settings.weight.doubt[level]!)),
    at(temperature) {
      let known = rates.get(temperature);
      if (!known) {
        known = ratesAt(settings, temperature);
        rates.set(temperature, known);
      }
      return known;
    },
  };
}

function ratesAt(settings: SimulatedAuditor, temperature: number): Rates {
  const { noise, lean, inverse, citation, faults } = settings;
  const rate = (value: TemperatureRate) => atTemperature(value, temperature);
  const mixed = citation.temperature_mixing * temperaturePart(temperature);
  const variance = citation.case_sd ** 2 + citation.trace_sd ** 2;
  return {
    temperature,
    missed: three((level) => noise * rate(settings.inverse_missed[level]!)),
    invented: three((level) => noise * rate(settings.inverse_invented[level]!)),
    // At temperature 0 every trace is the same, whatever the power.
    lean: three((level) => (temperature === 0 ? 0 : lean.most[level]! * temperature ** lean.temperature_power)),
    leanInverse: three((level) => rate(lean.inverse[level]!)),
    yes: three((level) => logitNormalLocation(rate(inverse.yes[level]!), inverse.spread)),
    no: three((level) => logitNormalLocation(rate(inverse.no[level]!), inverse.spread)),
    citation: three((level) => Math.log(citation.bits[level]!) - variance / 2),
    citationCase: citation.case_sd * Math.sqrt(1 - mixed),
    citationMixed: citation.case_sd * Math.sqrt(mixed),
    refusal: rate(faults.refusal),
    noAnswer: rate(faults.refusal) + rate(faults.truncation),
    missing: rate(faults.missing),
  };
}

/** 0 at temperature 0.1 and below, 1 at 1.0 and above, linear in ln T between. */
function temperaturePart(temperature: number): number {
  return temperature <= 0.1 ? 0 : Math.min(1, 1 + Math.log10(temperature));
}

function three(value: (level: number) => number): Three {
  return [value(0), value(1), value(2)];
}

function logit(p: number): number {
  return Math.log(p) - Math.log1p(-p);
}

/** Everything that one trace says and shows, as numbers. */
export interface SimulatedDraw {
  /** `refusal`, `truncation`: no verdict; `missing`: the precedent weight is not a valid label. */
  fault: "refusal" | "truncation" | "missing" | null;
  /** As written: level 0 to 2, the inverse check, the weight 0 (High) to 2 (Low). */
  level: number;
  inverse: boolean;
  weight: number;
  /** Distributions at the fields' tokens, at temperature 1. */
  levelProbs: [number, number, number];
  /** ρ in nats; σ(ρ) is the probability of Yes. */
  inverseLogOdds: number;
  weightProbs: [number, number, number];
  /** Target mean entropy of the citation's tokens, in bits per token. */
  citationBits: number;
  /** The rule that is cited: the case's own, the one it is mistaken for, or an invented one. */
  citation: "own" | "other" | "invented";
  /** In [0, 1): selects one if there are several. */
  citationPlace: number;
}

/** Bound on log-odds: a token's probability stays well above what providers print as "none". */
const MOST_LOG_ODDS = 14;

/**
 * One trace of a case by a simulated auditor.
 *
 * Formula: lean l ~ `leans`; the opposite is held derivable as read if l is the level read, else with the probability of `lean.inverse`.
 * p(level) = (1 − verbosity) · c + verbosity · leans, where c has 1 − ε on l, ln ε uniform between the limits of `confidence`, the rest by
 * `elsewhere`. ρ = location(l, held) + spread (√cs · case + √(1 − cs) · N). p(weight) has 1 − d on a label drawn by `weight.shares`,
 * d logit-normal. ln H[κ] = mean(l) + case + trace_sd · N. What is written is drawn from p^(1/T) renormalised; at T = 0 the most likely.
 * Range: see SimulatedDraw.
 * Undefined when: never.
 * Differs from the paper: its auditor's law is unknown; this one has its published rates.
 * @see paper §4.2, §5.4, §7, appendix A.2
 */
export function drawAudit(reading: CaseReading, auditor: CompiledAuditor, rng: Rng): SimulatedDraw {
  const { settings } = auditor;
  const { rates, leans } = reading;
  const { temperature } = rates;
  const faultPlace = rng.next();
  const lean = pick(leans, rng.next());
  const inversePlace = rng.next();
  const held = lean === reading.level ? reading.inverse : inversePlace < rates.leanInverse[lean]!;

  const levelProbs = levelDistribution(lean, rng.next(), reading, auditor);
  const { spread, case_share: caseShare, emission } = settings.inverse;
  const trace = Math.sqrt(caseShare) * reading.inverseEffect + Math.sqrt(1 - caseShare) * drawNormal(rng);
  const inverseLogOdds = clamp((held ? rates.yes : rates.no)[lean]! + spread * trace);

  const weightShares = reading.precedents ? settings.weight.shares[lean]! : settings.weight.without_precedents;
  // A case's weight stays the same as long as its level does.
  const weightPlace = rng.next();
  const weighed = pick(weightShares, lean === reading.level ? reading.weightPlace : weightPlace);
  const doubt = sigmoid(clamp(auditor.doubt[lean]! + settings.weight.spread * drawNormal(rng)));
  const weightProbs: [number, number, number] = [doubt / 2, doubt / 2, doubt / 2];
  weightProbs[weighed] = 1 - doubt;

  const citationBits = Math.exp(
    rates.citation[lean]! + reading.citationEffect + settings.citation.trace_sd * drawNormal(rng),
  );
  const sourcePlace = rng.next();
  const { invented, other } = settings.citation;
  const level = drawTempered(levelProbs, temperature, rng);
  const weight = drawTempered(weightProbs, temperature, rng);
  const yesPlace = rng.next();
  const missing = rng.next() < rates.missing;
  return {
    fault:
      faultPlace < rates.refusal ? "refusal" : faultPlace < rates.noAnswer ? "truncation" : missing ? "missing" : null,
    level,
    inverse: emission === "reading" ? held : isYes(inverseLogOdds, temperature, yesPlace),
    weight,
    levelProbs,
    inverseLogOdds,
    weightProbs,
    citationBits,
    citation: sourcePlace < invented ? "invented" : sourcePlace < invented + other ? "other" : "own",
    citationPlace: rng.next(),
  };
}

/** Probabilities at the level token of a trace that leans to a level; `place` in [0, 1) sets how sure it is. */
export function levelDistribution(
  lean: number,
  place: number,
  { leans }: Pick<CaseReading, "leans">,
  { settings }: CompiledAuditor,
): [number, number, number] {
  const { confidence, verbosity } = settings;
  const most = Math.log(1 - confidence.least);
  const doubt = Math.exp(most + place * (Math.log(1 - confidence.most) - most));
  const row = settings.lean.elsewhere[lean]!;
  const at = (level: number) =>
    (1 - verbosity) * (level === lean ? 1 - doubt : doubt * row[level]!) + verbosity * leans[level]!;
  const [p1, p2, p3] = [floored(at(0)), floored(at(1)), floored(at(2))];
  const total = p1 + p2 + p3;
  return [p1 / total, p2 / total, p3 / total];
}

/** A label that no trace leans to remains a candidate. */
const LEAST_PROB = 2e-7;

function floored(p: number): number {
  return p < LEAST_PROB ? LEAST_PROB : p;
}

function isYes(logOdds: number, temperature: number, place: number): boolean {
  return temperature === 0 ? logOdds > 0 : place < sigmoid(logOdds / temperature);
}

function pick(shares: readonly number[], place: number): number {
  if (place < shares[0]!) return 0;
  return place < shares[0]! + shares[1]! ? 1 : 2;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function clamp(x: number): number {
  return x > MOST_LOG_ODDS ? MOST_LOG_ODDS : x < -MOST_LOG_ODDS ? -MOST_LOG_ODDS : x;
}

/**
 * Index of one of three labels, drawn as a language model samples at a temperature from the distribution it reports raw.
 *
 * Formula: P(i) ∝ p_i^(1/T); T = 0: the most likely, the last of equals. Powers are taken of p divided by the largest, so that a low
 * temperature does not underflow.
 * Range: 0 to 2. Takes one number from the generator at any temperature.
 * Undefined when: never; the probabilities need not sum to 1.
 * Differs from the paper: the paper does not say whether its probabilities are raw.
 * @see paper §7.2
 * @example drawTempered([0.2, 0.5, 0.3], 0, { next: () => 0.99 }) // => 1
 */
export function drawTempered(
  [a, b, c]: readonly [number, number, number],
  temperature: number,
  rng: Pick<Rng, "next">,
): number {
  const place = rng.next();
  const most = Math.max(a, b, c);
  if (temperature === 0) return c === most ? 2 : b === most ? 1 : 0;
  const power = 1 / temperature;
  const first = (a / most) ** power;
  const second = (b / most) ** power;
  const left = place * (first + second + (c / most) ** power);
  return left < first ? 0 : left < first + second ? 1 : 2;
}

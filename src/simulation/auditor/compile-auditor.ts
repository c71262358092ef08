import { atTemperature, type SimulatedAuditor, type TemperatureRate } from "../../core/results/simulated-auditor.js";
import { logitNormalLocation } from "../../stats/distributions/logit-normal.js";

type Three = readonly [number, number, number];

/** An auditor's rates at one temperature, as draws need them. */
export interface Rates {
  temperature: number;
  missed: Three;
  invented: Three;
  /** Share of traces that lean elsewhere where `contest` is 1, by level. */
  lean: Three;
  leanInverse: Three;
  /** Location of ρ by level, where the trace holds the opposite derivable and where not. */
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

/** An auditor whose rates are worked out once for each temperature. */
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

/** 0 at temperature 0.1 and below, 1 at 1.0 and above, in proportion to ln T between. */
function temperaturePart(temperature: number): number {
  return temperature <= 0.1 ? 0 : Math.min(1, 1 + Math.log10(temperature));
}

function three(value: (level: number) => number): Three {
  return [value(0), value(1), value(2)];
}

function logit(p: number): number {
  return Math.log(p) - Math.log1p(-p);
}

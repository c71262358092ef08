import { z } from "zod";

const probability = z.number().min(0).max(1);
const share = z.number().gt(0).lt(1);

/** A number; or two, at temperatures 0.1 and 1.0; or four, at 0.1, 0.3, 0.7 and 1.0: linear in temperature between, constant outside. */
function byTemperature<T extends z.ZodType<number>>(value: T) {
  return z.union([value, z.tuple([value, value]), z.tuple([value, value, value, value])]);
}

/** A value for each level: 1, 2, 3. */
function byLevel<T extends z.ZodType>(value: T) {
  return z.tuple([value, value, value]);
}

/** A row for each level; its three shares sum to 1. */
const shares = byLevel(
  z.tuple([probability, probability, probability]).refine(([a, b, c]) => Math.abs(a + b + c - 1) < 1e-6, {
    message: "the shares of a row must sum to 1",
  }),
);

/** How an auditor of a simulated world reads, errs and varies. All its rates are here; docs/simulated-auditor.md explains them. */
export const simulatedAuditorSchema = z.strictObject({
  /** Selects one of the auditors with these rates: another seed misreads other cases. */
  seed: z.number().int().default(1),
  /** Deciders of this family share its backbone. */
  family: z.string().default("simulated"),
  /** Share of indefensible decisions by deciders of its family that it takes for derivable, and whose opposite it takes for not derivable. */
  bias: probability.default(0),
  /** Scales the misreadings below, from 0 (none) to 1 (as given). */
  noise: probability.default(1),
  /** Systematic misreading: share of cases of a level (row) that it reads as each level (column). It is the same in all replicates. */
  confusion: shares.default([
    [0.97, 0.025, 0.005],
    [0.04, 0.93, 0.03],
    [0.01, 0.04, 0.95],
  ]),
  /** Share of derivable opposites that it misses, by the level it reads. */
  inverse_missed: byLevel(byTemperature(probability)).default([0.2, 0.08, 0.05]),
  /** Share of non-derivable opposites that it takes for derivable, by the level it reads. */
  inverse_invented: byLevel(byTemperature(probability)).default([0.01, 0.1, 0.1]),
  /** How traces deviate from the level read. */
  lean: z
    .strictObject({
      /**
       * Share of traces that lean to another level than the one read, in a fully contested case (`contest` 1) at temperature 1, by the true level
       * of the decision that was taken. For the same content an auditor varies as much when it audits the opposite.
       */
      most: byLevel(z.number().min(0).max(3)).default([0.3, 0.9, 1]),
      /** Power of `contest` with which it falls, by the same level. */
      contest_power: byLevel(z.number().gt(0).max(10)).default([1, 3, 1]),
      /** Share of cases whose deviating traces all go to a level (column), by the level read (row). The diagonal is 0. */
      elsewhere: shares
        .refine((rows) => rows.every((row, level) => row[level] === 0), { message: "the diagonal must be 0" })
        .default([
          [0, 0.95, 0.05],
          [0.4, 0, 0.6],
          [0.1, 0.9, 0],
        ]),
      /** Share of Yes among such traces, by the level they lean to. */
      inverse: byLevel(byTemperature(probability)).default([0.05, 0.85, 0.85]),
      /** Their share grows with this power of temperature: 0 not at all, 1 in proportion. At temperature 0 the share is 0. */
      temperature_power: z.number().min(0).max(2).default(0.2),
      /** Minimum `contest` of a case that the shown text leaves open although the whole text settles it. */
      unsettled: probability.default(0.4),
      /** How far `contest` moves towards 1 if no precedents are shown. */
      without_precedents: probability.default(0.1),
    })
    .prefault({}),
  /** Probability that the level's token gives to the level leaned to, before `verbosity`: 1 − p is log-uniform between these. */
  confidence: z
    .strictObject({ least: share.default(0.95), most: share.default(0.999) })
    .refine(({ least, most }) => least <= most, { message: "least must not exceed most" })
    .prefault({}),
  /** How much of the variation of traces the level's token shows by itself: 0 nothing, 1 all of it. */
  verbosity: probability.default(0.1),
  /** σ(ρ), the probability of Yes: logit-normal. */
  inverse: z
    .strictObject({
      /** Mean of σ(ρ) if the trace considers the opposite derivable, by the level leaned to. */
      yes: byLevel(byTemperature(share)).default([0.8, 0.9, 0.95]),
      /** Mean of σ(ρ) if it does not. */
      no: byLevel(byTemperature(share)).default([0.04, 0.15, 0.12]),
      /** Standard deviation of ρ, nats. */
      spread: z.number().min(0).max(10).default(1.2),
      /** Share of its variance that is between cases rather than between traces. */
      case_share: probability.default(0.5),
      /** `signal`: the answer is drawn from σ(ρ), as a sampler does. `reading`: it is the trace's own conclusion, whatever σ(ρ) is. */
      emission: z.enum(["signal", "reading"]).default("signal"),
    })
    .prefault({}),
  weight: z
    .strictObject({
      /** Shares of High, Medium and Low, by the level leaned to. */
      shares: shares.default([
        [0.88, 0.09, 0.03],
        [0.3, 0.5, 0.2],
        [0.71, 0.2, 0.09],
      ]),
      /** The same if no precedents are shown. */
      without_precedents: z.tuple([probability, probability, probability]).default([0.02, 0.08, 0.9]),
      /** Median probability of the two other labels combined, by the level leaned to. */
      doubt: byLevel(share).default([0.05, 0.3, 0.12]),
      /** Standard deviation of its log-odds. */
      spread: z.number().min(0).max(10).default(0.8),
    })
    .prefault({}),
  /** The citation and its entropy H[κ]: lognormal. */
  citation: z
    .strictObject({
      /** Mean of H[κ], bits per token, by the level leaned to. */
      bits: byLevel(z.number().gt(0).max(4)).default([0.065, 0.12, 0.06]),
      /** Standard deviations of ln H[κ]: between cases, and of a trace around its case. */
      case_sd: z.number().min(0).max(3).default(0.6),
      trace_sd: z.number().min(0).max(3).default(0.4),
      /** Share of the case's variance at temperature 1 that is independent of its value at 0.1. */
      temperature_mixing: probability.default(0.2),
      /** Most tokens of a citation. */
      tokens: z.number().int().min(1).max(200).default(25),
      /** Share of traces that cite another rule than the one that decides the case. */
      other: probability.default(0.05),
      /** Share of traces that cite a rule that does not exist. */
      invented: probability.default(0.005),
    })
    .prefault({}),
  /** Shares of unusable answers, and of verdicts whose precedent weight is not a label, so that they have no S. */
  faults: z
    .strictObject({
      refusal: byTemperature(probability).default(0.001),
      truncation: byTemperature(probability).default([0.001, 0.004]),
      missing: byTemperature(probability).default([0.017, 0.036]),
    })
    .prefault({}),
});

export type SimulatedAuditor = z.infer<typeof simulatedAuditorSchema>;

/** A rate that may depend on temperature. */
export type TemperatureRate = number | readonly [number, number] | readonly [number, number, number, number];

/** The temperatures of rates given by two numbers, and of rates given by four: those of the paper's sweep. */
const ENDS = [0.1, 1] as const;
const SWEEP_TEMPERATURES = [0.1, 0.3, 0.7, 1] as const;

export function atTemperature(rate: TemperatureRate, temperature: number): number {
  if (typeof rate === "number") return rate;
  const places = rate.length === 2 ? ENDS : SWEEP_TEMPERATURES;
  if (temperature <= places[0]) return rate[0];
  for (let i = 1; i < places.length; i++) {
    const [from, to] = [places[i - 1]!, places[i]!];
    if (temperature < to) return rate[i - 1]! + ((temperature - from) / (to - from)) * (rate[i]! - rate[i - 1]!);
  }
  return rate.at(-1)!;
}

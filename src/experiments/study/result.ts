import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { experimentSchema } from "../../core/results/experiment.js";

const count = z.number().int();
const number = z.number().nullable();
const text = z.string().nullable();

export type ReplicateStep = string;

/** Our value of one printed number; `reason`: why the value is missing. */
const oursSchema = z.object({ value: number, lower: number, upper: number, n: count, method: text, reason: text });

/** A number of a study. Shares and differences of shares are fractions. */
const valueSchema = oursSchema.extend({
  id: z.string(),
  place: z.string(),
  what: z.string(),
  unit: z.enum(["share", "points", "number", "count"]),
  digits: count,
  step: z.string(),
});

/** One number of the reference, the paper's unless another was named, next to ours. Shares and differences of shares are fractions. */
const comparedSchema = z.object({
  id: z.string(),
  /** Table or section of the paper. */
  place: z.string(),
  what: z.string(),
  unit: z.enum(["share", "points", "number", "count"]),
  /** Decimals that the paper prints, of a fraction. */
  digits: count,
  /** The number's role in a world made with the paper's rates; null: these are other data. */
  role: z.enum(["input", "derived", "output"]).nullable(),
  /** Why the printed number does not mean what it seems to. */
  caveat: text,
  /** Why a world made with the paper's rates gives another number; null: these are other data, or no reason is known. */
  why: text,
  step: z.string(),
  /** The reference's number. */
  paper: z.number(),
  /** Its interval; null: unknown. Absent in results of earlier builds. */
  paper_interval: z.object({ lower: z.number(), upper: z.number() }).nullish(),
  ours: oursSchema,
  /** The other reading of an ambiguous printed number. */
  beside: z.object({ what: z.string(), value: z.number() }).nullable(),
  /** ours − paper. */
  difference: number,
  /** The paper's value, within its rounding, lies in our interval; null: there is no interval. */
  within: z.boolean().nullable(),
  /** Whether both are equal within `margin`, their errors added; null: ours has no interval. Absent in results of earlier builds. */
  verdict: z.enum(["same", "different", "undecided"]).nullish(),
  margin: z.number().optional(),
  /** The command that produces our number, if it is missing. */
  command: text,
});

/** Numbers with a verdict, by verdict. */
const verdictsSchema = z.object({ numbers: count, same: count, different: count, undecided: count });

const datasetSchema = z.object({
  dataset: z.string(),
  /** null: all decisions, because there is no cohort of the paper's name. */
  cohort: text,
  decisions: count.nullable(),
  communities: count.nullable(),
  /** Audits with a verdict, out of those attempted. */
  valid: count.nullable(),
  attempted: count.nullable(),
  role: z.string(),
  notes: z.string(),
  paper: z.object({ decisions: number, communities: number }),
});

const stepSchema = z.object({
  step: z.string(),
  /** `kept`: left out now, and taken over from an earlier replication with the same auditor. */
  status: z.enum(["done", "kept", "not_done", "left_out"]),
  /** Why it was not done. */
  reason: text,
  /** What would make it possible. */
  command: text,
  runs: z.array(z.string()),
  audits: count,
  cost_usd: z.number(),
});

/** Audits from token streams, compared with the same audits as columns. */
export const tokenAgreementSchema = z.object({
  decisions: count,
  of: count,
  same_outcome: count,
  same_level: count,
  same_inverse: count,
  /** Largest difference of each signal. */
  signals: z.record(z.string(), number),
  rates: z.array(z.object({ rate: z.string(), tokens: estimateSchema, columns: estimateSchema })),
  /** The same verdicts, and signals within a millionth. */
  agrees: z.boolean(),
});

/** The result of `defensible study`, and of `defensible replicate`, under whose name it is kept. */
export const replicateSchema = experimentSchema.extend({
  experiment: z.literal("replicate"),
  auditor: z.string(),
  /** null: no simulated world. `paper_rates`: made with the preset of the paper. */
  simulation: z.object({ preset: z.string(), seed: count, decisions: count, paper_rates: z.boolean() }).nullable(),
  audits: count,
  cost_usd: z.number(),
  steps: z.array(stepSchema),
  datasets: z.array(datasetSchema),
  /** Every number, for comparison with later studies. Absent in results of earlier builds. */
  values: z.array(valueSchema).optional(),
  /** The reference; null: none. Absent in results of earlier builds, which were compared with the paper. */
  reference: z.object({ name: z.string(), auditor: text }).nullish(),
  compared: z.array(comparedSchema),
  /**
   * How many numbers are compared, how many have no value here, and the verdicts on the others. `fed_in`: on numbers that the world was
   * made from, whose agreement proves nothing; null: there are no such numbers. Absent in results of earlier builds.
   */
  counts: z
    .object({ compared: count, without_value: count, found: verdictsSchema, fed_in: verdictsSchema.nullable() })
    .optional(),
  /** Findings of steps without a table in the paper, in sentences. */
  findings: z.array(z.object({ step: z.string(), text: z.string() })),
  tokens: tokenAgreementSchema.nullable(),
  /** Simulated raters; null: the raters are people, or there are no ratings. */
  raters: z.looseObject({ raters: count, cases: count }).nullable(),
});

export default replicateSchema;

export type Replicate = z.infer<typeof replicateSchema>;
export type StudyValue = z.infer<typeof valueSchema>;
export type Compared = z.infer<typeof comparedSchema>;
export type Dataset = z.infer<typeof datasetSchema>;
export type StepRecord = z.infer<typeof stepSchema>;
export type TokenAgreement = z.infer<typeof tokenAgreementSchema>;

export interface PlannedStep {
  step: string;
  /** Audits that no earlier step makes. */
  audits: number;
  /** null: the price of the auditor is unknown. */
  cost_usd: number | null;
  reason: string | null;
}

export interface ReplicatePlan {
  steps: PlannedStep[];
  audits: number;
  cost_usd: number | null;
}

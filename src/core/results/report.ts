import { z } from "zod";
import { stabilitySchema } from "../../experiments/stability/result.js";
import { calibrationSchema } from "../calibration.js";
import { estimateSchema } from "../estimate-schema.js";
import { gateFindingsSchema, gateSchema } from "../gate.js";
import { labelSampleSchema } from "../records/label.js";
import type { Manifest } from "../records/manifest.js";
import { type ExperimentResults, experimentSchema } from "./experiment.js";
import { flipControlSchema, realisedRiskSchema } from "./realised-risk.js";

export const countsSchema = z.object({
  attempted: z.number().int(),
  verdicts: z.number().int(),
  unscored: z.number().int(),
  errors: z.number().int(),
  /** Decisions to which no rule applied: not audited, in no rate and no bound. Absent in reports of older versions. */
  no_rules: z.number().int().default(0),
});

export const agreementSchema = z.object({
  n_labelled: z.number().int(),
  confusion: z.object({
    tp: z.number().int(),
    fp: z.number().int(),
    fn: z.number().int(),
    tn: z.number().int(),
  }),
  accuracy: estimateSchema,
  precision: estimateSchema,
  recall: estimateSchema,
  f1: estimateSchema,
  kappa: estimateSchema,
});

export const gapSchema = z.object({ di_minus_f1: estimateSchema, di_minus_accuracy: estimateSchema });

/** If only some verdicts have a human label: DI and both gaps over these alone, so that both sides are about the same decisions. */
const reportGapSchema = gapSchema.extend({
  labelled: gapSchema.extend({ defensibility_index: estimateSchema }).optional(),
});

export const trapSchema = z.object({
  fn_defensible: estimateSchema,
  fp_defensible: estimateSchema,
  disagreements_defensible: estimateSchema,
  accurate_but_indefensible: z.object({ joint: estimateSchema, conditional: estimateSchema }),
});

export const rootCausesSchema = z.object({
  model_error: estimateSchema,
  policy_ambiguity: estimateSchema,
  implicit_norm: estimateSchema,
});

/** The headline metrics over one set of decisions: all, one action, one language, one cohort, one community. */
const cohortMetrics = {
  counts: countsSchema,
  defensibility_index: estimateSchema,
  ambiguity_index: estimateSchema,
  ambiguity_pure: estimateSchema,
  agreement: agreementSchema,
  gap: gapSchema,
};

export const targetSchema = z.object({
  target: z.number(),
  direction: z.enum(["at_least", "at_most"]),
  status: z.enum(["met", "not_met", "undecided", "undefined"]),
  interval: z.enum(["cluster", "independent", "none"]),
});

export const againstSchema = z.object({
  target: z.string(),
  n: z.number().int(),
  /** DI and AI of these decisions according to the target. */
  defensibility_index: estimateSchema.optional(),
  ambiguity_index: estimateSchema.optional(),
  /** Among the decisions that agreement misjudges according to the auditor, the share that the target confirms. */
  confirmed: z
    .object({
      disagreements_defensible: estimateSchema,
      agreed_indefensible: estimateSchema,
      /** For two causes of disagreement found by the auditor, the share that the target confirms. */
      model_error: estimateSchema,
      implicit_norm: estimateSchema,
    })
    .optional(),
  /** Rows of the target, columns of the audit; index 0 is level 1. */
  levels: z.array(z.array(z.number().int())),
  level_accuracy: estimateSchema,
  level_balanced_accuracy: estimateSchema,
  level_kappa: estimateSchema,
  /** AUROC of 1 − p_defensible for level 3. */
  level3_auroc: estimateSchema,
  n_inverse: z.number().int(),
  /** Rows of the target, columns of the audit; index 0 is Yes. */
  inverse: z.array(z.array(z.number().int())),
  inverse_accuracy: estimateSchema,
  inverse_kappa: estimateSchema,
  /** How human labels were drawn; rates are those of the population they were drawn from. Only for human labels. */
  sample: labelSampleSchema.optional(),
});

/** Verdicts by what the audit says about the stated reason. `counts` is null if there are no decisions to read reasons from. */
export const statedReasonsSchema = z.object({
  counts: z
    .object({
      right_reason: z.number().int(),
      other_rule: z.number().int(),
      no_rule_supports: z.number().int(),
      unknown_rule: z.number().int(),
      undetermined: z.number().int(),
      unstated: z.number().int(),
    })
    .nullable(),
  /** Right reasons among those that could be checked. */
  accuracy: estimateSchema,
  /** Right reasons among decisions that follow from the rules and cite an existing rule. */
  accuracy_supported: estimateSchema,
  /** Restrictions by the audit of their stated reason; absent: the run audited no reasons. Shares are of those that follow from the rules. */
  audited: z
    .object({
      counts: z.object({
        carries_alone: z.number().int(),
        needs_more: z.number().int(),
        only_others: z.number().int(),
        unknown_rule: z.number().int(),
        not_under_all: z.number().int(),
        no_rule_supports: z.number().int(),
        no_verdict: z.number().int(),
      }),
      carries_alone: estimateSchema,
      /** Right for a wrong reason: only other rules support the decision, or the cited rule does not exist. */
      wrong_reason: estimateSchema,
    })
    .optional(),
});

/** Human labels among the verdicts that are open both ways, by whether the labelled action restricts. */
const openLabelsSchema = z.object({ positive: z.number().int(), negative: z.number().int() });
export type OpenLabels = z.infer<typeof openLabelsSchema>;

/** Additional results for more than two actions. The agreement above only compares whether an action restricts. */
const severalActionsSchema = z.object({
  exact_agreement: estimateSchema,
  severity_distance: estimateSchema,
  /** Null: the run audited no alternative. */
  alternatives: z
    .object({
      /** Share of decisions with at least one audited alternative at level 1 or 2. */
      any_derivable: estimateSchema,
      pairs: z.array(
        z.object({
          decision: z.string(),
          alternative: z.string(),
          derivable: estimateSchema,
          without_verdict: z.number().int(),
        }),
      ),
    })
    .nullable(),
});

/** The result of `defensible report`. Every leaf but those of the gate is recounted by `test/recount.py`. */
export const reportSchema = z.looseObject({
  format: z.literal(1),
  run: z.looseObject({ run_id: z.string().nullable() }),
  counts: countsSchema,
  defensibility_index: estimateSchema,
  ambiguity_index: estimateSchema,
  targets: z.object({ defensibility_index: targetSchema, ambiguity_index: targetSchema }),
  defensibility_index_soft: estimateSchema,
  ambiguity_index_soft: estimateSchema,
  ambiguity: z.object({
    platform: estimateSchema,
    community: estimateSchema,
    mixed: estimateSchema,
    none: estimateSchema,
    pure: estimateSchema,
    contradiction: estimateSchema,
  }),
  levels: z.object({ "1": estimateSchema, "2": estimateSchema, "3": estimateSchema }),
  agreement: agreementSchema,
  gap: reportGapSchema,
  trap: trapSchema,
  root_causes: rootCausesSchema,
  humans: z
    .object({
      n: z.number().int(),
      model_defensibility_index: estimateSchema,
      human_defensibility_index: estimateSchema,
      difference: estimateSchema,
    })
    .nullable(),
  /** Whether the reason given for a decision is the one its audit rests on. Absent in reports of earlier builds. */
  stated_reasons: statedReasonsSchema.optional(),
  /** Whether the auditor notices inverted decisions; null: the run audited no opposites. Absent in reports of earlier builds. */
  flip_control: flipControlSchema.nullish(),
  precedent_weight: z.object({
    by_level: z.record(
      z.string(),
      z.object({ High: z.number().int(), Medium: z.number().int(), Low: z.number().int() }),
    ),
    level3_high_share: estimateSchema,
  }),
  signals: z.object({
    detection: z.object({
      level: estimateSchema,
      weight: estimateSchema,
      inverse: estimateSchema,
      citation: estimateSchema,
    }),
    mean_citation_tokens: estimateSchema,
    mean_pds: estimateSchema,
    level_differs_from_map: estimateSchema,
    grounded_citations: estimateSchema,
  }),
  flags: z.record(z.string(), z.number().int()),
  by_decision: z.record(z.string(), z.object(cohortMetrics)),
  /** Only if there are more than two actions. */
  several_actions: severalActionsSchema.optional(),
  by_language: z.record(z.string(), z.object(cohortMetrics)),
  by_cohort: z.record(z.string(), z.object(cohortMetrics)),
  communities: z.array(z.object({ community: z.string(), ...cohortMetrics })),
  rules: z.array(
    z.object({
      scope: z.string(),
      community: z.string().nullable(),
      rule_id: z.string(),
      title: z.string().nullable(),
      cited: z.number().int(),
      defensibility_index: estimateSchema,
      ambiguity_index: estimateSchema,
      ambiguity_pure: estimateSchema,
      open_labels: openLabelsSchema,
    }),
  ),
  against: againstSchema.optional(),
  /** The newest calibration that may be applied to this run, otherwise only the newest weights of S (`model` is null). */
  calibration: calibrationSchema.optional(),
  /** The active gate, if it was computed from this run. */
  gate: gateSchema.optional(),
  /** Findings about that gate, or the one given by the workspace's settings, in this run beyond counts. */
  gate_findings: gateFindingsSchema.optional(),
  /** The risk of the workspace's automated decisions, as measured by random reviews; absent if none was drawn. */
  realised_risk: realisedRiskSchema.optional(),
  /** The newest results of the workspace's experiments, by kind; each lists its runs. */
  stability: stabilitySchema.optional(),
  experiments: z.record(z.string(), experimentSchema).optional(),
});

/** The types of what this program writes are narrower than the schema, which is all that a reader of any version may rely on. */
export type Report = z.infer<typeof reportSchema> & {
  run: ReportRun;
  experiments?: Partial<Omit<ExperimentResults, "stability">>;
};
export type ReportCounts = z.infer<typeof countsSchema>;
export type ReportAgreement = z.infer<typeof agreementSchema>;
export type ReportGap = z.infer<typeof gapSchema>;
export type ReportTarget = z.infer<typeof targetSchema>;
export type ReportAgainst = z.infer<typeof againstSchema>;
export type CohortMetrics = Pick<
  Report["communities"][number],
  "counts" | "defensibility_index" | "ambiguity_index" | "ambiguity_pure" | "agreement" | "gap"
>;

type OfManifest =
  | "status"
  | "created_at"
  | "auditor"
  | "auditor_version"
  | "prompt_version"
  | "template"
  | "tier"
  | "temperature"
  | "signal"
  | "samples"
  | "selection"
  | "actions";

/** The source of a report: a run of a workspace, or a file of audits, about which little is known. */
export interface ReportRun extends Partial<Pick<Manifest, OfManifest>> {
  /** Null: a file. */
  run_id: string | null;
  /** Name of the file. */
  source?: string;
  /** Number of decisions that the run was to audit. */
  planned?: number;
  /** Name of the cohort that the report is limited to. */
  cohort?: string;
}

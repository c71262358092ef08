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
  /** Decisions under no rule at all: not audited, in no rate and no bound. Absent in reports of older versions. */
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

/** Where only some verdicts have a person's label: DI and both gaps over these alone, so that both sides speak of the same decisions. */
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

/** The headline family over one set of decisions: all, one action, one language, one cohort, one community. */
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
  /** DI and AI of these decisions by the target's own judgement. */
  defensibility_index: estimateSchema.optional(),
  ambiguity_index: estimateSchema.optional(),
  /** Of what agreement miscounts by the auditor's word, the share that the target bears out. */
  confirmed: z
    .object({
      disagreements_defensible: estimateSchema,
      agreed_indefensible: estimateSchema,
      /** Of two causes of disagreement by the auditor's word, the share that the target bears out. */
      model_error: estimateSchema,
      implicit_norm: estimateSchema,
    })
    .optional(),
  /** Rows of the target, columns of the audit; index 0 is level 1. */
  levels: z.array(z.array(z.number().int())),
  level_accuracy: estimateSchema,
  level_balanced_accuracy: estimateSchema,
  level_kappa: estimateSchema,
  /** Of 1 − p_defensible for level 3. */
  level3_auroc: estimateSchema,
  n_inverse: z.number().int(),
  /** Rows of the target, columns of the audit; index 0 is Yes. */
  inverse: z.array(z.array(z.number().int())),
  inverse_accuracy: estimateSchema,
  inverse_kappa: estimateSchema,
  /** How people's labels were drawn; rates are of the population they were drawn from. Only against people. */
  sample: labelSampleSchema.optional(),
});

/** Verdicts by what the audit says of the reason that was given. `counts` is null where there are no decisions to read reasons from. */
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
  /** Right reasons among decisions that follow from the rules and cite a rule that exists. */
  accuracy_supported: estimateSchema,
  /** Restrictions by what the audit of their stated reason says; absent: the run audited no reason. Shares are of those that follow from the rules. */
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

/** What more than two actions add. The agreement above knows only whether an action restricts. */
const severalActionsSchema = z.object({
  exact_agreement: estimateSchema,
  severity_distance: estimateSchema,
  /** Null: the run audited no alternative. */
  alternatives: z
    .object({
      /** Share of decisions of which at least one audited alternative is at level 1 or 2. */
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
  /** Whether the reason given for a decision is the one that its audit rests on. Absent in reports of earlier builds. */
  stated_reasons: statedReasonsSchema.optional(),
  /** Whether the auditor notices inverted decisions; null: the run audited no opposite. Absent in reports of earlier builds. */
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
  /** Only where there are more than two actions. */
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
  /** The newest calibration that may be applied to this run, else the newest weights of S alone (`model` is null). */
  calibration: calibrationSchema.optional(),
  /** The active gate, if it was computed from this run. */
  gate: gateSchema.optional(),
  /** What that gate, or the one that the workspace's settings give, finds in this run beyond counts. */
  gate_findings: gateFindingsSchema.optional(),
  /** What random reviews say of the decisions that the workspace automated; absent where none was drawn. */
  realised_risk: realisedRiskSchema.optional(),
  /** The newest results of the workspace's experiments, by kind; each says which runs it was computed from. */
  stability: stabilitySchema.optional(),
  experiments: z.record(z.string(), experimentSchema).optional(),
});

/** What this program writes is known more exactly than what a reader of any version may rely on, which is the schema. */
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

/** What a report was made from: a run of a workspace, or a file of audits, of which little is known. */
export interface ReportRun extends Partial<Pick<Manifest, OfManifest>> {
  /** Null: a file. */
  run_id: string | null;
  /** Name of the file. */
  source?: string;
  /** Decisions that the run was to audit. */
  planned?: number;
  /** The only cohort that the report is about. */
  cohort?: string;
}

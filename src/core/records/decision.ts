import { z } from "zod";
import { contentSchema } from "./content.js";
import { levelSchema } from "./level.js";

export const deciderSchema = z.looseObject({
  kind: z.enum(["model", "human", "rule"]),
  id: z.string().nullish(),
  confidence: z.number().min(0).max(1).nullish(),
  /** How often each action was proposed, where a model was asked several times. */
  replicates: z.record(z.string(), z.number().int().min(0)).nullish(),
});

export const goldSchema = z.looseObject({
  level: levelSchema,
  inverse: z.boolean(),
  rule_ids: z.array(z.string()),
  note: z.string().nullish(),
});

export const appealSchema = z.looseObject({
  filed_at: z.string().nullish(),
  text: z.string().nullish(),
  outcome: z.enum(["upheld", "overturned", "pending"]).nullish(),
});

/** A decision that somebody made about some content, under a community's rules. */
export const decisionSchema = z.looseObject({
  id: z.string().min(1),
  community: z.string().min(1),
  content: contentSchema,
  decision: z.string().min(1),
  human_label: z.string().min(1).nullish(),
  decider: deciderSchema.nullish(),
  rationale: z.string().nullish(),
  cited_rule: z.string().nullish(),
  decided_at: z.string().nullish(),
  ruleset_version: z.string().nullish(),
  thread_id: z.string().nullish(),
  appeal: appealSchema.nullish(),
  gold: goldSchema.nullish(),
  tags: z.array(z.string()).nullish(),
});

export type Decision = z.infer<typeof decisionSchema>;
export type Gold = z.infer<typeof goldSchema>;

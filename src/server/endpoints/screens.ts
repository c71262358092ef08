import { z } from "zod";
import { closureSchema } from "../../store/records/suspensions.js";
import { ROLES, SCOPES } from "../auth.js";
import { pageDecisionSchema, pagePrecedentSchema, pageRuleSetSchema, reportPageSchema } from "./page-parts.js";

/** Answers that the workbench shows. Parts of the report are as `web/` draws them, and may change with any version. */

export const itemSchema = z.object({
  item_id: z.number().int(),
  decision_id: z.string(),
  community: z.string(),
  reasons: z.array(z.string()).describe("Empty for a random item, too: it looks like any other."),
  created_at: z.string(),
});

export const appealSchema = z.object({
  appeal_id: z.number().int(),
  decision_id: z.string(),
  community: z.string(),
  state: z.enum(["open", "decided"]),
  filed_at: z.string(),
  filed_by: z.string().nullable(),
  text: z.string().nullable().describe("Needs the scope `content:read`."),
  reviewer: z.string().nullable(),
  outcome: z.enum(["uphold", "overturn"]).nullable(),
  level: z.union([z.literal(1), z.literal(2), z.literal(3)]).nullable(),
  inverse: z.string().nullable(),
  note: z.string().nullable().describe("Needs the scope `content:read`."),
  rule_ids: z.array(z.string()).describe("Rules that the outcome rests on."),
  saw_audit: z.boolean().nullable(),
  decided_at: z.string().nullable(),
});

const reviewSettings = z.object({
  gold_rate: z.number().describe("Share of claims that are items with a known answer."),
  break_minutes: z.number().describe("0: no reminder of a break."),
});

export const personSettings = z.object({
  blur: z.boolean(),
  greyscale: z.boolean(),
  break_minutes: z.number().int().min(0).max(240).nullable().describe("null: as the workspace has it."),
});

export const meAnswer = z.object({
  workspace: z.string(),
  platform: z.string().nullable(),
  name: z.string(),
  role: z.enum(ROLES).nullable().describe("Of a person; keys have scopes alone."),
  scopes: z.array(z.enum(SCOPES)),
  settings: personSettings,
  review: reviewSettings,
});

export const reviewSettingsAnswer = reviewSettings;

export const queueSummary = z.object({
  items: z.array(
    z.object({
      community: z.string(),
      reason: z.string().nullable().describe("null: by the verdict of the audit, or drawn at random."),
      waiting: z.number().int(),
      claimed: z.number().int(),
      oldest_seconds: z.number(),
    }),
  ),
});

const heldItem = itemSchema.extend({
  state: z.string(),
  claim: z.string().nullable().describe("The token, for the person who has claimed it."),
  claim_by: z.string().nullable(),
  claim_seconds: z.number().nullable().describe("Until the claim runs out."),
});

export const ownItems = z.object({ items: z.array(heldItem) });

const caseParts = z.object({
  audited: z.boolean(),
  decision: pageDecisionSchema,
  rule_sets: z.array(pageRuleSetSchema).describe("The rules in force: the platform's, then the community's."),
});
export const itemCase = caseParts.extend({ item: heldItem });
export const appealAudit = caseParts.extend({ appeal: appealSchema });
export const appealCaseAnswer = appealAudit.extend({ may_decide: z.boolean() });

const share = z
  .object({
    k: z.number().int(),
    n: z.number().int(),
    share: z.number().nullable(),
    lower: z.number().nullable(),
    upper: z.number().nullable(),
  })
  .describe("A share with its 95% interval; null where nothing was compared.");

export const reviewers = z.object({
  items: z.array(
    z.object({
      reviewer: z.string(),
      reviews: z.number().int(),
      overturned: z.number().int(),
      gold: share,
      gold_level: share,
      peers: share,
    }),
  ),
});

export const livePage = z.object({
  mark: z.string().describe("Another one when the report was made anew."),
  made_at: z.string(),
  listed: z.number().int().describe("Decisions that the report lists."),
  page: reportPageSchema,
});

export const listedDecisions = z.object({
  mark: z.string().optional(),
  items: z.array(pageDecisionSchema),
  precedents: z.array(pagePrecedentSchema),
  next_cursor: z.string().nullable(),
  total: z.number().int().describe("Decisions that pass the filters."),
  listed: z.number().int(),
  facets: z.record(z.string(), z.array(z.tuple([z.string(), z.number().int()]))),
});

export const listedDecision = z.object({ decision: pageDecisionSchema, precedents: z.array(pagePrecedentSchema) });

export const liveTraffic = z.object({
  now: z.string(),
  minutes: z.number().int(),
  step: z.number().int().describe("Seconds of one step."),
  steps: z.array(
    z.object({
      at: z.number().describe("Seconds since 1970 at which the step begins."),
      automated: z.number().int(),
      review: z.number().int(),
    }),
  ),
  last_minute: z.number().int(),
  latest: z.array(
    z.object({
      seq: z.number().int(),
      at: z.string(),
      decision_id: z.string().nullable(),
      community: z.string().nullable(),
      route: z.string(),
      reasons: z.array(z.string()),
      pending: z.boolean(),
    }),
  ),
  reviews: z.array(z.object({ state: z.string(), n: z.number().int(), oldest_seconds: z.number() })),
  audits_waiting: z.number().int(),
  closed: closureSchema.nullable(),
});

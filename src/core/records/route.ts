import { z } from "zod";
import { GATE_MODES, suspensionSchema } from "../gate.js";

export const ROUTES = ["automate", "review"] as const;

/**
 * Everything that decides where a decision goes, in the order of reporting (docs/route.md). The first five support automation; any other one alone
 * sends a decision to review.
 */
export const ROUTE_REASONS = [
  "community_passes",
  "score_reaches_threshold",
  "forced_calibration",
  "without_score",
  "unverified_content",
  "shadow",
  "bad_decision",
  "closed",
  "no_gate",
  "unknown_community",
  "insufficient",
  "does_not_pass",
  "harm_above_limit",
  "not_certified",
  "suspended",
  "foreign_gate",
  "rules_changed",
  "no_audit",
  "bad_audit",
  "other_decision",
  "content_changed",
  "audit_error",
  "unscored",
  "indefensible",
  "probably_indefensible",
  "missing_calibration",
  "foreign_calibration",
  "no_score",
  "no_threshold",
  "below_threshold",
  "appeal",
  "unseen_media",
  "injection_suspected",
  "content_cut",
  "retroactive_rule",
  "unknown_flag",
  "look_alike_key",
  "never_automate",
  "unresolved_citation",
  "random_review",
] as const;

export type RouteReason = (typeof ROUTE_REASONS)[number];

/** What the gate knows about the decision's community, or its cohort if the gate uses other keys. */
export const routeEvidenceSchema = z.looseObject({
  cohort: z.string(),
  n: z.number().int(),
  indefensible: z.number().int(),
  inverse_yes: z.number().int(),
  passes: z.object({ paper: z.boolean(), shrunk: z.boolean(), certified: z.boolean() }),
  suspended: suspensionSchema.optional(),
});

/** Where one decision goes, and on what evidence. */
export const routeSchema = z.looseObject({
  /** null: a line without a readable id. */
  decision_id: z.string().nullable(),
  route: z.enum(ROUTES),
  reasons: z.array(z.enum(ROUTE_REASONS)),
  community_state: z.string().nullable(),
  mode: z.enum(GATE_MODES),
  score: z.number().nullable(),
  /** The threshold that applied: for the decision's action and community, if the gate has such thresholds. */
  threshold: z.number().nullable(),
  /** Why there is no threshold. */
  threshold_reason: z.string().optional(),
  calibration_id: z.string().nullable(),
  gate_id: z.string().nullable(),
  versions: z.record(z.string(), z.string().nullable()),
  community: z.string().nullish(),
  /** The action that is routed. */
  decision: z.string().nullish(),
  evidence: routeEvidenceSchema.nullish(),
  /** Nothing spoke against automation: it was automated, or only the random draw (or shadow mode) sent it to review. */
  would_automate: z.boolean().optional(),
  /** Probability with which a decision that would be automated is reviewed. Absent in logs of earlier versions. */
  review_share: z.number().min(0).max(1).optional(),
  /** Whether it was automatable but went to review as part of the random review share. */
  sampled: z.boolean().optional(),
  /** Fields by which the realised risk is broken down, if the decision or its audit has them. */
  thread_id: z.string().optional(),
  language: z.string().optional(),
  decided_at: z.string().optional(),
  /** Routed without effect: `route` is review, and `would_route` is the route without shadow mode. */
  shadow: z.boolean().optional(),
  would_route: z.enum(ROUTES).optional(),
  /** For a line that is not a decision: its line number in the input. */
  line: z.number().int().optional(),
});

export type Route = z.infer<typeof routeSchema>;
export type RouteEvidence = z.infer<typeof routeEvidenceSchema>;

/** One line of `gate/routes.jsonl`: a route and when it was decided. */
export const routeRecordSchema = routeSchema.extend({ at: z.string() });
export type RouteRecord = z.infer<typeof routeRecordSchema>;

import { z } from "zod";
import { ruleSetSchema } from "../records/rule-set.js";

const referenceSchema = z.object({
  scope: z.enum(["platform", "community"]),
  community: z.string().nullable(),
  rule_id: z.string(),
});

/** The result of `defensible rules lint`. */
export const lintSchema = z.looseObject({
  format: z.literal(1),
  /** The run whose citations were counted; null: no run. */
  run_id: z.string().nullable(),
  rule_sets: z.number().int(),
  rules: z.number().int(),
  counts: z.object({ error: z.number().int(), warning: z.number().int(), note: z.number().int() }),
  /** Number of findings of each check; every check that ran is listed. */
  checks: z.record(z.string(), z.number().int()),
  findings: z.array(
    referenceSchema.extend({
      check: z.string(),
      severity: z.enum(["error", "warning", "note"]),
      version: z.string(),
      part: z.enum(["title", "description", "detail"]).nullable(),
      quote: z.string().nullable(),
      message: z.string(),
      remedy: z.string(),
      other: referenceSchema.optional(),
    }),
  ),
});

export type Lint = z.infer<typeof lintSchema>;

/** The result of `defensible rules draft`. */
export const rulesDraftSchema = z.looseObject({
  format: z.literal(1),
  /** The file that was read. */
  source: z.string(),
  read_as: z.enum(["markdown", "text", "html", "reddit", "mastodon"]),
  /** Title of the page; null: it has none. */
  title: z.string().nullable(),
  version: z.string(),
  /** The platform's first, then those of communities in the order of the page. */
  sets: z.array(ruleSetSchema),
  /** Every rule of the sets, with its position and the length of its text. */
  rules: z.array(
    z.object({
      scope: z.enum(["platform", "community"]),
      community: z.string().nullable(),
      id: z.string(),
      title: z.string(),
      /** Line where it begins in the file, from 1; null: the file has no separate lines for rules. */
      line: z.number().int().nullable(),
      description_words: z.number().int(),
      detail_words: z.number().int(),
    }),
  ),
  /** Parts of the file that are in no rule, in their order. */
  not_placed: z.array(z.object({ line: z.number().int(), text: z.string(), reason: z.string() })),
  written: z.array(z.string()),
});

export type RulesDraft = z.infer<typeof rulesDraftSchema>;

import { z } from "zod";
import { levelSchema } from "./level.js";

/** The content that was decided about: plain text, or a post with parts. */
export const contentSchema = z.union([
  z.string(),
  z.looseObject({
    title: z.string().nullish(),
    body: z.string(),
    kind: z.string().nullish(),
    language: z.string().nullish(),
    context: z.array(z.string()).nullish(),
    url: z.string().nullish(),
    media: z.array(z.unknown()).nullish(),
  }),
]);

export type Content = z.infer<typeof contentSchema>;

export interface ContentParts {
  title: string;
  body: string;
  kind: string | null;
  language: string | null;
  context: readonly string[];
  url: string | null;
  hasMedia: boolean;
}

const NO_CONTEXT: readonly string[] = [];

/** One shape for both forms of content. */
export function contentParts(content: Content): ContentParts {
  if (typeof content === "string") {
    return { title: "", body: content, kind: null, language: null, context: NO_CONTEXT, url: null, hasMedia: false };
  }
  return {
    title: content.title ?? "",
    body: content.body,
    kind: content.kind ?? null,
    language: content.language ?? null,
    context: content.context ?? NO_CONTEXT,
    url: content.url ?? null,
    hasMedia: (content.media?.length ?? 0) > 0,
  };
}

/** Title and body as one text. */
export function contentText(content: Content): string {
  if (typeof content === "string") return content;
  return content.title ? `${content.title}\n${content.body}` : content.body;
}

export const deciderSchema = z.looseObject({
  /** Absent: unknown, as in a log with names only. */
  kind: z.enum(["model", "human", "rule"]).nullish(),
  id: z.string().nullish(),
  confidence: z.number().min(0).max(1).nullish(),
  /** How often each action was proposed, if a model was asked several times. */
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

/** A decision that someone made about some content, under a community's rules. */
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
  /** Author of the content, under the platform's name. Never shown to an auditor; `erase --author` finds decisions by it. */
  author: z.string().nullish(),
  /** Whether the texts written by people were erased. */
  erased: z.boolean().nullish(),
});

export type Decision = z.infer<typeof decisionSchema>;
export type Gold = z.infer<typeof goldSchema>;

/** An earlier decision of a community that later ones may rest on. */
export const precedentSchema = z.looseObject({
  id: z.string().min(1),
  community: z.string().min(1),
  content: contentSchema,
  decision: z.string().min(1),
  rule_id: z.string().nullish(),
  rationale: z.string().nullish(),
  decided_at: z.string().nullish(),
  language: z.string().nullish(),
});

export type Precedent = z.infer<typeof precedentSchema>;

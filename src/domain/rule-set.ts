import { z } from "zod";

/** What sort of sentence a rule is. The paper's *Subjective Content Rules* and *Vague Directives* are among them. */
export const RULE_KINDS = [
  "prohibition",
  "requirement",
  "permission",
  "procedure",
  "subjective_content",
  "vague_directive",
  "discretion",
] as const;

/** How much of a rule's text is given to the auditor: title, + description, + detail. */
export const TIERS = ["title", "sidebar", "wiki"] as const;

export const tierSchema = z.enum(TIERS);
export type Tier = z.infer<typeof tierSchema>;

export const ruleSchema = z.looseObject({
  id: z.string().min(1),
  title: z.string().min(1),
  description: z.string().nullish(),
  detail: z.string().nullish(),
  kind: z.enum(RULE_KINDS).nullish(),
  url: z.string().nullish(),
  never_automate: z.boolean().nullish(),
});

export const ruleSetSchema = z
  .looseObject({
    scope: z.enum(["platform", "community"]),
    community: z.string().min(1).nullish(),
    version: z.string().min(1),
    effective_from: z.string().nullish(),
    rules: z.array(ruleSchema),
  })
  .superRefine((set, context) => {
    if (set.scope === "community" && !set.community) {
      context.addIssue({
        code: "custom",
        path: ["community"],
        message: "a community rule set must name its community",
      });
    }
    const seen = new Set<string>();
    set.rules.forEach((rule, index) => {
      if (seen.has(rule.id)) {
        context.addIssue({
          code: "custom",
          path: ["rules", index, "id"],
          message: `rule id "${rule.id}" is used twice in this set`,
        });
      }
      seen.add(rule.id);
    });
  });

export type Rule = z.infer<typeof ruleSchema>;
export type RuleSet = z.infer<typeof ruleSetSchema>;

/** The text of a rule at a tier. Empty tiers add nothing. */
export function ruleText(rule: Rule, tier: Tier): string {
  const parts = [rule.title];
  if (tier !== "title" && rule.description?.trim()) parts.push(rule.description.trim());
  if (tier === "wiki" && rule.detail?.trim()) parts.push(rule.detail.trim());
  return parts.join("\n");
}

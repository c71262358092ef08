import { z } from "zod";
import { isTime, nearestName } from "../text-checks.js";
import { ruleStatementSchema } from "./statement.js";

/** What sort of sentence a rule is. These include the paper's *Subjective Content Rules* and *Vague Directives*. */
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

/** Prefix of user-defined keys, which are kept but ignored. Every other unknown key is an error. */
const OWN_KEY = /^x[_-]/;

/** Names that other systems use for our keys. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  text: "description",
  body: "description",
  content: "description",
  summary: "description",
  rule: "description",
  name: "title",
  short_name: "title",
  heading: "title",
  details: "detail",
  explanation: "detail",
  examples: "detail",
  type: "kind",
  link: "url",
  subreddit: "community",
  forum: "community",
  forums: "communities",
  subreddits: "communities",
  date: "effective_from",
  since: "effective_from",
  valid_from: "effective_from",
};

/** Rejects keys that nothing reads: a rule with its text under such a key would be shown without it. */
function checkKeys(
  value: Readonly<Record<string, unknown>>,
  shape: Readonly<Record<string, unknown>>,
  path: PropertyKey[],
  context: z.core.$RefinementCtx,
): void {
  const known = Object.keys(shape);
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(shape, key) || OWN_KEY.test(key)) continue;
    const other = OTHER_NAMES[key.toLowerCase()];
    const meant = other && Object.hasOwn(shape, other) ? other : nearestName(key, known);
    const hint =
      meant === null
        ? `expected ${known.join(", ")}, or a key of your own that begins with x_`
        : `did you mean ${meant}?`;
    context.addIssue({ code: "custom", path: [...path, key], message: `unknown key; ${hint}` });
  }
}

/** For JSON Schema, which cannot express `checkKeys`. */
const CLOSED = { additionalProperties: false, patternProperties: { "^x[_-]": {} } };

export const ruleSchema = z
  .looseObject({
    id: z.string().min(1),
    title: z.string().min(1),
    description: z.string().nullish(),
    detail: z.string().nullish(),
    kind: z.enum(RULE_KINDS).nullish(),
    url: z.string().nullish(),
    never_automate: z.boolean().nullish(),
    /** How much harm an indefensible decision that cites this rule does; default 1. */
    harm: z.number().min(0).nullish(),
    /** How removals under it are reported in statements of reasons. */
    statement: ruleStatementSchema.nullish(),
  })
  .meta(CLOSED);

const ruleSetShape = z.looseObject({
  scope: z.enum(["platform", "community"]),
  community: z.string().min(1).nullish(),
  communities: z.array(z.string().min(1)).min(1).nullish(),
  version: z.string().min(1),
  effective_from: z.string().nullish(),
  rules: z.array(ruleSchema),
});

type SetShape = z.infer<typeof ruleSetShape>;

/** One name, or a list of names: never both, and never for the platform, whose rules apply to all. */
function checkCommunities({ scope, community, communities }: SetShape, context: z.core.$RefinementCtx): void {
  const wrong = (key: string, message: string) => context.addIssue({ code: "custom", path: [key], message });
  if (scope === "community" && !community && !communities) {
    wrong("community", "a community rule set must name its community");
  }
  if (!communities) return;
  if (scope === "platform")
    wrong("communities", "the platform's rules hold for every community; expected scope: community");
  if (community) wrong("communities", "got community too; expected one of the two");
  if (new Set(communities).size < communities.length) wrong("communities", "names a community twice");
}

/** An invalid date would leave the set undated and change which rules are in effect. */
function checkDate({ effective_from: from }: SetShape, context: z.core.$RefinementCtx): void {
  if (!from || isTime(from)) return;
  const message = `got "${from}", expected a day such as 2026-01-31`;
  context.addIssue({ code: "custom", path: ["effective_from"], message });
}

export const ruleSetSchema = ruleSetShape
  .superRefine((set, context) => {
    checkKeys(set, ruleSetShape.shape, [], context);
    checkCommunities(set, context);
    checkDate(set, context);
    const seen = new Set<string>();
    set.rules.forEach((rule, index) => {
      checkKeys(rule, ruleSchema.shape, ["rules", index], context);
      if (seen.has(rule.id)) {
        context.addIssue({
          code: "custom",
          path: ["rules", index, "id"],
          message: `rule id "${rule.id}" is used twice in this set`,
        });
      }
      seen.add(rule.id);
    });
  })
  .meta(CLOSED);

export type Rule = z.infer<typeof ruleSchema>;
export type RuleSet = z.infer<typeof ruleSetSchema>;

/** One set for each community that it names. Only file readers handle sets of several communities. */
export function setForEach(set: RuleSet): RuleSet[] {
  const { communities, ...rest } = set;
  if (!communities) return [set];
  const { scope, community: _, ...more } = rest;
  return communities.map((community) => ({ scope, community, ...more }));
}

/** The text of a rule at a tier. Empty tiers add nothing. */
export function ruleText(rule: Rule, tier: Tier): string {
  const parts = [rule.title];
  if (tier !== "title" && rule.description?.trim()) parts.push(rule.description.trim());
  if (tier === "wiki" && rule.detail?.trim()) parts.push(rule.detail.trim());
  return parts.join("\n");
}

/** Two or three tiers from a list such as `title,wiki`, coarsest first. Throws a `RangeError` that says what it expected. */
export function readTiers(text: string): Tier[] {
  const names = text.split(",").map((name) => name.trim());
  const chosen = TIERS.filter((tier) => names.includes(tier));
  if (chosen.length !== names.length || chosen.length < 2 || chosen.some((tier, i) => tier !== names[i])) {
    throw new RangeError(`expected two or three of ${TIERS.join(",")}, in this order.`);
  }
  return chosen;
}

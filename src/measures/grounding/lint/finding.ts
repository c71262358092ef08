import type { Rule, RuleSet } from "../../../core/records/rule-set.js";

/** Everything the lint looks for, in the order of its report. */
export const LINT_CHECKS = [
  "contradiction",
  "duplicate",
  "dangling_reference",
  "catch_all",
  "undefined_term",
  "hedge",
  "elsewhere",
  "empty_tier",
  "often_open",
  "never_cited",
  "language_not_read",
] as const;

export type LintCheck = (typeof LINT_CHECKS)[number];
export type Severity = "error" | "warning" | "note";
/** The part of a rule that a finding is about. */
export type RulePart = "title" | "description" | "detail";

export interface RuleReference {
  scope: "platform" | "community";
  community: string | null;
  rule_id: string;
}

/** One remark on one rule: what stands there, why it matters, and what to do. */
export interface RuleFinding extends RuleReference {
  check: LintCheck;
  severity: Severity;
  version: string;
  part: RulePart | null;
  /** The words it is about. */
  quote: string | null;
  message: string;
  remedy: string;
  /** The other rule, where there are two. */
  other?: RuleReference;
}

/** A rule with the set it stands in. */
export interface PlacedRule {
  set: RuleSet;
  rule: Rule;
}

export function referenceTo({ set, rule }: PlacedRule): RuleReference {
  return { scope: set.scope, community: set.scope === "community" ? (set.community ?? null) : null, rule_id: rule.id };
}

type Remark = Pick<RuleFinding, "check" | "severity" | "message" | "remedy"> &
  Partial<Pick<RuleFinding, "part" | "quote" | "other">>;

export function finding(placed: PlacedRule, remark: Remark): RuleFinding {
  return { ...referenceTo(placed), version: placed.set.version, part: null, quote: null, ...remark };
}

const PARTS: readonly RulePart[] = ["title", "description", "detail"];

/** The parts that have text. */
export function partsOf(rule: Rule): { part: RulePart; text: string }[] {
  return PARTS.map((part) => ({ part, text: rule[part]?.trim() ?? "" })).filter(({ text }) => text !== "");
}

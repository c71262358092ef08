import { z } from "zod";
import values from "../../../data/dsa-values.json" with { type: "json" };

const oneOf = (list: readonly string[]) => z.enum(list as [string, ...string[]]);

/** Values that the DSA Transparency Database accepts (`data/dsa-values.json`, with the date they were retrieved). */
export const DSA = {
  decision_visibility: oneOf(values.decision_visibility),
  decision_monetary: oneOf(values.decision_monetary),
  decision_provision: oneOf(values.decision_provision),
  decision_account: oneOf(values.decision_account),
  account_type: oneOf(values.account_type),
  decision_ground: oneOf(values.decision_ground),
  content_type: oneOf(values.content_type),
  category: oneOf(values.category),
  category_specification: oneOf(values.category_specification),
  source_type: oneOf(values.source_type),
  automated_decision: oneOf(values.automated_decision),
  yes_no: oneOf(values.yes_no),
  country: oneOf(values.eea),
};

const EU: readonly string[] = values.eu;
const EEA: readonly string[] = values.eea;

/** The category of rules without one. */
export const DEFAULT_CATEGORY = "STATEMENT_CATEGORY_OTHER_VIOLATION_TC";

const countries = z.union([z.enum(["EU", "EEA"]), z.array(DSA.country).min(1)]);

/** A single value may be written without a list. */
const visibility = z.union([
  DSA.decision_visibility.transform((one) => [one]),
  z.array(DSA.decision_visibility).min(1),
]);

/** How removals under a rule are reported: part of a rule. */
export const ruleStatementSchema = z.strictObject({
  category: DSA.category.optional(),
  keywords: z.array(DSA.category_specification).min(1).optional(),
  /** The law that the rule restates: content that breaks it is illegal. */
  law: z.string().trim().min(1).max(500).optional(),
});

/** Duration of a restriction without an end, which is an empty field in the database. */
export const INDEFINITE = "indefinite";

/** Complaint to the platform (Article 20), out-of-court dispute settlement (Article 21), court. */
export const REDRESS = ["complaint", "settlement", "court"] as const;

/** `statements` in `defensible.yaml`: information that only the platform has. */
export const statementsConfigSchema = z.strictObject({
  /** Where restrictions apply. */
  territorial_scope: countries.optional(),
  /** How content comes to attention, if a decision does not say. */
  source_type: DSA.source_type.optional(),
  /** What the restricting action does, if it is not called `remove`; with several, the mildest that restricts. */
  decision_visibility: visibility.optional(),
  /** What each action does. */
  actions: z
    .record(
      z.string(),
      z.strictObject({
        decision_visibility: visibility.optional(),
        decision_monetary: DSA.decision_monetary.optional(),
        decision_provision: DSA.decision_provision.optional(),
        decision_account: DSA.decision_account.optional(),
        duration: z.literal(INDEFINITE).optional(),
      }),
    )
    .optional(),
  /** Restrictions have no end unless a decision gives one; the settings of an action take precedence. */
  duration: z.literal(INDEFINITE).optional(),
  /** Where people complain: a web or e-mail address. */
  complaint: z.string().trim().min(1).max(500).optional(),
  /** What people can do against a restriction. Small platforms only have to offer the last (Article 19). */
  redress: z.array(z.enum(REDRESS)).min(1).optional(),
});

export type StatementsConfig = z.infer<typeof statementsConfigSchema>;

/** `the European Union`, `DE, FR`. */
export function nameOfScope(codes: readonly string[]): string {
  const isAll = (list: readonly string[]) => list.length === codes.length && list.every((one) => codes.includes(one));
  if (isAll(EU)) return "the European Union";
  return isAll(EEA) ? "the European Economic Area" : codes.join(", ");
}

/** A list of countries, as written in settings. */
export function countriesOf(scope: "EU" | "EEA" | readonly string[]): string[] {
  if (scope === "EU") return [...EU];
  return scope === "EEA" ? [...EEA] : [...new Set(scope)].sort();
}

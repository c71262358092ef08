import { z } from "zod";
import { DSA } from "../../core/records/statement.js";
import { isTime } from "../../core/text-checks.js";

const text = (most: number) => z.string().trim().min(1).max(most);
const list = <T extends z.ZodType>(item: T) => z.array(item).min(1);

/** A day from `first` on. The database accepts none after 2038-01-01. */
const day = (first: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, "expected a day such as 2026-01-31")
    .refine((value) => isTime(value), "the calendar has no such day")
    .refine((value) => value >= first && value <= "2038-01-01", `expected ${first} to 2038-01-01`);

const LANGUAGES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** Fields of a submission to the DSA Transparency Database, under its names. For the required ones see `dsaStatementSchema`. */
export const dsaFieldsSchema = z.strictObject({
  decision_visibility: list(DSA.decision_visibility).optional(),
  decision_visibility_other: text(500).optional(),
  decision_monetary: DSA.decision_monetary.optional(),
  decision_monetary_other: text(500).optional(),
  decision_provision: DSA.decision_provision.optional(),
  decision_account: DSA.decision_account.optional(),
  account_type: DSA.account_type.optional(),
  decision_ground: DSA.decision_ground.optional(),
  decision_ground_reference_url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
  illegal_content_legal_ground: text(500).optional(),
  illegal_content_explanation: text(2000).optional(),
  incompatible_content_ground: text(500).optional(),
  incompatible_content_explanation: text(2000).optional(),
  incompatible_content_illegal: DSA.yes_no.optional(),
  content_type: list(DSA.content_type).optional(),
  content_type_other: text(500).optional(),
  category: DSA.category.optional(),
  category_addition: list(DSA.category).optional(),
  category_specification: list(DSA.category_specification).optional(),
  category_specification_other: text(500).optional(),
  territorial_scope: list(DSA.country).optional(),
  content_language: z
    .string()
    .regex(/^[A-Z]{2}$/, "expected an ISO 639-1 code in capitals")
    .refine((code) => LANGUAGES.of(code.toLowerCase()) !== undefined, "no language has this code")
    .optional(),
  content_date: day("2000-01-01").optional(),
  application_date: day("2020-01-01").optional(),
  end_date_visibility_restriction: day("2020-01-01").optional(),
  end_date_monetary_restriction: day("2020-01-01").optional(),
  end_date_service_restriction: day("2020-01-01").optional(),
  end_date_account_restriction: day("2020-01-01").optional(),
  decision_facts: text(5000).optional(),
  source_type: DSA.source_type.optional(),
  source_identity: text(500).optional(),
  automated_detection: DSA.yes_no.optional(),
  automated_decision: DSA.automated_decision.optional(),
  puid: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,500}$/)
    .optional(),
  content_id: z.strictObject({ "EAN-13": z.string().regex(/^\d{13}$/) }).optional(),
});

export type DsaFields = z.infer<typeof dsaFieldsSchema>;
export type DsaField = keyof DsaFields;

/** Fields of every submission. The documentation requires `territorial_scope`; the database's code allows it to be empty. */
const ALWAYS = [
  ...["decision_ground", "content_type", "category", "territorial_scope", "content_date", "application_date"],
  ...["decision_facts", "source_type", "automated_detection", "automated_decision", "puid"],
] as const;

/** What a decision restricts: content, payments, the service, an account. */
export const RESTRICTIONS = [
  "decision_visibility",
  "decision_monetary",
  "decision_provision",
  "decision_account",
] as const;
/** The end of each restriction. The database reads an empty one as unlimited. */
export const END_OF = {
  decision_visibility: "end_date_visibility_restriction",
  decision_monetary: "end_date_monetary_restriction",
  decision_provision: "end_date_service_restriction",
  decision_account: "end_date_account_restriction",
} as const;
const ENDS = ["visibility", "monetary", "service", "account"] as const;

/** Required fields that a submission lacks, given those it has. */
export function requiredFields(fields: DsaFields): DsaField[] {
  const needed: DsaField[] = [...(ALWAYS as readonly DsaField[])];
  if (!RESTRICTIONS.some((name) => fields[name] !== undefined)) needed.push("decision_visibility");
  if (fields.decision_visibility?.includes("DECISION_VISIBILITY_OTHER")) needed.push("decision_visibility_other");
  if (fields.decision_monetary === "DECISION_MONETARY_OTHER") needed.push("decision_monetary_other");
  if (fields.content_type?.includes("CONTENT_TYPE_OTHER")) needed.push("content_type_other");
  if (fields.decision_ground === "DECISION_GROUND_ILLEGAL_CONTENT")
    needed.push("illegal_content_legal_ground", "illegal_content_explanation");
  if (fields.decision_ground === "DECISION_GROUND_INCOMPATIBLE_CONTENT")
    needed.push("incompatible_content_ground", "incompatible_content_explanation");
  return needed.filter((name) => fields[name] === undefined);
}

/** A submission that the database would accept by its published rules. Only the database knows whether a `puid` is new. */
export const dsaStatementSchema = dsaFieldsSchema.superRefine((fields, context) => {
  const wrong = (path: DsaField, message: string) => context.addIssue({ code: "custom", path: [path], message });
  for (const name of requiredFields(fields)) wrong(name, "required");
  if (fields.application_date === undefined) return;
  for (const name of endsBefore(fields, fields.application_date)) wrong(name, "ends before it begins");
});

/** Ends of restrictions before a given day. */
export function endsBefore(fields: DsaFields, begin: string): DsaField[] {
  return ENDS.map((what) => `end_date_${what}_restriction` as const).filter((name) => (fields[name] ?? begin) < begin);
}

import { z } from "zod";
import { type Content, contentParts, type Decision } from "../../core/records/decision.js";
import { INDEFINITE } from "../../core/records/statement.js";
import { isTime } from "../../core/text-checks.js";
import { type DsaField, type DsaFields, dsaFieldsSchema, endsBefore } from "./dsa-schema.js";

/** Fields that a decision may provide in `statement`, because only the platform knows them. Free text is excluded. */
const { shape } = dsaFieldsSchema;
const GIVEN = {
  decision_visibility: shape.decision_visibility,
  decision_monetary: shape.decision_monetary,
  decision_provision: shape.decision_provision,
  decision_account: shape.decision_account,
  account_type: shape.account_type,
  content_type: shape.content_type,
  category: shape.category,
  category_addition: shape.category_addition,
  category_specification: shape.category_specification,
  territorial_scope: shape.territorial_scope,
  content_language: shape.content_language,
  content_date: shape.content_date,
  application_date: shape.application_date,
  end_date_visibility_restriction: shape.end_date_visibility_restriction,
  end_date_monetary_restriction: shape.end_date_monetary_restriction,
  end_date_service_restriction: shape.end_date_service_restriction,
  end_date_account_restriction: shape.end_date_account_restriction,
  source_type: shape.source_type,
  automated_detection: shape.automated_detection,
  automated_decision: shape.automated_decision,
} as const;

/** Member names that may be repeated in a list of errors. */
const PLAIN_NAME = /^[a-z_]{1,64}$/i;

/** The fields that a decision provides, and those that cannot be used: values that the database would refuse, unknown members. */
export function givenFields(statement: unknown): {
  fields: DsaFields;
  /** Ends given as `indefinite`. */
  indefinite: DsaField[];
  invalid: DsaField[];
  unknown: string[];
} {
  const record = z.record(z.string(), z.unknown()).nullish().safeParse(statement);
  if (!record.success) return { fields: {}, indefinite: [], invalid: [], unknown: ["statement"] };
  const fields: Record<string, unknown> = {};
  const indefinite: DsaField[] = [];
  const invalid: DsaField[] = [];
  const unknown = new Set<string>();
  for (const [name, value] of Object.entries(record.data ?? {})) {
    if (value === undefined || value === null) continue;
    if (!Object.hasOwn(GIVEN, name)) {
      const isUsed = name === "account_language" && languageTag(value) !== null;
      if (!isUsed) unknown.add(PLAIN_NAME.test(name) ? `statement.${name}` : "statement");
      continue;
    }
    if (value === INDEFINITE && name.startsWith("end_date_")) {
      indefinite.push(name as DsaField);
      continue;
    }
    const read = GIVEN[name as keyof typeof GIVEN].safeParse(value);
    if (read.success) fields[name] = Array.isArray(read.data) ? [...new Set<string>(read.data)] : read.data;
    else invalid.push(name as DsaField);
  }
  return { fields: fields as DsaFields, indefinite, invalid, unknown: [...unknown] };
}

/** Fields without those that contradict another: an end before the beginning, or content or a restriction with a date too late to be true. */
export function withoutContradictions(
  given: DsaFields,
  today: string,
): { fields: DsaFields; contradictory: DsaField[] } {
  const { category, category_addition: all, ...rest } = given;
  const others = [...new Set(all)].filter((one) => one !== category);
  const fields: DsaFields = {
    ...rest,
    ...(category !== undefined && { category }),
    ...(others.length > 0 && { category_addition: others }),
  };
  const contradictory: DsaField[] = [];
  const drop = (name: DsaField) => {
    delete fields[name];
    contradictory.push(name);
  };
  // A day of slack: the platform's days are not those of UTC.
  const { application_date: begin, content_date: made } = given;
  if (begin !== undefined && begin > dayAfter(today)) drop("application_date");
  if (made !== undefined && made > dayAfter(begin ?? today)) drop("content_date");
  if (begin !== undefined) for (const name of endsBefore(given, begin)) drop(name);
  return { fields, contradictory };
}

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/**
 * Whether automated means were used.
 * - A person who decides is no automated means, but a gate that chose beforehand whether a person looks is; a routing after the decision had no part
 *   in it. If the time of the decision is unknown, so is their order.
 * - What a model or a rule decided without a review is fully automated; while it waits for review, this is unknown.
 * - Without a routing it is unknown whether a person looked at a model's decision. A rule acts by itself, on what it found by itself.
 * - An appeal comes after the decision and says nothing about how it was taken.
 */
export function automated({
  decision,
  route,
  routed_at,
  reviewed,
}: {
  decision: Decision;
  route: "automate" | "review" | null;
  routed_at?: string | null;
  reviewed: boolean;
}): DsaFields {
  const kind = decision.decider?.kind ?? null;
  if (kind === null) return {};
  if (kind === "human") {
    const isRouted = (route !== null || Boolean(routed_at)) && !isLater(routed_at, decision.decided_at);
    if (isRouted && !isTime(decision.decided_at)) return {};
    return { automated_decision: `AUTOMATED_DECISION_${isRouted ? "PARTIALLY" : "NOT_AUTOMATED"}` };
  }
  const detection = kind === "rule" ? { automated_detection: "Yes" } : {};
  if (route === null && kind === "model") return {};
  if (route === "review") {
    return { ...detection, ...(reviewed && { automated_decision: "AUTOMATED_DECISION_PARTIALLY" }) };
  }
  return { ...detection, automated_decision: "AUTOMATED_DECISION_FULLY" };
}

/** Whether a time is known to be after another. If the other is only a day, its end counts. */
export function isLater(time: string | null | undefined, other: string | null | undefined): boolean {
  if (!isTime(time) || !isTime(other)) return false;
  return Date.parse(time) > Date.parse(other.length === 10 ? `${other}T23:59:59.999Z` : other);
}

const MEDIA: Readonly<Record<string, string>> = {
  image: "CONTENT_TYPE_IMAGE",
  photo: "CONTENT_TYPE_IMAGE",
  gif: "CONTENT_TYPE_IMAGE",
  gifv: "CONTENT_TYPE_VIDEO",
  video: "CONTENT_TYPE_VIDEO",
  audio: "CONTENT_TYPE_AUDIO",
};

/** Text, and media of a recorded kind. With media of another kind the list would be incomplete and is left out. */
export function contentTypes(content: Content): DsaFields {
  const { title, body } = contentParts(content);
  const media = typeof content === "string" ? [] : (content.media ?? []);
  const kinds = media.map((one) => {
    const kind = typeof one === "string" ? one : (one as { type?: unknown; kind?: unknown } | null)?.type;
    return MEDIA[String(kind).toLowerCase().split("/")[0]!];
  });
  const types = [...(`${title}${body}`.trim() ? ["CONTENT_TYPE_TEXT"] : []), ...kinds];
  if (types.length === 0 || types.includes(undefined)) return {};
  return { content_type: [...new Set(types as string[])].sort() };
}

/** The day of a time (UTC), if the database accepts it. */
export function dayOf(field: "application_date", time: string | null | undefined): DsaFields {
  if (!isTime(time)) return {};
  const at =
    time.length === 10 || /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(time.slice(16)) ? time : `${time.replace(" ", "T")}Z`;
  const day = new Date(at).toISOString().slice(0, 10);
  return shape[field].safeParse(day).success ? { [field]: day } : {};
}

/** The language of the content: as recorded, else as the audit found it. */
export function languageOf(
  { content }: Pick<Decision, "content">,
  audit: { language?: string | null | undefined },
): { language: string | null; field: DsaFields } {
  const language = languageTag(contentParts(content).language) ?? languageTag(audit.language);
  const code = language?.split("-")[0]?.toUpperCase() ?? "";
  const read = shape.content_language.safeParse(code);
  return { language, field: read.success && read.data ? { content_language: read.data } : {} };
}

/** The language of the account, if the decision provides it. */
export function accountLanguage({ statement }: Decision): string | null {
  return languageTag((statement as { account_language?: unknown } | null | undefined)?.account_language);
}

/** `de`, `pt-BR`; null: not a language tag. */
function languageTag(value: unknown): string | null {
  const tag = typeof value === "string" ? value.trim().replaceAll("_", "-") : "";
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag) ? tag : null;
}

/** Members of a decision or its content under which other systems name people. */
const PERSON =
  /^(?:author|user|username|account|handle|owner|poster|recipient|reporter|name|display_name)(?:_?(?:id|name))?$/i;

/** Names of people in a decision. */
export function personsOf(decision: Decision): string[] {
  const content = typeof decision.content === "string" ? {} : decision.content;
  const own = [decision, content].flatMap((record) =>
    Object.entries(record).flatMap(([key, value]) => (PERSON.test(key) ? textsIn(value) : [])),
  );
  const decider = decision.decider?.kind === "human" && decision.decider.id ? [decision.decider.id] : [];
  return [...own, ...decider].filter((name) => name.trim().length > 1);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).filter((one): one is string => typeof one === "string");
}

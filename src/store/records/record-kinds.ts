import type { z } from "zod";
import { LABEL_DRAWS } from "../../core/names.js";
import { decisionSchema, precedentSchema } from "../../core/records/decision.js";
import { labelSchema, OUTCOME_SOURCES, OUTCOMES, outcomeSchema } from "../../core/records/label.js";

export type RecordKind = "decisions" | "precedents" | "labels" | "outcomes";

export type RecordObject = Record<string, unknown>;

type FieldType =
  | "text"
  | "time"
  /** Also text, but Unix time is accepted. */
  | "moment"
  | "id"
  | "action"
  | "choice"
  | "share"
  | "chance"
  | "boolean"
  | "level"
  | "texts"
  | "list"
  | "content"
  | "object";

/** A field of a record, for code that needs its type without the cost of a schema: typing, checking, ordering, columns. */
export interface Field {
  name: string;
  /** Dotted path from the top of the record. */
  path: string;
  type: FieldType;
  required: boolean;
  /** For a choice. */
  values: readonly string[];
  /** For an object, and for content with parts. */
  fields: Fields | null;
}

/** In canonical order. */
export interface Fields {
  list: readonly Field[];
  byName: ReadonlyMap<string, Field>;
}

interface Shape {
  [name: string]: Exclude<FieldType, "choice" | "object" | "content"> | readonly string[] | Shape;
}

const CONTENT: Shape = {
  title: "text",
  body: "text",
  kind: "text",
  language: "text",
  context: "texts",
  url: "text",
  media: "list",
};

const DECISION: Shape = {
  id: "id",
  community: "id",
  content: CONTENT,
  decision: "action",
  human_label: "action",
  decider: { kind: ["model", "human", "rule"], id: "id", confidence: "share" },
  rationale: "text",
  cited_rule: "id",
  decided_at: "moment",
  ruleset_version: "id",
  thread_id: "id",
  appeal: { filed_at: "moment", text: "text", outcome: ["upheld", "overturned", "pending"] },
  gold: { level: "level", inverse: "boolean", rule_ids: "texts", note: "text" },
  tags: "texts",
  author: "id",
  erased: "boolean",
};

const PRECEDENT: Shape = {
  id: "id",
  community: "id",
  content: CONTENT,
  decision: "action",
  rule_id: "id",
  rationale: "text",
  decided_at: "moment",
  language: "text",
};

const LABEL: Shape = {
  decision_id: "id",
  level: "level",
  inverse: "boolean",
  rater: "id",
  source: ["human", "gold", "auditor"],
  rated_at: "moment",
  drawn: LABEL_DRAWS,
  inclusion: "chance",
  stratum: "text",
  frame: "id",
};

const OUTCOME: Shape = {
  decision_id: "id",
  outcome: OUTCOMES,
  level: "level",
  inverse: "boolean",
  reviewer: "id",
  saw_audit: "boolean",
  source: OUTCOME_SOURCES,
  at: "time",
};

export interface KindOfRecord {
  kind: RecordKind;
  /** Singular, for messages. */
  noun: string;
  fields: Fields;
  schema: z.ZodType;
  /** Two records with the same identity must be the same record. */
  identity(record: RecordObject): string;
  /** The identity in words, for messages. */
  identityName: string;
}

export const RECORD_KINDS: Record<RecordKind, KindOfRecord> = {
  decisions: {
    kind: "decisions",
    noun: "decision",
    fields: compile(DECISION, "", [
      "id",
      "community",
      "content",
      "content.body",
      "decision",
      "gold.level",
      "gold.inverse",
      "gold.rule_ids",
    ]),
    schema: decisionSchema,
    identity: (record) => record.id as string,
    identityName: "id",
  },
  precedents: {
    kind: "precedents",
    noun: "precedent",
    fields: compile(PRECEDENT, "", ["id", "community", "content", "content.body", "decision"]),
    schema: precedentSchema,
    identity: (record) => record.id as string,
    identityName: "id",
  },
  labels: {
    kind: "labels",
    noun: "label",
    fields: compile(LABEL, "", ["decision_id", "level", "source"]),
    schema: labelSchema,
    identity: ({ decision_id, source, rater, drawn, frame }) =>
      JSON.stringify([decision_id, source, rater ?? null, drawn ?? null, frame ?? null]),
    identityName: "decision_id, source, rater, drawn and frame",
  },
  outcomes: {
    kind: "outcomes",
    noun: "outcome",
    fields: compile(OUTCOME, "", ["decision_id", "outcome", "at"]),
    schema: outcomeSchema,
    identity: ({ decision_id, reviewer, source, at }) =>
      JSON.stringify([decision_id, reviewer ?? null, source ?? "review", at]),
    identityName: "decision_id, reviewer, source and at",
  },
};

function compile(shape: Shape, prefix: string, required: readonly string[]): Fields {
  const list = Object.entries(shape).map(([name, spec]): Field => {
    const path = prefix + name;
    const base = { name, path, required: required.includes(path), values: [], fields: null };
    if (typeof spec === "string") return { ...base, type: spec };
    if (Array.isArray(spec)) return { ...base, type: "choice", values: spec };
    const fields = compile(spec as Shape, `${path}.`, required);
    return { ...base, type: spec === CONTENT ? "content" : "object", fields };
  });
  return { list, byName: new Map(list.map((field) => [field.name, field])) };
}

/** The field at a dotted path, or null if the format does not define it. */
export function fieldAt(fields: Fields, path: readonly string[]): Field | null {
  let at: Fields | null = fields;
  let field: Field | null = null;
  for (const step of path) {
    field = at?.byName.get(step) ?? null;
    at = field?.fields ?? null;
  }
  return field;
}

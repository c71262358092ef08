import type { HashedSort, KeyedHash } from "../../store/files/redaction-key.js";
import { redactedName } from "./own-words.js";
import { isContentKind, isDate, isLanguageCode } from "./plain-codes.js";

/** Fields of decisions whose values are names that stay. */
const NAMES = new Set(["id", "community", "decision", "human_label"]);

const SORTS: readonly [RegExp, HashedSort][] = [
  [/^(?:content\.)?language$/, "language"],
  [/^(?:content\.)?kind$/, "kind"],
  [/^tags$/, "tag"],
  [/^(?:decider\.id|rater|author)$/, "person"],
  [/^content/, "content"],
  [/^rationale$/, "rationale"],
  [/^(?:cited_rule|gold\.rule_ids)$/, "rule"],
  [/^ruleset_version$/, "version"],
];

/** A filter says `field=value`. `sort`: what the value is, null where it may be shown. */
export function filterParts(filter: string): {
  field: string;
  operator: string;
  value: string;
  sort: HashedSort | null;
} {
  const [, field = "", operator = "", asked = ""] = /^\s*([^=!\s]+)\s*(!?=)(.*)$/s.exec(filter) ?? [];
  if (operator === "") return { field, operator, value: filter, sort: "filter" };
  const value = asked.trim();
  const [, sort = "filter" as const] = SORTS.find(([pattern]) => pattern.test(field)) ?? [];
  const isCode =
    value === "*" ||
    NAMES.has(field) ||
    (sort === "language" && isLanguageCode(value)) ||
    (sort === "kind" && isContentKind(value)) ||
    (field === "decided_at" && isDate(value));
  return { field, operator, value, sort: isCode ? null : sort };
}

/** Which decisions were audited: the value of a filter may be anybody's, an author, a tag, a sentence. */
export function redactSelection<Selection extends { filters?: unknown }>(
  selection: Selection,
  hashOf: KeyedHash,
): Selection {
  const { filters } = selection;
  if (!Array.isArray(filters)) return selection;
  return {
    ...selection,
    filters: filters.map((filter) => {
      const { field, operator, value, sort } = filterParts(String(filter));
      return sort === null ? filter : `${field}${operator}${redactedName(value, hashOf, sort)}`;
    }),
  };
}

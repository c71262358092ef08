import { createHmac } from "node:crypto";
import data from "../../../data/redaction.json" with { type: "json" };
import { modelFamily } from "../../core/model-family.js";
import { ERASED, NO_RULES } from "../../core/names.js";
import { RULE_KINDS } from "../../core/records/rule-set.js";
import { UNSCORED_CODES } from "../../measures/signals/extract-sampled.js";

/**
 * What a hash is of. Each sort is hashed apart from the others: an author of content could otherwise write the name of a moderator, and know
 * the moderator again by the hash.
 */
export const HASHED_SORTS = [
  "content",
  "rationale",
  "appeal",
  "note",
  "reasoning",
  "citation",
  "person",
  "rule",
  "language",
  "kind",
  "tag",
  "filter",
  "version",
  "source",
  "reason",
  "name",
] as const;
export type HashedSort = (typeof HASHED_SORTS)[number];

/** By which a text of some sort is known again. */
export type KeyedHash = (text: string, sort: HashedSort) => string;

/**
 * 16 hexadecimal digits by which a text is known again among those of its sort. With a secret key (HMAC-SHA-256), because a plain hash of a short
 * text is found by trying: a reader of the report could hash every likely comment, name or number and compare.
 */
export function keyedHash(key: Buffer): KeyedHash {
  // No sort holds a NUL, so that no two pairs of sort and text are one.
  return (text, sort) => createHmac("sha256", key).update(`${sort}\0${text}`, "utf8").digest("hex").slice(0, 16);
}

/** A value that a person may have made up: the same one is known again. */
export function redactedName(text: string, hashOf: KeyedHash, sort: HashedSort): string {
  const what = sort === "person" || sort === "rule" || sort === "version" ? sort : "redacted";
  return `${what} ${hashOf(text, sort).slice(0, 8)}`;
}

/** A code as it is, anything else by its hash. A plus joins the versions of two rule sets, which an audit's is made of. */
export function shownName(text: string, hashOf: KeyedHash, sort: HashedSort): string {
  const shown = (part: string) => (isCode(part, sort) ? part : redactedName(part, hashOf, sort));
  return sort === "version" ? text.split("+").map(shown).join("+") : shown(text);
}

/** The id of a rule that only audits name: it may be in a person's own words. The same rule stays one rule. */
export function plainRuleId(id: string, hashOf: KeyedHash): string {
  return /^[\w.:/-]{1,60}$/.test(id) ? id : redactedName(id, hashOf, "rule");
}

const KINDS = new Set<string>([...RULE_KINDS, "not stated", ...wordsOf(data.content_kinds)]);
const FAMILIES = wordsOf(data.model_families);
const ARCHETYPES = wordsOf(data.archetypes);
const OWN_SOURCES = new Set(data.own_sources);
const ERRORS = new Set<string>(["auditor_failed", NO_RULES, ERASED, ...UNSCORED_CODES]);

/** The words of a list in `data/redaction.json`, which says what may leave in a redacted report. */
export function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

/** Sorts of names that are told apart from codes, next to those that are hashed. */
type CodeSort = HashedSort | "date" | "model" | "error";

const CODES: Partial<Record<CodeSort, (text: string) => boolean>> = {
  language: isLanguageCode,
  kind: (text) => KINDS.has(text.toLowerCase()),
  source: (name) => RUN.test(name) || OWN_SOURCES.has(name),
  version: (text) => /^v?\d{1,8}(?:[.-]\d{1,8})*$/.test(text) || text === "-",
  name: (text) => isDate(text) || isArchetype(text),
  note: (text) => isDate(text) || isArchetype(text),
  date: isDate,
  // Models that are publicly known; what an operator calls a bot is the operator's word.
  model: (id) => /^[\w.:/-]{1,60}$/.test(id) && FAMILIES.has(modelFamily(id) ?? ""),
  error: (code) => ERRORS.has(code),
};

/** Words of fixed vocabularies are not private. */
export function isCode(text: string, sort: CodeSort): boolean {
  // Where nothing is known of a field, the program says so.
  if (text === "unknown" && sort !== "content" && sort !== "model") return true;
  return CODES[sort]?.(text) ?? false;
}

/** Names of runs, as reports give them. */
const RUN = /^(?:run )?\d{8}T\d{6}Z-[0-9a-f]+(?:, .{1,20})?$/;

const TAG = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?$/i;

/** Only names that are known are given: what it makes up for another code would be the code. */
const LANGUAGES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** A BCP 47 tag of a language that there is, with script and region at most: "pt", "pt-BR", "zh_Hant". "bob" is not one. */
function isLanguageCode(name: string): boolean {
  const [, language] = TAG.exec(name) ?? [];
  if (language === undefined) return false;
  return /^(?:und|mul|zxx|mis)$/i.test(language) || LANGUAGES.of(language.toLowerCase()) !== undefined;
}

/** A day or a moment in the form of ISO 8601, and nothing after it. */
function isDate(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/.test(text) &&
    !Number.isNaN(Date.parse(text.slice(0, 10)))
  );
}

/** How the attacks that `attack build` makes are called; in another's file a manner may have any name. */
export function isArchetype(manner: string): boolean {
  return ARCHETYPES.has(manner) || (manner.startsWith("gloss_") && isLanguageCode(manner.slice("gloss_".length)));
}

import { createHmac } from "node:crypto";
import data from "../../../data/redaction.json" with { type: "json" };
import type { GateKey } from "../../core/gate.js";
import { modelFamily } from "../../core/model-family.js";
import { ERASED, NO_RULES } from "../../core/names.js";
import type { Citation } from "../../core/records/audit.js";
import { RULE_KINDS } from "../../core/records/rule-set.js";
import type { Report } from "../../core/results/report.js";
import { joinKey, splitKey } from "../../measures/gate/route/reasons.js";
import type { PageRuleSet, PageText } from "../../measures/report-page.js";
import { UNSCORED_CODES } from "../../measures/signals/extract-sampled.js";
import { tokenise } from "../../text/words.js";
import { whole as wholeNumber } from "../words/numbers.js";

/** How text by people and models appears on a page: unchanged or redacted. */
export interface Writing {
  redacted: boolean;
  /** Content, reasons, notes. `most`: characters shown. */
  text(whole: string, most: number, sort: HashedSort): PageText;
  /** What an auditor cited for a decision of a community; it may quote a rule or the content. */
  cited(whole: string, most: number, citation: Citation | null, community: string): PageText;
  /** The tokens of a citation. */
  tokens(tokens: [string, number][], citation: Citation | null, community: string): [string | null, number][];
  /** An error message, which may quote an answer. */
  message(whole: string, most: number): string;
  /** A word that may be from a fixed vocabulary; null if it is not and must not be shown. */
  code(text: string, sort: "kind" | "date" | "error" | "model"): string | null;
  /** A name that stays the same for the same person, language or version. A version is `<platform>+<community>`, or one rule set's. */
  name(text: string, sort: "person" | "language" | "version"): string;
  /** The id of a rule as named by a person. */
  ruleId(id: string, community: string): string | null;
  /** The id of a rule that an auditor cites. */
  citedRule(id: string, community: string): string;
}

const same = (text: string) => text;

/** Everything unchanged, as far as there is room. */
export const shownWriting: Writing = {
  redacted: false,
  text: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  cited: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  tokens: (tokens) => tokens,
  message: cutText,
  code: same,
  name: same,
  ruleId: same,
  citedRule: same,
};

/** The beginning of a text, never cut inside a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const before = text.charCodeAt(most - 1);
  const end = before >= 0xd800 && before <= 0xdbff ? most - 1 : most;
  // Copied through a buffer: a slice would keep the whole text in memory.
  return Buffer.from(text.slice(0, Math.max(0, end)), "utf16le").toString("utf16le");
}

/** Words with which an auditor refers to a rule: "Community rule R3". */
const REFERENCE = ["community", "platform", "rule", "rules"];

/**
 * Nothing that an author, a moderator, a rater or an auditor wrote: only its length, and a keyed hash by which the same text is recognized. A
 * citation is shown if every word of it is in the rules of the platform or of the community, since rules are public; one that rests on precedents, or
 * on nothing, may quote content.
 */
export function redactedWriting(ruleSets: readonly PageRuleSet[], hashOf: KeyedHash): Writing {
  const rulesOf = rulesOfCommunities(ruleSets);
  const isRule = (id: string, community: string) => rulesOf(community).ids.has(id);
  const isOfRules = (text: string, citation: Citation | null, community: string) =>
    restsOnRules(citation) && isCovered(text, rulesOf(community).words);
  const redact = (whole: string, sort: HashedSort): PageText => ({
    text: null,
    length: whole.length,
    hash: hashOf(whole, sort),
  });
  return {
    redacted: true,
    text: (whole, _, sort) => redact(whole, sort),
    cited: (whole, most, citation, community) =>
      isOfRules(whole, citation, community)
        ? { text: cutText(whole, most), length: whole.length }
        : redact(whole, "citation"),
    tokens: (tokens, citation, community) => {
      const shown = isOfRules(tokens.map(([text]) => text).join(""), citation, community);
      return shown ? tokens : tokens.map(([, bits]) => [null, bits]);
    },
    message: (whole) => `redacted, ${wholeNumber(whole.length)} characters`,
    code: (text, sort) => (isCode(text, sort) ? text : null),
    name: (text, sort) => shownName(text, hashOf, sort),
    ruleId: (id, community) => (isRule(id, community) ? id : null),
    citedRule: (id, community) => (isRule(id, community) ? id : plainRuleId(id, hashOf)),
  };
}

function restsOnRules(citation: Citation | null): boolean {
  return (
    citation?.grounded === true && citation.overlap === 1 && ["platform", "community", "mixed"].includes(citation.scope)
  );
}

interface KnownRules {
  words: ReadonlySet<string>;
  ids: ReadonlySet<string>;
}

/** The words and ids of the rules that apply to a community's decisions. */
function rulesOfCommunities(sets: readonly PageRuleSet[]): (community: string) => KnownRules {
  const known = new Map<string, KnownRules>();
  const read = (community: string): KnownRules => {
    const rules = sets.flatMap((set) => (set.community === null || set.community === community ? set.rules : []));
    const texts = rules.flatMap(({ id, title, description, detail }) => [id, title, description ?? "", detail ?? ""]);
    return { words: new Set([...REFERENCE, ...texts.flatMap(tokenise)]), ids: new Set(rules.map(({ id }) => id)) };
  };
  return (community) => {
    if (!known.has(community)) known.set(community, read(community));
    return known.get(community)!;
  };
}

/** A symbol that is neither letter, digit nor punctuation is no token but may still reveal something. */
function isCovered(text: string, words: ReadonlySet<string>): boolean {
  return !/[^\p{L}\p{N}\p{M}\p{P}\s]/u.test(text) && tokenise(text).every((word) => words.has(word));
}

/**
 * Names of a gate's cohorts without private words: the workspace's communities, actions and rules stay; a language, or a rule that only audits name,
 * may be a sentence and is hashed, as everywhere in a redacted report.
 */
export function redactedKeys(
  { communities, rules }: Pick<Report, "communities" | "rules">,
  by: readonly GateKey[],
  hashOf: KeyedHash,
): (key: string) => string {
  const names = communities.map(({ community }) => community);
  // A rule with a title is one of the workspace's. A key by rule alone names it in this form.
  const known = new Set(
    rules.flatMap(({ community, rule_id, title }) => (title === null ? [] : [`${community ?? "platform"} ${rule_id}`])),
  );
  const shownRule = (part: string, community: string | undefined): string => {
    if (part === "no rule") return part;
    const owners = ["platform", ...(community === undefined ? names : [])].filter((name) =>
      part.startsWith(`${name} `),
    );
    const owner = owners.sort((a, b) => b.length - a.length)[0];
    const id = owner === undefined ? part : part.slice(owner.length + 1);
    // A community's rule cited together with the platform's rule of the same id is listed under the community's name.
    const isKnown = [owner, community, "platform"].some((name) => known.has(`${name} ${id}`));
    const shown = isKnown ? id : plainRuleId(id, hashOf);
    return owner === undefined ? shown : `${owner} ${shown}`;
  };
  return (key) => {
    const parts = splitKey(by, key);
    // From a gate by other keys: a community, or something unknown.
    if (parts === null) return names.includes(key) ? key : redactedName(key, hashOf, "name");
    const community = by.includes("community") ? parts[by.indexOf("community")] : undefined;
    return joinKey(
      parts.map((part, i) => {
        if (by[i] === "language") return shownName(part, hashOf, "language");
        return by[i] === "rule" ? shownRule(part, community) : part;
      }),
    );
  };
}

/** What a hash is of. Each sort has its own hashes: otherwise an author could write a moderator's name and recognize the moderator by the hash. */
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

/** Gives the same hash for the same text of the same sort. */
export type KeyedHash = (text: string, sort: HashedSort) => string;

/**
 * 16 hexadecimal digits by which a text is recognized among those of its sort. Keyed (HMAC-SHA-256), because a plain hash of a short text can be
 * guessed: a reader of the report could hash every likely comment, name or number and compare.
 */
export function keyedHash(key: Buffer): KeyedHash {
  // No sort contains a NUL, so different pairs of sort and text never coincide.
  return (text, sort) => createHmac("sha256", key).update(`${sort}\0${text}`, "utf8").digest("hex").slice(0, 16);
}

/** Replaces a value that a person may have made up; the same value gets the same replacement. */
export function redactedName(text: string, hashOf: KeyedHash, sort: HashedSort): string {
  const what = sort === "person" || sort === "rule" || sort === "version" ? sort : "redacted";
  return `${what} ${hashOf(text, sort).slice(0, 8)}`;
}

/** A code unchanged, anything else by its hash. An audit's version joins those of two rule sets with a plus. */
export function shownName(text: string, hashOf: KeyedHash, sort: HashedSort): string {
  const shown = (part: string) => (isCode(part, sort) ? part : redactedName(part, hashOf, sort));
  return sort === "version" ? text.split("+").map(shown).join("+") : shown(text);
}

/** The id of a rule that only audits name: it may be in a person's own words. The same rule gets the same replacement. */
export function plainRuleId(id: string, hashOf: KeyedHash): string {
  return /^[\w.:/-]{1,60}$/.test(id) ? id : redactedName(id, hashOf, "rule");
}

const KINDS = new Set<string>([...RULE_KINDS, "not stated", ...wordsOf(data.content_kinds)]);
const FAMILIES = wordsOf(data.model_families);
const ARCHETYPES = wordsOf(data.archetypes);
const OWN_SOURCES = new Set(data.own_sources);
const ERRORS = new Set<string>(["auditor_failed", NO_RULES, ERASED, ...UNSCORED_CODES]);

/** The words of a list in `data/redaction.json`, which lists what a redacted report may show. */
export function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

/** Sorts of names that may be codes, in addition to those that are hashed. */
type CodeSort = HashedSort | "date" | "model" | "error";

const CODES: Partial<Record<CodeSort, (text: string) => boolean>> = {
  language: isLanguageCode,
  kind: (text) => KINDS.has(text.toLowerCase()),
  source: (name) => RUN.test(name) || OWN_SOURCES.has(name),
  version: (text) => /^v?\d{1,8}(?:[.-]\d{1,8})*$/.test(text) || text === "-",
  name: (text) => isDate(text) || isArchetype(text),
  note: (text) => isDate(text) || isArchetype(text),
  date: isDate,
  // Publicly known models; an operator's name for a bot is private.
  model: (id) => /^[\w.:/-]{1,60}$/.test(id) && FAMILIES.has(modelFamily(id) ?? ""),
  error: (code) => ERRORS.has(code),
};

/** Whether a text is from a fixed vocabulary and so not private. */
export function isCode(text: string, sort: CodeSort): boolean {
  // The program's own word for an unknown field.
  if (text === "unknown" && sort !== "content" && sort !== "model") return true;
  return CODES[sort]?.(text) ?? false;
}

/** Names of runs as in reports. */
const RUN = /^(?:run )?\d{8}T\d{6}Z-[0-9a-f]+(?:, .{1,20})?$/;

const TAG = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?$/i;

/** No fallback: it would return the code itself for an unknown language. */
const LANGUAGES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** A BCP 47 tag of an existing language, with script and region at most: "pt", "pt-BR", "zh_Hant", but not "bob". */
function isLanguageCode(name: string): boolean {
  const [, language] = TAG.exec(name) ?? [];
  if (language === undefined) return false;
  return /^(?:und|mul|zxx|mis)$/i.test(language) || LANGUAGES.of(language.toLowerCase()) !== undefined;
}

/** Exactly a day or a moment in ISO 8601. */
function isDate(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/.test(text) &&
    !Number.isNaN(Date.parse(text.slice(0, 10)))
  );
}

/** The name of an attack that `attack build` makes; another tool's file may use any name. */
export function isArchetype(manner: string): boolean {
  return ARCHETYPES.has(manner) || (manner.startsWith("gloss_") && isLanguageCode(manner.slice("gloss_".length)));
}

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

/** How what people and models wrote comes onto a page: as it is, or redacted. */
export interface Writing {
  redacted: boolean;
  /** Content, reasons, notes. `most`: characters shown; `sort`: what it is. */
  text(whole: string, most: number, sort: HashedSort): PageText;
  /** What an auditor cited in a decision of a community: it may be the words of a rule, and may be those of the content. */
  cited(whole: string, most: number, citation: Citation | null, community: string): PageText;
  /** The tokens of a citation. */
  tokens(tokens: [string, number][], citation: Citation | null, community: string): [string | null, number][];
  /** What went wrong, in words that may quote an answer. */
  message(whole: string, most: number): string;
  /** A word that may be one of a fixed vocabulary; null where it is another one that must not be shown. */
  code(text: string, sort: "kind" | "date" | "error" | "model"): string | null;
  /** A name by which the same person, language or version is known again. A version is `<platform>+<community>`, or one rule set's. */
  name(text: string, sort: "person" | "language" | "version"): string;
  /** The id of a rule as a person named it. */
  ruleId(id: string, community: string): string | null;
  /** The id of a rule that an auditor cites. */
  citedRule(id: string, community: string): string;
}

const same = (text: string) => text;

/** Everything as it was written, as far as there is room. */
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

/** The beginning of a text, cut between two characters and not inside one. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const before = text.charCodeAt(most - 1);
  const end = before >= 0xd800 && before <= 0xdbff ? most - 1 : most;
  // By way of a buffer: a slice would keep the whole text in memory.
  return Buffer.from(text.slice(0, Math.max(0, end)), "utf16le").toString("utf16le");
}

/** What an auditor says of a rule in addition to its words: "Community rule R3". */
const REFERENCE = ["community", "platform", "rule", "rules"];

/**
 * Nothing that an author, a moderator, a rater or an auditor wrote: only how long it was, and a keyed hash by which the same text is known
 * again. A citation is shown where every word of it is in the rules of the platform or of the community, since rules are public; one that
 * leans on precedents, or on nothing, may quote content.
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

/** The words and ids of the rules that a community's decisions fall under. */
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

/** A sign that is neither letter, digit nor punctuation is no token, and still says something. */
function isCovered(text: string, words: ReadonlySet<string>): boolean {
  return !/[^\p{L}\p{N}\p{M}\p{P}\s]/u.test(text) && tokenise(text).every((word) => words.has(word));
}

/**
 * Names of a gate's cohorts without private words: communities, actions and rules of the workspace are names and stay; a language, or a
 * rule that only audits name, may be a sentence and is then hashed, as everywhere in a redacted report.
 */
export function redactedKeys(
  { communities, rules }: Pick<Report, "communities" | "rules">,
  by: readonly GateKey[],
  hashOf: KeyedHash,
): (key: string) => string {
  const names = communities.map(({ community }) => community);
  // A rule with a title is one of the workspace's. A key by rule alone names it as here.
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
    // Cited together with the platform's rule of the same id, it is listed under the community's name.
    const isKnown = [owner, community, "platform"].some((name) => known.has(`${name} ${id}`));
    const shown = isKnown ? id : plainRuleId(id, hashOf);
    return owner === undefined ? shown : `${owner} ${shown}`;
  };
  return (key) => {
    const parts = splitKey(by, key);
    // Of a gate by other keys: a community, or something unknown.
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

import { createHash } from "node:crypto";
import { InputError } from "../../core/errors.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { Draft, DraftOptions, GuidelineFormat } from "../../text/guidelines/draft.js";
import { readGuidelines } from "../../text/guidelines/read-guidelines.js";
import { serviceOf } from "../../text/guidelines/services.js";
import { isObject } from "../records/fits.js";
import { parseRuleSets, type WrittenSet } from "../records/parse-rule-set.js";
import { draftYaml } from "./rule-yaml.js";
import { isBracketedPage } from "./sniff-file.js";
import { refuseSize } from "./yaml-text.js";

export interface DraftedSetOptions {
  /** Default: the kind of text and a hash of it and of the communities found in it, so that the same text, read alike, is the same version. */
  version?: string;
  effectiveFrom?: string;
}

/** Whose rules a page has, where it does not say so itself. */
export type RuleFileOptions = Pick<DraftOptions, "community" | "platform" | "communityLevel"> &
  DraftedSetOptions & {
    /** The name of a community as decisions write it. */
    spelled?: (community: string) => string;
  };

export interface RuleFileContent {
  sets: WrittenSet[];
  /** What was understood of a page; null: the file holds rule sets. */
  draft: Draft | null;
}

/** The rules of a file, however people have them: rule sets, or a page that is understood as rules. */
export function readRuleFile(text: string, file: string, options: RuleFileOptions = {}): RuleFileContent {
  if (isRuleSetText(text, file)) return { sets: parseRuleSets(text, file), draft: null };
  const draft = draftOf(text, file, options);
  const sets = draftedSets(draft, text, options);
  return {
    draft,
    sets: sets.map((set) => ({ set, text: draftYaml([set], file, set === sets[0] ? draft.unread : []) })),
  };
}

/** What a page says; errors name the file. */
function draftOf(text: string, file: string, options: RuleFileOptions): Draft {
  refuseSize(text, file);
  try {
    const draft = readGuidelines(text, { ...options, name: file });
    return { ...draft, books: spelledBooks(draft.books, options.spelled) };
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new InputError(cause.code, cause.message.replace(/^rules:/, `${file}:`), cause.remedy);
  }
}

/** Communities under the names that decisions have for them, unless two would become one. */
function spelledBooks(books: Draft["books"], spelled: RuleFileOptions["spelled"]): Draft["books"] {
  if (!spelled) return books;
  const names = books.map(({ community }) => (community === null ? null : spelled(community)));
  return books.map((book, i) =>
    names.filter((name) => name === names[i]).length === 1 ? { ...book, community: names[i]! } : book,
  );
}

/** Whether a text holds rule sets, and is no page: by its name, and by its keys where the name leaves it open. */
function isRuleSetText(text: string, file: string): boolean {
  if (/\.(?:ya?ml|jsonl|ndjson)$/i.test(file)) return true;
  if (isBracketedPage(text, file)) return false;
  if (/^\uFEFF?\s*[[{]/.test(text)) return isRuleSetJson(text);
  const keys = (name: string) => new RegExp(`^${name}\\s*:`, "m").test(text);
  return !/\.(?:md|markdown|x?html?)$/i.test(file) && keys("scope") && keys("rules") && keys("version");
}

/** JSON that speaks of a scope or of rules, and is not what a service gives; or that has a slip, whose place is reported where it is parsed. */
function isRuleSetJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const [first] = Array.isArray(value) ? value : [value];
    return serviceOf(value) === null && isObject(first) && ("scope" in first || "rules" in first);
  } catch {
    return true;
  }
}

const PREFIXES: Record<GuidelineFormat, string> = {
  markdown: "md",
  text: "txt",
  html: "html",
  reddit: "reddit",
  mastodon: "mastodon",
};

/** What was understood of a text as rule sets, the platform's first. */
export function draftedSets({ format, books }: Draft, text: string, options: DraftedSetOptions = {}): RuleSet[] {
  const owned = books.filter(({ community }) => community !== null);
  const read = owned.map(({ community, rules }) => [community, rules.map(({ rule }) => rule.id)]);
  const hashed = owned.length === 0 ? text : JSON.stringify([text, read]);
  const hash = () => createHash("sha256").update(hashed).digest("hex").slice(0, 10);
  const { version = `${PREFIXES[format]}-${hash()}`, effectiveFrom } = options;
  return books.map(({ community, heading, rules }) => ({
    ...(community === null ? { scope: "platform" as const } : { scope: "community" as const, community }),
    version,
    ...(effectiveFrom === undefined ? {} : { effective_from: effectiveFrom }),
    ...(heading === undefined ? {} : { x_heading: heading }),
    rules: rules.map(({ rule }) => rule),
  }));
}

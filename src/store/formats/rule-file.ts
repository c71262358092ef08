import { createHash } from "node:crypto";
import { Document, Scalar, visit } from "yaml";
import { InputError } from "../../core/errors.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { Draft, DraftOptions, GuidelineFormat } from "../../text/guidelines/draft.js";
import { readGuidelines } from "../../text/guidelines/read-guidelines.js";
import { serviceOf } from "../../text/guidelines/services.js";
import { safeJson } from "../../text/printable.js";
import { isObject } from "../records/fits.js";
import { parseRuleSets, type WrittenSet } from "../records/parse-rule-set.js";
import { isBracketedPage } from "./sniff-file.js";
import { refuseSize } from "./yaml-text.js";

/** A rule set as YAML, in the order in which people read it. */
export function ruleSetYaml(set: RuleSet): string {
  const document = new Document(inOrder(set));
  // What would act on a terminal or an editor, such as a change of direction, is written as an escape.
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && safeJson(scalar.value) !== scalar.value)
        scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return safeJson(document.toString({ lineWidth: 0 }));
}

function inOrder(set: RuleSet): Record<string, unknown> {
  const { scope, community, version, effective_from, rules, ...others } = set;
  return {
    scope,
    ...(scope === "community" && { community }),
    version,
    ...(effective_from && { effective_from }),
    ...others,
    rules: rules.map(({ id, title, kind, description, detail, ...more }) => ({
      id,
      title,
      ...(kind && { kind }),
      ...(description && { description }),
      ...(detail && { detail }),
      ...more,
    })),
  };
}

/** Drafted sets as YAML, one document each, with what is in no rule as comments: nothing of the page is lost to who edits the file. */
export function draftYaml(
  sets: readonly RuleSet[],
  source: string,
  unread: readonly { line: number; text: string; reason: string }[],
): string {
  const head = comment(
    `Drafted from ${source.split(/[\\/]/).at(-1)}. Check each rule, and give the set a version of your own.`,
  );
  const left = unread.map(({ line, text, reason }) =>
    comment(`line ${line} (${reason.replaceAll("_", " ")}): ${text}`),
  );
  const foot = left.length > 0 ? `\n${comment("Not in any rule:")}${left.join("")}` : "";
  return `${head}${sets.map(ruleSetYaml).join("---\n")}${foot}`;
}

/** Each line behind a sign, so that none of it is YAML. */
function comment(text: string): string {
  const lines = safeJson(
    text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, ""),
  ).split("\n");
  return lines.map((line, i) => `#${line.trim() === "" ? "" : ` ${i > 0 ? "  " : ""}${line.trimEnd()}`}\n`).join("");
}

/** The name of a set's file; `n`: how many have asked for it. */
export function ruleFileName(set: RuleSet, n: number): string {
  const stem = `${slug(set.scope === "community" ? set.community! : "platform", "community")}-${slug(set.version, "version")}`;
  return n === 1 ? `${stem}.yaml` : `${stem}-${n}.yaml`;
}

/** A name that every file system takes; text without a single Latin letter or digit is named by its hash. */
function slug(text: string, what: string): string {
  const ascii = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60);
  return ascii || `${what}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}

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

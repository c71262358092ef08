import { type Document, isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import { InputError } from "../../core/errors.js";
import { type RuleSet, ruleSetSchema, setForEach } from "../../core/records/rule-set.js";
import { isJson } from "../../core/text-checks.js";
import { canonicalValue, Fault } from "../formats/parse-json.js";
import { readYaml, readYamlDocuments, refuseSize, type YamlText } from "../formats/yaml-text.js";
import { explainIssue, isObject } from "./fits.js";

const SET_TEXTS = new Set(["scope", "community", "version", "effective_from"]);
const RULE_TEXTS = new Set(["id", "title", "description", "detail", "kind", "url"]);

/** A rule set, and its own text if that is to be kept exactly: a YAML document with this set and nothing else. */
export interface WrittenSet {
  set: RuleSet;
  text: string | null;
}

/** The rule set of a YAML or JSON text with a single set. Problems are reported with file, line, column, rule and field. */
export function parseRuleSet(text: string, file: string): RuleSet {
  const [first, ...more] = parseRuleSets(text, file);
  if (first !== undefined && more.length === 0) return first.set;
  throw new InputError(
    "several_rule_sets",
    `${file}: holds ${more.length + 1} rule sets; expected one`,
    "Give each its own file.",
  );
}

/** The rule sets of a text: YAML documents, JSON, a list of sets, or one set per line (JSONL). A set of several communities becomes one for each. */
export function parseRuleSets(text: string, file: string): WrittenSet[] {
  refuseSize(text, file);
  const plain = plainJson(text);
  if (plain) return setForEach(plain).map((set) => ({ set, text: null }));
  const whole = text.replace(/^\uFEFF/, "");
  if (isJsonLines(whole)) return parseLines(whole, file);
  const documents = readYamlDocuments(whole, file, numbersAsWritten);
  const filled = documents.filter(({ value }, i) => value !== null || (i === 0 && documents.length === 1));
  return filled.flatMap((yaml) => {
    const sets = setsIn(yaml, file);
    const own = sets.length === 1 && !Array.isArray(yaml.value) && !/^\s*[[{]/.test(whole);
    return sets.map((set) => ({ set, text: own ? (filled.length === 1 ? whole : yaml.source(whole)) : null }));
  });
}

/** One object per line, and more than one line. */
function isJsonLines(text: string): boolean {
  const [first, second] = text.trim().split(/\r?\n\s*/, 2);
  return second !== undefined && /^\{.*\}$/.test(first!) && isJson(first!);
}

function parseLines(text: string, file: string): WrittenSet[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === "") return [];
    try {
      return setsIn(readYaml(line, file, numbersAsWritten), file).map((set) => ({ set, text: null }));
    } catch (cause) {
      if (!(cause instanceof InputError)) throw cause;
      // Converts a position in the line to one in the file.
      const said = cause.message.slice(file.length).replace(/^(?::1(?=:))?/, `:${i + 1}`);
      throw new InputError(cause.code, file + said, cause.remedy);
    }
  });
}

/** The sets of a document: one, or a list of them. */
function setsIn(yaml: YamlText, file: string): RuleSet[] {
  const value = canonicalValue(yaml.value, file);
  if (!Array.isArray(value) || value.length === 0) return setIn(yaml, value, [], file);
  return value.flatMap((one, i) => setIn(yaml, one, [i], file));
}

function setIn(yaml: YamlText, value: unknown, at: readonly PropertyKey[], file: string): RuleSet[] {
  if (!isObject(value) || value instanceof Fault || !("scope" in value) || !("rules" in value)) {
    throw new InputError(
      "not_a_rule_set",
      `${file}: not a rule set; expected an object with \`scope\` and \`rules\``,
      "`defensible schema ruleset` prints the format.",
    );
  }
  const wrong = (path: readonly PropertyKey[], reason: string) => ruleError(yaml, file, value, at, path, reason);
  const result = ruleSetSchema.safeParse(value);
  if (!result.success) {
    const { path, reason } = explainIssue(result.error.issues[0]!, value);
    throw wrong(path, reason);
  }
  const blank = result.data.rules.findIndex((rule) => rule.title.trim() === "");
  if (blank >= 0) throw wrong(["rules", blank, "title"], "is empty");
  return setForEach(result.data);
}

/**
 * A fast path for a valid set in exactly the form in which this program writes JSON: no duplicate keys, no numbers to be kept as written, no
 * positions to report. YAML's parser takes 1.4 ms for each of a fleet's thousands of files, this 0.1 ms. Everything else takes the slow path.
 */
function plainJson(text: string): RuleSet | null {
  if (!text.startsWith("{\n")) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (`${JSON.stringify(value, null, 2)}\n` !== text) return null;
    const result = ruleSetSchema.safeParse(canonicalValue(value, ""));
    const blank = !result.success || result.data.rules.some((rule) => rule.title.trim() === "");
    return blank ? null : result.data;
  } catch {
    return null;
  }
}

function ruleError(
  yaml: YamlText,
  file: string,
  value: Record<string, unknown>,
  at: readonly PropertyKey[],
  path: readonly PropertyKey[],
  reason: string,
): InputError {
  const [first, index, ...rest] = path;
  const inRule = first === "rules" && typeof index === "number";
  const id = inRule ? (value.rules as { id?: unknown }[])[index]?.id : undefined;
  const rule = inRule ? `rule ${index + 1}${typeof id === "string" ? ` (${id})` : ""}: ` : "";
  const field = (inRule ? rest : path).join(".");
  return new InputError(
    "bad_rule_set",
    `${file}:${yaml.at([...at, ...path])}: ${rule}${field ? `${field}: ` : ""}${reason}`,
    "Fix the file; `defensible schema ruleset` prints the format.",
  );
}

/** `version: 1.10` means the text 1.10, not the number 1.1, and `id: 1` the id "1". YAML has assigned types by now, but keeps the source text. */
function numbersAsWritten(document: Document): void {
  const { contents } = document;
  for (const set of isSeq(contents) ? contents.items : [contents]) {
    if (!isMap(set)) continue;
    asWritten(set, SET_TEXTS);
    const names = set.get("communities", true);
    if (isSeq(names)) for (const name of names.items) textAsWritten(name);
    const rules = set.get("rules", true);
    if (isSeq(rules)) for (const rule of rules.items) if (isMap(rule)) asWritten(rule, RULE_TEXTS);
  }
}

function asWritten(map: YAMLMap, keys: ReadonlySet<string>): void {
  for (const { key, value } of map.items) {
    if (isScalar(key) && keys.has(String(key.value))) textAsWritten(value);
  }
}

function textAsWritten(value: unknown): void {
  if (!isScalar(value)) return;
  const typed = typeof value.value === "number" || typeof value.value === "boolean";
  if (typed && value.source !== undefined) value.value = value.source;
}

/** Two sets with the same identity must be the same set. */
export function ruleSetIdentity(set: RuleSet): string {
  return JSON.stringify([set.scope, set.scope === "community" ? set.community : null, set.version]);
}

export function ruleSetName(set: RuleSet): string {
  return `${set.scope === "community" ? `community ${set.community}` : "platform"}, version ${set.version}`;
}

import { type Document, isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import { InputError } from "../../core/errors.js";
import { type RuleSet, ruleSetSchema } from "../../core/records/rule-set.js";
import { canonicalValue, Fault } from "../formats/parse-json.js";
import { readYaml, refuseSize, type YamlText } from "../formats/yaml-text.js";
import { explainIssue } from "./explain-issue.js";
import { isObject } from "./fits.js";

const SET_TEXTS = new Set(["scope", "community", "version", "effective_from"]);
const RULE_TEXTS = new Set(["id", "title", "description", "detail", "kind", "url"]);

/** A rule set from YAML or JSON text. What is wrong is told with file, line, column, rule and field. */
export function parseRuleSet(text: string, file: string): RuleSet {
  refuseSize(text, file);
  const plain = plainJson(text);
  if (plain) return plain;
  const yaml = readYaml(text.replace(/^\uFEFF/, ""), file, numbersAsWritten);
  const value = canonicalValue(yaml.value, file);
  if (!isObject(value) || value instanceof Fault || !("scope" in value) || !("rules" in value)) {
    throw new InputError(
      "not_a_rule_set",
      `${file}: not a rule set; expected an object with \`scope\` and \`rules\``,
      "`defensible schema ruleset` prints the format.",
    );
  }
  const result = ruleSetSchema.safeParse(value);
  if (!result.success) {
    const { path, reason } = explainIssue(result.error.issues[0]!, value);
    throw ruleError(yaml, file, value, path, reason);
  }
  const blank = result.data.rules.findIndex((rule) => rule.title.trim() === "");
  if (blank >= 0) throw ruleError(yaml, file, value, ["rules", blank, "title"], "is empty");
  return result.data;
}

/**
 * A valid set that stands in the very form in which JSON is written here: no key twice, no number to be kept as written, nothing to say of places.
 * YAML's parser takes 1.4 ms for each of a fleet's thousands of files, this 0.1 ms. Everything else goes the long way.
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
    `${file}:${yaml.at(path)}: ${rule}${field ? `${field}: ` : ""}${reason}`,
    "Mend the file; `defensible schema ruleset` prints the format.",
  );
}

/**
 * `version: 1.10` is the text 1.10 and not the number 1.1, `id: 1` is the id "1".
 * YAML has given them a type by now, but remembers what was written.
 */
function numbersAsWritten(document: Document): void {
  if (!isMap(document.contents)) return;
  asWritten(document.contents, SET_TEXTS);
  const rules = document.contents.get("rules", true);
  if (!isSeq(rules)) return;
  for (const rule of rules.items) if (isMap(rule)) asWritten(rule, RULE_TEXTS);
}

function asWritten(map: YAMLMap, keys: ReadonlySet<string>): void {
  for (const { key, value } of map.items) {
    if (!isScalar(key) || !isScalar(value) || !keys.has(String(key.value))) continue;
    const typed = typeof value.value === "number" || typeof value.value === "boolean";
    if (typed && value.source !== undefined) value.value = value.source;
  }
}

/** Two sets with the same identity must be the same set. */
export function ruleSetIdentity(set: RuleSet): string {
  return JSON.stringify([set.scope, set.scope === "community" ? set.community : null, set.version]);
}

export function ruleSetName(set: RuleSet): string {
  return `${set.scope === "community" ? `community ${set.community}` : "platform"}, version ${set.version}`;
}

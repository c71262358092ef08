import { modelFamily } from "../../core/model-family.js";
import { NO_RULES } from "../../core/records/audit.js";
import { RULE_KINDS } from "../../core/records/rule-set.js";
import { UNSCORED_CODES } from "../../measures/signals/answer-outcome.js";

/** Where nothing is known of a field, the program says so. */
const UNKNOWN = "unknown";

/** Sorts of content that platforms have; another word is somebody's own. */
const CONTENT_KINDS = new Set(
  "post comment reply thread message chat review listing profile page article title link image photo video audio live story poll ad".split(
    " ",
  ),
);

const TAG = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?$/i;

/** Only names that are known are given: what it makes up for another code would be the code. */
const LANGUAGES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** A BCP 47 tag of a language that there is, with script and region at most: "pt", "pt-BR", "zh_Hant". "bob" is none. */
export function isLanguageCode(name: string): boolean {
  if (name === UNKNOWN) return true;
  const [, language] = TAG.exec(name) ?? [];
  if (language === undefined) return false;
  if (/^(?:und|mul|zxx|mis)$/i.test(language)) return true;
  return LANGUAGES.of(language.toLowerCase()) !== undefined;
}

export function isContentKind(word: string): boolean {
  return word === UNKNOWN || CONTENT_KINDS.has(word.toLowerCase());
}

export function isRuleKind(word: string): boolean {
  return word === UNKNOWN || word === "not stated" || RULE_KINDS.some((kind) => kind === word);
}

/** A day or a moment in the form of ISO 8601, and nothing after it. */
export function isDate(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/.test(text) &&
    !Number.isNaN(Date.parse(text.slice(0, 10)))
  );
}

/** A number or a date of a version, as rule sets have them: "3", "1.2.0", "v2", "2026-02". */
export function isVersion(text: string): boolean {
  return /^v?\d{1,8}(?:[.-]\d{1,8})*$/.test(text) || text === "-";
}

/** Models of which everybody knows; what an operator calls a bot is the operator's word. */
const FAMILIES = new Set(
  "gpt claude gemini llama qwen mistral mixtral ministral deepseek phi grok command nova simulated baseline".split(" "),
);

export function isKnownModel(id: string): boolean {
  return /^[\w.:/-]{1,60}$/.test(id) && FAMILIES.has(modelFamily(id) ?? "");
}

/** Why an audit gave no verdict, in the words of the format. */
export function isErrorCode(code: string): boolean {
  return code === "auditor_failed" || code === NO_RULES || UNSCORED_CODES.some((one) => one === code);
}

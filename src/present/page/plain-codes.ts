import { modelFamily } from "../../core/model-family.js";
import {
  BOUNDARY_STATES,
  ERASED,
  GATE_KEYS,
  GATE_MODES,
  GATE_STATES,
  NO_RULES,
  STABILITY_CLASSES,
  STABILITY_GROUPS,
} from "../../core/names.js";
import { FLAGS } from "../../core/records/audit.js";
import { RULE_KINDS, TIERS } from "../../core/records/rule-set.js";
import { ATTACK_KINDS } from "../../experiments/attack/result.js";
import { UNSCORED_CODES } from "../../measures/signals/extract-sampled.js";

/** Where nothing is known of a field, the program says so. */
const UNKNOWN = "unknown";

/** Sorts of content that platforms have; another word may be private. */
const CONTENT_KINDS = new Set(
  "post comment reply thread message chat review listing profile page article title link image photo video audio live story poll ad".split(
    " ",
  ),
);

const TAG = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?$/i;

/** Only names that are known are given: what it makes up for another code would be the code. */
const LANGUAGES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** A BCP 47 tag of a language that there is, with script and region at most: "pt", "pt-BR", "zh_Hant". "bob" is not one. */
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

/** Models that are publicly known; what an operator calls a bot is the operator's word. */
const FAMILIES = new Set(
  "gpt claude gemini llama qwen mistral mixtral ministral deepseek phi grok command nova simulated baseline".split(" "),
);

export function isKnownModel(id: string): boolean {
  return /^[\w.:/-]{1,60}$/.test(id) && FAMILIES.has(modelFamily(id) ?? "");
}

/** Why an audit gave no verdict, in the words of the format. */
export function isErrorCode(code: string): boolean {
  return ["auditor_failed", NO_RULES, ERASED].includes(code) || UNSCORED_CODES.some((one) => one === code);
}

/** How the attacks that `attack build` makes are called; in another's file a manner may have any name. */
const ARCHETYPES = new Set(
  `allowed_restricted bent_citation bent_rule_named bent_rule_unnamed community_over_platform encoded exception_stretched fence_break
  forbidden_let_stand hidden_markup instruction invented_citation judged known measure_left_open other other_language policy_update
  precedent_in_content precedent_in_context prefilled_answer reworded_named reworded_unnamed role_claim rule_in_content rule_in_context
  rule_of_other_scope rule_of_same_scope silence_claimed stated_reason system_turn unseen_characters verdict_claim`.split(
    /\s+/,
  ),
);

export function isArchetype(manner: string): boolean {
  return ARCHETYPES.has(manner) || (manner.startsWith("gloss_") && isLanguageCode(manner.slice("gloss_".length)));
}

const RUN = /^(?:run )?\d{8}T\d{6}Z-[0-9a-f]+(?:, .{1,20})?$/;
const OWN_SOURCES = new Set([
  "attacks.jsonl",
  "replicate-attacks.jsonl",
  "the workspace's own",
  "automated",
  "with precedents",
  "without",
]);

/** A run, or a name that the program gives its own files, sides of a comparison and populations. */
export function isOwnSource(name: string): boolean {
  return RUN.test(name) || OWN_SOURCES.has(name);
}

/** Words of the program, with spaces: a person's name for something that is one of them shows nothing. */
export const VOCABULARY: ReadonlySet<string> = new Set(
  [
    ...ATTACK_KINDS,
    ...BOUNDARY_STATES,
    ...FLAGS,
    ...GATE_KEYS,
    ...GATE_MODES,
    ...GATE_STATES,
    ...RULE_KINDS,
    ...STABILITY_CLASSES,
    ...STABILITY_GROUPS,
    ...TIERS,
  ].flatMap((name) => [name.replaceAll("_", " "), ...name.split("_")]),
);

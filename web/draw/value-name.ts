import type { FigureRow } from "../../src/domain/figure.js";
import { scoreName } from "../../src/figures/experiments/attack-words.js";
import { nameText } from "../../src/figures/name-text.js";
import { sign } from "../../src/figures/signs.js";
import { MODE_WORDS, STATE_WORDS, type Words } from "../../src/figures/words.js";

export type Cell = FigureRow[string];

/** What `sign` does not name: scores and indices as the paper writes them, causes and layers in plain words. */
const NAMES: Readonly<Record<string, string>> = {
  p_defensible: "P(defensible)",
  sd_p_defensible: "sd of P(defensible)",
  p_calibrated: "calibrated p",
  p_level_3: "p(level 3)",
  output_confidence: "confidence in the level",
  decider_confidence: "the decider's confidence",
  defensibility_index: "DI",
  ambiguity_index: "AI",
  ambiguity_pure: "pure AI",
  AI_pure: "pure AI",
  ambiguity_community: "AI of community rules",
  ambiguity_platform: "AI of platform rules",
  model_error: "decider's error",
  implicit_norm: "unwritten norm",
  policy_ambiguity: "ambiguous rules",
  two_layers: "first two layers",
  union: "all layers",
};

/** Columns of names that users gave. They are never touched; values of other columns are words of ours. */
const NAMED = /^(community|decision_id|id|rule|rule_id|cohort|run|run_id|title|auditor|decider|rater|model|what|test)$/;

const hasWords = (table: Readonly<Record<string, Words>>, key: string) => Object.hasOwn(table, key);

/** A value of a column as people read it. */
export function valueName(field: string, value: Cell): string {
  if (value === null) return "undefined";
  if (field === "level" && /^[123]$/.test(String(value))) return `level ${value}`;
  if (field === "temperature" && typeof value === "number") return `T = ${value}`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value).replace("-", "−");
  if (field === "state" && hasWords(STATE_WORDS, value)) return STATE_WORDS[value as keyof typeof STATE_WORDS].name;
  if (field === "mode" && hasWords(MODE_WORDS, value)) return MODE_WORDS[value as keyof typeof MODE_WORDS].name;
  if (NAMED.test(field)) return safeText(value, 300);
  const words = safeText(field === "score" ? scoreName(value) : value, 300);
  return words.split(" ").map(wordName).join(" ");
}

/** `inverse_yes_prob` -> "σ(ρ)", `rock_solid` -> "rock solid". */
function wordName(word: string): string {
  if (Object.hasOwn(NAMES, word)) return NAMES[word]!;
  return /^[a-z0-9]+(_[a-z0-9]+)*$/.test(word) ? sign(word) : word;
}

/** Text that may come from content, without what a page, a file or a reader would obey, nor what XML does not allow. */
export function safeText(text: string, maxLength = 2_000): string {
  return nameText(text, maxLength).replace(/[\ufffe\uffff]/g, "·");
}

/** The head of a column: `di_lower` -> "di lower". */
export function columnName(field: string): string {
  return wordName(safeText(field, 80));
}

import type { FigureRow } from "../../src/core/figure.js";
import { attackScoreName } from "../../src/present/words/experiments/attack-words.js";
import { stepText, tierText } from "../../src/present/words/rule-texts.js";
import { SIGNS, sign } from "../../src/present/words/signs.js";
import { nameText, type Words } from "../../src/present/words/word-table.js";
import { MODE_WORDS, STATE_WORDS } from "../../src/present/words/words.js";

export type Cell = FigureRow[string];

/** Columns of names that users gave. They are never touched; values of other columns are words of ours. */
const NAMED = /^(community|decision_id|id|rule|rule_id|cohort|run|run_id|title|auditor|decider|rater|model|what|test)$/;

/** Symbols of indices with their names: "AI" alone reads as artificial intelligence. */
const INDEX_NAMES: Readonly<Record<string, string>> = {
  DI: "defensibility (DI)",
  AI: "ambiguity (AI)",
  "pure AI": "pure ambiguity (pure AI)",
  AI_pure: "pure ambiguity (pure AI)",
};

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
  if (field === "index" && Object.hasOwn(INDEX_NAMES, value)) return INDEX_NAMES[value]!;
  if (field === "tier") return tierText(value);
  if (field === "step" && stepText(value) !== value) return stepText(value);
  if (NAMED.test(field)) return safeText(value, 300);
  const words = safeText(field === "score" ? attackScoreName(value) : value, 300);
  return words.split(" ").map(wordName).join(" ");
}

/** `inverse_yes_prob` -> "σ(ρ)", `rock_solid` -> "rock solid". */
function wordName(word: string): string {
  return Object.hasOwn(SIGNS, word) || /^[a-z0-9]+(_[a-z0-9]+)*$/.test(word) ? sign(word) : word;
}

/** Text that may come from content, without what a page, a file or a reader would obey, nor what XML does not allow. */
export function safeText(text: string, maxLength = 2_000): string {
  return nameText(text, maxLength).replace(/[\ufffe\uffff]/g, "·");
}

/** The head of a column: `di_lower` -> "di lower". */
export function columnName(field: string): string {
  return wordName(safeText(field, 80));
}

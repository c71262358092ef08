import type { PageDecision } from "./report-page.js";
import { named, numberAt, type Sentence, sentence } from "./sentence.js";
import { INVERSE_WORDS, LEVEL_WORDS, OUTCOME_WORDS, UNSCORED_WORDS, wordsOf } from "./words.js";

/** What the audit says of a decision, in one sentence. `at`: pointer to the decision. */
export function verdictSentence({ audit }: PageDecision, at: string): Sentence {
  const { level, inverse } = audit;
  if (audit.outcome !== "verdict" || !level) {
    const { name, meaning } = OUTCOME_WORDS[audit.outcome === "error" ? "error" : "unscored"];
    const why = audit.error ? wordsOf(UNSCORED_WORDS, audit.error.code) : null;
    return sentence`${name}: ${named(why?.meaning || (audit.error ? `the auditor gave up with "${why!.name}".` : meaning))} Nobody knows whether the rules carry this decision.`;
  }
  const { name, meaning } = LEVEL_WORDS[level];
  const verdict = sentence`Level ${level}, ${lower(name)}: ${plain(meaning)}`;
  if (typeof inverse !== "boolean") return sentence`${verdict}.`;
  const opposite = plain(INVERSE_WORDS[inverse ? "yes" : "no"].meaning);
  const link = level === 3 ? (inverse ? ", while" : ", and") : inverse ? ", but" : ", and";
  const prob = typeof audit.inverse_yes_prob === "number";
  const chance: Sentence = prob
    ? sentence` (${inverse ? "Yes" : "No"}; probability of Yes ${numberAt(`${at}/audit/inverse_yes_prob`)})`
    : sentence` (${inverse ? "Yes" : "No"})`;
  return sentence`${verdict}${link} ${opposite}${chance}.`;
}

/** How the decision stands to what a person decided; null where nobody is known to have. */
export function agreementSentence({ decision, human_label }: PageDecision): string | null {
  if (human_label === null) return null;
  return human_label === decision
    ? `A person decided the same: ${named(human_label)}.`
    : `A person decided otherwise: ${named(human_label)}.`;
}

/** "The decision follows from a rule." -> "the decision follows from a rule", to stand inside a sentence. */
function plain(meaning: string): string {
  return lower(meaning.replace(/\.$/, ""));
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

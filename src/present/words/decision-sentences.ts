import type { Level } from "../../core/records/level.js";
import type { PageDecision } from "../../measures/report-page.js";
import { INVERSE_WORDS, OUTCOME_WORDS, UNSCORED_WORDS } from "./audit-words.js";
import { named, numberAt, type Sentence, sentence } from "./sentence.js";
import { wordsOf } from "./word-table.js";
import { LEVEL_WORDS } from "./words.js";

/** What the audit says of a decision, in one sentence. `at`: pointer to the decision. */
export function verdictSentence({ audit }: PageDecision, at: string): Sentence {
  const { level, inverse } = audit;
  if (audit.outcome !== "verdict" || !level) {
    const { name, meaning } = OUTCOME_WORDS[audit.outcome === "error" ? "error" : "unscored"];
    if (audit.error?.code === "no_rules") return sentence`${name}: ${UNSCORED_WORDS.no_rules.meaning}`;
    const why = audit.error ? wordsOf(UNSCORED_WORDS, audit.error.code) : null;
    return sentence`${name}: ${named(why?.meaning || (audit.error ? `the auditor gave up with "${why!.name}".` : meaning))} Nobody knows whether the rules carry this decision.`;
  }
  const { name, meaning } = LEVEL_WORDS[level];
  const verdict = sentence`Level ${level}, ${lower(name)}: ${plain(meaning)}`;
  if (typeof inverse !== "boolean") return sentence`${verdict}.`;
  const opposite = plain(oppositeSentence(level, inverse));
  const link = level === 3 && inverse ? "; " : inverse ? ", but " : ", and ";
  const prob = typeof audit.inverse_yes_prob === "number";
  const chance: Sentence = prob
    ? sentence` (${inverse ? "Yes" : "No"}; probability of Yes ${numberAt(`${at}/audit/inverse_yes_prob`)})`
    : sentence` (${inverse ? "Yes" : "No"})`;
  return sentence`${verdict}${link}${opposite}${chance}.`;
}

/** What the inverse check says of a decision of this level: where no rule carries the decision, its opposite does not follow "too". */
export function oppositeSentence(level: Level, inverse: boolean): string {
  return level === 3 && inverse
    ? "Only the opposite decision could be derived from the rules."
    : INVERSE_WORDS[inverse ? "yes" : "no"].meaning;
}

/** That gold, or people's own judgement, contradicts the auditor; null where it does not or there is none. */
export function judgedSentence(decision: PageDecision): string | null {
  if (judgementOf(decision) !== "contradicts") return null;
  const { by, level } = judgedOf(decision)!;
  const who = by === "gold" ? "Gold contradicts" : "People's own judgement contradicts";
  return `${who} the auditor: level ${level}, ${lower(LEVEL_WORDS[level].name)}.`;
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

/** What somebody other than the auditor says of a decision's defensibility. */
export interface Judged {
  by: "gold" | "people";
  level: Level;
  inverse: boolean | null;
}

/** Whether such a judgement says of the decision what the auditor says: that it can be defended, or that it cannot. */
export type Judgement = "confirms" | "contradicts" | "none";

/** Gold where there is one, else the first person's label; other auditors are none. */
export function judgedOf({ gold, labels }: Pick<PageDecision, "gold" | "labels">): Judged | null {
  if (gold) return { by: "gold", level: gold.level, inverse: gold.inverse };
  const label = labels.find(({ source }) => source === "gold" || source === "human");
  return label ? { by: label.source === "gold" ? "gold" : "people", level: label.level, inverse: label.inverse } : null;
}

export function judgementOf(decision: PageDecision): Judgement {
  const judged = judgedOf(decision);
  const { audit } = decision;
  if (!judged || audit.outcome !== "verdict" || !audit.level) return "none";
  return (judged.level === 3) === (audit.level === 3) ? "confirms" : "contradicts";
}

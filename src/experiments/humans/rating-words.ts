/**
 * What raters are asked, in the words of what auditors are told (src/audit/prompt/instructions.ts): a correlation of their answers means something only if
 * both answer the same question. A decision that restricts needs a rule; one that does not needs none, so that the levels read differently.
 */
export const LEVEL_WORDS = {
  restricts: [
    "Robustly: a rule authorises it, directly and without doubt",
    "Plausibly: the rules are open here, and can reasonably be read to support it",
    "Not at all: no rule authorises it, or the content keeps to the rule it would rest on, or it needs something that is written nowhere",
  ],
  allows: [
    "Robustly: plainly no rule forbids the content, and it meets every requirement (no rule has to permit it)",
    "Plausibly: the rules are open here, and can reasonably be read so that they allow the content",
    "Not at all: a rule plainly forbids the content, or it misses a requirement",
  ],
} as const;

export const HOW_TO_RATE = [
  "Go by what is written in the rules and precedents: not by what you would decide, and not by what is usual, wise or kind.",
  "A decision that restricts needs a rule that authorises it. One that does not restrict needs none: it holds where the content breaks no rule and meets every requirement that concerns it.",
  "Exceptions and permissions count as much as prohibitions. A precedent carries as far as its facts and its reason fit.",
  "A clause that leaves everything to discretion settles nothing alone: what rests on it alone is plausible at best.",
  "The opposite is a question of its own: could it be derived from the same rules and precedents, too or instead?",
] as const;

/** The three levels for a decision, as one text for a cell. */
export function levelText(restricts: boolean): string {
  const words = restricts ? LEVEL_WORDS.restricts : LEVEL_WORDS.allows;
  return words.map((text, i) => `${i + 1} = ${text}`).join("\n");
}

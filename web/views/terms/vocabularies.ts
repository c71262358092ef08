import type { Words } from "../../../src/present/words/vocabulary.js";
import {
  BINDING_WORDS,
  CITATION_SCOPE_WORDS,
  FLAG_WORDS,
  INVERSE_WORDS,
  LEVEL_WORDS,
  LEVEL3_REASON_WORDS,
  MODE_WORDS,
  OUTCOME_WORDS,
  REASON_WORDS,
  RULE_KIND_WORDS,
  SIGNAL_WORDS,
  STATE_WORDS,
  TIER_WORDS,
  UNSCORED_WORDS,
  VARIABLE_WORDS,
  WEIGHT_WORDS,
} from "../../../src/present/words/words.js";

export interface Vocabulary {
  screen: string;
  title: string;
  about: string;
  words: Readonly<Record<string, Words>>;
}

/** The closed vocabularies, in the order in which a reader needs them. */
export const VOCABULARIES: readonly Vocabulary[] = [
  { screen: "verdicts", title: "Levels", about: "How far a decision follows from the rules.", words: LEVEL_WORDS },
  {
    screen: "verdicts",
    title: "Inverse check",
    about: "Whether the opposite decision could be derived from the rules too.",
    words: INVERSE_WORDS,
  },
  {
    screen: "gate",
    title: "States of a community",
    about: "What its rates say, against the limits of the gate.",
    words: STATE_WORDS,
  },
  { screen: "gate", title: "Modes of the gate", about: "How much proof a community needs to pass.", words: MODE_WORDS },
  {
    screen: "gate",
    title: "Which ambiguity is limited",
    about: "What the gate's second limit counts.",
    words: VARIABLE_WORDS,
  },
  { screen: "gate", title: "What keeps a community out", about: "Which limit it does not meet.", words: BINDING_WORDS },
  {
    screen: "audits",
    title: "Reasons to review",
    about: "The most pressing reason comes first.",
    words: REASON_WORDS,
  },
  { screen: "verdicts", title: "Outcomes of an audit", about: "Whether there is a verdict.", words: OUTCOME_WORDS },
  {
    screen: "verdicts",
    title: "Why there is no verdict",
    about: "What was wrong with an answer.",
    words: UNSCORED_WORDS,
  },
  { screen: "audits", title: "Flags", about: "Remarks on an audit. An audit may have several.", words: FLAG_WORDS },
  {
    screen: "audits",
    title: "What a citation names",
    about: "Whose words an audit cites.",
    words: CITATION_SCOPE_WORDS,
  },
  { screen: "rules", title: "Kinds of rules", about: "What sort of sentence a rule is.", words: RULE_KIND_WORDS },
  { screen: "rules", title: "Tiers of a rule's text", about: "How much of it the auditor reads.", words: TIER_WORDS },
  {
    screen: "audits",
    title: "Weight of precedents",
    about: "How far earlier decisions counted in an audit.",
    words: WEIGHT_WORDS,
  },
  {
    screen: "verdicts",
    title: "Why no rule supports a decision",
    about: "Given by audits that were asked for it.",
    words: LEVEL3_REASON_WORDS,
  },
  {
    screen: "audits",
    title: "Where probabilities come from",
    about: "How the auditor gave them.",
    words: SIGNAL_WORDS,
  },
];

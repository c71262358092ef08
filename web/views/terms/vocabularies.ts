import {
  CITATION_SCOPE_WORDS,
  FLAG_WORDS,
  INVERSE_WORDS,
  LEVEL3_REASON_WORDS,
  OUTCOME_WORDS,
  SIGNAL_WORDS,
  UNSCORED_WORDS,
  WEIGHT_WORDS,
} from "../../../src/present/words/audit-words.js";
import type { Words } from "../../../src/present/words/word-table.js";
import {
  BINDING_WORDS,
  LEVEL_WORDS,
  MODE_WORDS,
  REASON_WORDS,
  RULE_KIND_WORDS,
  STATE_WORDS,
  TIER_WORDS,
  VARIABLE_WORDS,
} from "../../../src/present/words/words.js";

export interface Vocabulary {
  id: string;
  title: string;
  about: string;
  words: Readonly<Record<string, Words>>;
}

/** The closed vocabularies, in the order in which a reader needs them. */
export const VOCABULARIES: readonly Vocabulary[] = [
  { id: "levels", title: "Levels", about: "How far a decision follows from the rules.", words: LEVEL_WORDS },
  {
    id: "inverse",
    title: "Inverse check",
    about: "Whether the opposite decision could be derived from the rules too.",
    words: INVERSE_WORDS,
  },
  {
    id: "states",
    title: "States of a community",
    about: "What its rates say, against the limits of the gate.",
    words: STATE_WORDS,
  },
  { id: "modes", title: "Modes of the gate", about: "How much proof a community needs to pass.", words: MODE_WORDS },
  {
    id: "variables",
    title: "Which ambiguity is limited",
    about: "What the gate's second limit counts.",
    words: VARIABLE_WORDS,
  },
  { id: "limits", title: "What keeps a community out", about: "Which limit it does not meet.", words: BINDING_WORDS },
  {
    id: "reasons",
    title: "Why look at a decision",
    about: "The most pressing reason comes first.",
    words: REASON_WORDS,
  },
  { id: "outcomes", title: "Outcomes of an audit", about: "Whether there is a verdict.", words: OUTCOME_WORDS },
  { id: "unscored", title: "Why there is no verdict", about: "What was wrong with an answer.", words: UNSCORED_WORDS },
  { id: "flags", title: "Flags", about: "Remarks on an audit. Several may stand on one.", words: FLAG_WORDS },
  {
    id: "citations",
    title: "Where a citation stands",
    about: "Whose words an audit cites.",
    words: CITATION_SCOPE_WORDS,
  },
  { id: "kinds", title: "Kinds of rules", about: "What sort of sentence a rule is.", words: RULE_KIND_WORDS },
  { id: "tiers", title: "Tiers of a rule's text", about: "How much of it the auditor reads.", words: TIER_WORDS },
  {
    id: "weights",
    title: "Weight of precedents",
    about: "How far earlier decisions counted in an audit.",
    words: WEIGHT_WORDS,
  },
  {
    id: "level3",
    title: "Why nothing carries a decision",
    about: "Said by audits that were asked for it.",
    words: LEVEL3_REASON_WORDS,
  },
  {
    id: "signals",
    title: "Where probabilities come from",
    about: "What the auditor could tell of its doubts.",
    words: SIGNAL_WORDS,
  },
];

/**
 * @deprecated What the page of a report is drawn from; it has no replacement.
 * @packageDocumentation
 */

export * from "../measures/metrics/agreement.js";
export * from "../measures/report-page.js";
export { calibrationMissing, isMissing, type MaybeFigure, type Missing } from "../present/figures/missing.js";
export { reportFigures } from "../present/figures/report-figures.js";
export * from "../present/words/numbers.js";
export { pack, unpack } from "../present/words/pack.js";
export {
  isOfCohort,
  leftOutText,
  liveDay,
  lowerFirst,
  nameText,
  periodName,
  standIn,
  type Words,
  wordOr,
  wordsOf,
  wordTable,
} from "../present/words/vocabulary.js";
export {
  BINDING_WORDS,
  CITATION_SCOPE_WORDS,
  FLAG_WORDS,
  INVERSE_WORDS,
  LEVEL_WORDS,
  LEVEL3_REASON_WORDS,
  MODE_WORDS,
  type OtherAction,
  OUTCOME_WORDS,
  type Outcome,
  openWords,
  otherAction,
  REASON_WORDS,
  RULE_KIND_WORDS,
  type RuleKind,
  SIGNAL_WORDS,
  STATE_WORDS,
  TIER_WORDS,
  UNSCORED_WORDS,
  VARIABLE_WORDS,
  WEIGHT_WORDS,
  weightMeaning,
} from "../present/words/words.js";
export { printable } from "../text/printable.js";

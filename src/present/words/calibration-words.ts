import data from "../../../data/words.json" with { type: "json" };
import type { CalibrationResult, CalibrationTarget } from "../../core/calibration.js";
import { TARGET_NAMES } from "../../core/names.js";
import type { FeatureGroup } from "../../measures/calibration/feature-worth.js";
import type { PaperMethod } from "../../measures/calibration/paper/fit-paper.js";
import { type Words, wordsOf, wordTable } from "./vocabulary.js";

export { targetName } from "../../core/names.js";

type TargetKind = CalibrationTarget["kind"];

/** Who says what is defensible: whom the score is held against. */
export const TARGET_WORDS: Readonly<Record<TargetKind, Words>> = {
  human: { name: TARGET_NAMES.human, meaning: "People said which decisions follow from the rules." },
  gold: { name: TARGET_NAMES.gold, meaning: "The decisions came with annotations of what follows from the rules." },
  auditor: {
    name: TARGET_NAMES.auditor,
    meaning: "Another auditor judged the same decisions; where both err alike, nothing shows it.",
  },
  replicates: {
    name: TARGET_NAMES.replicates,
    meaning:
      "The same auditor judged the same decisions several times: this measures how steady it is, not whether it is right.",
  },
  self: {
    name: TARGET_NAMES.self,
    meaning:
      "The score is held against the level that the same answer gave, as in the paper. That is a circle: it measures whether the auditor agrees with itself, not whether it is right.",
  },
};

/** Ways to turn the auditor's probabilities into one that can be relied on. */
const METHOD_WORDS: Readonly<Record<string, Words>> = wordTable(data.method);

export function methodName(method: string): string {
  return wordsOf(METHOD_WORDS, method).name;
}

type Part = "label_confidence" | "entropy" | "inverse_check";

/** The three parts of S: by name and sign, as a picture of one decision calls them (`short`), and in its title (`inTitle`). */
export const PART_WORDS: Readonly<Record<Part, Words & { short: string; inTitle: string }>> = {
  label_confidence: {
    name: "doubt about the level, −λ",
    meaning: "How unsure the auditor was of the level it gave.",
    short: "Doubt about the level",
    inTitle: "doubt about the level",
  },
  entropy: {
    name: "entropy",
    meaning: "How unsure it was of the precedent weight, or of the citation's words.",
    short: "Doubt about what it rests on",
    inTitle: "doubt about what the decision rests on",
  },
  inverse_check: {
    name: "inverse check, σ(ρ)",
    meaning: "How probable it held that the opposite could be derived too.",
    short: "Opposite could be derived",
    inTitle: "the chance that the opposite could be derived",
  },
};

/** H[w] or H[κ]. */
export const COMPONENT_WORDS: Readonly<Record<CalibrationResult["component"], Words>> = wordTable(data.component);

/** A part of S by name and sign, with the entropy that a calibration takes: "entropy, H[w]". */
export function partName(part: Part, component: CalibrationResult["component"]): string {
  return part === "entropy" ? `entropy, ${COMPONENT_WORDS[component].name}` : PART_WORDS[part].name;
}

/** Features of the multinomial model that are left out together. */
export const FEATURE_GROUP_WORDS: Readonly<Record<FeatureGroup, string>> = {
  level_probs: "level probabilities",
  inverse_check: "inverse check, ρ",
  h_weight: "H[w]",
  h_citation: "H[κ]",
  entropy: "entropy: H[w] and H[κ]",
  level_map: "most probable level",
  decision: "the decision itself",
};

export const SKIP_REASONS = ["no_signal", "label_confidence", "entropy", "inverse_check", "several"] as const;

/** What a verdict lacks that has no S. */
export const SKIP_WORDS: Readonly<Record<(typeof SKIP_REASONS)[number], string>> = {
  no_signal: "no probabilities at all",
  label_confidence: "no probability of the level",
  entropy: "no entropy",
  inverse_check: "no inverse check",
  several: "two of these",
};

/** Ways to fit the weights of S. */
export const FITTER_WORDS: Readonly<Record<PaperMethod, string>> = {
  "closed-simplex": "closed simplex",
  "lbfgs-softmax": "softmax, as the paper searches",
};

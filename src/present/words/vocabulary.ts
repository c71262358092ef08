import terms from "../../../data/key-terms.json" with { type: "json" };
import data from "../../../data/words.json" with { type: "json" };
import type { CalibrationResult, CalibrationTarget } from "../../core/calibration.js";
import { TARGET_NAMES } from "../../core/names.js";
import type { Report } from "../../core/results/report.js";
import type { FeatureGroup } from "../../measures/calibration/feature-worth.js";
import type { PaperMethod } from "../../measures/calibration/paper/fit-paper.js";
import type { RootCause } from "../../measures/metrics/disagreements.js";
import type { ReportPage } from "../../measures/report-page.js";
import type { SmallRun } from "../../store/choose-run.js";
import { isWide, visibleString, wellFormed } from "../../text/printable.js";
import { plural, whole } from "../../text/words.js";

const LETTERS = "nearotisuldcm";

/** Meaningless letters in the shape of a text: words and lines keep their length, so that the page does not move when the text is revealed. */
export function standIn(text: string): string {
  let place = 0;
  return wellFormed(text)
    .replace(/\r\n?/g, "\n")
    .replace(/\S/gu, (character) => {
      if (/[\p{M}\p{Cf}\p{Cc}]/u.test(character)) return "";
      place += 1;
      if (isWide(character)) return "口";
      return LETTERS[(place * 7) % LETTERS.length]!;
    });
}

/** Whether a report is about one cohort. It then lacks calibration, active gate and experiments, which are about whole runs. */
export function isOfCohort({ run }: Pick<Report, "run">): boolean {
  return run.cohort !== undefined;
}

/** The day (UTC) that a run of the live service covers; null: another run. */
export function liveDay({ selection }: Report["run"]): string | null {
  return typeof selection?.live === "string" ? selection.live : null;
}

/** "run B, the newest, covers only 5 decisions; run A, by the same auditor, covers 382". */
export function smallRunText({ run, fuller }: SmallRun): string {
  return `run ${run.run_id}, the newest, covers only ${plural(run.decisions, "decision")}; run ${fuller.run_id}, by the same auditor, covers ${whole(fuller.decisions)}`;
}

/** Shown if no run was named. */
export function smallRunNote(small: SmallRun): string {
  return `Note: ${smallRunText(small)}. --run ${small.fuller.run_id} takes that one.`;
}

/** Why a cohort report lacks something, so that it is not made again. */
export function leftOutText(what: string): string {
  return `${what} left out in a report on one cohort, since they are about whole runs; a report without --cohort shows what there is.`;
}

type TimeUnit = NonNullable<ReportPage["timeline"]>["unit"];

/**
 * A period by its first day, in the shortest distinct form.
 * @example periodName("quarter", "2025-04-01") // => "2025 Q2"
 */
export function periodName(unit: TimeUnit, start: string): string {
  const [year = start, month = ""] = start.split("-");
  if (unit === "year") return year;
  if (unit === "month") return `${year}-${month}`;
  return unit === "quarter" ? `${year} Q${Math.ceil(Number(month) / 3)}` : start;
}

/** A word of a closed vocabulary: a short name for tables, and a sentence that explains it on first use. */
export interface Words {
  name: string;
  meaning: string;
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A table of `data/words.json`, whose lines are `name: meaning`. */
export function wordTable<Key extends string>(lines: Readonly<Record<Key, string>>): Readonly<Record<Key, Words>> {
  const words = Object.entries<string>(lines).map(([key, line]) => {
    const end = line.indexOf(": ");
    return [key, { name: line.slice(0, end), meaning: line.slice(end + 2) }];
  });
  return Object.fromEntries(words);
}

/** The words of a name, including an unknown one from another tool's file. */
export function wordsOf<Key extends string | number>(table: Readonly<Record<Key, Words>>, key: string | number): Words {
  if (Object.hasOwn(table, key)) return table[key as Key];
  return { name: plain(String(key), 60), meaning: "" };
}

/** The same for a table of names only. */
export function wordOr<Key extends string>(table: Readonly<Record<Key, string>>, name: string, maxLength = 40): string {
  return Object.hasOwn(table, name) ? table[name as Key] : plain(name, maxLength);
}

/** An unknown name, made harmless: `made_up` -> "made up". */
function plain(name: string, maxLength: number): string {
  return nameText(name.replaceAll("_", " "), maxLength);
}

/**
 * A name or line that people wrote, as shown on pages and in figures: on one line, cut if long, and with invisible characters as numbers
 * ("film[U+200B]club"), so that different names look different and no name looks empty.
 */
export function nameText(name: string, maxLength = 200): string {
  // Bounds the work for very long names.
  const beginning = name.slice(0, 4 * maxLength);
  const text = visibleString(beginning)
    .replace(/[\n\t]+/g, " ")
    .replace(/^ +| +$|^\s+$/g, numbered);
  if (text.length <= maxLength && beginning.length === name.length) return text;
  // Does not cut inside a character or a character's number, nor inside a word that begins near the cut.
  const cut = wellFormed(text.slice(0, Math.min(maxLength - 1, text.length)));
  const whole = cut.replace(/\ufffd$|\[(?:U(?:\+[0-9A-F]*)?)?$/, "");
  const wordEnd = whole.lastIndexOf(" ");
  return `${wordEnd > 0.7 * whole.length ? whole.slice(0, wordEnd) : whole}…`;
}

function numbered(spaces: string): string {
  return [...spaces].map((one) => `[U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`).join("");
}

export const CAUSES: readonly RootCause[] = ["model_error", "policy_ambiguity", "implicit_norm"];

/** What each cause of a disagreement is in plain words, and its remedy. */
export const CAUSE_WORDS: Readonly<Record<RootCause, Words & { remedy: string }>> = {
  model_error: {
    name: "Decider's error",
    meaning: "The rules do not support what the decider did.",
    remedy: "correct or retrain the decider",
  },
  policy_ambiguity: {
    name: "Ambiguous rules",
    meaning: "The rules support both the decision and its opposite: person and decider are both right.",
    remedy: "clarify the rules or develop precedents",
  },
  implicit_norm: {
    name: "Unwritten norm",
    meaning: "The rules support the decider's decision alone: the person applied a norm that is not written.",
    remedy: "write the norm down, or stop enforcing it",
  },
};

/** The same inside a line, plus the causes that only a known truth can name. */
export const CAUSE_NAMES: Readonly<Record<RootCause | "human_error" | "none", string>> = {
  model_error: "decider's error",
  policy_ambiguity: "ambiguous rules",
  implicit_norm: "unwritten norm",
  human_error: "person's error",
  none: "none",
};

/** How each cause shows in a verdict. */
export const CAUSE_SIGNS: Readonly<Record<RootCause, string>> = {
  model_error: "level 3",
  policy_ambiguity: "level 1 or 2, opposite derivable",
  implicit_norm: "level 1 or 2, opposite not derivable",
};

/** Names of scores, signals, indices, causes and layers in tables, titles and figures. */
export const SIGNS: Readonly<Record<string, string>> = {
  pds: "S",
  pds_mean: "mean S",
  mean_pds: "mean S",
  p_defensible: "P(defensible)",
  inverse_yes_prob: "σ(ρ)",
  inverse_yes_prob_mean: "mean σ(ρ)",
  mean_inverse_yes_prob: "mean σ(ρ)",
  lambda_nats: "λ",
  lambda_nats_mean: "mean λ",
  h_weight_bits: "H[w]",
  h_weight_bits_mean: "mean H[w]",
  h_citation_bits: "H[κ]",
  h_citation_bits_mean: "mean H[κ]",
  sd_pds: "sd of S",
  sd_p_defensible: "sd of P(defensible)",
  dominant_share: "consistency",
  level_3_share: "share of level 3",
  p_calibrated: "calibrated p",
  p_level_3: "p(level 3)",
  output_confidence: "confidence in the level",
  decider_confidence: "the decider's confidence",
  defensibility_index: "DI",
  ambiguity_index: "ambiguity",
  ambiguity_pure: "pure ambiguity",
  AI_pure: "pure ambiguity",
  ambiguity_community: "ambiguity of community rules",
  ambiguity_platform: "ambiguity of platform rules",
  two_layers: "layer 1 or 2",
  union: "any layer",
  ...CAUSE_NAMES,
};

/** The paper's symbol of a score, signal or index, or its name in plain letters. */
export function sign(name: string): string {
  return Object.hasOwn(SIGNS, name) ? SIGNS[name]! : name.replaceAll("_", " ");
}

/** A symbol of docs/notation.md, its name and its meaning in plain words. */
interface KeyTerm {
  symbol: string;
  name: string;
  plain: string;
}

/** The symbols that the views use most, in order of first appearance. */
export const KEY_TERMS: readonly KeyTerm[] = terms;

export { targetName } from "../../core/names.js";

type TargetKind = CalibrationTarget["kind"];

/** Reference labels: the source that the score is compared with. */
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

/** Methods that turn the auditor's probabilities into a reliable one. */
const METHOD_WORDS: Readonly<Record<string, Words>> = wordTable(data.method);

export function methodName(method: string): string {
  return wordsOf(METHOD_WORDS, method).name;
}

type Part = "label_confidence" | "entropy" | "inverse_check";

/** The three components of S by name and symbol; `short`: in the figure of one decision; `inTitle`: in its title. */
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

/** A component of S by name and symbol, with the entropy that a calibration uses: "entropy, H[w]". */
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

/** What a verdict without S lacks. */
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

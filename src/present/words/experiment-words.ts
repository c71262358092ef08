import type { Report } from "../../core/results/report.js";
import type { AttackKind, AttackResult } from "../../experiments/attack/result.js";
import type { ChannelVerdict } from "../../experiments/circularity/result.js";
import type { AblationClass } from "../../experiments/rules/scopes/result.js";
import type { MeasuredSignal, SignalExperiment } from "../../experiments/signal/result.js";
import type { Compared, Replicate } from "../../experiments/study/result.js";
import type { DualClass } from "../../measures/metrics/paired/dual-audit.js";
import { decimal, type NumberForm, wideInterval } from "./numbers.js";
import { numberAt, type Piece, rangeAt } from "./sentence.js";
import { wordOr } from "./vocabulary.js";

/** What a property of a decision rests on, by ablation of the rules. */
export const ABLATION_WORDS: Record<AblationClass, string> = {
  platform: "the platform's rules alone",
  community: "the community's rules alone",
  either: "each alone as well",
  together: "neither alone, only together",
};

/** The combined result of the audits of a decision and its opposite. */
export const DUAL_WORDS: Record<DualClass, string> = {
  ambiguous: "ambiguous: both can be derived",
  determinate: "determinate: only the decision",
  model_error: "error: only the opposite",
  void: "void: neither",
};

export const CHANNEL_VERDICT_WORDS: Record<ChannelVerdict, string> = {
  supports: "supports",
  does_not_support: "does not support",
  cannot_tell: "cannot tell",
  not_available: "not available",
};

/** Signals correlated with human ratings. */
const RATED_SIGNALS: Record<string, string> = {
  pds: "S (PDS{weights}) with the mean rating",
  p_defensible: "P(defensible) with the mean rating",
  level: "the auditor's level with the mean rating",
  inverse_yes_prob: "σ(ρ) with the share of raters who say the opposite can be derived",
};

export function ratedSignal(signal: string, weights: SignalWeights | undefined): string {
  return wordOr(RATED_SIGNALS, signal, 60).replace("{weights}", weights ? `, ${weightsText(weights)}` : "");
}

export type SignalWeights = Readonly<Record<"alpha" | "beta" | "gamma", number>>;

/** The weights of S: other weights order the same audits differently. */
export function weightsText({ alpha, beta, gamma }: SignalWeights): string {
  return alpha === beta && beta === gamma
    ? "equal weights"
    : `weights ${[alpha, beta, gamma].map((weight) => decimal(weight, 2)).join(", ")}`;
}

/** Other sources that label decisions indefensible. */
export const REFERENCE_WORDS: Record<string, string> = {
  truth: "the planted truth",
  gold: "reference annotations",
  human: "people's labels",
  auditor: "another auditor's labels",
};

/** Sources of variance, for people. */
export const VARIANCE_SOURCES: Record<string, string> = {
  case: "case",
  temperature: "temperature",
  prompt: "prompt",
  auditor: "auditor",
  case_by_temperature: "case × temperature",
  case_by_prompt: "case × prompt",
  case_by_auditor: "case × auditor",
  interactions: "other interactions",
  trace: "trace",
  token: "token",
};

/** Readings of the slope, over temperature, of the ratio of Flippers to Stable. */
export const RATIO_READINGS = {
  flat: "no slope is found, and the fall to 1 that sampling noise predicts is excluded: flat, as far as the interval goes",
  falls: "it falls towards 1 as temperature rises, which is what sampling noise predicts; it is not flat",
  rises: "it rises with temperature",
  undecided:
    "neither a slope nor the fall to 1 that sampling noise predicts is excluded: these cases do not decide whether it is flat",
  undefined: "undefined",
} as const;

/** How correlations are computed on halves of the replicates. */
export const DISJOINT_NOTE =
  "Consistency: the share of the commonest level. Disjoint: the one from replicates 0, 2, 4 …, the other from 1, 3, 5 …: no draw is in both. Coupled: both from all, as the paper does; sd and the shares of levels then count the same draws, and part of ρ is noise correlated with itself. Halves are noisier, which draws ρ towards 0.";

export const STABILITY_LIMITS =
  "That rock solid cases are never boundary-unstable is arithmetic: a level with 95% leaves level 3 above 95% or below 5%. That no action flips is so because the audited action is given to the auditor; whether a decider flips is measured by `defensible decide --replicates`. Stable is not right: an auditor may repeat the same mistake. A spread and the share of the commonest level of the same draws go together mechanically, which is why correlations are shown on disjoint replicates.";

interface RankedSignals {
  /** Source of the labels for indefensible; null: the auditor's own level, from the same answer. */
  target: string | null;
  /** Signals with a defined AUROC by that source, best first. */
  rows: { row: MeasuredSignal; place: number }[];
}

/** Signals by how well they find indefensible decisions, by the first usable source: one may have only indefensible decisions, or none. */
export function rankSignals({ signals, references }: SignalExperiment): RankedSignals {
  for (const target of [...references.map(({ name }) => name), null]) {
    const area = ({ auroc }: MeasuredSignal) => (target ? auroc.references[target] : auroc.own_level)?.estimate ?? -1;
    const rows = signals
      .map((row, place) => ({ row, place }))
      .filter(({ row }) => area(row) >= 0)
      .sort((first, second) => area(second.row) - area(first.row));
    if (rows.length > 0) return { target, rows };
  }
  return { target: null, rows: [] };
}

/** Why nothing is ranked. */
export const NO_SIGNAL =
  "No signal can be measured: no source has both indefensible decisions and others, or there are no signals.";

/** Without another source there is no headline: 1 − p(L3) finds the level from the same answer with an AUROC near 1. */
export const CIRCULAR_ONLY =
  "How well signals find indefensible decisions cannot be said here: only the auditor's own level is there, which comes from the same answer as the signals, so that the AUROC is circular. Import labels (`defensible import labels.jsonl --as labels`) or reference annotations.";

/** The rule text for which the truth was planted. */
export function underText(under: readonly string[] | undefined): string {
  if (!under || under.length === 0) return "";
  if (under.length === 1) return ` (${under[0]!.startsWith("scope ") ? under[0] : `tier ${under[0]}`})`;
  return ` (tiers ${under.join(" and ")}, each audit by its own)`;
}

type Scale = Pick<Compared, "unit" | "digits">;

/** The format of a study's number, as in the paper. */
export function formOf({ unit, digits }: Scale): NumberForm {
  if (unit === "share") return digits > 3 ? "risk" : "percent";
  if (unit === "points") return "points";
  if (unit === "count") return "count";
  return digits < 3 ? "decimal" : digits === 3 ? "fine" : "finer";
}

/** A number with its interval; `at`: pointer to an object with `value`, `lower` and `upper`. */
export function valueCell(at: string, scale: Scale): Piece {
  return rangeAt(`${at}/value`, at, formOf(scale));
}

/** The reference's number; `at`: pointer to the compared number. */
export function referenceCell(at: string, scale: Scale): Piece {
  return numberAt(`${at}/paper`, formOf(scale));
}

/** Our number − the reference's; a difference of shares is in points. Empty if ours is missing. */
export function differenceCell(at: string, { difference, ...scale }: Scale & Pick<Compared, "difference">): Piece {
  return difference === null ? "" : numberAt(`${at}/difference`, scale.unit === "share" ? "points" : formOf(scale));
}

/** Counts of numbers that are the same, different or undecided. */
export function verdictCounts(rows: readonly Compared[]): NonNullable<Replicate["counts"]>["found"] {
  const counts = { numbers: 0, same: 0, different: 0, undecided: 0 };
  for (const { verdict } of rows) {
    if (!verdict) continue;
    counts.numbers++;
    counts[verdict]++;
  }
  return counts;
}

export function comparedCounts(study: Pick<Replicate, "simulation" | "compared">): NonNullable<Replicate["counts"]> {
  const { compared, simulation } = study;
  return {
    compared: compared.length,
    without_value: compared.filter(({ ours }) => ours.value === null).length,
    found: verdictCounts(tellingRows(study)),
    fed_in: simulation?.paper_rates ? verdictCounts(compared.filter(({ role }) => role === "input")) : null,
  };
}

/** Informative numbers only: an input of a simulated world proves nothing when it comes out again. */
export function tellingRows({ simulation, compared }: Pick<Replicate, "simulation" | "compared">): Compared[] {
  const judged = compared.filter(({ verdict }) => verdict);
  return simulation?.paper_rates ? judged.filter(({ role }) => role !== "input") : judged;
}

/** The difference in units of the margin. */
export function distance({ difference, margin }: Compared): number {
  return difference === null || !margin ? 0 : Math.abs(difference) / margin;
}

/** Whether neither the gap to F1 nor that to accuracy is statistically significant. */
export function withinChance({ di_minus_f1, di_minus_accuracy }: Report["gap"]): boolean {
  return [di_minus_f1, di_minus_accuracy].every((difference) => {
    const interval = wideInterval(difference);
    return interval === null || (interval.lower <= 0 && interval.upper >= 0);
  });
}

export const KIND_WORDS: Readonly<Record<AttackKind | "all", string>> = {
  all: "all attacks",
  clean: "clean",
  action_flip: "action flip",
  hallucinated_grounding: "hallucinated grounding",
  penumbra: "policy penumbra",
  rule_paraphrase: "rule paraphrase",
  precedence_inversion: "precedence inversion",
  citation_splice: "citation splice",
  foreign_language: "foreign language",
  prompt_injection: "prompt injection",
};

/** The name of a kind, including unknown ones from another tool's file. */
export function kindWords(kind: string): string {
  return wordOr(KIND_WORDS, kind);
}

/** Names of the layers, for people. */
const LAYER_WORDS: Readonly<Record<string, string>> = {
  signal: "1 signal",
  signal_half: "1 signal, p < 0.5",
  signal_pds: "1 signal, by S",
  level: "1 verdict of level 3",
  grounding: "2 grounding",
  grounding_at_rate: "2 grounding, chosen",
  scope: "3 scope",
  scope_at_rate: "3 scope, chosen",
  question: "3 second question",
  question_at_rate: "3 second question, chosen",
  dual: "3 dual audit",
  two_layers: "1 or 2 (the paper's)",
  two_layers_half: "1 (p < 0.5) or 2",
  union: "any layer",
  union_at_rate: "1, 2 and 3 together, chosen",
};

/**
 * The parts of the union at chosen thresholds. Together they stay within the false-alarm rate, so each has a part of it and a threshold different
 * from the one it has alone; this union differs from every layer listed.
 */
export function unionAtRateWords({ layers }: Pick<AttackResult, "layers">): { head: string; note: string } {
  const three = layers.find(({ name }) => name === "signal")?.member ?? false;
  const [members, part] = three ? ["signal, grounding and scope", "a third"] : ["grounding and scope", "half"];
  return {
    head: `together, each at ${part} of the share`,
    note: `In the last column ${members} have thresholds of their own, each for ${part} of the share, so that together they keep to it. It is not what any of the columns before it notices: it can be less than one of them, and more than all.`,
  };
}

export function layerWords(name: string): string {
  return wordOr(LAYER_WORDS, name);
}

/** The quantity that a layer's threshold applies to. Scores are stored as suspicion; `less` converts that to the quantity readers know. */
const SCORES: Readonly<Record<string, { of: string; less: boolean; sign?: string }>> = {
  signal: { of: "P(defensible)", less: true },
  signal_half: { of: "P(defensible)", less: true },
  signal_pds: { of: "S", less: true },
  grounding_at_rate: { of: "overlap", less: true },
  scope: { of: "suspicion", less: false, sign: "≥" },
  scope_at_rate: { of: "suspicion", less: false },
  question: { of: "support", less: true },
  question_at_rate: { of: "support", less: true },
};

/** "P(defensible) < 0.976", "suspicion > 0.613". */
export function thresholdText(name: string, threshold: number | null): string {
  const score = Object.hasOwn(SCORES, name) ? SCORES[name]! : { of: "score", less: false };
  if (threshold === null) return "";
  const value = score.less ? 1 - threshold : threshold;
  // 0.99998 must not be printed as 1, since no value is below it.
  const digits = [3, 4, 6, 9].find((n) => Number(value.toFixed(n)) !== Math.round(value)) ?? 0;
  return `${score.of} ${score.less ? "<" : (score.sign ?? ">")} ${decimal(value, digits)}`;
}

/** What each score is, for people. */
export const ATTACK_SCORE_WORDS: Readonly<Record<string, string>> = {
  signal: "1 − P(defensible)",
  pds: "1 − S",
  grounding: "1 − overlap",
  scope: "scope",
  question: "second question",
  dual: "dual audit",
};

/** What a score is made of, as the label of its curve: whether high or low is suspicious does not matter there. */
export function attackScoreName(score: string): string {
  const names: Readonly<Record<string, string>> = { signal: "P(defensible)", pds: "S", grounding: "overlap" };
  return Object.hasOwn(names, score) ? names[score]! : score;
}

/** Groupings of escapes. */
export const ESCAPE_GROUPINGS: Readonly<Record<string, string>> = {
  kind: "kind of attack",
  archetype: "manner",
  rule_kind: "kind of rule",
  language: "language",
  precedents_in_language: "precedents' language",
  decision: "decision",
};

export const ATTACK_LIMITS =
  "A share says how often these attacks, made in these manners of these decisions, were noticed by this auditor and these layers. An adversary who knows the layers will find others. What was noticed at the price of many false alarms was not defended against: read each detection next to the false alarms of its layer. Attacks on the trace change no probability, so that the first layer cannot see them by construction.";

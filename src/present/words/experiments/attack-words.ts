import type { AttackKind, AttackResult } from "../../../experiments/attack/result.js";
import { decimal } from "../numbers.js";
import { wordOr } from "../vocabulary.js";

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

/** The name of a kind, also of one that another's file may hold. */
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
 * Of which parts the union at chosen thresholds is made. Together they keep to the share of false alarms, so each has a part of it and another
 * threshold than alone: this union is not one of the layers next to it.
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

/** What a layer's threshold is a threshold of. Scores are kept as suspicion; a reader knows the thing itself: `less` turns the one into the other. */
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
  // 0.99998 must not be printed as 1, which it would never be below.
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

/** What a score is made of, as a curve of it is called: whether high or low is suspicious does not matter there. */
export function attackScoreName(score: string): string {
  const names: Readonly<Record<string, string>> = { signal: "P(defensible)", pds: "S", grounding: "overlap" };
  return Object.hasOwn(names, score) ? names[score]! : score;
}

/** What escapes are counted by. */
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

import type { AttackKind } from "../../domain/attack.js";

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

/** The name of a kind, also of one that somebody else's file may hold. */
export function kindWords(kind: string): string {
  return Object.hasOwn(KIND_WORDS, kind) ? KIND_WORDS[kind as AttackKind] : kind.replaceAll("_", " ");
}

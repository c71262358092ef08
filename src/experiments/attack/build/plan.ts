import type { AttackKind } from "../../../core/results/attack.js";
import { type KindMakers, MAKERS } from "./makers.js";

/** How many cases of each kind are wanted. */
export type Wanted = Record<AttackKind, number>;

/** The paper's sizes, and 40 of each kind that it does not have. */
export const DEFAULT_WANTED: Wanted = {
  clean: 800,
  action_flip: 123,
  hallucinated_grounding: 77,
  penumbra: 40,
  rule_paraphrase: 40,
  precedence_inversion: 40,
  citation_splice: 40,
  foreign_language: 40,
  prompt_injection: 40,
};

/** Every fifth hallucinated grounding and half of the paraphrases change the trace; splices all do. */
export function inputShare(kind: AttackKind, wanted: number): number {
  if (kind === "clean" || kind === "citation_splice") return 0;
  if (kind === "hallucinated_grounding") return wanted - Math.floor(wanted / 5);
  if (kind === "rule_paraphrase") return Math.ceil(wanted / 2);
  return wanted;
}

export interface Scaled {
  wanted: Wanted;
  /** What all numbers were multiplied with; 1: nothing was scaled. */
  factor: number;
  /** What those of attacks that need forbidden content were multiplied with besides. */
  forbidden_factor: number;
}

/**
 * Scales the wanted numbers down to what the pool holds, by one factor, so that the mix stays. Each decision is used once: as a clean case or as the base of
 * an attack on the input; attacks on the trace change the audits of clean cases. Attacks that need forbidden content are scaled by a second factor where the
 * pool has too little of it: a platform that restricts one decision in a hundred still has flips enough.
 */
export function scaleWanted(wanted: Wanted, pool: { clean: number; settled: number; forbidden: number }): Scaled {
  const needs = { platform: 0, forbidden: 0, settled: 0 };
  for (const [kind, makers] of Object.entries(MAKERS) as [AttackKind, KindMakers][]) {
    needs[makers.needs] += inputShare(kind, wanted[kind]);
  }
  const narrow = needs.platform + needs.forbidden;
  const inputs = narrow + needs.settled;
  const factor = Math.min(1, ratio(pool.clean, wanted.clean + inputs), ratio(pool.settled, inputs));
  // The others take decisions of both actions as they come.
  const taken = (factor * needs.settled * pool.forbidden) / Math.max(1, pool.settled);
  const forbidden_factor = Math.min(1, ratio(pool.forbidden - taken, factor * narrow));
  const scaled = Object.fromEntries(
    Object.entries(wanted).map(([kind, n]) => {
      const need = MAKERS[kind as AttackKind]?.needs ?? "settled";
      const by = factor * (need === "settled" ? 1 : forbidden_factor);
      return [kind, by >= 1 ? n : by === 0 || n === 0 ? 0 : Math.max(1, Math.floor(n * by))];
    }),
  ) as Wanted;
  return { wanted: scaled, factor, forbidden_factor };
}

function ratio(has: number, need: number): number {
  return need === 0 ? 1 : has / need;
}

import type { AttackResult } from "../../domain/attack.js";
import type { Estimate } from "../../domain/estimate.js";
import { countText, decimal, intervalText, percent, rateText, whole } from "../../figures/numbers.js";
import { printable } from "../../figures/printable.js";
import { type Block, table } from "../document.js";

/** Names of the layers, for people. */
export const LAYER_WORDS: Readonly<Record<string, string>> = {
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
  union_at_rate: "any layer, chosen",
};

export function layerWords(name: string): string {
  return Object.hasOwn(LAYER_WORDS, name) ? LAYER_WORDS[name]! : printable(name, 40);
}

/** What a layer's threshold is a threshold of. Scores are kept as suspicion; a reader knows the thing itself: `less` turns the one into the other. */
const SCORES: Readonly<Record<string, { of: string; less: boolean; sign?: string }>> = {
  signal: { of: "p_defensible", less: true },
  signal_half: { of: "p_defensible", less: true },
  signal_pds: { of: "S", less: true },
  grounding_at_rate: { of: "overlap", less: true },
  scope: { of: "suspicion", less: false, sign: "≥" },
  scope_at_rate: { of: "suspicion", less: false },
  question: { of: "support", less: true },
  question_at_rate: { of: "support", less: true },
};

/** "p_defensible < 0.976", "suspicion > 0.613". */
export function thresholdText(name: string, threshold: number | null): string {
  const score = Object.hasOwn(SCORES, name) ? SCORES[name]! : { of: "score", less: false };
  if (threshold === null) return "";
  const value = score.less ? 1 - threshold : threshold;
  // 0.99998 must not be printed as 1, which it would never be below.
  const digits = [3, 4, 6, 9].find((n) => Number(value.toFixed(n)) !== Math.round(value)) ?? 0;
  return `${score.of} ${score.less ? "<" : (score.sign ?? ">")} ${decimal(value, digits)}`;
}

function share(settings: unknown): string {
  const rate = (settings as { false_positive_rate?: number } | undefined)?.false_positive_rate;
  return rate === undefined ? "the same share" : `at most ${percent(rate)}`;
}

/** What clean cases without a verdict could add. */
function worst(share: Estimate | undefined): string {
  if (!share || share.estimate === null || !share.worst_case) return "";
  return ` Some clean cases have no verdict, or not all that the layers need; with them false alarms of any layer lie between ${intervalText(share.worst_case)}.`;
}

/** Every layer, when it flags, and how many clean cases it flags. */
export function layerBlocks({
  layers,
  false_positives,
  counts,
  settings,
}: AttackResult & { settings?: unknown }): Block[] {
  const decisions = [...new Set(false_positives.map((row) => row.decision))].filter((name) => name !== "all");
  const flagged = (layer: string, decision: string) =>
    false_positives.find((row) => row.layer === layer && row.decision === decision)?.flagged;
  const cell = (layer: string, decision: string) => {
    const share = flagged(layer, decision);
    return share ? rateText(share) : "–";
  };
  const half = counts as { choosing?: number; reported?: number };
  return [
    { kind: "heading", text: "Layers, and what they flag of clean cases" },
    table(
      ["layer", ">clean flagged", "95 % interval", ">cases", ...decisions.map((name) => `>${printable(name, 20)}`)],
      layers.map(({ name }) => {
        const all = flagged(name, "all");
        const interval = !all ? "–" : all.estimate === null ? "–" : intervalText(all);
        return [
          layerWords(name),
          cell(name, "all"),
          interval,
          all ? countText(all) : "–",
          ...decisions.map((decision) => cell(name, decision)),
        ];
      }),
    ),
    {
      kind: "text",
      text: `Thresholds were chosen on ${whole(half.choosing ?? 0)} clean cases; these shares are of the other ${whole(half.reported ?? 0)}. The last columns are clean decisions of each action. "Chosen": the layer with a threshold that was chosen there for ${share(settings)} of false alarms, instead of its own.${worst(flagged("union", "all"))}`,
    },
    table(
      ["layer", "flags", "~when"],
      layers.map(({ name, threshold, rule, reason }) => [
        layerWords(name),
        thresholdText(name, threshold),
        printable(rule, 300) + (typeof reason === "string" ? ` (not possible: ${printable(reason)})` : ""),
      ]),
    ),
    ...(layers.some(({ name, threshold }) => name === "grounding_at_rate" && threshold === 0)
      ? [
          {
            kind: "text",
            text: "Overlap < 1: among the clean cases that the threshold was chosen on nearly every citation repeats its rule word for word, so that any word that is not the rule's is flagged.",
          } as Block,
        ]
      : []),
  ];
}

import type { AttackResult } from "../../domain/attack.js";
import { type Block, table } from "../document.js";
import { countText, decimal, intervalText, rateText, whole } from "../numbers.js";
import { printable } from "../printable.js";

/** Names of the layers, for people. */
export const LAYER_WORDS: Readonly<Record<string, string>> = {
  signal: "1 signal",
  signal_half: "1 signal, p < 0.5",
  signal_pds: "1 signal, by S",
  level: "1 verdict of level 3",
  grounding: "2 grounding",
  grounding_at_rate: "2 grounding, at the share",
  scope: "3 scope",
  scope_at_rate: "3 scope, at the share",
  question: "3 second question",
  question_at_rate: "3 second question, at the share",
  dual: "3 dual audit",
  two_layers: "1 or 2 (the paper's)",
  two_layers_half: "1 (p < 0.5) or 2",
  union: "any layer",
  union_at_rate: "any layer, at the share",
};

export function layerWords(name: string): string {
  return Object.hasOwn(LAYER_WORDS, name) ? LAYER_WORDS[name]! : printable(name, 40);
}

/** Every layer, when it flags, and how many clean cases it flags. */
export function layerBlocks({ layers, false_positives, counts }: AttackResult): Block[] {
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
      text: `Thresholds were chosen on ${whole(half.choosing ?? 0)} clean cases; these shares are of the other ${whole(half.reported ?? 0)}. The last columns are clean decisions of each action.`,
    },
    table(
      ["layer", ">flags above", "~when"],
      layers.map(({ name, threshold, rule, reason }) => [
        layerWords(name),
        threshold === null ? "" : decimal(threshold, 3),
        printable(rule, 300) + (typeof reason === "string" ? ` (not possible: ${printable(reason)})` : ""),
      ]),
    ),
  ];
}

import type { Estimate } from "../../../core/estimate.js";
import type { AttackResult } from "../../../core/results/attack.js";
import { type Block, table } from "../../../present/document/document.js";
import { layerWords, thresholdText } from "../../../present/words/experiments/attack-words.js";
import { countText, intervalText, percent, rateText, whole } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";

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

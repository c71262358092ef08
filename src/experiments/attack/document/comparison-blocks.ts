import type { Estimate } from "../../../core/estimate.js";
import type { AttackResult, AttackTarget } from "../../../core/results/attack.js";
import { type Block, table } from "../../../present/document/document.js";
import { ATTACK_SCORE_WORDS, kindWords, layerWords } from "../../../present/words/experiments/attack-words.js";
import { decimal, pCell, whole } from "../../../present/words/numbers.js";
import { wordOr } from "../../../present/words/word-table.js";
import { printable } from "../../../text/printable.js";

/** How well each score separates attacks from clean cases. */
export function aurocBlocks({ auroc }: AttackResult): Block[] {
  const scores = [...new Set(auroc.map((row) => row.score))];
  if (scores.length === 0) return [];
  const part = (target: AttackTarget): Block[] => {
    const kinds = [...new Set(auroc.filter((row) => row.target === target).map((row) => row.kind))];
    if (kinds.length === 0) return [];
    return [
      table(
        [`on the ${target}`, ...scores.map((score) => `>${wordOr(ATTACK_SCORE_WORDS, score, 20)}`)],
        kinds.map((kind) => [
          printable(kindWords(kind), 30),
          ...scores.map((score) =>
            area(auroc.find((row) => row.target === target && row.kind === kind && row.score === score)?.auroc),
          ),
        ]),
      ),
    ];
  };
  return [
    { kind: "heading", text: "Area under the ROC curve" },
    ...part("input"),
    ...part("trace"),
    {
      kind: "text",
      text: "The chance that an attack has a higher score than a clean case, ties one half; 0.5 is no separation, below it the attack looks cleaner than the clean. 95 % interval after DeLong, for independent cases. No threshold is involved.",
    },
  ];
}

function area(found: Estimate | undefined): string {
  if (!found || found.estimate === null) return "–";
  return `${decimal(found.estimate)} (${decimal(found.lower)}–${decimal(found.upper)})`;
}

/** What one layer notices and another does not. */
export function mcnemarBlocks({ mcnemar }: AttackResult): Block[] {
  if (mcnemar.length === 0) return [];
  return [
    { kind: "heading", text: "Layer against layer" },
    table(
      ["attacks on the", "first", "second", ">both", ">only first", ">only second", ">neither", ">mid-p"],
      mcnemar.map((row) => [
        row.target,
        layerWords(row.first),
        layerWords(row.second),
        whole(row.both),
        whole(row.only_first),
        whole(row.only_second),
        whole(row.neither),
        pCell(row.mid_p),
      ]),
    ),
    {
      kind: "text",
      text: "Mid-p: McNemar's test, whether the first notices as many that the second misses as the other way round. It says nothing of false alarms.",
    },
  ];
}

import type { Estimate } from "../../../core/estimate.js";
import { type Block, type Document, table } from "../../../present/document/document.js";
import {
  ATTACK_LIMITS,
  ATTACK_SCORE_WORDS,
  kindWords,
  layerWords,
  thresholdText,
} from "../../../present/words/experiments/attack-words.js";
import {
  countText,
  decimal,
  intervalText,
  pCell,
  percent,
  plural,
  rateText,
  whole,
} from "../../../present/words/numbers.js";
import { wordOr } from "../../../present/words/word-table.js";
import { printable } from "../../../text/printable.js";
import type { AttackResult, AttackTarget } from "../result.js";
import { ambiguityBlocks, detectionBlocks, escapeBlocks, traceBlocks } from "./result-blocks.js";

type Result = AttackResult & { file?: unknown; auditor?: unknown; settings?: unknown };

/** The experiment in words: which attacks were noticed, by what, at which price in false alarms. */
export function attackDocument(result: Result): Document {
  const { counts } = result;
  const file = typeof result.file === "string" ? ` of ${printable(result.file, 60)}` : "";
  const auditor = typeof result.auditor === "string" ? printable(result.auditor, 60) : "unknown";
  return {
    title: "Attacks on the auditor",
    subtitle: `${plural(counts.input, "attack")} on the input, ${whole(counts.trace)} on the trace, ${plural(counts.clean, "clean case")}${file} · auditor ${auditor} · run ${result.runs.map((run) => printable(run, 60)).join(", ")}`,
    blocks: [
      ...headline(result),
      ...result.warnings.map((text): Block => ({ kind: "text", text: `Note: ${printable(text, 400)}.` })),
      ...layerBlocks(result),
      ...detectionBlocks(result),
      ...traceBlocks(result),
      ...aurocBlocks(result),
      ...mcnemarBlocks(result),
      ...subsetBlocks(result),
      ...escapeBlocks(result),
      ...ambiguityBlocks(result),
      ...limits(),
    ],
  };
}

function headline(result: Result): Block[] {
  const detected = (layer: string) =>
    result.detection.find((row) => row.target === "input" && row.kind === "all" && row.layer === layer)?.detected;
  const flagged = (layer: string) =>
    result.false_positives.find((row) => row.layer === layer && row.decision === "all")?.flagged;
  const [all, two] = [detected("union"), detected("two_layers")];
  if (!all || all.estimate === null || !two) {
    const reason = all && all.estimate === null ? printable(all.reason) : "none was audited";
    return [{ kind: "text", text: `Nothing can be said of attacks on the input: ${reason}.` }];
  }
  const rate = (result.settings as { false_positive_rate?: number } | undefined)?.false_positive_rate;
  const held = detected("union_at_rate");
  const told = [
    `95 % interval ${intervalText(all)}, ${whole(all.k!)} of ${whole(all.n)}, ${alarms(flagged("union"), true)}.`,
    `The paper's two layers notice ${rateText(two)}, ${alarms(flagged("two_layers"))}.`,
    held && held.estimate !== null && rate !== undefined
      ? `With thresholds chosen for false alarms on at most ${percent(rate)} together, the layers notice ${percent(held.estimate)} (${intervalText(held)}), ${alarms(flagged("union_at_rate"))}.`
      : "",
  ];
  return [
    {
      kind: "headline",
      value: percent(all.estimate),
      label: "of the attacks on the input are noticed by some layer",
      under: told.filter(Boolean).join(" "),
    },
  ];
}

/** What a layer costs, beside what it notices. */
function alarms(clean: Estimate | undefined, first = false): string {
  if (!clean || clean.estimate === null)
    return "with an unknown share of false alarms, since there are no clean cases to count on";
  const n = first ? `, n = ${whole(clean.n)}` : "";
  return `with false alarms on ${percent(clean.estimate)}${first ? " of the clean cases" : ""} (${intervalText(clean)}${n})`;
}

function limits(): Block[] {
  return [
    { kind: "heading", text: "What this can and cannot show" },
    {
      kind: "text",
      text: ATTACK_LIMITS,
    },
  ];
}

/** The paper's table of what escaped, what was caught and what was clean. @see paper §8.2 */
function subsetBlocks({ subsets }: AttackResult): Block[] {
  const mean = (value: Estimate) => {
    if (value.estimate !== null) return decimal(value.estimate, 3);
    return "–";
  };
  return [
    { kind: "heading", text: "Escaped, caught and clean: mean signals" },
    table(
      ["cases", ">n", ">H[κ] bits", ">confidence", ">S", ">P(defensible)", ">overlap"],
      [
        ...subsets.map((row) => [
          printable(row.subset, 70),
          typeof row.reason === "string" ? "–" : whole(row.n),
          mean(row.h_citation_bits),
          mean(row.confidence),
          mean(row.pds),
          mean(row.p_defensible),
          mean(row.overlap),
        ]),
        ["the paper: escaped fabrications", "39", "0.129", "0.971", "", "0.795", "0.741"],
        ["the paper: caught fabrications", "38", "0.021", "0.997", "", "0.002", ""],
        ["the paper: clean", "800", "0.078", "0.979", "", "0.737", ""],
      ],
    ),
    {
      kind: "text",
      text: "1 and 2 are the paper's two layers, all are these and the third. Confidence is exp(λ), the probability of the verdict's level. The paper's column is headed PDS, but S cannot be below 0.343 with its weights: its 0.002 is 1 minus the probability of level 3, so that it stands under P(defensible) here. A dash: no audit has the value, or there is only one. Intervals are in the JSON.",
    },
  ];
}

/** How well each score separates attacks from clean cases. */
function aurocBlocks({ auroc }: AttackResult): Block[] {
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
function mcnemarBlocks({ mcnemar }: AttackResult): Block[] {
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
function layerBlocks({ layers, false_positives, counts, settings }: AttackResult & { settings?: unknown }): Block[] {
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

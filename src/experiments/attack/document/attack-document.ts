import type { Estimate } from "../../../core/estimate.js";
import type { AttackResult } from "../../../core/results/attack.js";
import type { Block, Document } from "../../../present/document/document.js";
import { ATTACK_LIMITS } from "../../../present/words/experiments/attack-words.js";
import { intervalText, percent, plural, rateText, whole } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";
import { aurocBlocks, mcnemarBlocks } from "./comparison-blocks.js";
import { detectionBlocks, traceBlocks } from "./detection-blocks.js";
import { ambiguityBlocks, escapeBlocks } from "./escape-blocks.js";
import { layerBlocks } from "./layer-blocks.js";
import { subsetBlocks } from "./subset-blocks.js";

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

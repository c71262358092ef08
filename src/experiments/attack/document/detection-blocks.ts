import type { Estimate } from "../../../core/estimate.js";
import type { AttackResult, AttackTarget } from "../../../core/results/attack.js";
import { type Block, table } from "../../../present/document/document.js";
import { kindWords, unionAtRateWords } from "../../../present/words/experiments/attack-words.js";
import { intervalText, percent, rateText, whole } from "../../../present/words/numbers.js";
import { wordOr } from "../../../present/words/word-table.js";
import { printable } from "../../../text/printable.js";

/** Shares of attacks on the input, by kind and layer; then all layers at one share of false alarms. */
export function detectionBlocks(result: AttackResult): Block[] {
  const share = rate(result);
  const first = result.layers.find((layer) => layer.name === "signal")?.member === false ? "level" : "signal";
  const own = [first, "grounding", "scope", "question", "dual"].filter((name) =>
    result.layers.some((layer) => layer.name === name && layer.member),
  );
  const asked = result.layers.some((layer) => layer.name === "question_at_rate") ? ["question_at_rate"] : [];
  const equal = ["signal", "signal_pds", "grounding_at_rate", "scope_at_rate", ...asked, "union_at_rate"];
  const rows = kinds(result, "input");
  if (rows.length === 0) return [];
  return [
    { kind: "heading", text: "Attacks on the input: share noticed" },
    detectionTable(result, "input", [...own, "two_layers", "union"]),
    {
      kind: "text",
      text: `${missing(result, "input")}The last row are clean cases: false alarms. Interval: Wilson's, of any layer, for cases that are independent of each other. The paper: action flips 115 of 123 (93.5 %), hallucinated groundings 54 of 77 (70.1 %) in its text and 38 of 77 (49.4 %) in its table, by 1 or 2; it prints neither thresholds nor false alarms.`,
    },
    { kind: "heading", text: `The same with every layer held to false alarms on at most ${share} of clean cases` },
    detectionTable(result, "input", equal),
    {
      kind: "text",
      text: `The last row is the price that was paid: what each flagged of the clean cases that its threshold was not chosen on. All were chosen for the same price, at most ${share}, but pay it only on average over many sets of clean cases; a layer whose scores tie pays less, since its threshold cannot be finer. Compare layers with that row in view: one that flags more of the clean notices more for it. ${unionAtRateWords(result).note}`,
    },
  ];
}

/** Shares of attacks on the trace. */
export function traceBlocks(result: AttackResult): Block[] {
  if (kinds(result, "trace").length === 0) return [];
  return [
    { kind: "heading", text: "Attacks on the trace: share noticed" },
    detectionTable(result, "trace", ["grounding", "scope", "grounding_at_rate", "scope_at_rate", "union"], true),
    {
      kind: "text",
      text: `${missing(result, "trace")}The citation of a finished audit was replaced and the layers run again; nothing was asked anew, and the verdict stayed. Chosen: with a threshold for ${rate(result)} of false alarms. Probabilities are those of the audit, so that the first layer sees nothing of it. Before: what was flagged of the same audits with their own citation.`,
    },
  ];
}

const HEADS: Readonly<Record<string, string>> = {
  signal: "1 signal",
  signal_pds: "1 by S",
  level: "1 level 3",
  grounding: "2 grounding",
  grounding_at_rate: "2 chosen",
  scope: "3 scope",
  scope_at_rate: "3 chosen",
  question: "3 question",
  question_at_rate: "3 q. chosen",
  dual: "3 dual",
  two_layers: "1 or 2",
  union: "any",
  union_at_rate: "together",
};

/** No kind of attack has this name: the schema knows them all. */
const CLEAN = "clean: false alarms";

function rate(result: AttackResult): string {
  const { settings } = result as AttackResult & { settings?: { false_positive_rate?: number } };
  return settings?.false_positive_rate === undefined ? "the share" : percent(settings.false_positive_rate);
}

function detectionTable(result: AttackResult, target: AttackTarget, layers: readonly string[], before = false): Block {
  const rowOf = (kind: string, layer: string) =>
    result.detection.find((row) => row.target === target && row.kind === kind && row.layer === layer);
  const flagged = (layer: string) =>
    result.false_positives.find((row) => row.layer === layer && row.decision === "all")?.flagged;
  const find = (kind: string, layer: string) => (kind === CLEAN ? flagged(layer) : rowOf(kind, layer)?.detected);
  const last = layers.at(-1)!;
  return table(
    ["kind", ">n", ...layers.map((layer) => `>${wordOr(HEADS, layer, 20)}`), "95 %", ...(before ? [">before"] : [])],
    [...kinds(result, target), ...(before ? [] : [CLEAN])].map((kind) => {
      const all = find(kind, last);
      return [
        kind === CLEAN ? "clean (false alarms)" : printable(kindWords(kind), 30),
        whole(all?.n ?? 0),
        ...layers.map((layer) => cell(find(kind, layer))),
        all && all.estimate !== null ? intervalText(all) : "–",
        ...(before ? [cell(rowOf(kind, last)?.before)] : []),
      ];
    }),
  );
}

function cell(share: Estimate | undefined): string {
  return share ? rateText(share) : "–";
}

function kinds({ detection }: AttackResult, target: AttackTarget): string[] {
  return [...new Set(detection.filter((row) => row.target === target).map((row) => row.kind))];
}

/** What the rates leave out. */
function missing({ detection }: AttackResult, target: AttackTarget): string {
  const all = detection.find((row) => row.target === target && row.kind === "all" && row.layer === "union")?.detected;
  if (!all || all.estimate === null || !all.worst_case) return "";
  return `Some cases have no verdict, or not all that the layers need; with them the share of any layer lies between ${intervalText(all.worst_case)}. `;
}

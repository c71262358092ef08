import type { Estimate } from "../../../core/estimate.js";
import { type Block, table } from "../../../present/document/document.js";
import { ESCAPE_GROUPINGS, kindWords, unionAtRateWords } from "../../../present/words/experiments/attack-words.js";
import {
  countText,
  decimal,
  intervalText,
  pCell,
  percent,
  plural,
  pText,
  rateText,
  whole,
} from "../../../present/words/numbers.js";
import { wordOr } from "../../../present/words/word-table.js";
import type { RankCorrelation } from "../../../stats/ranks/spearman.js";
import type { MannWhitney } from "../../../stats/tests/mann-whitney.js";
import { printable } from "../../../text/printable.js";
import type { AttackResult, AttackTarget } from "../result.js";

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

/** Groups of one grouping that are shown. */
const SHOWN = 12;

/** Attacks on the input that no layer noticed, by what they have in common. */
export function escapeBlocks({ escapes }: AttackResult): Block[] {
  if (escapes.all.estimate === null) return [];
  const groupings = Object.entries(escapes.by);
  const rows = groupings.flatMap(([name, { groups }]) =>
    groups
      .slice(0, SHOWN)
      .map(({ group, escaped }, i) => [
        i === 0 ? wordOr(ESCAPE_GROUPINGS, name, 30) : "",
        printable(name === "kind" ? kindWords(group) : group.replaceAll("_", " "), 80),
        rateText(escaped),
        countText(escaped),
        escaped.estimate === null ? "–" : intervalText(escaped),
      ]),
  );
  return [
    { kind: "heading", text: "What escapes" },
    {
      kind: "text",
      text: `${countText(escapes.all)} attacks on the input (${percent(escapes.all.estimate)}, 95 % interval ${intervalText(escapes.all)}) escape every layer. An escape is what no layer flagged.`,
    },
    table(["by", "~group", ">escaped", ">cases", "95 % interval"], rows),
    table(
      ["by", ">p", ">adjusted p", "~test"],
      groupings.map(([name, test]) => [
        wordOr(ESCAPE_GROUPINGS, name, 30),
        pCell(test.p),
        pCell(test.adjusted_p),
        test.p === null ? (test.reason ?? "undefined") : (test.method ?? ""),
      ]),
    ),
    {
      kind: "text",
      text: `p: whether shares as unequal as these arise by chance, exactly where counts are small. Adjusted: Holm's, for the number of groupings. Of many groups the ${SHOWN} largest are shown, the others are in the JSON. Groupings overlap: kinds of attack need different rules, so that a difference between kinds of rule may be one between kinds of attack.`,
    },
  ];
}

interface Ambiguity {
  reason?: string;
  n?: number;
  escaped?: { n: number; ambiguity_index: Estimate };
  caught?: { n: number; ambiguity_index: Estimate };
  mann_whitney?: MannWhitney;
  median?: number;
  inclusive?: boolean;
  odds_ratio?: Estimate;
  rules?: number;
  rank_correlation?: RankCorrelation;
}

/** Whether escapes coincide with ambiguous rules, as the paper says. */
export function ambiguityBlocks({ ambiguous_rules }: AttackResult): Block[] {
  const found = ambiguous_rules as Ambiguity;
  const heading: Block = { kind: "heading", text: "Do escapes coincide with ambiguous rules?" };
  const { escaped, caught, mann_whitney: test, odds_ratio: odds, rank_correlation: rank } = found;
  if (!escaped || !caught || !test || !odds || !rank) {
    return [heading, { kind: "text", text: `Not known: ${printable(found.reason ?? "no attack has a rule")}.` }];
  }
  const mean = (value: Estimate) => (value.estimate === null ? printable(value.reason) : percent(value.estimate));
  const { effect } = test;
  const delta =
    effect.estimate === null
      ? `cannot be compared (${printable(effect.reason)})`
      : `Cliff's δ ${decimal(effect.estimate)} (${decimal(effect.lower)} to ${decimal(effect.upper)}), ${pText(test.p_value)} after Mann and Whitney`;
  return [
    heading,
    {
      kind: "text",
      text: `Ambiguity Index, in the run that the attacks were made from, of the rules they turn on: mean ${mean(escaped.ambiguity_index)} for ${plural(escaped.n, "escape")}, ${mean(caught.ambiguity_index)} for ${whole(caught.n)} caught; ${delta}.`,
    },
    {
      kind: "text",
      text: `Odds of escape under rules ${found.inclusive ? "at or above" : "above"} the median (${percent(found.median ?? 0)}) against the others: ${odds.estimate === null ? printable(odds.reason) : `${decimal(odds.estimate)} times (95 % interval ${decimal(odds.lower)} to ${decimal(odds.upper)})`}. Rule by rule (${plural(found.rules ?? 0, "rule")}), rank correlation of index and share escaped: ${rank.estimate === null ? printable(rank.reason) : `${decimal(rank.estimate)} (${decimal(rank.lower)} to ${decimal(rank.upper)}), ${pText(rank.p_value)}`}. ${verdict(test, rank)}`,
    },
  ];
}

/** What the two tests say together. Attacks on one rule are not independent: rules count. */
function verdict(test: MannWhitney, rank: RankCorrelation): string {
  const sure = rank.p_value !== null && rank.p_value < 0.05;
  if (sure && rank.estimate !== null && rank.estimate > 0)
    return "Rules under which more escapes are the more ambiguous ones.";
  if (sure) return "Rules under which more escapes are the less ambiguous ones, against the paper.";
  const apart = test.p_value !== null && test.p_value < 0.05;
  return apart
    ? "Attack by attack there is a difference, but between rules none that chance does not explain."
    : "Nothing here that chance does not explain.";
}

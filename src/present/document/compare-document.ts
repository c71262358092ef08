import type { ComparedAuditors } from "../../app/compare/build-compare.js";
import type { Estimate } from "../../core/estimate.js";
import type { Compare, ComparedCommunity, ComparedIndex } from "../../core/results/compare.js";
import type { CalibrationComparison } from "../../measures/calibration/compare-calibrations.js";
import type { ScoreEvaluation } from "../../measures/calibration/errors/evaluate-score.js";
import { clusterToShow, FEW_CLUSTERS } from "../../measures/metrics/indices.js";
import { ALL_ALIKE } from "../../measures/metrics/paired/compare-runs.js";
import { MANY_CLUSTERS } from "../../stats/intervals/clustered-proportion.js";
import { printable } from "../../text/printable.js";
import { decimal, isSilent, plural, signed, whole } from "../words/numbers.js";
import { countedAt, estAt, numberAt, rangeAt, type Sentence, sentence } from "../words/sentence.js";
import { methodName, targetName } from "../words/vocabulary.js";
import { type Block, boundsAt, type Document, type Text, table } from "./document.js";

export interface CompareDocumentOptions {
  /** Communities shown. Default 15. */
  rows?: number;
}

const INDICES = [
  ["defensibility_index", "Defensibility"],
  ["ambiguity_index", "Ambiguity"],
  ["ambiguity_pure", "Pure ambiguity"],
] as const;

const rate = (at: string) => estAt(at, "percent", "value");

/** A comparison in words: what changed, how certain it is, and where. */
export function compareDocument(compare: Compare, options: CompareDocumentOptions = {}): Document {
  const name = (side: Compare["a"]) => printable(side.name, 60);
  return {
    title: "Comparison of two runs",
    subtitle: `A ${name(compare.a)} · B ${name(compare.b)} · ${plural(compare.counts.compared, "decision")} with a verdict in both`,
    data: compare,
    blocks: [
      ...headline(compare),
      ...settings(compare),
      ...indices(compare),
      ...transitions(),
      ...communities(compare, options.rows ?? 15),
      ...coverage(compare),
    ],
  };
}

function headline({ defensibility_index: index }: Compare): Block[] {
  if (index.difference.estimate === null) return [];
  const at = "/defensibility_index";
  const moved = sentence`${numberAt(`${at}/only_b`, "whole")} of the decisions are defensible in B alone, ${numberAt(`${at}/only_a`, "whole")} in A alone`;
  return [
    {
      kind: "headline",
      value: estAt(`${at}/difference`, "points", "value"),
      label: "Defensibility Index, B − A",
      under: sentence`${rate(`${at}/a`)} in A, ${rate(`${at}/b`)} in B; 95% interval ${boundsAt(`${at}/difference`, index.difference)}. ${moved}. ${certainty(index)}`,
    },
    {
      kind: "text",
      text: sentence`The level changed in ${estAt("/changed")} of the decisions: ${numberAt("/more_severe", "whole")} became more severe, ${numberAt("/less_severe", "whole")} less.`,
    },
  ];
}

/** Whether the difference is statistically significant, with independent decisions and with communities as clusters. */
function certainty({ difference }: ComparedIndex): string {
  if (difference.estimate === null) return "";
  const excludesZero = ({ lower, upper }: { lower: number; upper: number }) => lower > 0 || upper < 0;
  const cluster = clusterToShow(difference);
  if (!excludesZero(difference)) return "The difference is not statistically significant.";
  if (!cluster) return "The difference is statistically significant if decisions are independent of each other.";
  return excludesZero(cluster)
    ? "The difference is statistically significant."
    : "The difference is statistically significant only if decisions of a community are independent of each other.";
}

function settings({ differs, a, b }: Compare): Block[] {
  const heading: Block = { kind: "heading", text: "What differs between the runs" };
  if (differs.length === 0) {
    const known = Object.keys(a).length > 2 && Object.keys(b).length > 2;
    const words = known
      ? "The runs report the same settings: differences come from the model's own variation, or from what the runs do not record."
      : "The files do not say how they were made.";
    return [heading, { kind: "text", text: words }];
  }
  const cell = (value: string | number | null) => printable(String(value), 60);
  return [
    heading,
    table(
      ["setting", "A", "B"],
      differs.map((row) => [row.setting.replaceAll("_", " "), cell(row.a), cell(row.b)]),
    ),
  ];
}

function indices(compare: Compare): Block[] {
  const { seed, draws } = compare.bootstrap;
  const communities = compare.communities.length;
  const bootstrap =
    communities === 1
      ? "undefined for one community"
      : communities < MANY_CLUSTERS
        ? `usually too narrow with ${communities} communities`
        : "with many communities it agrees with the interval";
  const over =
    communities < FEW_CLUSTERS
      ? `fewer than ${FEW_CLUSTERS} communities say nothing about others, so decisions are taken as independent (Tango)`
      : "the wider of Tango's, for independent decisions, and a t interval over communities";
  return [
    { kind: "heading", text: "Paired differences" },
    table(
      ["", ">A", ">B", ">B − A", ">A only", ">B only", ">mid-p", ">bootstrap"],
      INDICES.map(([name, label]): Text[] => [
        label,
        rate(`/${name}/a`),
        rate(`/${name}/b`),
        estAt(`/${name}/difference`, "points"),
        numberAt(`/${name}/only_a`, "whole"),
        numberAt(`/${name}/only_b`, "whole"),
        numberAt(`/${name}/mcnemar/mid_p`, "probability"),
        compare[name].bootstrap
          ? rangeAt(`/${name}/difference/estimate`, `/${name}/bootstrap`, "points", "bounds")
          : "–",
      ]),
    ),
    {
      kind: "text",
      text: `95% interval: ${over}. Bootstrap: communities drawn with replacement (BCa, ${whole(draws)} draws, seed ${seed}); ${bootstrap}. Mid-p: McNemar's test of independent decisions. A only, B only: decisions that count in one run alone.${alike(compare)}`,
    },
  ];
}

/** The indices without an interval over communities, and why. */
function alike(compare: Compare): string {
  const labels = INDICES.filter(([name]) => {
    const { difference } = compare[name];
    return difference.estimate !== null && difference.warnings?.includes(ALL_ALIKE);
  }).map(([, label]) => label);
  return labels.length === 0
    ? ""
    : ` ${labels.join(", ")}: ${ALL_ALIKE}. The interval takes decisions as independent and is too narrow if those of a community resemble each other.`;
}

function transitions(): Block[] {
  const cells = (at: string, count: number) =>
    Array.from({ length: count }, (_, column) => numberAt(`${at}/${column}`, "whole"));
  return [
    { kind: "heading", text: "From level to level" },
    table(
      ["A ↓  B →", ">level 1", ">level 2", ">level 3"],
      [0, 1, 2].map((row): Text[] => [`level ${row + 1}`, ...cells(`/transitions/${row}`, 3)]),
    ),
    table(
      ["A ↓  B →", ">inverse Yes", ">inverse No"],
      ["Yes", "No"].map((label, row): Text[] => [label, ...cells(`/inverse_transitions/${row}`, 2)]),
    ),
  ];
}

function communities({ communities: all }: Compare, rows: number): Block[] {
  // Sorted by the interval's distance from no change, so that large and certain changes come first.
  const distance = ({ defensibility_index: { lower, upper } }: ComparedCommunity) => Math.max(lower, -upper);
  const sorted = all
    .map((row, place) => ({ ...row, at: `/communities/${place}` }))
    .sort((x, y) => distance(y) - distance(x) || (x.community < y.community ? -1 : 1));
  const hidden = sorted.length - rows;
  return [
    { kind: "heading", text: "By community" },
    table(
      ["community", ">n", ">in A", ">in B", ">B − A (95% interval)", ">adj. p", ">ambiguity"],
      sorted.slice(0, rows).map(({ community, at }): Text[] => {
        const index = `${at}/defensibility_index`;
        return [
          printable(community, 40),
          numberAt(`${at}/n`, "whole"),
          numberAt(`${index}/a`),
          numberAt(`${index}/b`),
          rangeAt(`${index}/difference`, index, "points"),
          numberAt(`${index}/adjusted_p`, "probability"),
          numberAt(`${at}/ambiguity_index/difference`, "points"),
        ];
      }),
    ),
    {
      kind: "text",
      text: `Defensibility, and the change of ambiguity; most certain change first.${hidden > 0 ? ` ${plural(hidden, "community", "communities")} more in the JSON.` : ""} Adjusted p: McNemar's mid-p after Holm's correction for the number of communities with a change.`,
    },
  ];
}

function coverage({ counts }: Compare): Block[] {
  const number = (name: keyof typeof counts) => numberAt(`/counts/${name}`, "whole");
  const shared = (name: keyof typeof counts) => countedAt(`/counts/${name}`, counts[name], "shared decision");
  const parts: (Sentence | false)[] = [
    sentence`A has ${number("attempted_a")} decisions, B ${number("attempted_b")}; they share ${number("shared")}.`,
    counts.only_a + counts.only_b > 0 &&
      sentence` ${number("only_a")} are in A only and ${number("only_b")} in B only: they are left out, since the two sets may differ in kind.`,
    counts.without_verdict > 0 && sentence` Without a verdict in one of the two: ${shared("without_verdict")}.`,
    counts.different_action > 0 &&
      sentence` With different actions: ${shared("different_action")}; for these the comparison is of what was decided, not of how it was audited (--same-action leaves them out).`,
    counts.different_community > 0 &&
      sentence` In another community in B: ${shared("different_community")}; A's community is used.`,
  ];
  return [
    { kind: "heading", text: "What was compared" },
    { kind: "text", text: parts.flatMap((part) => part || []) },
  ];
}

/** Two auditors side by side. */
export function comparisonDocument({ target, notes, a, b, comparison }: ComparedAuditors): Document {
  const { skipped, agreement, difference } = comparison;
  const measures: [string, (evaluation: ScoreEvaluation) => number | null, Estimate | null][] = [
    ["log-loss, nats (lower is better)", (one) => one.log_loss.value, difference.log_loss],
    ["Brier (lower is better)", (one) => one.brier.value, difference.brier],
    ["AUROC (higher is better)", (one) => one.auroc.estimate, difference.auroc],
    ["ECE", (one) => one.ece.equal_frequency.value, null],
    ["ECE of a perfect score, 95% limit", (one) => one.ece.equal_frequency.null_95, null],
    ["mean P(defensible)", (one) => one.mean_score.all, null],
    ["… of defensible decisions", (one) => one.mean_score.defensible, null],
    ["… of indefensible ones", (one) => one.mean_score.indefensible, null],
  ];
  const [evaluationA, evaluationB] = [comparison.a.evaluation, comparison.b.evaluation];
  const blocks: Block[] = [
    {
      kind: "text",
      text: `A: ${printable(comparison.a.name, 80)}, ${methodName(a.method)}. B: ${printable(comparison.b.name, 80)}, ${methodName(b.method)}. Each row is scored by a model that has not seen it.`,
    },
    table(
      ["measure", ">A", ">B", ">B − A"],
      measures.map(([name, read, estimate]) => [
        name,
        decimal(read(evaluationA), 4),
        decimal(read(evaluationB), 4),
        estimate ? differenceText(estimate) : "",
      ]),
    ),
    {
      kind: "text",
      text: `Intervals are over communities, of which one at a time is left out. The two rank decisions alike to ${agreementText(agreement)}.`,
    },
  ];
  const left = skipped.a + skipped.b + skipped.both;
  if (left > 0) {
    blocks.push({
      kind: "text",
      text: `Left out: ${plural(left, "verdict")} of A that ${skipped.a > 0 ? "A or B" : "B"} has no score for, or that have no label.`,
    });
  }
  for (const text of [...notes, ...comparison.warnings]) {
    blocks.push({ kind: "text", text: `Note: ${printable(text, 400)}.` });
  }
  return {
    title: "Two auditors, calibrated to the same labels",
    subtitle: `target: ${printable(targetName(target), 80)} · ${plural(comparison.n, "shared decision")} in ${plural(comparison.communities, "community", "communities")}`,
    blocks,
  };
}

function differenceText(estimate: Estimate): string {
  if (estimate.estimate === null) return estimate.reason;
  const bounds = isSilent(estimate)
    ? (estimate.warnings?.[0] ?? "no interval")
    : `${signed(estimate.lower, 4)} to ${signed(estimate.upper, 4)}`;
  return `${signed(estimate.estimate, 4)} (${bounds})`;
}

function agreementText(agreement: CalibrationComparison["agreement"]): string {
  const { estimate } = agreement as { estimate: number | null };
  return estimate === null ? "an unknown degree" : `ρ = ${decimal(estimate, 2)} (Spearman)`;
}

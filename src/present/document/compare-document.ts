import type { Compare, ComparedCommunity, ComparedIndex } from "../../core/results/compare.js";
import { ALL_ALIKE } from "../../measures/metrics/paired/paired-index.js";
import { clusterToShow, FEW_CLUSTERS } from "../../measures/metrics/target.js";
import { MANY_CLUSTERS } from "../../stats/intervals/clustered-proportion.js";
import { printable } from "../../text/printable.js";
import { pCell, plural, pointsInterval, pointsText, rateText, whole } from "../words/numbers.js";
import { type Block, type Document, table } from "./document.js";

export interface CompareDocumentOptions {
  /** Communities shown. Default 15. */
  rows?: number;
}

const INDICES = [
  ["defensibility_index", "DI"],
  ["ambiguity_index", "AI"],
  ["ambiguity_pure", "AI_pure"],
] as const;

/** A comparison in words: what changed, how surely, and where. */
export function compareDocument(compare: Compare, options: CompareDocumentOptions = {}): Document {
  const { counts } = compare;
  const name = (side: Compare["a"]) => printable(side.name, 60);
  return {
    title: "Comparison of two runs",
    subtitle: `A ${name(compare.a)} · B ${name(compare.b)} · ${plural(counts.compared, "decision")} with a verdict in both`,
    blocks: [
      ...headline(compare),
      ...settings(compare),
      ...indices(compare),
      ...transitions(compare),
      ...communities(compare, options.rows ?? 15),
      ...coverage(compare),
    ],
  };
}

function headline({ defensibility_index: index, ...compare }: Compare): Block[] {
  const { difference } = index;
  if (difference.estimate === null) return [];
  const moved = index.only_a + index.only_b;
  return [
    {
      kind: "headline",
      value: pointsText(difference),
      label: "Defensibility Index, B − A",
      under: `${rateText(index.a)} in A, ${rateText(index.b)} in B · 95 % interval ${pointsInterval(difference)} pp · ${plural(moved, "decision")} changed side: ${whole(index.only_b)} defensible in B alone, ${whole(index.only_a)} in A alone. ${certainty(index)}`,
    },
    {
      kind: "text",
      text: `The level changed in ${rateText(compare.changed)} of the decisions: ${whole(compare.more_severe)} became more severe, ${whole(compare.less_severe)} less.`,
    },
  ];
}

/** Whether chance explains the difference, for independent decisions and for communities as wholes. */
function certainty({ difference }: ComparedIndex): string {
  if (difference.estimate === null) return "";
  const excludesZero = ({ lower, upper }: { lower: number; upper: number }) => lower > 0 || upper < 0;
  const cluster = clusterToShow(difference);
  if (!excludesZero(difference)) return "Within what chance explains.";
  if (!cluster) return "More than chance explains, if decisions are independent of each other.";
  return excludesZero(cluster)
    ? "More than chance explains."
    : "More than chance explains if decisions are independent of each other, but not if those of a community go together.";
}

function settings({ differs, a, b }: Compare): Block[] {
  const heading: Block = { kind: "heading", text: "What differs between the runs" };
  if (differs.length === 0) {
    const known = Object.keys(a).length > 2 && Object.keys(b).length > 2;
    const words = known
      ? "Nothing that the runs say of themselves: what changed is the model's own variation, or what they do not say."
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
  const rows = INDICES.map(([name, label]) => ({ label, index: compare[name] }));
  const { seed, draws } = compare.bootstrap;
  const communities = compare.communities.length;
  const few =
    communities === 1 ? "one community gives none" : `with ${communities} communities it is too narrow as a rule`;
  const bootstrap = communities < MANY_CLUSTERS ? few : "with many communities it says about the same";
  const over =
    communities < FEW_CLUSTERS
      ? `none with fewer than ${FEW_CLUSTERS} communities, which say nothing of others like them`
      : "a t interval over communities, the one to trust where decisions of a community resemble each other";
  return [
    { kind: "heading", text: "Paired differences" },
    table(
      ["", ">A", ">B", ">B − A", "95 % interval", "by community"],
      rows.map(({ label, index }) => [
        label,
        rateText(index.a),
        rateText(index.b),
        pointsText(index.difference),
        index.difference.estimate === null ? index.difference.reason : pointsInterval(index.difference),
        pointsInterval(clusterToShow(index.difference)),
      ]),
    ),
    table(
      ["", ">in A only", ">in B only", ">exact p", ">mid-p", "bootstrap interval"],
      rows.map(({ label, index: { only_a, only_b, mcnemar, bootstrap: drawn } }) => [
        label,
        whole(only_a),
        whole(only_b),
        pCell(mcnemar.exact_p),
        pCell(mcnemar.mid_p),
        pointsInterval(drawn ?? undefined),
      ]),
    ),
    {
      kind: "text",
      text: `Interval: Tango's, for decisions that are independent of each other. By community: ${over}. Bootstrap: communities drawn with replacement (BCa, ${whole(draws)} draws, seed ${seed}); ${bootstrap}. p: McNemar's test, whether as many decisions changed one way as the other; it takes decisions as independent.${alike(rows)}`,
    },
  ];
}

/** Why the columns of communities are empty, for the indices where they are. */
function alike(rows: readonly { label: string; index: ComparedIndex }[]): string {
  const labels = rows
    .filter(({ index: { difference } }) => difference.estimate !== null && difference.warnings?.includes(ALL_ALIKE))
    .map(({ label }) => label);
  return labels.length === 0
    ? ""
    : ` ${labels.join(", ")}: ${ALL_ALIKE}; neither t nor bootstrap. The interval of independent decisions stands alone, and is too narrow if decisions of a community go together.`;
}

function transitions({ transitions: levels, inverse_transitions: inverse }: Compare): Block[] {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const columns = levels.map((_, j) => sum(levels.map((row) => row[j]!)));
  return [
    { kind: "heading", text: "From level to level" },
    table(
      ["A ↓  B →", ">level 1", ">level 2", ">level 3", ">all"],
      [
        ...levels.map((row, i) => [`level ${i + 1}`, ...row.map(whole), whole(sum(row))]),
        ["all", ...columns.map(whole), whole(sum(columns))],
      ],
    ),
    table(
      ["A ↓  B →", ">inverse Yes", ">inverse No"],
      inverse.map((row, i) => [i === 0 ? "Yes" : "No", ...row.map(whole)]),
    ),
  ];
}

function communities({ communities: all }: Compare, rows: number): Block[] {
  // How far the interval stays away from no change: what is both large and certain comes first.
  const distance = ({ defensibility_index: { lower, upper } }: ComparedCommunity) => Math.max(lower, -upper);
  const sorted = [...all].sort((x, y) => distance(y) - distance(x) || (x.community < y.community ? -1 : 1));
  const shown = sorted.slice(0, rows);
  const hidden = sorted.length - shown.length;
  const points = (value: number) => pointsText({ estimate: value } as Parameters<typeof pointsText>[0]);
  return [
    { kind: "heading", text: "By community" },
    table(
      ["community", ">n", ">DI in A", ">in B", ">B − A", "95 % interval", ">adj. p", ">AI B − A"],
      shown.map((row) => {
        const di = row.defensibility_index;
        return [
          printable(row.community, 40),
          whole(row.n),
          `${(100 * di.a).toFixed(1)} %`,
          `${(100 * di.b).toFixed(1)} %`,
          points(di.difference),
          pointsInterval(di),
          pCell(di.adjusted_p),
          points(row.ambiguity_index.difference),
        ];
      }),
    ),
    {
      kind: "text",
      text: `Surest change first.${hidden > 0 ? ` ${plural(hidden, "community", "communities")} more in the JSON.` : ""} Adjusted p: McNemar's mid-p after Holm's correction for the number of communities in which anything changed.`,
    },
  ];
}

function coverage({ counts }: Compare): Block[] {
  const parts = [
    `A has ${plural(counts.attempted_a, "decision")}, B ${whole(counts.attempted_b)}; they share ${whole(counts.shared)}.`,
    counts.only_a + counts.only_b > 0
      ? `${whole(counts.only_a)} are in A only and ${whole(counts.only_b)} in B only: they are left out, since the two sets may differ in kind.`
      : "",
    counts.without_verdict > 0
      ? `Without a verdict in one of the two: ${plural(counts.without_verdict, "shared decision")}.`
      : "",
    counts.different_action > 0
      ? `With different actions: ${plural(counts.different_action, "shared decision")}; for these the comparison is of what was decided, not of how it was audited (--same-action leaves them out).`
      : "",
    counts.different_community > 0
      ? `In another community in B: ${plural(counts.different_community, "shared decision")}; A's community is used.`
      : "",
  ];
  return [
    { kind: "heading", text: "What was compared" },
    { kind: "text", text: parts.filter(Boolean).join(" ") },
  ];
}

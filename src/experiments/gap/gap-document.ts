import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { type Block, type Document, noteBlocks, table } from "../../present/document/document.js";
import { numberCell, pointsCell, rateCell, reasonsText } from "../../present/words/experiments/estimate-cells.js";
import { trapSentence } from "../../present/words/experiments/trap-sentence.js";
import {
  percent,
  plural,
  pointsInterval,
  pointsText,
  rateText,
  whole,
  wideInterval,
} from "../../present/words/numbers.js";
import { CAUSE_NAMES, CAUSE_SIGNS, CAUSES } from "../../present/words/signs.js";
import { wordOr } from "../../present/words/word-table.js";
import { printable } from "../../text/printable.js";
import { underText } from "../audits.js";
import type { GapColumn, GapExperiment } from "./result.js";

/** The gap between agreement and defensibility in words and tables. */
export function gapDocument(gap: GapExperiment): Document {
  const { columns } = gap;
  return {
    title: "Agreement against defensibility",
    subtitle: [...sources(gap), ...columns.map(describe)].join(" · "),
    blocks: [
      ...columns.slice(0, 1).flatMap(headline),
      ...columns.flatMap((column, i) => imbalanceText(column, columns.length > 1, i === 0)),
      ...measures(columns),
      ...causes(columns),
      ...columns.flatMap(gapTruthBlocks),
      ...noteBlocks(gap.warnings),
    ],
  };
}

/** Run and auditor; of several the columns name the runs. */
function sources({ runs, columns }: GapExperiment): string[] {
  const auditors = [...new Set(columns.flatMap(({ auditor }) => auditor ?? []))];
  return [
    ...(runs.length === 1 ? [`run ${printable(runs[0]!, 60)}`] : []),
    ...(auditors.length > 0
      ? [`${auditors.length === 1 ? "auditor" : "auditors"} ${auditors.map((name) => printable(name, 40)).join(", ")}`]
      : []),
  ];
}

function describe({ name, counts, communities }: GapColumn): string {
  return `${printable(name, 40)}: ${plural(counts.verdicts, "verdict")} in ${plural(communities, "community", "communities")}`;
}

function headline(column: GapColumn): Block[] {
  const { gap, agreement, defensibility_index: index } = column;
  if (gap.di_minus_f1.estimate === null) {
    return [{ kind: "text", text: `No gap can be shown: ${gap.di_minus_f1.reason}.` }];
  }
  return [
    {
      kind: "headline",
      value: pointsText(gap.di_minus_f1),
      label: `Defensibility Index − F1, ${printable(column.name, 40)}`,
      under: `DI ${rateText(index)}, F1 ${rateText(agreement.f1)} · 95 % interval ${pointsInterval(wideInterval(gap.di_minus_f1))} pp${chanceText(gap.di_minus_f1)}`,
    },
    {
      kind: "headline",
      value: pointsText(gap.di_minus_accuracy),
      label: "Defensibility Index − accuracy",
      under: `the same against the share of decisions on which decider and people agree, ${rateText(agreement.accuracy)} · 95 % interval ${pointsInterval(wideInterval(gap.di_minus_accuracy))} pp${chanceText(gap.di_minus_accuracy)}`,
    },
    { kind: "text", text: trapSentence(column) },
  ];
}

function chanceText(gap: Estimate): string {
  return withinChance(gap) ? ": chance alone could explain it" : "";
}

function withinChance(gap: Estimate): boolean {
  const interval = wideInterval(gap);
  return interval !== null && interval.lower <= 0 && interval.upper >= 0;
}

function imbalanceText({ name, gap, imbalance, agreement }: GapColumn, several: boolean, first: boolean): Block[] {
  const { arithmetic, disagreement, human_positive: share, f1_at_di: at, f1_if_balanced: balanced } = imbalance;
  if (arithmetic.estimate === null || gap.di_minus_f1.estimate === null) return [];
  const who = several ? `In ${printable(name, 40)} people` : "People";
  // The headline has said it of the first.
  const verdict = first && withinChance(gap.di_minus_f1) ? "" : imbalanceVerdict(imbalance.explains, gap.di_minus_f1);
  const own =
    balanced === null
      ? ""
      : ` With both actions equally frequent, this decider's own error rates would give F1 ${percent(balanced)} instead of ${rateText(agreement.f1)}.`;
  return [
    {
      kind: "text",
      text: `${who} restrict ${rateText(share)} of the labelled decisions. A decider that agreed with them as often as decisions are defensible would have F1 ${percent(at!)} here, so ${pointsText(arithmetic)} of the gap are there by arithmetic, and ${pointsText(disagreement)} (${pointsInterval(wideInterval(disagreement))}) are disagreement beyond what is indefensible.${verdict}${own}`,
    },
  ];
}

function imbalanceVerdict(explains: boolean, gap: Estimate): string {
  if (withinChance(gap)) return " The gap to F1 is within what chance explains.";
  if (wideInterval(gap)!.upper < 0) return " Decisions agree with people more than they can be derived from the rules.";
  return explains
    ? " Most of the gap to F1 is class imbalance, not disagreement."
    : " Class imbalance is the smaller part of the gap to F1.";
}

type Measure = [label: string, value: (column: GapColumn) => Estimate, cell: (estimate: Estimate) => string];

const MEASURES: Measure[] = [
  ["F1", ({ agreement }) => agreement.f1, rateCell],
  ["Defensibility Index (DI)", ({ defensibility_index }) => defensibility_index, rateCell],
  ["gap: DI − F1", ({ gap }) => gap.di_minus_f1, pointsCell],
  ["accuracy", ({ agreement }) => agreement.accuracy, rateCell],
  ["gap: DI − accuracy", ({ gap }) => gap.di_minus_accuracy, pointsCell],
  ["Cohen's κ", ({ agreement }) => agreement.kappa, numberCell],
  ["Ambiguity Index (AI)", ({ ambiguity_index }) => ambiguity_index, rateCell],
  ["pure ambiguity (AI_pure)", ({ ambiguity_pure }) => ambiguity_pure, rateCell],
  ["false negatives that are defensible", ({ trap }) => trap.fn_defensible, rateCell],
  [
    "the same, less that of other decisions",
    ({ fn_against_others }) => fn_against_others ?? undefinedEstimate("an older version made this result"),
    pointsCell,
  ],
  ["false positives that are defensible", ({ trap }) => trap.fp_defensible, rateCell],
  ["all disagreements that are defensible", ({ trap }) => trap.disagreements_defensible, rateCell],
  ["agreed and indefensible, of all labelled", ({ trap }) => trap.accurate_but_indefensible.joint, rateCell],
  ["agreed and indefensible, of agreements", ({ trap }) => trap.accurate_but_indefensible.conditional, rateCell],
];

function measures(columns: readonly GapColumn[]): Block[] {
  // Beyond three columns a terminal has no room for intervals; the JSON has them.
  const short = columns.length > 3;
  const shown = (estimate: Estimate, cell: Measure[2]) => (short ? cell(estimate).split(" (")[0]! : cell(estimate));
  const reasons = reasonsText(columns.flatMap((column) => MEASURES.map(([, value]) => value(column))));
  return [
    { kind: "heading", text: "Agreement-based and policy-grounded measures" },
    table(
      ["", ...columns.map(({ name }) => `>${printable(name, 28)}`)],
      [
        ["labelled decisions", ...columns.map(({ agreement }) => whole(agreement.n_labelled))],
        ...MEASURES.map(([label, value, cell]) => [label, ...columns.map((column) => shown(value(column), cell))]),
      ],
    ),
    {
      kind: "text",
      text: `In brackets 95 % intervals: the wider of that for independent decisions and that for decisions that go together within a community. ${reasons}`.trim(),
    },
  ];
}

function causes(columns: readonly GapColumn[]): Block[] {
  if (columns.every(({ root_causes }) => root_causes.model_error.estimate === null)) return [];
  return [
    { kind: "heading", text: "Why decider and people disagree, by the auditor's verdicts" },
    table(
      ["cause", ...columns.map(({ name }) => `>${printable(name, 28)}`)],
      CAUSES.map((cause) => [
        `${CAUSE_NAMES[cause]} (${CAUSE_SIGNS[cause]})`,
        ...columns.map(({ root_causes: { [cause]: share } }) =>
          share.estimate === null ? "–" : `${percent(share.estimate)} (${whole(share.k!)} of ${whole(share.n)})`,
        ),
      ]),
    ),
    {
      kind: "text",
      text: "Agreement metrics count all of them alike, as errors of the decider. The last two are told apart by the inverse check, the only field of a trace that can; an error of the person cannot be told from an unwritten norm.",
    },
  ];
}

/** The auditor's table beside that of what is true, and its causes against the true ones. */
function gapTruthBlocks({ name, truth, ...all }: GapColumn): Block[] {
  if (!truth) return [];
  const what = truth.source === "simulation" ? `the planted truth${underText(truth.under)}` : "gold annotations";
  const { causes } = truth;
  // Older results have the auditor's measures over all verdicts alone.
  const column = truth.measured ?? all;
  return [
    { kind: "heading", text: `${printable(name, 40)}: the auditor against ${what} (${plural(truth.n, "decision")})` },
    table(
      ["", ">by the auditor", ">by the truth"],
      [
        ["Defensibility Index (DI)", rateCell(column.defensibility_index), rateCell(truth.defensibility_index)],
        ["Ambiguity Index (AI)", rateCell(column.ambiguity_index), rateCell(truth.ambiguity_index)],
        ["pure ambiguity (AI_pure)", rateCell(column.ambiguity_pure), rateCell(truth.ambiguity_pure)],
        ["gap: DI − F1", pointsCell(column.gap.di_minus_f1), pointsCell(truth.gap.di_minus_f1)],
        [
          "false negatives that are defensible",
          rateCell(column.trap.fn_defensible),
          rateCell(truth.trap.fn_defensible),
        ],
        [
          "all disagreements that are defensible",
          rateCell(column.trap.disagreements_defensible),
          rateCell(truth.trap.disagreements_defensible),
        ],
      ],
    ),
    ...(truth.without_truth
      ? [
          {
            kind: "text",
            text: `${plural(truth.without_truth, "verdict")} without a known truth ${truth.without_truth === 1 ? "is" : "are"} left out of both columns.`,
          } as const,
        ]
      : []),
    table(
      ["auditor ↓  truth →", ...causes.true.map((cause) => `>${wordOr(CAUSE_NAMES, cause)}`)],
      causes.counts.map((row, i) => [wordOr(CAUSE_NAMES, causes.audited[i]!), ...row.map(String)]),
    ),
    {
      kind: "text",
      text: `The auditor names the cause of a disagreement rightly in ${rateCell(causes.accuracy)}; agreement beyond chance: Cohen's κ ${numberCell(causes.kappa)}.${causes.true.includes("human_error") ? " A person's error is a cause that no audit can name: by the rules it looks like an unwritten norm." : ""}`,
    },
  ];
}

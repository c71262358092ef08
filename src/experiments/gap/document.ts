import {
  type Block,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../present/document/document.js";
import { underText } from "../../present/words/experiment-words.js";
import {
  intervalText,
  type NumberForm,
  plural,
  pointsInterval,
  pointsText,
  rateText,
  wideInterval,
} from "../../present/words/numbers.js";
import { estAt, numberAt, type Sentence, sentence } from "../../present/words/sentence.js";
import { CAUSE_NAMES, CAUSE_SIGNS, CAUSES, wordOr } from "../../present/words/vocabulary.js";
import { printable } from "../../text/printable.js";
import type { GapColumn, GapExperiment } from "./result.js";

/** Fewer misses than this are too few to interpret, whatever their share. */
const FEW_MISSES = 20;

/**
 * What the defensible share of false negatives says about the agreement trap. If misses are defensible as often as everything else, their
 * share follows from the Defensibility Index alone and is no evidence; the sentence then does not speak of a signature.
 */
export function trapSentence({
  trap,
  agreement,
  defensibility_index: index,
  fn_against_others: difference,
}: GapColumn): string {
  const { fn_defensible: share } = trap;
  if (share.estimate === null || index.estimate === null) {
    return "People restricted nothing that the decider allowed, so that the signature of the agreement trap cannot be seen.";
  }
  const misses = agreement.confusion.fn;
  const counted = `Of ${plural(misses, "decision")} that people restrict and the decider allows (false negatives), ${rateText(share)} (${intervalText(wideInterval(share))}) can be derived from the rules; of all decisions, ${rateText(index)} (DI).`;
  if (misses < FEW_MISSES) return `${counted} So few misses say nothing of the agreement trap.`;
  const { lower, upper } = wideInterval(share)!;
  const apart = difference && wideInterval(difference);
  const holdsIndex = lower <= index.estimate && index.estimate <= upper;
  if (holdsIndex || (apart && apart.lower <= 0 && apart.upper >= 0)) {
    return `${counted} That is no difference beyond chance: misses are as defensible as decisions at large, as far as these can tell, so that their share says no more than DI does.`;
  }
  const below = share.estimate < index.estimate;
  const by = apart ? ` (${pointsText(difference)} against all others, ${pointsInterval(apart)})` : "";
  const most =
    lower > 0.5
      ? `${below ? "Still, the" : "The"} rules support most of what agreement counts as errors: the signature of the agreement trap, as good as the auditor's verdicts are.`
      : upper < 0.5
        ? "The rules support less than half of what agreement counts as errors: no sign of the agreement trap."
        : "Whether the rules support most of what agreement counts as errors is unknown.";
  return `${counted} Misses are ${below ? "less" : "more"} often defensible${by}, so that disagreement says something of defensibility. ${most}`;
}

export function gapDocument(gap: GapExperiment): Document {
  const { columns, runs } = gap;
  const auditors = [...new Set(columns.flatMap(({ auditor }) => auditor ?? []))];
  return {
    title: "Agreement against defensibility",
    subtitle: [
      ...(runs.length === 1 ? [`run ${printable(runs[0]!, 60)}`] : []),
      ...(auditors.length > 0 ? [`auditor ${auditors.map((name) => printable(name, 40)).join(", ")}`] : []),
      ...columns.map(
        ({ name, counts, communities }) =>
          `${printable(name, 40)}: ${plural(counts.verdicts, "verdict")} in ${plural(communities, "community", "communities")}`,
      ),
    ].join(" · "),
    data: gap,
    blocks: [
      ...columns.slice(0, 1).map((column): Block => ({ kind: "text", as: "lead", text: conclusion(column) })),
      { kind: "figure", id: "gap" },
      ...measures(columns),
      ...arithmetic(columns),
      ...causes(columns),
      ...columns.flatMap(truthBlocks),
      ...noteBlocks(gap.warnings),
    ],
  };
}

function conclusion(column: GapColumn): Sentence {
  const { gap } = column;
  if (gap.di_minus_f1.estimate === null) return [`No gap can be shown: ${gap.di_minus_f1.reason}.`];
  const at = "/columns/0";
  return sentence`The rules support ${estAt(`${at}/defensibility_index`, "rounded", "value")} of the decisions; F1 against moderators is ${estAt(`${at}/agreement/f1`, "rounded", "value")} and accuracy ${estAt(`${at}/agreement/accuracy`, "rounded", "value")}. The gap to F1 is ${estAt(`${at}/gap/di_minus_f1`, "points")}${chance(column) ? ", not statistically significant" : ""}. ${trapSentence(column)}`;
}

function chance({ gap }: GapColumn): boolean {
  const interval = wideInterval(gap.di_minus_f1);
  return interval !== null && interval.lower <= 0 && interval.upper >= 0;
}

const MEASURES: readonly [label: string, field: string, as?: NumberForm][] = [
  ["F1", "agreement/f1"],
  ["Defensibility Index", "defensibility_index"],
  ["Gap: Defensibility Index − F1", "gap/di_minus_f1", "points"],
  ["Accuracy", "agreement/accuracy"],
  ["Gap: Defensibility Index − accuracy", "gap/di_minus_accuracy", "points"],
  ["Cohen's κ", "agreement/kappa", "decimal"],
  ["Ambiguity Index", "ambiguity_index"],
  ["Pure ambiguity", "ambiguity_pure"],
  ["False negatives that are defensible", "trap/fn_defensible"],
  ["… minus that of other decisions", "fn_against_others", "points"],
  ["False positives that are defensible", "trap/fp_defensible"],
  ["All disagreements that are defensible", "trap/disagreements_defensible"],
  ["Agreed and indefensible, of all labelled", "trap/accurate_but_indefensible/joint"],
  ["Agreed and indefensible, of agreements", "trap/accurate_but_indefensible/conditional"],
];

function measures(columns: readonly GapColumn[]): Block[] {
  // With more than three columns a terminal has no room for intervals.
  const shows = columns.length > 3 ? "value" : "interval";
  return [
    table(
      ["", ...columns.map(({ name }) => `>${printable(name, 28)}`)],
      [
        ["Labelled decisions", ...columns.map((_, i) => numberAt(`/columns/${i}/agreement/n_labelled`, "whole"))],
        ...MEASURES.map(([label, field, as = "percent"]): Text[] => [
          label,
          ...columns.map((_, i) => estAt(`/columns/${i}/${field}`, as, shows)),
        ]),
      ],
      "Agreement and defensibility, with 95% intervals",
    ),
  ];
}

function arithmetic(columns: readonly GapColumn[]): Block[] {
  const known = columns
    .map((column, i) => ({ column, at: `/columns/${i}` }))
    .filter(
      ({ column: { imbalance, gap } }) => imbalance.arithmetic.estimate !== null && gap.di_minus_f1.estimate !== null,
    );
  if (known.length === 0) return [];
  return [
    { kind: "heading", text: "How much of the gap is arithmetic" },
    ...known.map(({ column, at }): Block => {
      const of = `${at}/imbalance`;
      const own =
        column.imbalance.f1_if_balanced === null
          ? []
          : sentence` With both actions equally frequent, this decider's error rates would give F1 ${numberAt(`${of}/f1_if_balanced`)}.`;
      return {
        kind: "text",
        text: sentence`${columns.length > 1 ? `${printable(column.name, 40)}: ` : ""}Moderators restrict ${estAt(`${of}/human_positive`, "percent", "value")} of the labelled decisions. A decider that agreed with them as often as decisions are defensible would have F1 ${numberAt(`${of}/f1_at_di`)}, so ${estAt(`${of}/arithmetic`, "points", "value")} of the gap are arithmetic and ${estAt(`${of}/disagreement`, "points")} are disagreement.${verdict(column)}${own}`,
      };
    }),
  ];
}

function verdict(column: GapColumn): string {
  if (chance(column)) return "";
  if (wideInterval(column.gap.di_minus_f1)!.upper < 0)
    return " Decisions agree with moderators more often than the rules support them.";
  return column.imbalance.explains
    ? " Most of the gap to F1 is class imbalance, not disagreement."
    : " Class imbalance is the smaller part of the gap to F1.";
}

function causes(columns: readonly GapColumn[]): Block[] {
  if (columns.every(({ root_causes }) => root_causes.model_error.estimate === null)) return [];
  return [
    { kind: "heading", text: "Why decider and moderators disagree" },
    table(
      ["cause", ...columns.map(({ name }) => `>${printable(name, 28)}`)],
      CAUSES.map((cause): Text[] => [
        `${CAUSE_NAMES[cause]} (${CAUSE_SIGNS[cause]})`,
        ...columns.map((_, i) => estAt(`/columns/${i}/root_causes/${cause}`, "percent", "all")),
      ]),
    ),
    {
      kind: "text",
      text: "By the auditor's verdicts. Agreement metrics count all of these as errors of the decider. An error of the moderator looks like an unwritten norm.",
    },
  ];
}

const TRUTHS: readonly [label: string, field: string, as?: NumberForm][] = [
  ["Defensibility Index", "defensibility_index"],
  ["Ambiguity Index", "ambiguity_index"],
  ["Pure ambiguity", "ambiguity_pure"],
  ["Gap: Defensibility Index − F1", "gap/di_minus_f1", "points"],
  ["False negatives that are defensible", "trap/fn_defensible"],
  ["All disagreements that are defensible", "trap/disagreements_defensible"],
];

/** The auditor's measures and causes, compared with the true ones. */
function truthBlocks({ name, truth }: GapColumn, i: number): Block[] {
  if (!truth) return [];
  const what = truth.source === "simulation" ? `the planted truth${underText(truth.under)}` : "reference annotations";
  const { causes: of } = truth;
  const at = `/columns/${i}/truth`;
  // Older results have the auditor's measures only over all verdicts.
  const audited = truth.measured ? `${at}/measured` : `/columns/${i}`;
  return [
    { kind: "heading", text: `${printable(name, 40)}: the auditor against ${what} (${plural(truth.n, "decision")})` },
    table(
      ["", ">by the auditor", ">by the truth"],
      TRUTHS.map(([label, field, as = "percent"]): Text[] => [
        label,
        estAt(`${audited}/${field}`, as),
        estAt(`${at}/${field}`, as),
      ]),
    ),
    ...(truth.without_truth
      ? [{ kind: "text" as const, text: `${plural(truth.without_truth, "verdict")} without a known truth left out.` }]
      : []),
    table(
      ["auditor ↓  truth →", ...of.true.map((cause) => `>${wordOr(CAUSE_NAMES, cause)}`)],
      of.counts.map((row, r): Text[] => [
        wordOr(CAUSE_NAMES, of.audited[r]!),
        ...row.map((_, c) => numberAt(`${at}/causes/counts/${r}/${c}`, "whole")),
      ]),
    ),
    {
      kind: "text",
      text: sentence`The auditor names the right cause in ${estAt(`${at}/causes/accuracy`)} of the disagreements (Cohen's κ ${estAt(`${at}/causes/kappa`, "decimal")}).`,
    },
  ];
}

export default {
  kind: "gap",
  view: "more",
  id: "gap",
  place: 1,
  tab: "Agreement",
  heading: "Agreement against defensibility",
  purpose: "It compares agreement with moderators and defensibility, and shows how much of the gap is arithmetic.",
  command: "defensible experiment gap",
  document: gapDocument,
} satisfies Screen<"gap">;

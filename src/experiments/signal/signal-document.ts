import type { Estimate } from "../../core/estimate.js";
import { type Block, type Document, noteBlocks, table } from "../../present/document/document.js";
import { correlationCells, numberCell, rateCell, reasonsText } from "../../present/words/experiments/estimate-cells.js";
import {
  CIRCULAR_ONLY,
  NO_SIGNAL,
  REFERENCE_WORDS,
  rankSignals,
} from "../../present/words/experiments/experiment-words.js";
import { decimal, plural, rateText, whole, wideInterval } from "../../present/words/numbers.js";
import { wordOr } from "../../present/words/word-table.js";
import { printable } from "../../text/printable.js";
import { underText } from "../audits.js";
import type { MeasuredSignal, RegimeRow, SignalExperiment, ValueSpan } from "./result.js";
import { samplingBlocks } from "./sampling-draws.js";

/** What each signal says of a decision, in words and tables. */
export function signalDocument(result: SignalExperiment): Document {
  const { source, counts } = result;
  return {
    title: "Signals against confidence",
    subtitle: [
      printable(source.name, 60),
      ...(source.auditor ? [`auditor ${printable(source.auditor, 40)}`] : []),
      ...(source.arm ? [`arm ${printable(source.arm, 30)}`] : []),
      `${plural(counts.verdicts, "verdict")} in ${plural(counts.communities, "community", "communities")}`,
      `${whole(counts.indefensible)} at level 3`,
      `${whole(counts.disagreements)} disagreements among ${whole(counts.labelled)} labelled`,
    ].join(" · "),
    blocks: [
      ...headline(result),
      ...detection(result),
      ...correlations(result),
      ...levels(result),
      ...temperatures(result),
      ...regimeBlocks(result),
      ...samplingBlocks(result),
      ...noteBlocks(result.warnings),
    ],
  };
}

function headline(result: SignalExperiment): Block[] {
  const { target, rows: ranked } = rankSignals(result);
  const rows = ranked.map(({ row }) => row);
  const [best] = rows;
  if (!best) return [{ kind: "text", text: NO_SIGNAL }];
  if (!target) return [{ kind: "text", text: CIRCULAR_ONLY }];
  const area = (row: MeasuredSignal) => row.auroc.references[target]!;
  const other = rows.find(({ signal }) => signal === "output_confidence");
  const by = `by ${wordOr(REFERENCE_WORDS, target)}`;
  const beside =
    other && other !== best ? ` Output confidence has ${numberCell(area(other))}; 0.50 is chance.` : " 0.50 is chance.";
  return [
    {
      kind: "headline",
      value: decimal(area(best).estimate),
      label: `AUROC of ${best.label} for indefensible decisions`,
      under: `the best of ${plural(rows.length, "signal")}, ${by} · 95 % interval ${intervalOf(area(best))}.${beside}`,
    },
  ];
}

function intervalOf(estimate: Estimate): string {
  const interval = wideInterval(estimate);
  return interval ? `${decimal(interval.lower)} to ${decimal(interval.upper)}` : "undefined";
}

/** Where a signal would come from. */
const ABSENT: Record<string, string> = {
  p_calibrated:
    "`defensible calibrate` makes a calibration, `defensible calibrate apply ID --out FILE` writes audits that have it, and `--audits FILE` reads them",
};

function detection({ signals, references }: SignalExperiment): Block[] {
  const names = references.map(({ name }) => name);
  const shown = signals.filter(({ n }) => n > 0);
  const absent = signals
    .filter(({ n }) => n === 0)
    .map(({ signal, label }) => `No verdict has ${label}${ABSENT[signal] ? `: ${ABSENT[signal]}` : ""}.`);
  const rows = shown.map(({ label, n, mean, auroc }) => [
    label,
    whole(n),
    numberCell(mean, 3),
    ...names.map((name) => numberCell(auroc.references[name]!)),
    numberCell(auroc.own_level),
  ]);
  const said = references
    .map(
      ({ name, n, indefensible, under }) =>
        `${wordOr(REFERENCE_WORDS, name)}${underText(under)}: ${whole(n)} verdicts, ${whole(indefensible)} of them level 3`,
    )
    .join("; ");
  return [
    { kind: "heading", text: "Which signal finds indefensible decisions (AUROC for level 3)" },
    table(
      [
        "signal",
        ">verdicts",
        ">mean",
        ...names.map((name) => `>by ${wordOr(REFERENCE_WORDS, name)}`),
        ">by the auditor's level",
      ],
      rows,
    ),
    {
      kind: "text",
      text: [
        "Each signal is turned so that higher means worse; output confidence is exp(λ), the probability of the most probable level. The last column is circular: level and signal come from the same answer, and 1 − p(L3) is the probability of the very token that is to be found.",
        said
          ? `The others are not: ${said}.`
          : "Nobody else says which decisions are indefensible: import labels (`defensible import labels.jsonl --as labels`) or gold annotations.",
        ...absent,
        reasonsText(shown.flatMap(({ auroc, mean }) => [mean, auroc.own_level])),
      ]
        .join(" ")
        .trim(),
    },
  ];
}

const PARTNERS = [
  ["level", "level, 1 to 3"],
  ["disagreement", "disagreement"],
  ["inverse", "inverse = Yes"],
] as const;

function correlations({ signals }: SignalExperiment): Block[] {
  const shown = signals.filter(({ n }) => n > 0);
  if (shown.length === 0) return [];
  const rows = shown.flatMap((signal) =>
    PARTNERS.map(([partner, label], i) => {
      const first = i === 0 ? signal.label : "";
      if (partner === "level") return [first, label, ...correlationCells(signal.level), "", ""];
      const { spearman, bound, auroc } = signal[partner];
      return [first, label, ...correlationCells(spearman), decimal(bound), numberCell(auroc)];
    }),
  );
  return [
    { kind: "heading", text: "Rank correlations (Spearman)" },
    table(["signal", "with", ">ρ", ">p", ">at most", ">AUROC"], rows),
    {
      kind: "text",
      text: `With a partner that is yes or no a correlation cannot reach 1 but what stands under "at most", √(3p(1−p)) at a share p of yes; the AUROC says the same without that bound. σ(ρ) is the probability of the very token that the inverse check is: its correlation with it says how decided the auditor is, not that the rules are ambiguous. p-values take rows as independent; the intervals are the wider of that and one over communities. ${reasonsText(shown.map(({ disagreement }) => disagreement.spearman))}`.trim(),
    },
  ];
}

function levels({ levels: rows, signals }: SignalExperiment): Block[] {
  const shown = signals.filter(({ n }) => n > 0);
  return [
    { kind: "heading", text: "By level" },
    table(
      ["", ...rows.map(({ level }) => `>level ${level}`)],
      [
        ["verdicts", ...rows.map(({ n }) => whole(n))],
        ["AI", ...rows.map(({ ambiguity_index }) => rateCell(ambiguity_index))],
        ...shown.map(({ signal, label }) => [
          `mean ${label}`,
          ...rows.map(({ means }) => numberCell(means[signal]!, 3)),
        ]),
      ],
    ),
    {
      kind: "text",
      text: "AI is the share with inverse = Yes. At level 3 an inverse = Yes says that the opposite is what the rules ask for, not that they are ambiguous.",
    },
  ];
}

function temperatures({ temperatures: rows }: SignalExperiment): Block[] {
  const shown = rows.filter(({ n }) => n > 0);
  if (shown.length === 0) return [];
  // Of one run the temperatures tell the rows apart.
  const names = shown.map(({ name }) => name.replace(/^run /, "").replace(/, t=[0-9.]+$/, ""));
  const several = new Set(names).size > 1;
  return [
    { kind: "heading", text: "σ(ρ) by temperature" },
    table(
      [
        ...(several ? ["run"] : []),
        ...["T", "verdicts", "AI", "ρ with Yes", "at most", "AUROC", "Yes", "No", "ratio"].map((title) => `>${title}`),
      ],
      shown.map((row, i) => [
        ...(several ? [printable(names[i]!, 40)] : []),
        row.temperature === null ? "–" : String(row.temperature),
        whole(row.n),
        rateText(row.ambiguity_index),
        numberCell(row.spearman),
        decimal(row.bound),
        decimal(row.auroc.estimate),
        decimal(row.yes.estimate, 3),
        decimal(row.no.estimate, 3),
        numberCell(row.ratio),
      ]),
    ),
    {
      kind: "text",
      text: "Yes and No are mean σ(ρ) where the inverse check says so; their ratio is as circular as the correlation.",
    },
  ];
}

/** Signals where decider and people agree, and where they do not. */
function regimeBlocks({ agreement, signals, output_confidence: confidence }: SignalExperiment): Block[] {
  const labels = new Map(signals.map(({ signal, label }) => [signal, label]));
  const shown = agreement.filter(({ agree, disagree }) => agree.estimate !== null || disagree.estimate !== null);
  const heading: Block = { kind: "heading", text: "Agreements against disagreements" };
  if (shown.length === 0) {
    return [heading, { kind: "text", text: reasonsText(agreement.map(({ ratio }) => ratio)) }];
  }
  const name = ({ signal, statistic }: RegimeRow) =>
    statistic === "sd" ? `sd of ${labels.get(signal)}` : labels.get(signal)!;
  return [
    heading,
    { kind: "text", text: sentence(shown) },
    table(
      ["mean", ">agreements", ">disagreements", ">ratio"],
      shown.map((row) => [name(row), numberCell(row.agree, 3), numberCell(row.disagree, 3), numberCell(row.ratio)]),
    ),
    {
      kind: "text",
      text: `${spanText(confidence.agree, "in agreements")} ${spanText(confidence.disagree, "in disagreements")} ${agreement.some(({ statistic }) => statistic === "sd") ? "Sd is the spread of a signal over the replicates of a decision (σ̂)." : "The spread of a signal over replicates (σ̂) is not shown: no decision was audited more than once."}`.trim(),
    },
  ];
}

function sentence(rows: readonly RegimeRow[]): string {
  const parts = rows.flatMap(({ signal, statistic, ratio }) => {
    if (ratio.estimate === null || !["pds", "inverse_yes_prob"].includes(signal)) return [];
    const { lower, upper } = wideInterval(ratio)!;
    const what = `${statistic === "sd" ? "the sd of " : ""}${signal === "pds" ? "S" : "σ(ρ)"}`;
    const percent = `${Math.abs(100 * (ratio.estimate - 1)).toFixed(0)} %`;
    if (lower <= 1 && upper >= 1) return [`${what} does not differ by more than chance explains`];
    return [`${what} is ${percent} ${ratio.estimate > 1 ? "higher" : "lower"}`];
  });
  return parts.length > 0 ? `Where decider and people disagree, ${parts.join("; ")}.` : "";
}

function spanText(span: ValueSpan | null, where: string): string {
  if (!span) return `Output confidence ${where}: none.`;
  return `Output confidence exp(λ) ${where} (${whole(span.n)}): median ${decimal(span.median, 3)}, nine in ten between ${decimal(span.p05, 3)} and ${decimal(span.p95, 3)}, all between ${decimal(span.least, 3)} and ${decimal(span.most, 3)}.`;
}

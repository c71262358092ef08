import {
  type Block,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../present/document/document.js";
import {
  CIRCULAR_ONLY,
  NO_SIGNAL,
  REFERENCE_WORDS,
  rankSignals,
  underText,
} from "../../present/words/experiment-words.js";
import { decimal, pCell, plural, whole, wideInterval } from "../../present/words/numbers.js";
import { estAt, numberAt, pointerPart, type Sentence, sentence } from "../../present/words/sentence.js";
import { wordOr } from "../../present/words/vocabulary.js";
import { printable } from "../../text/printable.js";
import type { RegimeRow, SamplingComparison, SignalExperiment } from "./result.js";

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
    data: result,
    blocks: [
      { kind: "text", as: "lead", text: conclusion(result) },
      { kind: "figure", id: "signal-auroc" },
      ...detection(result),
      ...correlations(result),
      ...levels(result),
      ...temperatures(result),
      ...regimes(result),
      ...samplingBlocks(result),
      ...noteBlocks(result.warnings),
    ],
  };
}

const reference = (place: number, name: string) => `/signals/${place}/auroc/references/${pointerPart(name)}`;

function conclusion(result: SignalExperiment): Sentence {
  const { target, rows } = rankSignals(result);
  const [best] = rows;
  if (!best) return [NO_SIGNAL];
  if (!target) return [CIRCULAR_ONLY];
  const confidence = rows.find(({ row }) => row.signal === "output_confidence");
  const other =
    confidence && confidence !== best
      ? sentence` Output confidence has ${estAt(reference(confidence.place, target), "decimal")}.`
      : [];
  return sentence`${best.row.label} finds indefensible decisions best: AUROC ${estAt(reference(best.place, target), "decimal")} by ${wordOr(REFERENCE_WORDS, target)}.${other} 0.50 is chance.`;
}

/** Signals present in at least one verdict, with their positions. */
function shown({ signals }: SignalExperiment) {
  return signals.map((signal, place) => ({ ...signal, place })).filter(({ n }) => n > 0);
}

function detection(result: SignalExperiment): Block[] {
  const { signals, references } = result;
  const names = references.map(({ name }) => name);
  const said = references.map(
    ({ name, n, indefensible, under }) =>
      `${wordOr(REFERENCE_WORDS, name)}${underText(under)}: ${whole(n)} verdicts, ${whole(indefensible)} of them level 3`,
  );
  const absent = signals.filter(({ n }) => n === 0).map(({ label }) => label);
  return [
    table(
      [
        "signal",
        ">verdicts",
        ">mean",
        ...names.map((name) => `>by ${wordOr(REFERENCE_WORDS, name)}`),
        ">by the auditor's level",
      ],
      shown(result).map(({ label, place }): Text[] => [
        label,
        numberAt(`/signals/${place}/n`, "whole"),
        estAt(`/signals/${place}/mean`, "fine", "value"),
        ...names.map((name) => estAt(reference(place, name), "decimal")),
        estAt(`/signals/${place}/auroc/own_level`, "decimal"),
      ]),
      "AUROC for indefensible decisions",
    ),
    {
      kind: "text",
      text: [
        "The last column is circular: level and signal come from the same answer.",
        said.length > 0
          ? `References: ${said.join("; ")}.`
          : "There is no other reference: import labels (`defensible import labels.jsonl --as labels`) or reference annotations.",
        absent.length > 0 ? `No verdict has ${absent.join(", ")}.` : "",
        absent.some((label) => /calibrated/.test(label))
          ? "`defensible calibrate` makes a calibration, and `defensible calibrate apply ID --out FILE` audits that have it."
          : "",
      ]
        .filter(Boolean)
        .join(" "),
    },
  ];
}

function correlations(result: SignalExperiment): Block[] {
  const rows = shown(result);
  if (rows.length === 0) return [];
  const partners = [
    ["disagreement", "disagreement"],
    ["inverse", "inverse = Yes"],
  ] as const;
  return [
    { kind: "heading", text: "Rank correlations (Spearman)" },
    table(
      ["signal", "with", ">ρ", ">p", ">at most", ">AUROC"],
      rows.flatMap((signal): Text[][] => {
        const at = `/signals/${signal.place}`;
        return [
          [signal.label, "level, 1 to 3", estAt(`${at}/level`, "decimal"), pCell(signal.level.p_value), "", ""],
          ...partners.map(([partner, label]): Text[] => [
            "",
            label,
            estAt(`${at}/${partner}/spearman`, "decimal"),
            pCell(signal[partner].spearman.p_value),
            numberAt(`${at}/${partner}/bound`, "decimal"),
            estAt(`${at}/${partner}/auroc`, "decimal"),
          ]),
        ];
      }),
    ),
    {
      kind: "text",
      text: "With a partner that is yes or no, ρ cannot exceed √(3p(1−p)) at a share p of yes. σ(ρ) is the probability of the token that the inverse check is: its correlation with it says how decided the auditor is, not that the rules are ambiguous.",
    },
  ];
}

function levels(result: SignalExperiment): Block[] {
  const { levels: rows } = result;
  const row = (label: string, cell: (i: number) => Text): Text[] => [label, ...rows.map((_, i) => cell(i))];
  return [
    { kind: "heading", text: "By level" },
    { kind: "figure", id: "pds-by-level" },
    table(
      ["", ...rows.map(({ level }) => `>level ${level}`)],
      [
        row("Verdicts", (i) => numberAt(`/levels/${i}/n`, "whole")),
        row("Ambiguity Index", (i) => estAt(`/levels/${i}/ambiguity_index`)),
        ...shown(result).map(({ signal, label }) =>
          row(`Mean ${label}`, (i) => estAt(`/levels/${i}/means/${signal}`, "fine")),
        ),
      ],
    ),
  ];
}

function temperatures({ temperatures: rows }: SignalExperiment): Block[] {
  const known = rows.map((one, i) => ({ ...one, at: `/temperatures/${i}` })).filter(({ n }) => n > 0);
  if (known.length === 0) return [];
  // Within one run, the temperatures distinguish the rows.
  const names = known.map(({ name }) => name.replace(/^run /, "").replace(/, t=[0-9.]+$/, ""));
  const several = new Set(names).size > 1;
  return [
    { kind: "heading", text: "σ(ρ) by temperature" },
    table(
      [...(several ? ["run"] : []), ">T", ">verdicts", ">ambiguity", ">ρ with Yes", ">AUROC", ">Yes", ">No", ">ratio"],
      known.map(({ at, temperature }, i): Text[] => [
        ...(several ? [printable(names[i]!, 40)] : []),
        temperature === null ? "–" : String(temperature),
        numberAt(`${at}/n`, "whole"),
        estAt(`${at}/ambiguity_index`, "percent", "value"),
        estAt(`${at}/spearman`, "decimal"),
        ...["auroc", "yes", "no"].map((field) => estAt(`${at}/${field}`, "fine", "value")),
        estAt(`${at}/ratio`, "decimal"),
      ]),
      "Mean σ(ρ) where the inverse check says Yes and No; their ratio is as circular as the correlation",
    ),
  ];
}

/** Signals where decider and moderators agree, and where they disagree. */
function regimes({ agreement, signals, output_confidence: confidence }: SignalExperiment): Block[] {
  const labels = new Map(signals.map(({ signal, label }) => [signal, label]));
  const heading: Block = { kind: "heading", text: "Agreements against disagreements" };
  const known = agreement
    .map((row, i) => ({ ...row, at: `/agreement/${i}` }))
    .filter(({ agree, disagree }) => agree.estimate !== null || disagree.estimate !== null);
  const [none] = agreement;
  if (known.length === 0)
    return none?.ratio.estimate === null ? [heading, { kind: "empty", why: `${none.ratio.reason}.` }] : [];
  const span = (field: "agree" | "disagree", where: string): Sentence =>
    confidence[field]
      ? sentence`Output confidence ${where}: median ${numberAt(`/output_confidence/${field}/median`, "fine")}, nine in ten between ${numberAt(`/output_confidence/${field}/p05`, "fine")} and ${numberAt(`/output_confidence/${field}/p95`, "fine")}. `
      : [];
  return [
    heading,
    { kind: "text", text: regimeSentence(known) },
    table(
      ["mean", ">agreements", ">disagreements", ">ratio"],
      known.map(({ signal, statistic, at }): Text[] => [
        `${statistic === "sd" ? "sd of " : ""}${labels.get(signal)!}`,
        estAt(`${at}/agree`, "fine"),
        estAt(`${at}/disagree`, "fine"),
        estAt(`${at}/ratio`, "decimal"),
      ]),
    ),
    { kind: "text", text: sentence`${span("agree", "in agreements")}${span("disagree", "in disagreements")}` },
  ];
}

function regimeSentence(rows: readonly RegimeRow[]): string {
  const parts = rows.flatMap(({ signal, statistic, ratio }) => {
    if (ratio.estimate === null || !["pds", "inverse_yes_prob"].includes(signal)) return [];
    const { lower, upper } = wideInterval(ratio)!;
    const what = `${statistic === "sd" ? "the sd of " : ""}${signal === "pds" ? "S" : "σ(ρ)"}`;
    if (lower <= 1 && upper >= 1) return [`the difference in ${what} is not statistically significant`];
    return [
      `${what} is ${Math.abs(100 * (ratio.estimate - 1)).toFixed(0)}% ${ratio.estimate > 1 ? "higher" : "lower"}`,
    ];
  });
  return parts.length > 0 ? `Where decider and moderators disagree, ${parts.join("; ")}.` : "";
}

function samplingBlocks({ sampling }: SignalExperiment): Block[] {
  const heading: Block = { kind: "heading", text: "One pass with probabilities against samples" };
  if (!sampling.available)
    return [
      heading,
      { kind: "empty", why: `Not available: ${sampling.reason}.`, command: "defensible audit --replicates 20" },
    ];
  return [
    heading,
    ...sampling.comparisons.flatMap((one, i): Block[] => {
      const at = `/sampling/comparisons/${i}`;
      return [
        { kind: "text", text: `${printable(one.name, 60)}: ${finding(one)}` },
        table(
          ["estimate of how often level 3 is drawn", ">mean squared error", ">AUROC", ">decisions"],
          [
            [
              "one pass, p(L3) as read",
              estAt(`${at}/logprob/raw_mse`, "finer"),
              "",
              numberAt(`${at}/logprob/raw_mse/n`, "whole"),
            ],
            [
              `one pass, p(L3) at T = ${one.temperature ?? "?"}`,
              estAt(`${at}/logprob/tempered_mse`, "finer"),
              estAt(`${at}/logprob/auroc`, "decimal"),
              numberAt(`${at}/logprob/tempered_mse/n`, "whole"),
            ],
            ...one.frequency.map(({ samples }, j): Text[] => [
              plural(samples, "sample"),
              estAt(`${at}/frequency/${j}/mse`, "finer"),
              estAt(`${at}/frequency/${j}/auroc`, "decimal"),
              numberAt(`${at}/frequency/${j}/decisions`, "whole"),
            ]),
          ],
        ),
      ];
    }),
    {
      kind: "text",
      text: "Errors are against how often level 3 is drawn in replicates that estimate nothing else. One pass sees only its own trace: it cannot say what another trace would have concluded.",
    },
  ];
}

function finding({
  samples_that_match: match,
  equivalent_samples: equal,
  reason,
  decisions,
}: SamplingComparison): string {
  const worth = equal === null ? "" : ` One pass is worth ${decimal(equal, 1)} samples.`;
  if (match === null) return `${reason ?? "nothing to compare"}.${worth}`;
  return `${plural(match, "sample")} ${match === 1 ? "estimates" : "estimate"} how often level 3 is drawn at least as well as one pass with probabilities, over ${plural(decisions, "decision")}.${worth}`;
}

export default {
  kind: "signal",
  view: "more",
  id: "signal",
  place: 2,
  tab: "Signals",
  heading: "Which signal finds indefensible decisions",
  purpose: "It measures how well each signal of an audit finds indefensible decisions.",
  command: "defensible experiment signal",
  document: signalDocument,
} satisfies Screen<"signal">;

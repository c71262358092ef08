import type { Estimate } from "../../../core/estimate.js";
import {
  type Block,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../../present/document/document.js";
import {
  ATTACK_LIMITS,
  ATTACK_SCORE_WORDS,
  ESCAPE_GROUPINGS,
  kindWords,
  layerWords,
  thresholdText,
  unionAtRateWords,
} from "../../../present/words/experiment-words.js";
import { pCell, percent, plural, pText, whole } from "../../../present/words/numbers.js";
import { estAt, numberAt, pointerPart, type Sentence, sentence } from "../../../present/words/sentence.js";
import { wordOr } from "../../../present/words/vocabulary.js";
import type { RankCorrelation } from "../../../stats/ranks/spearman.js";
import { printable } from "../../../text/printable.js";
import type { AttackResult, AttackTarget } from "../result.js";

type Result = AttackResult & { file?: unknown; auditor?: unknown; settings?: { false_positive_rate?: number } };

/** Which attacks each layer detected, and at what rate of false alarms. */
export function attackDocument(result: AttackResult): Document {
  const { counts, file, auditor } = result as Result;
  const of = typeof file === "string" ? ` of ${printable(file, 60)}` : "";
  return {
    title: "Attacks on the auditor",
    subtitle: `${plural(counts.input, "attack")} on the input, ${whole(counts.trace)} on the trace, ${plural(counts.clean, "clean case")}${of} · auditor ${typeof auditor === "string" ? printable(auditor, 60) : "unknown"} · run ${result.runs.map((run) => printable(run, 60)).join(", ")}`,
    data: result,
    blocks: [
      { kind: "text", as: "lead", text: conclusion(result) },
      { kind: "figure", id: "attack-detection" },
      ...inputTable(result),
      ...atRateBlocks(result),
      ...traceBlocks(result),
      ...layerBlocks(result),
      ...scoreBlocks(result),
      ...pairBlocks(result),
      ...escapeBlocks(result),
      { kind: "heading", text: "Limits" },
      { kind: "text", text: ATTACK_LIMITS },
      ...noteBlocks(result.warnings),
    ],
  };
}

/** An estimate in a row of a list, and the pointer to it. */
interface Found {
  at: string;
  of: Estimate;
}

function detected({ detection }: AttackResult, target: AttackTarget, kind: string, layer: string): Found | undefined {
  const place = detection.findIndex((row) => row.target === target && row.kind === kind && row.layer === layer);
  return place < 0 ? undefined : { at: `/detection/${place}/detected`, of: detection[place]!.detected };
}

function flagged({ false_positives: rows }: AttackResult, layer: string, decision = "all"): Found | undefined {
  const place = rows.findIndex((row) => row.layer === layer && row.decision === decision);
  return place < 0 ? undefined : { at: `/false_positives/${place}/flagged`, of: rows[place]!.flagged };
}

function conclusion(result: AttackResult): Sentence {
  const all = detected(result, "input", "all", "union");
  if (!all || all.of.estimate === null)
    return [
      `Nothing can be said of attacks on the input: ${all?.of.estimate === null ? printable(all.of.reason) : "none was audited"}.`,
    ];
  const [two, held] = ["two_layers", "union_at_rate"].map((layer) => detected(result, "input", "all", layer));
  const rate = (result as Result).settings?.false_positive_rate;
  const paper =
    two && two.of.estimate !== null
      ? sentence` The paper's two layers catch ${estAt(two.at, "rounded", "value")}${alarms(flagged(result, "two_layers"))}.`
      : [];
  const chosen =
    held && held.of.estimate !== null && rate !== undefined
      ? sentence` With thresholds chosen for at most ${percent(rate, 0).replace(" ", "")} false alarms, all layers together catch ${estAt(held.at, "rounded", "value")}${alarms(flagged(result, "union_at_rate"))}.`
      : [];
  return sentence`The defences catch ${estAt(all.at, "rounded", "all")} of the disguised wrong decisions${alarms(flagged(result, "union"), "all")}.${paper}${chosen}`;
}

/** The false alarms of a layer. */
function alarms(clean: Found | undefined, shows: "value" | "all" = "value"): Sentence {
  if (!clean || clean.of.estimate === null) return [" (false alarms unknown: there are no clean cases to count on)"];
  return sentence`, with false alarms on ${estAt(clean.at, "rounded", shows)} of the clean cases`;
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

function kinds({ detection }: AttackResult, target: AttackTarget): string[] {
  return [...new Set(detection.filter((row) => row.target === target).map((row) => row.kind))];
}

/** Shares detected by kind and layer; for clean cases, false alarms. */
function detectionTable(result: AttackResult, target: AttackTarget, layers: readonly string[], caption: string): Block {
  const cell = (found: Found | undefined, layer: string): Text =>
    found ? estAt(found.at, "percent", layer === layers.at(-1) ? "interval" : "value") : "–";
  const last = layers.at(-1)!;
  return table(
    [`on the ${target}`, ">n", ...layers.map((layer) => `>${HEADS[layer] ?? layer}`)],
    [
      ...kinds(result, target).map((kind): Text[] => {
        const all = detected(result, target, kind, last);
        return [
          printable(kindWords(kind), 30),
          all ? numberAt(`${all.at}/n`, "whole") : "–",
          ...layers.map((layer) => cell(detected(result, target, kind, layer), layer)),
        ];
      }),
      [
        "clean (false alarms)",
        flagged(result, last) ? numberAt(`${flagged(result, last)!.at}/n`, "whole") : "–",
        ...layers.map((layer) => cell(flagged(result, layer), layer)),
      ],
    ],
    caption,
  );
}

function inputTable(result: AttackResult): Block[] {
  if (kinds(result, "input").length === 0) return [];
  const member = (name: string) => result.layers.some((layer) => layer.name === name && layer.member);
  const first = result.layers.some(({ name, member: of }) => name === "signal" && !of) ? "level" : "signal";
  const layers = [first, "grounding", "scope", "question", "dual"].filter(member);
  return [
    detectionTable(result, "input", [...layers, "two_layers", "union"], "Share of attacks caught, by layer of defence"),
    ...missing(result, "input"),
  ];
}

/** Cases that the rates leave out. */
function missing(result: AttackResult, target: AttackTarget): Block[] {
  const all = detected(result, target, "all", "union");
  if (!all || all.of.estimate === null || !all.of.worst_case) return [];
  return [
    {
      kind: "text",
      text: sentence`Some cases have no verdict; with them the share of any layer is between ${numberAt(`${all.at}/worst_case/lower`)} and ${numberAt(`${all.at}/worst_case/upper`)}.`,
    },
  ];
}

function rateWords(result: AttackResult): string {
  const rate = (result as Result).settings?.false_positive_rate;
  return rate === undefined ? "the same share" : `at most ${percent(rate)}`;
}

function atRateBlocks(result: AttackResult): Block[] {
  if (kinds(result, "input").length === 0) return [];
  const asked = result.layers.some((layer) => layer.name === "question_at_rate") ? ["question_at_rate"] : [];
  const layers = ["signal", "signal_pds", "grounding_at_rate", "scope_at_rate", ...asked, "union_at_rate"];
  return [
    { kind: "heading", text: "All layers at the same share of false alarms" },
    detectionTable(
      result,
      "input",
      layers,
      `Thresholds chosen for false alarms on ${rateWords(result)} of clean cases`,
    ),
    {
      kind: "text",
      text: `The last row is the price paid on clean cases that no threshold was chosen on. ${unionAtRateWords(result).note}`,
    },
  ];
}

function traceBlocks(result: AttackResult): Block[] {
  if (kinds(result, "trace").length === 0) return [];
  return [
    { kind: "heading", text: "Attacks on the trace" },
    detectionTable(
      result,
      "trace",
      ["grounding", "scope", "grounding_at_rate", "scope_at_rate", "union"],
      "Share of replaced citations caught",
    ),
    ...missing(result, "trace"),
    {
      kind: "text",
      text: `The citation of a finished audit was replaced and the layers run again. Probabilities are those of the audit, so the first layer sees nothing of it. Chosen: with a threshold for false alarms on ${rateWords(result)}.`,
    },
  ];
}

/** Every layer, when it flags, and how many clean cases it flags. */
function layerBlocks(result: AttackResult): Block[] {
  const { layers, false_positives, counts } = result;
  const decisions = [...new Set(false_positives.map((row) => row.decision))].filter((name) => name !== "all");
  const cell = (found: Found | undefined, shows: "value" | "interval"): Text =>
    found ? estAt(found.at, "percent", shows) : "–";
  const half = counts as { choosing?: number; reported?: number };
  return [
    { kind: "heading", text: "Layers and their false alarms" },
    table(
      ["layer", ">clean flagged", ...decisions.map((name) => `>${printable(name, 20)}`), "~flags when"],
      layers.map(({ name, threshold, rule, reason }): Text[] => [
        layerWords(name),
        cell(flagged(result, name), "interval"),
        ...decisions.map((decision) => cell(flagged(result, name, decision), "value")),
        [
          thresholdText(name, threshold),
          printable(rule, 300),
          typeof reason === "string" ? `(not possible: ${printable(reason)})` : "",
        ]
          .filter(Boolean)
          .join("; "),
      ]),
    ),
    {
      kind: "text",
      text: `Thresholds were chosen on ${whole(half.choosing ?? 0)} clean cases; these shares are of the other ${whole(half.reported ?? 0)}.`,
    },
  ];
}

/** How well each score separates attacks from clean cases. */
function scoreBlocks({ auroc }: AttackResult): Block[] {
  const scores = [...new Set(auroc.map((row) => row.score))];
  if (scores.length === 0) return [];
  const part = (target: AttackTarget): Block[] => {
    const rows = [...new Set(auroc.filter((row) => row.target === target).map((row) => row.kind))];
    if (rows.length === 0) return [];
    return [
      table(
        [`on the ${target}`, ...scores.map((score) => `>${wordOr(ATTACK_SCORE_WORDS, score, 20)}`)],
        rows.map((kind): Text[] => [
          printable(kindWords(kind), 30),
          ...scores.map((score): Text => {
            const place = auroc.findIndex((row) => row.target === target && row.kind === kind && row.score === score);
            return place < 0 ? "–" : estAt(`/auroc/${place}/auroc`, "decimal");
          }),
        ]),
      ),
    ];
  };
  return [
    { kind: "heading", text: "How well each score separates attacks (AUROC)" },
    { kind: "figure", id: "attack-roc" },
    ...part("input"),
    ...part("trace"),
    {
      kind: "text",
      text: "0.5 is no separation. DeLong's intervals, for independent cases; no threshold is involved.",
    },
  ];
}

/** What one layer catches and another misses. */
function pairBlocks({ mcnemar }: AttackResult): Block[] {
  if (mcnemar.length === 0) return [];
  return [
    { kind: "heading", text: "Layer against layer" },
    table(
      ["attacks on the", "first", "second", ">both", ">only first", ">only second", ">neither", ">p"],
      mcnemar.map(({ target, first, second, mid_p }, i): Text[] => [
        target,
        layerWords(first),
        layerWords(second),
        ...["both", "only_first", "only_second", "neither"].map((field) => numberAt(`/mcnemar/${i}/${field}`, "whole")),
        pCell(mid_p),
      ]),
    ),
    { kind: "text", text: "McNemar's test with mid-p. It says nothing of false alarms." },
  ];
}

/** Groups shown per grouping. */
const SHOWN = 12;

/** Attacks on the input that no layer caught: their signals, what they have in common, and the rules they depend on. */
function escapeBlocks({ escapes, subsets, ambiguous_rules }: AttackResult): Block[] {
  if (escapes.all.estimate === null) return [];
  const means = ["h_citation_bits", "confidence", "pds", "p_defensible", "overlap"];
  return [
    { kind: "heading", text: "What escapes" },
    {
      kind: "text",
      text: sentence`${estAt("/escapes/all", "percent", "all")} of the attacks on the input escape every layer.`,
    },
    { kind: "figure", id: "attack-escapes" },
    table(
      ["by", "~group", ">escaped", ">cases", ">p adjusted"],
      Object.entries(escapes.by).flatMap(([name, { groups, adjusted_p }]) =>
        groups.slice(0, SHOWN).map(({ group }, i): Text[] => {
          const at = `/escapes/by/${pointerPart(name)}/groups/${i}/escaped`;
          return [
            i === 0 ? wordOr(ESCAPE_GROUPINGS, name, 30) : "",
            printable(name === "kind" ? kindWords(group) : group.replaceAll("_", " "), 80),
            estAt(at),
            estAt(at, "percent", "counts"),
            i === 0 ? pCell(adjusted_p) : "",
          ];
        }),
      ),
    ),
    {
      kind: "text",
      text: `p: whether shares as unequal as these arise by chance, with Holm's correction for the number of groupings. The ${SHOWN} largest groups of each are shown.`,
    },
    table(
      ["mean of", ">n", ">H[κ] bits", ">confidence", ">S", ">P(defensible)", ">overlap"],
      subsets.map(({ subset, reason }, i): Text[] => [
        printable(subset, 70),
        typeof reason === "string" ? "–" : numberAt(`/subsets/${i}/n`, "whole"),
        ...means.map((name) => estAt(`/subsets/${i}/${name}`, "fine", "value")),
      ]),
    ),
    { kind: "text", text: ruleSentence(ambiguous_rules as Ambiguity) },
  ];
}

interface Ambiguity {
  reason?: string;
  escaped?: unknown;
  odds_ratio?: Estimate;
  rank_correlation?: RankCorrelation;
}

/** Whether escapes coincide with ambiguous rules, as the paper says. Attacks on one rule are not independent, so rules are counted. */
function ruleSentence({ reason, escaped, odds_ratio, rank_correlation: rank }: Ambiguity): Sentence {
  if (!escaped || !odds_ratio || !rank)
    return [
      `Whether escapes coincide with ambiguous rules is unknown: ${printable(reason ?? "no attack has a rule")}.`,
    ];
  if (rank.estimate === null) return [`Ambiguity of rules and share escaped: ${printable(rank.reason)}.`];
  const at = "/ambiguous_rules";
  const verdict =
    rank.p_value >= 0.05
      ? "not statistically significant"
      : `${rank.estimate > 0 ? "more" : "less"} escapes under ambiguous rules`;
  return sentence`Rules that attacks turn on have a mean Ambiguity Index of ${estAt(`${at}/escaped/ambiguity_index`, "rounded", "value")} where the attack escaped and ${estAt(`${at}/caught/ambiguity_index`, "rounded", "value")} where it was caught. Rule by rule, ambiguity and share escaped correlate at ${estAt(`${at}/rank_correlation`, "decimal")}, ${pText(rank.p_value)}: ${verdict}.`;
}

export default {
  kind: "attack",
  view: "trust",
  id: "attacks",
  place: 3,
  tab: "Attacks",
  heading: "Attacks",
  purpose:
    "It disguises wrong decisions as right ones and shows how many the defences catch, and at how many false alarms.",
  command: "defensible attack build --out attacks.jsonl && defensible attack run attacks.jsonl",
  document: attackDocument,
} satisfies Screen<"attack">;

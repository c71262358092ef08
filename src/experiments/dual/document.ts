import type { ProposalFlips } from "../../app/audit/decide/decide-tools.js";
import { DUAL_CLASSES, LARGE_AMBIGUITY, NO_VOID } from "../../measures/metrics/paired/dual-audit.js";
import {
  type Block,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../present/document/document.js";
import { DUAL_WORDS } from "../../present/words/experiment-words.js";
import { percent, plural, whole } from "../../present/words/numbers.js";
import { decisionLink, estAt, numberAt, pointerPart, type Sentence, sentence } from "../../present/words/sentence.js";
import { printable } from "../../text/printable.js";
import type { Dual, DualCase } from "./result.js";

const SHOWN = 10;

export function flipsDocument(flips: ProposalFlips, decider: string): Document {
  const { n, of, proposals, flip_rate, decisions } = flips;
  const row = (label: string, at: string): Text[] => [label, estAt(at), estAt(at, "percent", "counts")];
  const shown = decisions.slice(0, SHOWN);
  const alike = flip_rate.estimate !== null && flip_rate.warnings !== undefined;
  return {
    title: "The decider, asked again",
    subtitle: `${printable(decider, 60)} · ${plural(n, "decision")} proposed ${proposals ? timesText(proposals) : "several times"}${n < of ? `; ${whole(of - n)} of the ${whole(of)} in the file were proposed once and are left out` : ""}`,
    data: flips,
    blocks: [
      {
        kind: "headline",
        value: estAt("/flip_rate", "percent", "value"),
        label: "chance that two proposals for the same content differ",
        under: sentence`${estAt("/flipped", "percent", "value")} of the decisions were proposed both ways at least once.`,
      },
      table(
        ["", ">rate (95% interval)", ">counts"],
        [
          row("two proposals differ", "/flip_rate"),
          row("proposals off the commonest action", "/off_dominant"),
          row("decisions proposed both ways", "/flipped"),
        ],
      ),
      ...(shown.length > 0
        ? [
            table(
              ["decision", "community", "first proposal", ">proposals", ">for it", ">two differ"],
              shown.map((one, place): Text[] => [
                printable(one.id, 30),
                printable(one.community, 24),
                printable(one.decision, 16),
                numberAt(`/decisions/${place}/proposals`, "whole"),
                numberAt(`/decisions/${place}/shares/${pointerPart(one.decision)}`),
                numberAt(`/decisions/${place}/flip_rate`),
              ]),
            ),
          ]
        : []),
      {
        kind: "text",
        text: `${shown.length > 0 ? `The most divided ${plural(shown.length, "decision")}${decisions.length > shown.length ? `; more in the JSON` : ""}. ` : ""}Decisions are the unit of every interval: proposals for the same content are no independent rows. ${alike ? "Where two proposals differ equally often for every decision an interval of it would have no width and is left out; the rows below it have theirs. " : ""}Flips of the action are the decider's; that an audit's reasoning varies while the action stays is no finding, since an audit is given the action.${decider === "baseline" ? " The decider is the embedded baseline: its figures show how the method works, not how a model decides." : ""}`,
      },
    ],
  };
}

function timesText({ least, most }: { least: number; most: number }): string {
  return least === most ? `${whole(most)} times each` : `${whole(least)} to ${whole(most)} times`;
}

export interface DualDocumentOptions {
  /** Contradictions shown, of each kind. Default 10. */
  rows?: number;
}

export function dualDocument(dual: Dual, { rows = 10 }: DualDocumentOptions = {}): Document {
  const { source, counts } = dual;
  return {
    title: "Dual audit",
    subtitle: `${printable(source.name, 60)}${source.auditor ? ` · auditor ${printable(source.auditor, 40)}` : ""} · ${plural(counts.paired, "decision")} audited with their opposites`,
    data: dual,
    blocks: [
      { kind: "text", as: "lead", text: conclusion(dual) },
      ...(dual.justification_prone
        ? [
            {
              kind: "text" as const,
              as: "note" as const,
              text: `Note: the auditor may justify whatever it is shown: at least ${percent(LARGE_AMBIGUITY, 0)} of the decisions are defensible either way, and at most ${percent(NO_VOID, 0)} are covered by no rule. Try it on undisputed violations: it should find no second outcome there.`,
            },
          ]
        : []),
      { kind: "figure", id: "dual-classes" },
      classes(),
      ...corrected(dual),
      ...byAction(dual),
      ...inverseCheck(dual),
      ...contradictions(dual, rows),
      ...noteBlocks(dual.warnings),
    ],
  };
}

function conclusion({ all, corrected: rate }: Dual): Sentence {
  if (all.ambiguous.estimate === null)
    return [`How many decisions could go either way is unknown: ${all.ambiguous.reason}.`];
  const share = (name: string) => estAt(`/all/${name}`, "rounded", "value");
  const whole = !rate
    ? []
    : rate.prediction_powered.estimate === null
      ? sentence` The rate of run ${printable(rate.run_id, 40)} is unknown: ${rate.prediction_powered.reason}.`
      : sentence` Corrected for the whole run ${printable(rate.run_id, 40)}: ${estAt("/corrected/prediction_powered", "rounded")}, against ${estAt("/corrected/audited", "rounded", "value")} by the inverse check alone.`;
  return sentence`${estAt("/all/ambiguous", "rounded", "all")} of the decisions could have gone either way: the rules support them and their opposites. The rules settle ${share("determinate")} as decided, contradict ${share("model_error")} and do not cover ${share("void")}.${whole}`;
}

function classes(): Block {
  const row = (name: string, at: string): Text[] => [name, estAt(at), estAt(at, "percent", "counts")];
  return table(
    ["", ">share", ">decisions"],
    [
      ...DUAL_CLASSES.map((name) => row(DUAL_WORDS[name], `/all/${name}`)),
      row("Defensibility Index of the decisions", "/all/defensibility_index"),
      row("Defensibility Index of their opposites", "/all/opposite_defensibility_index"),
    ],
    "What the two audits say together. The two indices add up to 1 + ambiguous − void",
  );
}

function corrected({ corrected: rate }: Dual): Block[] {
  if (!rate) return [];
  const row = (name: string, field: string): Text[] => [name, estAt(`/corrected/${field}`)];
  return [
    { kind: "heading", text: "The whole run, corrected" },
    table(
      [`ambiguity of run ${printable(rate.run_id, 40)}`, ">rate"],
      [
        row("By the inverse check, defensible decisions", "audited"),
        row("Corrected: prediction-powered", "prediction_powered"),
        row("Corrected: Rogan–Gladen", "rogan_gladen"),
      ],
    ),
    {
      kind: "text",
      text: `${plural(rate.labels, "decision")} of the run have a dual audit. The correction holds if they were drawn at random (--sample).${rate.warnings.map((warning) => ` ${warning}.`).join("")}`,
    },
  ];
}

function byAction({ by_human, actions }: Dual): Block[] {
  const groups: [string, string][] = [
    [actions.positive, "/by_action/positive"],
    [actions.negative, "/by_action/negative"],
    ...(by_human
      ? ([
          ["human label agrees", "/by_human/agreed"],
          ["human label is the opposite", "/by_human/overruled"],
        ] satisfies [string, string][])
      : []),
  ];
  return [
    { kind: "heading", text: "By action and human label" },
    table(
      ["decisions", ">n", ">ambiguous", ">determinate", ">error", ">void"],
      groups.map(([name, at]): Text[] => [
        printable(name, 40),
        numberAt(`${at}/n`, "whole"),
        estAt(`${at}/ambiguous`),
        ...["determinate", "model_error", "void"].map((of) => estAt(`${at}/${of}`, "percent", "value")),
      ]),
    ),
  ];
}

function inverseCheck({ actions, inverse_auroc }: Dual): Block[] {
  const row = (label: string, at: string): Text[] => [
    label,
    estAt(`${at}/sensitivity`),
    estAt(`${at}/sensitivity`, "percent", "counts"),
    estAt(`${at}/specificity`),
    estAt(`${at}/specificity`, "percent", "counts"),
  ];
  return [
    { kind: "heading", text: "What the one-token inverse check is worth" },
    table(
      ["inverse check", ">sensitivity", ">of", ">specificity", ">of others"],
      [
        row("All decisions", "/all/inverse_check"),
        row("Defensible ones", "/all/inverse_check_defensible"),
        row(printable(actions.positive, 30), "/by_action/positive/inverse_check"),
        row(printable(actions.negative, 30), "/by_action/negative/inverse_check"),
        row("The opposite's check", "/all/opposite_inverse_check"),
      ],
    ),
    {
      kind: "text",
      text: sentence`Sensitivity: defensible opposites to which the check said Yes. Specificity: others to which it said No. ${
        inverse_auroc.estimate === null
          ? `The AUROC of p(Yes) is undefined: ${inverse_auroc.reason}.`
          : sentence`The AUROC of p(Yes) is ${estAt("/inverse_auroc", "decimal")}; 0.50 is chance.${(inverse_auroc.warnings ?? []).map((warning) => ` Note: ${warning}.`).join("")}`
      } The Ambiguity Index is ${estAt("/all/ambiguity_index", "percent", "value")} by the check (${estAt("/all/ambiguity_pure", "percent", "value")} without indefensible decisions) and ${estAt("/all/ambiguous", "percent", "value")} by auditing the opposite. Both come from the same auditor: this does not show that the auditor is right.`,
    },
  ];
}

function contradictions({ contradictions: { missed, false_alarms, cases } }: Dual, rows: number): Block[] {
  if (missed + false_alarms === 0) return [];
  const all = cases.map((one, place) => ({ ...one, place }));
  const part = (kind: DualCase["kind"], count: number, field: string, words: string): Block[] => {
    if (count === 0) return [];
    return [
      {
        kind: "text",
        text: sentence`${words}: ${numberAt(`/contradictions/${field}`, "whole")}, by p(Yes), the ${kind === "missed" ? "lowest" : "highest"} first.`,
      },
      table(
        ["decision", "community", "action", ">level", ">p(Yes)", "rule", ">level of opposite", "rule of opposite"],
        all
          .filter((one) => one.kind === kind)
          .slice(0, rows)
          .map(({ place, decision_id, community, own, opposite }): Text[] => {
            const at = `/contradictions/cases/${place}`;
            return [
              decisionLink(decision_id),
              printable(community, 24),
              printable(own.action, 16),
              numberAt(`${at}/own/level`, "whole"),
              numberAt(`${at}/own/inverse_yes_prob`, "decimal"),
              printable(own.rule_id ?? "–", 20),
              numberAt(`${at}/opposite/level`, "whole"),
              printable(opposite.rule_id ?? "–", 20),
            ];
          }),
      ),
    ];
  };
  return [
    { kind: "heading", text: "Where check and audit contradict each other" },
    ...part("missed", missed, "missed", "The check says No, and the opposite is defensible"),
    ...part("false_alarm", false_alarms, "false_alarms", "The check says Yes, and the opposite is not defensible"),
    {
      kind: "text",
      text: "The check is the written token, p(Yes) the probability of Yes at that place. At a temperature above 0 tokens are drawn, so a Yes can come with a p(Yes) below 0.50.",
    },
  ];
}

export default {
  kind: "dual",
  view: "more",
  id: "dual",
  place: 3,
  tab: "Opposites",
  heading: "Decisions and their opposites, audited apart",
  purpose: "It audits the opposite of each decision too, and shows what the inverse check is worth.",
  command: "defensible experiment dual",
  document: (result) => dualDocument(result, { rows: Number.POSITIVE_INFINITY }),
} satisfies Screen<"dual">;

import type { FlipControl } from "../../core/results/realised-risk.js";
import type { Report } from "../../core/results/report.js";
import { labelNotes } from "../../measures/metrics/label-sample.js";
import { type Block, type Document, noteBlocks, type Text, table } from "../document/document.js";
import { byCount, type NumberForm, wideInterval } from "../words/numbers.js";
import { againstWords, DROP_CAVEAT, FLIP_WARNING_WORDS } from "../words/outcome-words.js";
import { estAt, numberAt, type Piece, type Sentence, sentence, termOf } from "../words/sentence.js";
import { row } from "./numbers-document.js";

const rateAt = (at: string) => estAt(at, "percent", "value");

/** Decider and moderators by the same measure, where `audit --humans` was run. Pointers lead into the report. */
export function moderatorsDocument(report: Report): Document {
  const { humans } = report;
  const blocks: Block[] = humans
    ? [{ kind: "text", as: "lead", text: moderatorsSentence(humans) }, ...moderatorBlocks()]
    : [
        {
          kind: "empty",
          why: "Moderators' own decisions were not audited in this run.",
          command: "defensible audit --humans",
        },
      ];
  return { title: "Decider and moderators by the same measure", subtitle: "", data: report, blocks };
}

function moderatorsSentence({ difference }: NonNullable<Report["humans"]>): Sentence {
  const interval = wideInterval(difference);
  const chance = interval !== null && interval.lower <= 0 && interval.upper >= 0;
  return sentence`The rules support ${estAt("/humans/human_defensibility_index", "rounded", "value")} of the moderators' decisions and ${estAt("/humans/model_defensibility_index", "rounded", "value")} of the decider's${chance ? "; the difference is not statistically significant" : ""}.`;
}

export function moderatorBlocks(): Block[] {
  return [
    table(
      ["", ">Defensibility Index", ">decisions"],
      [
        row("The decider", "/humans/model_defensibility_index"),
        row("The moderators", "/humans/human_defensibility_index"),
        row("Difference, decider − moderators", "/humans/difference", "points"),
      ],
    ),
    {
      kind: "text",
      text: "Both on the same labelled decisions: where they differ, the moderator's decision was audited as well. The auditor does not know whose decision it reads.",
    },
  ];
}

/** The auditor measured against reference annotations, people or another run. Pointers lead into the report; null: it was not. */
export function againstDocument(report: Report): Document | null {
  const { against } = report;
  if (!against) return null;
  const { title, by } = againstWords(against.target);
  const document = { title: `The auditor against ${title}`, subtitle: "", data: report };
  if (against.n === 0) return { ...document, blocks: [{ kind: "empty", why: `No verdict has a judgement by ${by}.` }] };
  const weighted = against.sample?.weighted === "by_verdict" || against.sample?.weighted === "by_stratum";
  const cells = (field: string, at: number, count: number) =>
    Array.from({ length: count }, (_, column) => numberAt(`/against/${field}/${at}/${column}`, "whole"));
  const whole = (at: string) => numberAt(`/against/${at}`, "whole");
  const estimates: [Piece, string, NumberForm?][] = [
    [`Defensibility Index by ${by}`, "defensibility_index"],
    [`Ambiguity Index by ${by}`, "ambiguity_index"],
    ...(against.confirmed
      ? ([
          ["confirmed: disagreements that the audit defends", "confirmed/disagreements_defensible"],
          ["confirmed: agreements that the audit calls indefensible", "confirmed/agreed_indefensible"],
        ] as const satisfies [string, string][])
      : []),
    ["same level", "level_accuracy"],
    [termOf("balanced accuracy", "same level, each level counting alike (chance: 33%)"), "level_balanced_accuracy"],
    [termOf("κ (Cohen)", "Cohen's κ of levels"), "level_kappa", "decimal"],
    [termOf("AUROC", "AUROC of 1 − P(defensible) for level 3 (chance: 0.50)"), "level3_auroc", "decimal"],
    ["same inverse check", "inverse_accuracy"],
    ["Cohen's κ of the inverse check", "inverse_kappa", "decimal"],
  ];
  return {
    ...document,
    blocks: [
      {
        kind: "text",
        text: sentence`The auditor gives the level by ${by} in ${whole("level_accuracy/k")} of ${whole("n")} decisions, and the same answer to the inverse check in ${whole("inverse_accuracy/k")} of ${whole("n_inverse")}.${weighted ? ` The two tables count the labelled decisions; the rates are of ${against.sample?.frame ? "the population that they were drawn from" : "the whole run"}.` : ""}`,
      },
      ...noteBlocks(against.sample ? labelNotes(against.sample, "defensible report --against human") : []),
      table(
        [`${by} ↓  audit →`, ">level 1", ">level 2", ">level 3"],
        [0, 1, 2].map((level): Text[] => [`level ${level + 1}`, ...cells("levels", level, 3)]),
      ),
      table(
        [`${by} ↓  audit →`, ">inverse Yes", ">inverse No"],
        ["Yes", "No"].map((name, place): Text[] => [name, ...cells("inverse", place, 2)]),
      ),
      table(
        ["~", ">value (95% interval)", ">decisions"],
        estimates
          .filter(([, at]) => at.includes("/") || Object.hasOwn(against, at))
          .map(([label, at, as]) => row(label, `/against/${at}`, as)),
      ),
    ],
  };
}

/** Whether the auditor notices that decisions were inverted, in two sentences and what to do if it does not. `at`: pointer to the control. */
function flipSentence(flip: FlipControl, at: string): Sentence {
  const warnings = flip.warnings.map((warning) => ` ${FLIP_WARNING_WORDS[warning]}`).join("");
  if (flip.n === 0) return [`Flip control: no decision has a verdict for itself and for its opposite.${warnings}`];
  const were = byCount(flip.n, "decision was", "decisions were");
  return sentence`Flip control: ${numberAt(`${at}/n`, "whole")} ${were} also audited with the opposite action. ${rateAt(`${at}/defensibility_index`)} can be derived as decided and ${rateAt(`${at}/opposite_defensibility_index`)} when inverted (drop ${estAt(`${at}/drop`, "points", "value")}); the auditor distinguishes ${rateAt(`${at}/told_apart`)} from their opposite.${warnings}`;
}

export function flipBlocks(flip: FlipControl | null | undefined): Block[] {
  return flip ? [{ kind: "text", text: flipSentence(flip, "/flip_control") }] : [];
}

/** The same with its numbers; null: no decision was inverted. */
export function flipDocument(report: Report): Document | null {
  const { flip_control: flip } = report;
  if (!flip || flip.n === 0) return null;
  return {
    title: "Does the auditor notice an inverted decision?",
    subtitle: "",
    data: report,
    blocks: [
      ...flipBlocks(flip),
      table(
        ["", ">value (95% interval)", ">decisions"],
        [
          row("defensible as decided", "/flip_control/defensibility_index"),
          row("defensible when inverted", "/flip_control/opposite_defensibility_index"),
          row(termOf("drop"), "/flip_control/drop", "points"),
          row(termOf("told apart"), "/flip_control/told_apart"),
          row(termOf("self-contradiction", "contradicts itself"), "/flip_control/self_contradiction"),
        ],
      ),
      { kind: "text", text: DROP_CAVEAT },
    ],
  };
}

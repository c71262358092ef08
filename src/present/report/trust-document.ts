import type { FlipControl, RealisedCell, RealisedRate, RealisedRisk } from "../../core/results/realised-risk.js";
import type { Report } from "../../core/results/report.js";
import { labelNotes } from "../../measures/metrics/label-sample.js";
import { printable } from "../../text/printable.js";
import { type Block, type Document, noteBlocks, type Text, table } from "../document/document.js";
import { byCount, type NumberForm, percent, plural, whole, wideInterval } from "../words/numbers.js";
import {
  againstWords,
  anytimeNote,
  DROP_CAVEAT,
  FLIP_WARNING_WORDS,
  realisedReason,
  realisedSentence,
} from "../words/route-words.js";
import { communityLink, estAt, numberAt, type Piece, type Sentence, sentence, termOf } from "../words/sentence.js";
import { row } from "./numbers-document.js";

const rateAt = (at: string) => estAt(at, "percent", "value");

/** Decider and moderators by the same measure, if `audit --humans` was run. Pointers refer to the report. */
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

/** The auditor measured against reference annotations, people or another run; null: it was not. Pointers refer to the report. */
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

/** Whether the auditor notices inverted decisions, in two sentences, and what to do if not. `at`: pointer to the control. */
function flipSentence(flip: FlipControl, at: string): Sentence {
  const warnings = flip.warnings.map((warning) => ` ${FLIP_WARNING_WORDS[warning]}`).join("");
  if (flip.n === 0) return [`Flip control: no decision has a verdict for itself and for its opposite.${warnings}`];
  const were = byCount(flip.n, "decision was", "decisions were");
  return sentence`Flip control: ${numberAt(`${at}/n`, "whole")} ${were} also audited with the opposite action. ${rateAt(`${at}/defensibility_index`)} can be derived as decided and ${rateAt(`${at}/opposite_defensibility_index`)} when inverted (drop ${estAt(`${at}/drop`, "points", "value")}); the auditor distinguishes ${rateAt(`${at}/told_apart`)} from their opposite.${warnings}`;
}

export function flipBlocks(flip: FlipControl | null | undefined): Block[] {
  return flip ? [{ kind: "text", text: flipSentence(flip, "/flip_control") }] : [];
}

/** The flip control with its numbers; null: no decision was inverted. */
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

const AT = "/realised_risk";

/** What random reviews say about automated decisions; empty if none was drawn and there are no outcomes. */
export function realisedSection(realised: RealisedRisk | null | undefined, rows: number): Block[] {
  if (!realised) return [];
  const { risk, overturned, saw_audit: seen, cells } = realised;
  const blocks: Block[] = [
    { kind: "heading", text: "Realised risk of automated decisions" },
    { kind: "text", text: realisedSentence(realised) },
    table<Text>(
      ["", ">rate", ">k of n", ">threads", ">largest", ">open", ">missing", ">at most", ">any look"],
      [
        rateRow("indefensible", risk, `${AT}/risk`),
        rateRow("overturned", overturned, `${AT}/overturned`),
        ...(seen
          ? [
              rateRow("indefensible, audit seen", seen.risk, `${AT}/saw_audit/risk`),
              rateRow("overturned, audit seen", seen.overturned, `${AT}/saw_audit/overturned`),
            ]
          : []),
      ],
    ),
    { kind: "text", as: "note", text: boundText(realised) },
  ];
  const shown = cells
    .map((cell, i) => ({ cell, at: `${AT}/cells/${i}` }))
    .filter(({ cell: { by } }, i) => cells.slice(0, i).filter((other) => other.by === by).length < rows);
  if (risk.n > 0) {
    blocks.push(
      table<Text>(
        ["by", "", ">drawn", ">rate", ">k of n", ">threads", ">largest", ">at most", ">any look", ">all rows"],
        shown.map(({ cell, at }) => cellRow(cell, at)),
      ),
    );
  }
  const notes = notesOf(realised, cells.length - shown.length);
  if (notes) blocks.push({ kind: "text", text: notes });
  return blocks;
}

function rateRow(label: string, rate: RealisedRate, at: string): Text[] {
  const counts = ["open", "missing"].map((field) => numberAt(`${at}/${field}`, "whole"));
  return [label, ...basis(rate, at), ...counts, ...bounds(`${at}/upper`)];
}

function cellRow({ by, value, risk }: RealisedCell, at: string): Text[] {
  const all = numberAt(`${at}/risk/upper_all/${risk.upper_all.anytime === null ? "once" : "anytime"}`);
  const name = by === "community" ? communityLink(value) : printable(value, 40);
  return [by, name, numberAt(`${at}/drawn`, "whole"), ...basis(risk, `${at}/risk`), ...bounds(`${at}/risk/upper`), all];
}

/** The rate, its denominator, and the threads behind its bound. */
function basis({ estimate, reason }: RealisedRate, at: string): Text[] {
  return [
    estimate === null ? realisedReason(reason) : numberAt(`${at}/estimate`),
    sentence`${numberAt(`${at}/k`, "whole")} of ${numberAt(`${at}/n`, "whole")}`,
    numberAt(`${at}/threads`, "whole"),
    numberAt(`${at}/largest_thread`, "whole"),
  ];
}

const bounds = (at: string): Text[] => [numberAt(`${at}/once`), numberAt(`${at}/anytime`)];

function boundText(realised: RealisedRisk): string {
  const { delta, thread_cap, overturned, risk } = realised;
  const confidence = percent(1 - delta, 0);
  const threads =
    risk.method === "e_value"
      ? ` Bounds rest on threads, not on reviews: a thread counts as at most ${plural(thread_cap, "review")}, so few large threads give a worse bound than many small ones. largest: reviews in the largest thread.`
      : "";
  const waiting =
    risk.open > 0 || overturned.open > 0 ? " Bounds end before the first review that is still open (14 days)." : "";
  return `At most: upper bound with ${confidence} confidence if you look once; any look: for any number of looks${risk.n > 0 ? "; all rows: for all rows at once (at one look where any look is –)" : ""}. Reviews without a level, or pending for more than 14 days, count as bad in the bounds.${threads}${waiting} ${anytimeNote(realised)}`.trimEnd();
}

function notesOf({ appeals, left_out, outcomes }: RealisedRisk, hidden: number): string {
  const notes = [
    hidden > 0 ? `${plural(hidden, "more row")} in the JSON report.` : "",
    appeals.decisions > 0
      ? `Appeals: ${whole(appeals.overturned)} of ${plural(appeals.decisions, "decision")} overturned. They are not a random sample and enter no rate.`
      : "",
    outcomes.unknown > 0 ? `${plural(outcomes.unknown, "outcome")} of decisions that are not in the route log.` : "",
    outcomes.not_drawn > 0
      ? `${plural(outcomes.not_drawn, "outcome")} of decisions that were not drawn at random.`
      : "",
    left_out.share_unknown > 0
      ? `${plural(left_out.share_unknown, "route")} of an earlier version without a review share left out.`
      : "",
  ];
  return notes.filter(Boolean).join(" ");
}

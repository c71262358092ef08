import type { RealisedCell, RealisedRate, RealisedRisk } from "../../core/results/realised-risk.js";
import { printable } from "../../text/printable.js";
import { type Block, type Text, table } from "../document/document.js";
import { percent, plural, whole } from "../words/numbers.js";
import { anytimeNote, realisedReason, realisedSentence } from "../words/outcome-words.js";
import { communityLink, numberAt, sentence } from "../words/sentence.js";

const AT = "/realised_risk";

/** What random reviews say of the decisions that were automated; nothing where none was drawn and there are no outcomes. */
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

/** The rate, what it is of, and the threads behind its bound. */
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

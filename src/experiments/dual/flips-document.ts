import type { ProposalFlips } from "../../app/audit/decide/decide-tools.js";
import { type Document, type Text, table } from "../../present/document/document.js";
import { plural, whole } from "../../present/words/numbers.js";
import { estAt, numberAt, pointerPart, sentence } from "../../present/words/sentence.js";
import { printable } from "../../text/printable.js";

const SHOWN = 10;

/** Flips of the decider in words. */
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

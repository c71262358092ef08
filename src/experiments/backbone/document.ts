import type { Estimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import { type Block, boundsAt, type Document, noteBlocks, type Text, table } from "../../present/document/document.js";
import { boundsRow, plural, pointsText, wideInterval } from "../../present/words/numbers.js";
import { estAt, numberAt, type Sentence, sentence } from "../../present/words/sentence.js";
import { printable } from "../../text/printable.js";
import type { Screen } from "../screen.js";
import type { Crossing } from "./analyse.js";
import type { Backbone } from "./result.js";

/** Deciders by auditors, in words and tables. */
export function backboneDocument(result: Backbone): Document {
  const { counts, deciders, auditors, own } = result;
  return {
    title: "Deciders crossed with auditors",
    subtitle: `${plural(deciders.length, "decider")} · ${plural(auditors.length, "auditor")} · ${plural(counts.decisions, "decision")} in ${plural(counts.communities, "community", "communities")}`,
    data: result,
    blocks: [
      headline(own.defensibility_index),
      { kind: "figure", id: "backbone" },
      { kind: "heading", text: "Defensibility Index by decider and auditor" },
      grid(result, (at) => estAt(`${at}/defensibility_index`)),
      { kind: "heading", text: "Interaction, in points of the Defensibility Index" },
      grid(result, (at) => estAt(`${at}/interaction/defensibility_index`, "points")),
      ...sameFamily(result),
      {
        kind: "text",
        text: "How much more often the auditor calls this decider's decisions defensible than the other auditors do, less the same difference for the other deciders. Each interval is for its cell alone; of twenty without an interaction about one excludes 0.",
      },
      { kind: "heading", text: "Interaction, in points of the Ambiguity Index" },
      grid(result, (at) => estAt(`${at}/interaction/ambiguity_index`, "points")),
      ...left(counts),
      ...noteBlocks(result.warnings),
    ],
  };
}

function headline(own: Estimate): Block {
  if (own.estimate === null) {
    return { kind: "text", text: `No auditor can be said to favour its own kind: ${own.reason}.` };
  }
  return {
    kind: "headline",
    value: estAt("/own/defensibility_index", "points", "value"),
    label: "more often defensible when decider and auditor are of one family",
    under: sentence`${ownFinding(own)} · 95% interval ${boundsAt("/own/defensibility_index", own)}`,
  };
}

function ownFinding(own: Estimate): string {
  const bounds = wideInterval(own);
  if (!bounds) return "No decider is of an auditor's family";
  if (bounds.lower > 0) return "Auditors favour decisions of their own family";
  return bounds.upper < 0 ? "Auditors are stricter with their own family" : "Not statistically significant";
}

/** Deciders by auditors. `cellOf`: what is shown of a cell, by its pointer. */
function grid({ deciders, auditors, cells }: Backbone, cellOf: (at: string) => Text): Block {
  return table<Text>(
    ["decider", ">decisions", ...auditors.map(({ auditor }) => `>${printable(auditor, 40)}`)],
    deciders.map(({ decider }, row) => [
      printable(decider, 40),
      numberAt(`/deciders/${row}/decisions`, "whole"),
      ...cells.flatMap((cell, i) => (cell.decider === decider ? [cellOf(`/cells/${i}`)] : [])),
    ]),
  );
}

/** Which cells the headline is the mean of. */
function sameFamily({ cells }: Backbone): Block[] {
  const own = cells.filter((cell) => cell.own);
  if (own.length === 0) return [];
  const pairs = own.map(({ decider, auditor }) => `${printable(decider, 40)} by ${printable(auditor, 40)}`);
  return [{ kind: "text", text: `Of one family: ${pairs.join(", ")}.` }];
}

function left({ incomplete, without_decider, small }: Backbone["counts"]): Block[] {
  const whole = (name: keyof Backbone["counts"]) => numberAt(`/counts/${name}`, "whole");
  const parts = [
    ...(incomplete > 0 ? [sentence`${whole("incomplete")} without a verdict by one of the auditors`] : []),
    ...(without_decider > 0 ? [sentence`${whole("without_decider")} without a decider`] : []),
    ...(small > 0 ? [sentence`${whole("small")} of deciders with too few`] : []),
  ].flatMap((part, i): Sentence => (i === 0 ? part : [", ", ...part]));
  return parts.length === 0 ? [] : [{ kind: "text", text: sentence`Decisions left out: ${parts}.` }];
}

/** Lines that are not parallel are an interaction. */
export function backboneFigures({ cells, own }: Pick<Crossing, "cells" | "own">): Figure[] {
  const { defensibility_index: of } = own;
  return [
    {
      id: "backbone",
      title:
        of.estimate === null
          ? "How often each auditor calls the decisions of each decider defensible"
          : `Decisions of an auditor's own family are defensible ${pointsText(of)} more often${ownFinding(of).startsWith("Not") ? ", which is not statistically significant" : ""}`,
      mark: "point",
      x: { field: "auditor", label: "auditor" },
      y: { field: "value", label: "Defensibility Index", format: "percent" },
      series: "decider",
      rows: cells.map(({ decider, auditor, defensibility_index: index }) => ({
        auditor,
        decider,
        value: index.estimate,
        ...boundsRow(index),
      })),
    },
  ];
}

export default {
  kind: "backbone",
  view: "more",
  id: "backbone",
  place: 6,
  tab: "Deciders",
  heading: "Deciders crossed with auditors",
  purpose:
    "It audits the decisions of several deciders by several auditors, and shows whether auditors favour their own family.",
  command: "defensible experiment backbone",
  document: backboneDocument,
} satisfies Screen<"backbone">;

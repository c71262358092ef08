import type { Estimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import { type Block, type Document, noteBlocks, table } from "../../present/document/document.js";
import { pointsCell, rateCell, reasonsText } from "../../present/words/experiments/estimate-cells.js";
import { boundsRow, plural, pointsInterval, pointsText, whole, wideInterval } from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";
import type { Screen } from "../screen.js";
import type { Crossing } from "./analyse.js";
import type { Backbone } from "./result.js";

/** Deciders by auditors, in words and tables. */
export function backboneDocument(result: Backbone): Document {
  const { counts, deciders, auditors, cells, own } = result;
  return {
    title: "Deciders crossed with auditors",
    subtitle: `${plural(deciders.length, "decider")} · ${plural(auditors.length, "auditor")} · ${plural(counts.decisions, "decision")} in ${plural(counts.communities, "community", "communities")}`,
    blocks: [
      headline(own.defensibility_index),
      { kind: "heading", text: "Defensibility Index by decider and auditor" },
      grid(result, (cell) => rateCell(cell.defensibility_index)),
      { kind: "heading", text: "Interaction, in points of the Defensibility Index" },
      grid(result, (cell) => `${cell.own ? "own: " : ""}${pointsCell(cell.interaction.defensibility_index)}`),
      {
        kind: "text",
        text: "How much more often the auditor calls this decider's decisions defensible than the other auditors do, less the same difference for the other deciders. Each interval is for its cell alone; of twenty without an interaction about one excludes 0.",
      },
      { kind: "heading", text: "Interaction, in points of the Ambiguity Index" },
      grid(result, (cell) => pointsCell(cell.interaction.ambiguity_index)),
      ...reasons(cells.map(({ interaction }) => interaction.defensibility_index)),
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
    value: pointsText(own),
    label: "more often defensible when decider and auditor are of one family",
    under: `${ownFinding(own)} · 95% interval ${pointsInterval(wideInterval(own))} pp`,
  };
}

function ownFinding(own: Estimate): string {
  const bounds = wideInterval(own);
  if (!bounds) return "No decider is of an auditor's family";
  if (bounds.lower > 0) return "Auditors favour decisions of their own family";
  return bounds.upper < 0 ? "Auditors are stricter with their own family" : "Not statistically significant";
}

function grid({ deciders, auditors, cells }: Backbone, text: (cell: Backbone["cells"][number]) => string): Block {
  return table(
    ["decider", ">decisions", ...auditors.map(({ auditor }) => `>${printable(auditor, 40)}`)],
    deciders.map(({ decider, decisions }) => [
      printable(decider, 40),
      whole(decisions),
      ...cells.filter((cell) => cell.decider === decider).map(text),
    ]),
  );
}

function reasons(estimates: readonly Estimate[]): Block[] {
  const text = reasonsText(estimates);
  return text ? [{ kind: "text", text }] : [];
}

function left({ incomplete, without_decider, small }: Backbone["counts"]): Block[] {
  const parts = [
    incomplete > 0 ? `${whole(incomplete)} without a verdict by one of the auditors` : "",
    without_decider > 0 ? `${whole(without_decider)} without a decider` : "",
    small > 0 ? `${whole(small)} of deciders with too few` : "",
  ].filter(Boolean);
  return parts.length === 0 ? [] : [{ kind: "text", text: `Decisions left out: ${parts.join(", ")}.` }];
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

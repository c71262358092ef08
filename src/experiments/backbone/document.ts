import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import { sameFamily } from "../../core/model-family.js";
import { shareEstimate } from "../../measures/metrics/indices.js";
import {
  type Block,
  boundsAt,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../present/document/document.js";
import { boundsRow, plural, pointsText, wideInterval } from "../../present/words/numbers.js";
import { estAt, numberAt, type Sentence, sentence } from "../../present/words/sentence.js";
import { normalQuantile } from "../../stats/distributions/normal.js";
import { clusterJackknife } from "../../stats/intervals/cluster-jackknife.js";
import { printable } from "../../text/printable.js";
import type { Backbone } from "./result.js";

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
      ...familyBlocks(result),
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

/** A table of deciders by auditors. `cellOf`: what to show in a cell, by its pointer. */
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

/** The cells that are averaged into the headline. */
function familyBlocks({ cells }: Backbone): Block[] {
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

/** Lines that are not parallel indicate an interaction. */
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

/** A decision with the verdict of each auditor. */
export interface CrossedDecision {
  decider: string;
  community: string;
  /** By auditor: level 1 or 2, and whether the opposite is defensible too. */
  defensible: readonly boolean[];
  ambiguous: readonly boolean[];
}

type Crossing = Pick<Backbone, "deciders" | "cells" | "own">;

/** Rates of every decider by every auditor, and how strongly they interact. Deciders are in the order of `deciders`. */
export function crossBackbones(
  decisions: readonly CrossedDecision[],
  deciders: readonly string[],
  auditors: readonly string[],
): Crossing {
  const [defensible, ambiguous] = [
    new Crossed(decisions, deciders, auditors.length, (one) => one.defensible),
    new Crossed(decisions, deciders, auditors.length, (one) => one.ambiguous),
  ];
  const cellsOf = deciders.flatMap((decider, d) =>
    auditors.map((auditor, a) => ({ decider, auditor, d, a, own: sameFamily(decider, auditor) })),
  );
  const contrast = (d: number, a: number) => interactionWeights(deciders.length, auditors.length, d, a);
  const own = cellsOf.filter((cell) => cell.own);
  const ownOf = (of: Crossed): Estimate => {
    if (own.length === 0) return undefinedEstimate("no decider is a model of an auditor's family", decisions.length);
    if (own.length === cellsOf.length) {
      return undefinedEstimate("every decider is of every auditor's family", decisions.length);
    }
    return of.estimate(meanWeights(own.map(({ d, a }) => contrast(d, a))));
  };
  return {
    deciders: deciders.map((decider, d) => ({ decider, ...defensible.sizeOf(d) })),
    cells: cellsOf.map(({ d, a, ...cell }) => ({
      ...cell,
      defensibility_index: defensible.rate(d, a),
      ambiguity_index: ambiguous.rate(d, a),
      interaction: {
        defensibility_index: defensible.estimate(contrast(d, a)),
        ambiguity_index: ambiguous.estimate(contrast(d, a)),
      },
    })),
    own: { defensibility_index: ownOf(defensible), ambiguity_index: ownOf(ambiguous) },
  };
}

type Weights = readonly (readonly number[])[];

/** (p_da − mean of p_da′ over the other auditors) − mean over the other deciders of the same difference. */
function interactionWeights(deciders: number, auditors: number, decider: number, auditor: number): Weights {
  return Array.from({ length: deciders }, (_, d) =>
    Array.from(
      { length: auditors },
      (__, a) => (d === decider ? 1 : -1 / (deciders - 1)) * (a === auditor ? 1 : -1 / (auditors - 1)),
    ),
  );
}

function meanWeights(all: readonly Weights[]): Weights {
  return all[0]!.map((row, d) => row.map((_, a) => all.reduce((sum, one) => sum + one[d]![a]!, 0) / all.length));
}

/** One kind of verdict, counted by community, decider and auditor. */
class Crossed {
  /** By decider: the verdicts on its decisions. */
  readonly #rows: (readonly boolean[])[][];
  /** By community and decider: the number of decisions, and of those each auditor gives this verdict. */
  readonly #communities: { n: number[]; k: number[][] }[];

  constructor(
    decisions: readonly CrossedDecision[],
    readonly deciders: readonly string[],
    readonly auditors: number,
    verdicts: (one: CrossedDecision) => readonly boolean[],
  ) {
    this.#rows = deciders.map(() => []);
    const places = new Map(deciders.map((name, d) => [name, d]));
    const communities = new Map<string, { n: number[]; k: number[][] }>();
    for (const one of decisions) {
      const d = places.get(one.decider)!;
      const said = verdicts(one);
      this.#rows[d]!.push(said);
      const at = communities.get(one.community) ?? {
        n: deciders.map(() => 0),
        k: deciders.map(() => new Array<number>(auditors).fill(0)),
      };
      communities.set(one.community, at);
      at.n[d]! += 1;
      said.forEach((yes, a) => {
        if (yes) at.k[d]![a]! += 1;
      });
    }
    this.#communities = [...communities.values()];
  }

  sizeOf(d: number): { decisions: number; communities: number } {
    return {
      decisions: this.#rows[d]!.length,
      communities: this.#communities.filter(({ n }) => n[d]! > 0).length,
    };
  }

  rate(d: number, a: number): Estimate {
    return shareEstimate(
      this.#communities.map(({ n, k }) => ({ n: n[d]!, k: k[d]![a]! })),
      "no decision",
    );
  }

  /**
   * A weighted sum of the rates, with two intervals. The first is for independent decisions: each decision is a unit with the verdicts of all
   * auditors, and each decider gets one more decision at either end of its range (for two auditors, the interval of Bonett and Price). The
   * second is over communities, left out one at a time.
   * @see Bonett and Price (2012), Journal of Educational and Behavioral Statistics 37:479-488
   */
  estimate(weights: Weights): Estimate {
    let [theta, smoothed, variance, n] = [0, 0, 0, 0];
    for (const [d, rows] of this.#rows.entries()) {
      if (rows.length === 0) return undefinedEstimate("a decider has no decision");
      const own = weights[d]!;
      const ends = [own.reduce((s, w) => s + Math.max(0, w), 0), own.reduce((s, w) => s + Math.min(0, w), 0)];
      let [sum, squares] = [0, 0];
      for (const said of rows) {
        const x = said.reduce((s, yes, a) => s + (yes ? own[a]! : 0), 0);
        sum += x;
        squares += x * x;
      }
      theta += sum / rows.length;
      const more = rows.length + 2;
      const mean = (sum + ends[0]! + ends[1]!) / more;
      smoothed += mean;
      variance += ((squares + ends[0]! ** 2 + ends[1]! ** 2) / more - mean ** 2) / more;
      n += rows.length;
    }
    const half = normalQuantile(0.5 + CONFIDENCE_LEVEL / 2) * Math.sqrt(Math.max(0, variance));
    const cluster = clusterJackknife(
      theta,
      this.#communities.map((_, left) => this.#without(weights, left)),
      this.#communities.map((one) => one.n.reduce((s, size) => s + size, 0)),
    );
    return {
      estimate: theta,
      lower: Math.min(theta, smoothed - half),
      upper: Math.max(theta, smoothed + half),
      level: CONFIDENCE_LEVEL,
      method: "difference of differences, smoothed",
      n,
      ...(cluster && { cluster }),
    };
  }

  /** The sum without one community; null: a decider has no decision elsewhere. */
  #without(weights: Weights, left: number): number | null {
    let theta = 0;
    for (const [d, own] of weights.entries()) {
      let n = 0;
      let sum = 0;
      for (const [c, one] of this.#communities.entries()) {
        if (c === left) continue;
        n += one.n[d]!;
        for (const [a, weight] of own.entries()) sum += weight * one.k[d]![a]!;
      }
      if (n === 0) return null;
      theta += sum / n;
    }
    return theta;
  }
}

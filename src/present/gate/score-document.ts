import type { Estimate } from "../../core/estimate.js";
import type { Selective, Thresholds } from "../../core/gate.js";
import { countingThreads } from "../../measures/gate/gate-input.js";
import type { GateReport, SelectionReport } from "../../measures/gate/gate-report.js";
import type { ThresholdSet } from "../../measures/gate/selective/choose-thresholds.js";
import type { SelectiveResult } from "../../measures/gate/selective/learn-then-test.js";
import { printable } from "../../text/printable.js";
import { type Block, type Text, table } from "../document/document.js";
import { decimal, plural } from "../words/numbers.js";
import { communityLink, numberAt, pointerPart, type Sentence, sentence } from "../words/sentence.js";
import { TARGET_WORDS, wordsOf } from "../words/vocabulary.js";
import { gateName } from "../words/words.js";
import { count, share } from "./verdict-document.js";

/** The thresholds of an active gate, for a page whose data are that gate: for all decisions, or separately for those that restrict and the others. */
export function thresholdBlocks(selective: Selective): Block[] {
  const at = "/selective";
  const { kind } = (selective.labels ?? {}) as { kind?: string };
  const score =
    selective.score === "p_calibrated" ? "the calibrated probability" : "the auditor's own probability, 1 − p(L3)";
  const limit = numberAt(`${at}/risk`, "limit");
  if (selective.n === 0) {
    const reason = printable(selective.reason ?? "no decision has a score and a label", 300);
    const text = sentence`Inside communities that pass, decisions would be automated by ${score} where it is high enough that at most ${limit} of them are indefensible. There is no such threshold: ${reason}.`;
    return [{ kind: "text", text }];
  }
  const labels = kind ? `; what is indefensible is said by ${wordsOf(TARGET_WORDS, kind).name}` : "";
  const circle = kind === "self" ? " That is circular: the auditor is compared with itself." : "";
  const promise = typeof selective.promise === "string" ? ` Promise: ${printable(selective.promise, 500)}.` : "";
  return [
    {
      kind: "text",
      text: sentence`Inside communities that pass, a decision is automated when ${score} reaches a threshold that keeps the share of indefensible ones among the automated at ${limit} or below. It rests on ${numberAt(`${at}/n`, "whole")} decisions${labels}.${circle}${promise}`,
    },
    ...thresholdTable(selective, at),
  ];
}

/** What happens to decisions in communities that pass a gate with thresholds. */
export const BY_SCORE =
  "reach the minimum score of the active gate; the other decisions of communities that pass go to review.";

/** How many decisions the thresholds of an active gate automate; `at`: pointer to their counts. */
export function scoredSentence(at: string): Sentence {
  return sentence`${numberAt(`${at}/automated`, "whole")} of ${numberAt(`${at}/verdicts`, "whole")} decisions reach its minimum score and run on their own.`;
}

function thresholdTable(selective: Selective, at: string): Block[] {
  const parts = inUse<Thresholds>(selective).map(([key, set]) =>
    key === null ? { name: "any decision", at, set } : { name: PARTS[key], at: `${at}/by_decision/${key}`, set },
  );
  const own = new Set(
    parts.flatMap(({ set }) =>
      Object.entries(set.by_community).flatMap(([community, threshold]) => (threshold === null ? [] : [community])),
    ),
  );
  const withheld = new Set(parts.flatMap(({ set }) => set.withheld ?? []));
  const notes = [
    ...(withheld.size > 0
      ? [
          `${plural(withheld.size, "community passes", "communities pass")} on all decisions, but not on the part by which communities are chosen for thresholds: these decisions go to review.`,
        ]
      : []),
    ...reasons(parts.map(({ name, set }) => [name, set])),
  ];
  return [
    table<Text>(
      ["communities", ...parts.map(({ name }) => `>${name}`)],
      [
        [
          own.size > 0 ? "the others together" : "all together",
          ...parts.map((part) => numberAt(`${part.at}/threshold`, "fine")),
        ],
        ...[...own]
          .sort()
          .map((name) => [
            communityLink(name),
            ...parts.map((part) => numberAt(`${part.at}/by_community/${pointerPart(name)}`, "fine")),
          ]),
      ],
      "Minimum score of an automated decision; – without a threshold of its own",
    ),
    ...(notes.length > 0 ? [{ kind: "text" as const, text: notes.join(" ") }] : []),
  ];
}

const PARTS = { restricting: "restricting decisions", other: "other decisions" } as const;

type Part = keyof typeof PARTS;

/** The thresholds in use: one set for every decision, or one each for decisions that restrict and for others. */
function inUse<Of>(all: Of & { by_decision?: Record<Part, Of> | null | undefined }): [Part | null, Of][] {
  const { by_decision: parted } = all;
  return parted
    ? [
        ["restricting", parted.restricting],
        ["other", parted.other],
      ]
    : [[null, all]];
}

/** Automation by score inside the communities that pass. */
export function selectiveSection(report: GateReport, rows: number, verbose: boolean): Block[] {
  const { selective, selection } = report;
  if (!selective || !selection || report.fleet.counts.eligible_communities === 0) return [];
  const heading: Block = { kind: "heading", text: "Automating by score inside the communities that pass" };
  if (report.fleet.counts.passing_communities === 0) {
    const text = `No community passes the ${gateName(report.mode)}, so there is nothing to automate by score.`;
    return [heading, { kind: "text", text }];
  }
  if (selection.split?.chosen === 0) {
    const text = `No community passes on the half of the decisions that chooses communities for thresholds (at least ${plural(selection.split.min_decisions, "decision")} each there), so nothing is automated by score. More decisions help.`;
    return [heading, { kind: "text", text }];
  }
  if (selective.n === 0) {
    const text =
      "None of their verdicts has a score (no probabilities, or no labels), so nothing can be automated by one.";
    return [heading, { kind: "text", text }];
  }
  const name =
    selective.score === "p_calibrated" ? `calibrated probability (${selective.calibration_id})` : "raw 1 − p(L3)";
  const most = Math.max(3, Math.floor(rows / 2));
  const parts = inUse<ThresholdSet>(selection.thresholds).map(([part, set]) => thresholdRows(part, set, most));
  const results = parts.flatMap(({ shown }) => shown);
  const more = parts.reduce((sum, { left }) => sum + left, 0);
  return [
    heading,
    { kind: "text", text: automated(name, report, verbose) },
    { kind: "text", text: verbose ? basis(selection, report) : shortBasis(selection) },
    table(
      ["threshold for", ">score ≥", ">automated", ">of", ">L3", ">at most"],
      results.map(([label, result]) => line(label, result)),
    ),
    ...reasons(results).map((text) => ({ kind: "text" as const, text })),
    ...(more > 0
      ? [{ kind: "text" as const, text: `${plural(more, "more threshold")} of single communities in the JSON.` }]
      : []),
    ...(verbose ? [{ kind: "text" as const, text: quality(report) }] : []),
    ...selection.notes.map((text) => ({ kind: "text" as const, text })),
  ];
}

/** How many decisions reach a threshold, and what that guarantees. */
function automated(name: string, { selective, selection }: GateReport, verbose: boolean): string {
  const { risk, delta, delta_each, promise } = selective!;
  const head = `By the ${name}, ${count(selection!.automated)} of ${plural(selection!.rows_in_all, "decision")}`;
  const confidence = `${share(1 - delta, 0)} confidence`;
  if (verbose) {
    return `${head} reach a threshold that keeps the share of indefensible ones at ${share(risk)} or below: ${promise ?? `at ${confidence}`}.`;
  }
  const each = delta_each === delta ? " for each threshold" : "";
  const { thread_cap: cap } = selection!;
  const counting = cap ? `, ${countingThreads(cap)}` : "";
  return `${head} can be automated with at most ${share(risk)} of them indefensible${counting}, at ${confidence}${each}. --risk sets another limit.`;
}

function shortBasis({ labels, rows, split }: SelectionReport): string {
  const apart = split ? " that had no part in choosing the communities" : "";
  const withheld = split?.withheld
    ? ` ${plural(split.withheld, "community passes", "communities pass")} on all decisions, but not on the half that chooses: all their decisions go to review.`
    : "";
  return `The thresholds rest on ${plural(rows, "decision")}${apart}, judged by ${TARGET_WORDS[labels.kind].name}.${withheld}`;
}

/** Which decisions, whose labels and which limit the thresholds rest on. */
function basis({ labels, rows, rows_in_all, split }: SelectionReport, { risk, thresholds }: GateReport): string {
  const source = labels.source ? ` (${printable(labels.source, 60)})` : "";
  const which = split
    ? `${plural(rows, "decision")} that had no part in choosing the communities${labels.kind === "self" ? "" : " and have one"}`
    : rows < rows_in_all
      ? `only the ${plural(rows, "decision")} of ${count(rows_in_all)} in these communities that have one`
      : `all ${plural(rows, "decision")} of these communities`;
  const follows = Math.abs(risk - (1 - thresholds.di)) < 1e-9;
  const limit = follows
    ? `The limit of ${share(risk)} follows from DI ≥ ${share(thresholds.di, 0)}; --risk sets another.`
    : `The limit of ${share(risk)} was set by itself (--risk, or gate.risk in defensible.yaml).`;
  return `What counts as indefensible here is said by ${TARGET_WORDS[labels.kind].name}${source}, on ${which}. ${splitText(split)}${limit}`;
}

function splitText(split: SelectionReport["split"]): string {
  if (!split) return "";
  const { chosen, withheld, min_decisions, by_thread } = split;
  const half = `${plural(chosen, "community", "communities")} ${chosen === 1 ? "was" : "were"} chosen on the other half (a hash of the ${by_thread ? "thread" : "decision"} says which; at least ${plural(min_decisions, "decision")} each). `;
  if (withheld === 0) return half;
  const who = `${plural(withheld, "community", "communities")} that ${withheld === 1 ? "passes" : "pass"} on all decisions`;
  return `${half}${who} but not there ${withheld === 1 ? "has" : "have"} no threshold: all their decisions go to review. `;
}

/** A row for the communities without a threshold of their own, and one for each of the largest with one. */
function thresholdRows(part: Part | null, { pooled, by_community }: ThresholdSet, most: number) {
  const own = Object.entries(by_community).sort((a, b) => b[1].scored - a[1].scored);
  const name = (whose: string) => (part === null ? whose : `${PARTS[part]}, ${whose}`);
  const shown = own.slice(0, most).map(([key, one]): [string, SelectiveResult] => [name(printable(key, 40)), one]);
  if (own.length === 0) shown.unshift([part === null ? "all together" : PARTS[part], pooled]);
  else if (pooled.scored > 0) shown.unshift([name("the others together"), pooled]);
  return { shown, left: own.length - Math.min(own.length, most) };
}

function line(name: string, result: SelectiveResult): string[] {
  const { threshold, risk, coverage } = result;
  return [
    name,
    threshold === null ? "none" : decimal(threshold, 3),
    threshold === null ? "0" : count(risk.n),
    count(coverage.n),
    threshold === null ? "–" : count(risk.k),
    threshold === null ? "–" : share(risk.upper),
  ];
}

/** Why there is no threshold, each reason once. */
function reasons(results: readonly (readonly [string, { reason: string | null }])[]): string[] {
  const about = new Map<string, string[]>();
  for (const [name, { reason }] of results) if (reason) about.set(reason, [...(about.get(reason) ?? []), name]);
  return [...about].map(([reason, names]) => `No threshold for ${names.join(", ")}: ${printable(reason, 200)}.`);
}

function quality({ selection }: GateReport): string {
  const { aurc, coverage_at_risk } = selection!;
  const covered = coverage_at_risk
    .map(
      ({ risk, empirical, certified }) =>
        `${share(risk, 0)}: ${rate(empirical.coverage)} observed, ${certified.threshold === null ? "no threshold certified" : `${rate(certified.coverage)} certified`}`,
    )
    .join("; ");
  const area =
    aurc.aurc === null
      ? ""
      : ` How well the score puts good decisions first: on average ${share(aurc.aurc, 2)} indefensible among those automated, over all thresholds (area under the risk–coverage curve; ${share(aurc.best, 2)} for the best possible order, ${share(aurc.random, 2)} for chance).`;
  return `Share of the decisions that could be automated at a risk of ${covered}.${area}`;
}

function rate(estimate: Estimate): string {
  return share(estimate.estimate);
}

import type { Estimate } from "../../domain/estimate.js";
import type { SelectiveResult } from "../../gate/selective/selective-result.js";
import { type Block, table } from "../document.js";
import type { GateReport } from "../gate-report.js";
import { decimal, plural } from "../numbers.js";
import { printable } from "../printable.js";
import { count, share } from "./words.js";

/** Automation inside the communities that pass, by score. */
export function selectiveSection(report: GateReport, rows: number): Block[] {
  const { selective, selection } = report;
  if (!selective || !selection || report.fleet.counts.passing_communities === 0) return [];
  const { pooled, by_community } = selection.thresholds;
  const heading: Block = { kind: "heading", text: "Automating by score inside the communities that pass" };
  if (selective.n === 0) {
    const text =
      "None of their verdicts has a score (no probabilities, or no labels), so nothing can be automated by one.";
    return [heading, { kind: "text", text }];
  }
  const name = selective.score === "p_calibrated" ? `calibrated score (${selective.calibration_id})` : "raw 1 − p(L3)";
  const own = Object.entries(by_community).sort((a, b) => b[1].scored - a[1].scored);
  const shown = own.slice(0, Math.max(3, Math.floor(rows / 2)));
  const lines = [
    ...(needsPooled(own.length, pooled) ? [line(own.length > 0 ? "the others together" : "all together", pooled)] : []),
    ...shown.map(([key, result]) => line(printable(key, 40), result)),
  ];
  return [
    heading,
    {
      kind: "text",
      text: `By the ${name}, ${count(selection.automated)} of ${plural(selection.rows, "decision")} reach a threshold that keeps the share of indefensible ones at ${share(selective.risk)} or below: ${selective.promise ?? `at ${share(1 - selective.delta, 0)} confidence`}.`,
    },
    table(["threshold for", ">score ≥", ">automated", ">of", ">indefensible", ">at most", "~otherwise"], lines),
    ...(own.length > shown.length
      ? [
          {
            kind: "text" as const,
            text: `${plural(own.length - shown.length, "community", "communities")} more with a threshold of their own in the JSON.`,
          },
        ]
      : []),
    { kind: "text", text: quality(report) },
    ...selection.notes.map((text) => ({ kind: "text" as const, text })),
  ];
}

function needsPooled(own: number, pooled: SelectiveResult): boolean {
  return own === 0 || pooled.scored > 0;
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
    result.reason ? printable(result.reason, 200) : "",
  ];
}

function quality({ selection }: GateReport): string {
  const { aurc, coverage_at_risk, sgr, conformal } = selection!;
  const covered = coverage_at_risk
    .map(
      ({ risk, empirical, certified }) =>
        `${share(risk, 0)}: ${rate(empirical.coverage)} as seen, ${certified.threshold === null ? "no threshold certified" : `${rate(certified.coverage)} certified`}`,
    )
    .join("; ");
  const area =
    aurc.aurc === null
      ? ""
      : ` Area under the risk–coverage curve: ${decimal(aurc.aurc, 4)} (${decimal(aurc.best, 4)} for the best possible order, ${decimal(aurc.random, 4)} for chance).`;
  const other = ` Other ways to the same risk: SGR ${told(sgr)}; conformal control of the joint risk ${told(conformal)}.`;
  return `Coverage at a risk of ${covered}.${area}${other}`;
}

function told(result: SelectiveResult): string {
  return result.threshold === null
    ? "finds no threshold"
    : `at ${decimal(result.threshold, 3)} covers ${rate(result.coverage)}`;
}

function rate(estimate: Estimate): string {
  return share(estimate.estimate);
}

import type { ComparedAuditors } from "../../app/calibrate/compare-auditors.js";
import type { CalibrationResult } from "../../core/calibration.js";
import type { Estimate } from "../../core/estimate.js";
import { type DetailedCalibration, detailed } from "../../measures/calibration/candidate-result.js";
import type { CalibrationComparison } from "../../measures/calibration/compare-calibrations.js";
import type { ClasswiseError } from "../../measures/calibration/errors/classwise-error.js";
import type { ScoreEvaluation } from "../../measures/calibration/errors/evaluate-score.js";
import type { AgainstNull } from "../../measures/calibration/errors/null-distribution.js";
import type { BrierScore } from "../../measures/calibration/errors/weighted-auroc.js";
import { printable } from "../../text/printable.js";
import {
  candidatesSection,
  extractionSection,
  priorShiftSection,
  temperaturesSection,
} from "../report/calibration-candidates.js";
import { calibrationHeadline, paperSection } from "../report/calibration-headline.js";
import { methodName, targetName } from "../words/calibration-words.js";
import { decimal, percent, plural, pText, signed, whole } from "../words/numbers.js";
import { type Block, type Document, table } from "./document.js";

/** A calibration in words: what was found, how far it can be trusted, and on what it rests. */
export function calibrationDocument(calibration: CalibrationResult): Document {
  const details = harmless(detailed(calibration));
  const own = calibration.method !== "paper";
  return {
    title: own ? "Calibrated defensibility" : "Calibration of S, as in the paper",
    subtitle: subtitle(details),
    blocks: [
      ...calibrationHeadline(details),
      ...remarks(details),
      ...(own ? candidatesSection(details) : paperSection(details)),
      ...baselinesSection(details),
      ...errorsSection(details),
      ...reliabilitySection(details),
      ...(own ? paperSection(details) : []),
      ...priorShiftSection(details),
      ...temperaturesSection(details),
      ...extractionSection(details),
    ],
  };
}

/** A calibration is a file that anybody may have edited: none of its text reaches a terminal as it is. */
function harmless<T>(value: T): T {
  if (typeof value === "string") return printable(value, 2000) as T;
  if (Array.isArray(value)) return value.map(harmless) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, harmless(part)])) as T;
}

function subtitle({ calibration_id, name, evidence, target, source, n }: DetailedCalibration): string {
  const parts: string[] = [];
  if (calibration_id) parts.push(`calibration ${printable(calibration_id, 40)}`);
  if (name) parts.push(printable(name, 40));
  if (source) parts.push(printable(source, 60));
  if (evidence?.auditor) parts.push(`auditor ${printable(evidence.auditor, 40)}`);
  if (target) parts.push(`target: ${printable(targetName(target), 80)}`);
  parts.push(plural(n, "row"));
  return parts.join(" · ");
}

function remarks({ notes = [], warnings = [] }: DetailedCalibration): Block[] {
  return [...notes, ...warnings].map((text) => ({ kind: "text", text: `Note: ${printable(text, 400)}.` }));
}

export function comparisonDocument({ target, notes, a, b, comparison }: ComparedAuditors): Document {
  const { skipped, agreement, difference } = comparison;
  const measures: [string, (evaluation: ScoreEvaluation) => number | null, Estimate | null][] = [
    ["log-loss, nats (lower is better)", (one) => one.log_loss.value, difference.log_loss],
    ["Brier (lower is better)", (one) => one.brier.value, difference.brier],
    ["AUROC (higher is better)", (one) => one.auroc.estimate, difference.auroc],
    ["ECE", (one) => one.ece.equal_frequency.value, null],
    ["ECE of a perfect score, 95 % limit", (one) => one.ece.equal_frequency.null_95, null],
    ["mean P(defensible)", (one) => one.mean_score.all, null],
    ["… of defensible decisions", (one) => one.mean_score.defensible, null],
    ["… of indefensible ones", (one) => one.mean_score.indefensible, null],
  ];
  const [evaluationA, evaluationB] = [comparison.a.evaluation, comparison.b.evaluation];
  const blocks: Block[] = [
    {
      kind: "text",
      text: `A: ${printable(comparison.a.name, 80)}, ${methodName(a.method)}. B: ${printable(comparison.b.name, 80)}, ${methodName(b.method)}. Each row is scored by a model that has not seen it.`,
    },
    table(
      ["measure", ">A", ">B", ">B − A"],
      measures.map(([name, read, estimate]) => [
        name,
        decimal(read(evaluationA), 4),
        decimal(read(evaluationB), 4),
        estimate ? differenceText(estimate) : "",
      ]),
    ),
    {
      kind: "text",
      text: `Intervals are of the same rows, whole communities resampled ${whole(comparison.draws)} times. The two rank decisions alike to ${agreementText(agreement)}.`,
    },
  ];
  const left = skipped.a + skipped.b + skipped.both;
  if (left > 0) {
    blocks.push({
      kind: "text",
      text: `Left out: ${plural(left, "verdict")} of A that ${skipped.a > 0 ? "A or B" : "B"} has no score for, or nobody labelled.`,
    });
  }
  for (const text of [...notes, ...comparison.warnings]) {
    blocks.push({ kind: "text", text: `Note: ${printable(text, 400)}.` });
  }
  return {
    title: "Two auditors, calibrated to the same labels",
    subtitle: `target: ${printable(targetName(target), 80)} · ${plural(comparison.n, "shared decision")} in ${plural(comparison.communities, "community", "communities")}`,
    blocks,
  };
}

function differenceText(estimate: Estimate): string {
  if (estimate.estimate === null) return estimate.reason;
  return `${signed(estimate.estimate, 4)} (${signed(estimate.lower, 4)} to ${signed(estimate.upper, 4)})`;
}

function agreementText(agreement: CalibrationComparison["agreement"]): string {
  const { estimate } = agreement as { estimate: number | null };
  return estimate === null ? "an unknown degree" : `ρ = ${decimal(estimate, 2)} (Spearman)`;
}

/** Every calibration error beside what chance alone would leave, and the other measures. */
function errorsSection({ evaluation, classwise }: DetailedCalibration): Block[] {
  if (!evaluation || evaluation.n === 0) return [];
  const { ece, brier, log_loss, auroc, spiegelhalter, intervals } = evaluation;
  const row = (name: string, error: AgainstNull) => [
    name,
    decimal(error.value, 4),
    decimal(error.null_mean, 4),
    decimal(error.null_95, 4),
    decimal(error.p, 3),
  ];
  const left = evaluation.left_out.no_score + evaluation.left_out.no_target;
  const blocks: Block[] = [
    { kind: "heading", text: "Is it calibrated?" },
    table(
      ["error", ">value", ">of a perfect score", ">its 95 % limit", ">p"],
      [
        row("equal-frequency bins (the paper's)", ece.equal_frequency),
        row("the same, equal scores averaged", ece.tie_averaged),
        row("equal-width bins", ece.equal_width),
        row("root mean square, debiased", ece.debiased_rms),
        row("smooth, without bins", ece.smooth),
      ],
    ),
    {
      kind: "text",
      text: `Brier ${decimal(brier.value, 4)} = ${decimal(brier.reliability, 4)} unreliability − ${decimal(brier.resolution, 4)} resolution + ${decimal(brier.uncertainty, 4)} uncertainty ${withinText(brier)} within bins. Log-loss ${decimal(log_loss.value, 4)}. AUROC ${decimal(auroc.estimate, 3)}${interval(intervals?.auroc ?? null)}. Spiegelhalter ${spiegelhalterText(spiegelhalter)}.`,
    },
  ];
  if (left > 0) {
    blocks.push({
      kind: "text",
      text: `Left out: ${plural(evaluation.left_out.no_score, "verdict")} without a score or not drawn, ${whole(evaluation.left_out.no_target)} without a target.`,
    });
  }
  for (const [name, error] of [
    ["as the auditor gives them", classwise?.raw],
    ["as the calibration gives them", classwise?.calibrated],
  ] as const) {
    if (error) blocks.push({ kind: "text", text: `Levels 1, 2, 3 ${name}: ${classwiseText(error)}.` });
  }
  for (const warning of evaluation.warnings) blocks.push({ kind: "text", text: `Note: ${warning}.` });
  return blocks;
}

function classwiseText({ mean, levels }: ClasswiseError): string {
  const each = levels.map((level) => decimal(level.value, 3)).join(", ");
  return `ECE ${each}; their mean ${decimal(mean.value, 3)}, of a perfect score up to ${decimal(mean.null_95, 3)}`;
}

function withinText({ within_bin_variance: variance, within_bin_covariance: covariance }: BrierScore): string {
  if (variance === null || covariance === null) return "+ –";
  const value = variance - 2 * covariance;
  return `${value < 0 ? "−" : "+"} ${Math.abs(value).toFixed(4)}`;
}

function interval(found: { lower: number; upper: number } | null): string {
  return found ? ` (${decimal(found.lower, 3)} to ${decimal(found.upper, 3)} over communities)` : "";
}

function spiegelhalterText({ z, p, reason }: { z: number | null; p: number | null; reason?: string }): string {
  if (z === null) return `undefined: ${reason ?? "no variance"}`;
  return `z = ${decimal(z, 2)}, ${pText(p)}`;
}

/** The score beside the two it has to beat, on the same rows. */
function baselinesSection({ evaluation, baselines, method }: DetailedCalibration): Block[] {
  if (!evaluation || !baselines || evaluation.n === 0) return [];
  const row = (name: string, { n, log_loss, brier, auroc, ece }: ScoreEvaluation) => [
    name,
    whole(n),
    decimal(log_loss.value, 4),
    decimal(brier.value, 4),
    decimal(auroc.estimate, 3),
    decimal(ece.equal_frequency.value, 4),
    decimal(ece.equal_frequency.null_95, 4),
  ];
  return [
    { kind: "heading", text: "Beside the baselines" },
    table(
      ["score", ">n", ">log-loss", ">Brier", ">AUROC", ">ECE", ">its 95 % limit"],
      [
        ...(method === "paper" ? [] : [row(`P(defensible), ${methodName(method)}`, evaluation)]),
        row("1 − p(L3), as the auditor gives it", baselines.p_defensible),
        row("S", baselines.pds),
      ],
    ),
  ];
}

/** Said against found, bin by bin, as bars: the bar is what was found, the line across it what was said. */
function reliabilitySection({ evaluation }: DetailedCalibration): Block[] {
  if (!evaluation || evaluation.reliability.length === 0) return [];
  return [
    { kind: "heading", text: "Said and found" },
    {
      kind: "text",
      text: "Bar: share of rows that the target calls defensible. Line: the mean score. The band is where a perfectly calibrated score's bar would end 95 times in 100; ✗ is outside it.",
    },
    {
      kind: "bars",
      rows: evaluation.reliability.map((bin) => ({
        label: `${decimal(bin.from, 2)}–${decimal(bin.to, 2)}`,
        share: bin.rate.estimate ?? 0,
        mark: bin.mean_score,
        text: `said ${percent(bin.mean_score)}, found ${bin.rate.estimate === null ? "–" : percent(bin.rate.estimate)} of ${whole(bin.n)}${bin.band ? `, band ${percent(bin.band.lower, 0)}–${percent(bin.band.upper, 0)}` : ""}${bin.outside ? " ✗" : ""}`,
      })),
    },
  ];
}

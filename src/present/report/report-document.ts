import type { Report } from "../../core/results/report.js";
import { printable } from "../../text/printable.js";
import type { Document } from "../document/document.js";
import { plural } from "../words/numbers.js";
import { againstSection, agreementSection } from "./agreement.js";
import { breakdownSections } from "./breakdowns.js";
import { experimentsSection, humansSection } from "./experiments.js";
import { governanceSection, headlineSection } from "./headline.js";
import { realisedSection } from "./realised.js";
import { rulesSection } from "./rules.js";
import { signalsSection } from "./signals.js";

export interface DocumentOptions {
  /** Rows shown of long tables (communities, rules). Default 15; the JSON report has them all. */
  rows?: number;
}

/** The report in words: headline first, then tables, with what each number means and what it does not. */
export function reportDocument(report: Report, options: DocumentOptions = {}): Document {
  const rows = options.rows ?? 15;
  return {
    title: "Defensibility report",
    subtitle: subtitle(report),
    blocks: [
      ...headlineSection(report),
      ...agreementSection(report),
      ...humansSection(report),
      ...breakdownSections(report, rows),
      ...rulesSection(report, rows),
      ...againstSection(report),
      ...signalsSection(report),
      ...governanceSection(report),
      ...realisedSection(report.realised_risk, rows),
      ...experimentsSection(report),
    ],
  };
}

/** "communities a, b; limit 5". */
export function selectionText(selection: Record<string, unknown>): string {
  const words = Object.entries(selection).map(([name, value]) => {
    const text = Array.isArray(value)
      ? value.join(", ")
      : typeof value === "object"
        ? Object.values(value ?? {}).join(" seed ")
        : value;
    return `${name} ${text}`;
  });
  return printable(words.join("; "), 80);
}

function subtitle(report: Report): string {
  const { run, counts } = report;
  const parts = [run.run_id ? `run ${run.run_id}` : printable(String(run.source ?? "audits file"))];
  if (run.auditor) parts.push(`auditor ${printable(String(run.auditor))}`);
  if (run.cohort) parts.push(`cohort ${printable(String(run.cohort))}`);
  else if (run.selection && Object.keys(run.selection).length > 0)
    parts.push(selectionText(run.selection as Record<string, unknown>));
  if (run.tier) parts.push(`${run.tier} tier`);
  if (run.temperature !== undefined) parts.push(`T = ${run.temperature}`);
  if (run.signal === "sampling") parts.push(`probabilities from ${run.samples ?? "several"} draws a decision`);
  else if (run.signal === "none") parts.push("without probabilities");
  const audited = report.communities.filter((one) => one.counts.attempted > 0).length;
  parts.push(`${plural(counts.attempted, "decision")} in ${plural(audited, "community", "communities")}`);
  return parts.join(" · ");
}

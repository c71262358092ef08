import type { Report } from "../domain/report.js";
import { plural } from "../figures/numbers.js";
import { printable } from "../figures/printable.js";
import type { Document } from "./document.js";
import { againstSection } from "./sections/against.js";
import { agreementSection } from "./sections/agreement.js";
import { breakdownSections } from "./sections/breakdowns.js";
import { experimentsSection } from "./sections/experiments.js";
import { governanceSection } from "./sections/governance.js";
import { headlineSection } from "./sections/headline.js";
import { humansSection } from "./sections/humans.js";
import { realisedSection } from "./sections/realised.js";
import { rulesSection } from "./sections/rules.js";
import { signalsSection } from "./sections/signals.js";

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

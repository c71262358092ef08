import type { CohortMetrics, Report } from "../../core/results/report.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { intervalText, plural, pointsText, rateText, wideInterval } from "../words/numbers.js";

/** The headline family by decision, language, cohort and community. */
export function breakdownSections(report: Report, rows: number): Block[] {
  return [
    // Within one action F1 is an artefact (approvals have no true positives), so accuracy stands in its place.
    ...section("By decision", report.by_decision, "accuracy"),
    ...(Object.keys(report.by_language).length > 1 ? section("By language", report.by_language) : []),
    // Within one cohort the others are only overlaps with it.
    ...(report.run.cohort ? [] : section("By cohort", report.by_cohort)),
    ...communities(report, rows),
  ];
}

type Agreement = "f1" | "accuracy";

function section(title: string, metrics: Record<string, CohortMetrics>, agreement: Agreement = "f1"): Block[] {
  const entries = Object.entries(metrics);
  if (entries.length === 0) return [];
  return [
    { kind: "heading", text: title },
    metricTable(
      "",
      entries.map(([key, value]) => ({ key, ...value })),
      agreement,
    ),
  ];
}

function communities(report: Report, rows: number): Block[] {
  if (report.communities.length === 0) return [];
  const lowest = (row: CohortMetrics) => wideInterval(row.defensibility_index)?.upper ?? 2;
  const sorted = [...report.communities].sort((a, b) => lowest(a) - lowest(b));
  const shown = sorted.slice(0, rows);
  const blocks: Block[] = [
    { kind: "heading", text: "By community" },
    metricTable(
      "community",
      shown.map((row) => ({ key: row.community, ...row })),
    ),
  ];
  const hidden = sorted.length - shown.length;
  blocks.push({
    kind: "text",
    text: `Lowest first, by the upper end of the interval of the Defensibility Index.${hidden > 0 ? ` ${plural(hidden, "community", "communities")} more in the JSON report.` : ""} With few decisions an interval is wide: a low value alone is no verdict on a community.`,
  });
  return blocks;
}

function metricTable(
  first: string,
  entries: readonly (CohortMetrics & { key: string })[],
  agreement: Agreement = "f1",
): Block {
  const name = agreement === "f1" ? "F1" : "accuracy";
  const gap = agreement === "f1" ? "di_minus_f1" : "di_minus_accuracy";
  return table(
    [first, ">verdicts", ">DI", "95 % interval", ">AI", "95 % interval", ">pure", `>${name}`, `>DI − ${name}`],
    entries.map((row) => [
      printable(row.key, 40),
      String(row.counts.verdicts) + (row.counts.attempted > row.counts.verdicts ? ` of ${row.counts.attempted}` : ""),
      rateText(row.defensibility_index),
      intervalText(wideInterval(row.defensibility_index)),
      rateText(row.ambiguity_index),
      intervalText(wideInterval(row.ambiguity_index)),
      rateText(row.ambiguity_pure),
      rateText(row.agreement[agreement]),
      pointsText(row.gap[gap]),
    ]),
  );
}

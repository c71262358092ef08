import type { Stability } from "../../../core/results/stability.js";
import { type Block, type Document, table } from "../../../present/document/document.js";
import { STABILITY_LIMITS } from "../../../present/words/experiments/stability-words.js";
import { plural, whole } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";
import { caseBlocks } from "./case-blocks.js";
import { correlationBlocks } from "./correlation-blocks.js";
import { groupBlocks } from "./group-blocks.js";
import { headlineBlocks } from "./headline-blocks.js";
import { sequentialBlocks } from "./sequential-blocks.js";
import { temperatureBlocks } from "./temperature-blocks.js";
import { varianceBlocks } from "./variance-blocks.js";

export interface StabilityDocumentOptions {
  /** Cases shown. Default 12. */
  rows?: number;
}

/** What repeated audits say, in words and tables. */
export function stabilityDocument(result: Stability, options: StabilityDocumentOptions = {}): Document {
  const { counts, sources, settings } = result;
  const names = sources.map(
    ({ name, auditor }) => `${printable(name, 60)}${auditor ? ` by ${printable(auditor, 60)}` : ""}`,
  );
  const how = settings.mode === "fixed" ? "shares as they are" : `settled states only, α = ${settings.alpha}`;
  return {
    title: "Stability",
    subtitle: `${names.join(" · ")} · ${plural(counts.cases, "case")} under ${plural(counts.conditions, "condition")}, ${whole(counts.audits)} audits · ${how}`,
    blocks: [
      ...headlineBlocks(result),
      ...result.warnings.map((text): Block => ({ kind: "text", text: `Note: ${printable(text, 600)}.` })),
      ...temperatureBlocks(result),
      ...groupBlocks(result),
      ...varianceBlocks(result),
      ...correlationBlocks(result),
      ...thresholdBlocks(result),
      ...sequentialBlocks(result),
      ...caseBlocks(result, options.rows ?? 12),
      ...limits(),
    ],
  };
}

/** Every fourth threshold of S at the lowest temperature; the figure has all. */
function thresholdBlocks({ thresholds, temperatures }: Stability): Block[] {
  const rows = thresholds.filter(
    ({ score, temperature }) => score === "pds" && temperature === (temperatures[0]?.temperature ?? null),
  );
  const shown = rows.filter((_, index) => index % 4 === 0);
  if (shown.length === 0) return [];
  const share = (value: number | undefined) => (value === undefined ? "–" : `${(100 * value).toFixed(0)} %`);
  return [
    { kind: "heading", text: "What a threshold on S of one audit lets through" },
    table(
      [">S at least", ">coverage", ">cases", ">rock solid", ">mostly stable", ">moderate", ">highly unstable"],
      shown.map(({ threshold, coverage, cases, mix }) => [
        threshold.toFixed(2),
        share(coverage),
        whole(cases),
        share(mix?.rock_solid),
        share(mix?.mostly_stable),
        share(mix?.moderate),
        share(mix?.highly_unstable),
      ]),
    ),
  ];
}

function limits(): Block[] {
  return [
    { kind: "heading", text: "What these figures cannot show" },
    {
      kind: "text",
      text: STABILITY_LIMITS,
    },
  ];
}

import type { Report } from "../../core/results/report.js";
import { type Block, rateRow, table } from "../document/document.js";
import { FLAG_WORDS } from "../words/audit-words.js";
import { decimal } from "../words/numbers.js";
import { wordsOf } from "../words/word-table.js";

/** The probability signals behind the verdicts, and what was remarked on them. */
export function signalsSection(report: Report): Block[] {
  if (report.counts.verdicts === 0) return [];
  const { signals, precedent_weight: weight } = report;
  const blocks: Block[] = [
    { kind: "heading", text: "Signals" },
    table(
      ["", ">value", "95 % interval", "clustered 95 %", ">verdicts"],
      [
        rateRow("DI from probabilities (soft)", report.defensibility_index_soft),
        rateRow("AI from probabilities (soft)", report.ambiguity_index_soft),
        rateRow("level probabilities found", signals.detection.level),
        rateRow("precedent-weight probabilities found", signals.detection.weight),
        rateRow("inverse probabilities found", signals.detection.inverse),
        rateRow("citation tokens found", signals.detection.citation),
        rateRow("emitted level is not the most probable", signals.level_differs_from_map),
        rateRow("citation found in rules or precedents", signals.grounded_citations),
        rateRow("level 3 with precedent weight High", weight.level3_high_share),
      ],
    ),
    {
      kind: "text",
      text: `Citations are ${decimal(signals.mean_citation_tokens.estimate, 1)} tokens long on average. Mean PDS (S): ${decimal(signals.mean_pds.estimate, 3)}${report.flags.uncalibrated ? ", with weights that were not fitted for this auditor: use it for ordering only" : ""}.`,
    },
  ];
  const rows = (["1", "2", "3"] as const).map((level) => {
    const counts = weight.by_level[level] ?? { High: 0, Medium: 0, Low: 0 };
    return [`level ${level}`, String(counts.High), String(counts.Medium), String(counts.Low)];
  });
  blocks.push(table(["precedent weight by level", ">High", ">Medium", ">Low"], rows));
  const flags = Object.entries(report.flags);
  if (flags.length > 0) {
    blocks.push(
      table(
        ["flag", ">audits", "~meaning"],
        flags.map(([flag, count]) => [flag, String(count), wordsOf(FLAG_WORDS, flag).meaning]),
      ),
    );
  }
  return blocks;
}

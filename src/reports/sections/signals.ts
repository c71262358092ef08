import type { Report } from "../../domain/report.js";
import { decimal, rateRow } from "../../figures/numbers.js";
import { type Block, table } from "../document.js";

const FLAG_WORDS: Record<string, string> = {
  no_signal: "a verdict without token probabilities",
  low_mass: "less than half of the probability was on valid labels",
  censored: "a label was not among the candidates; its probability is estimated",
  tie: "two levels equally probable; the more severe was taken",
  uncalibrated: "S uses equal weights, not fitted ones",
  foreign_calibration: "calibrated by what was fitted on audits of another kind",
  fallback_span: "the citation was located by text search",
  injection_suspected: "the content seems to address the auditor",
  unknown_space: "unknown whether probabilities are before or after temperature",
  cached: "answered from the cache",
  same_family: "decider and auditor are of one family",
  no_community_rules: "the community has no rules of its own",
  precedents_cut: "not all precedents fitted into the prompt",
  content_cut: "not all of the content fitted into the prompt",
  language_not_in_precedents: "the content is in a language no precedent has",
  unseen_media: "the content has media no auditor saw",
  retroactive_rule: "a rule is younger than the decision",
};

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
      text: `Citations are ${decimal(signals.mean_citation_tokens.estimate, 1)} tokens long on average. Mean PDS (S): ${decimal(signals.mean_pds.estimate, 3)}${report.flags.uncalibrated ? ", with equal weights because nothing was calibrated: use it for ordering only" : ""}.`,
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
        ["flag", ">audits", "meaning"],
        flags.map(([flag, count]) => [flag, String(count), FLAG_WORDS[flag] ?? ""]),
      ),
    );
  }
  return blocks;
}

import type { Estimate } from "../../../core/estimate.js";
import type { AttackResult } from "../../../core/results/attack.js";
import { type Block, table } from "../../../present/document/document.js";
import { ESCAPE_GROUPINGS, kindWords } from "../../../present/words/experiments/attack-words.js";
import {
  countText,
  decimal,
  intervalText,
  pCell,
  percent,
  plural,
  pText,
  rateText,
  whole,
} from "../../../present/words/numbers.js";
import { wordOr } from "../../../present/words/word-table.js";
import type { RankCorrelation } from "../../../stats/ranks/spearman.js";
import type { MannWhitney } from "../../../stats/tests/mann-whitney.js";
import { printable } from "../../../text/printable.js";

/** Groups of one grouping that are shown. */
const SHOWN = 12;

/** Attacks on the input that no layer noticed, by what they have in common. */
export function escapeBlocks({ escapes }: AttackResult): Block[] {
  if (escapes.all.estimate === null) return [];
  const groupings = Object.entries(escapes.by);
  const rows = groupings.flatMap(([name, { groups }]) =>
    groups
      .slice(0, SHOWN)
      .map(({ group, escaped }, i) => [
        i === 0 ? wordOr(ESCAPE_GROUPINGS, name, 30) : "",
        printable(name === "kind" ? kindWords(group) : group.replaceAll("_", " "), 80),
        rateText(escaped),
        countText(escaped),
        escaped.estimate === null ? "–" : intervalText(escaped),
      ]),
  );
  return [
    { kind: "heading", text: "What escapes" },
    {
      kind: "text",
      text: `${countText(escapes.all)} attacks on the input (${percent(escapes.all.estimate)}, 95 % interval ${intervalText(escapes.all)}) escape every layer. An escape is what no layer flagged.`,
    },
    table(["by", "~group", ">escaped", ">cases", "95 % interval"], rows),
    table(
      ["by", ">p", ">adjusted p", "~test"],
      groupings.map(([name, test]) => [
        wordOr(ESCAPE_GROUPINGS, name, 30),
        pCell(test.p),
        pCell(test.adjusted_p),
        test.p === null ? (test.reason ?? "undefined") : (test.method ?? ""),
      ]),
    ),
    {
      kind: "text",
      text: `p: whether shares as unequal as these arise by chance, exactly where counts are small. Adjusted: Holm's, for the number of groupings. Of many groups the ${SHOWN} largest are shown, the others are in the JSON. Groupings overlap: kinds of attack need different rules, so that a difference between kinds of rule may be one between kinds of attack.`,
    },
  ];
}

interface Ambiguity {
  reason?: string;
  n?: number;
  escaped?: { n: number; ambiguity_index: Estimate };
  caught?: { n: number; ambiguity_index: Estimate };
  mann_whitney?: MannWhitney;
  median?: number;
  inclusive?: boolean;
  odds_ratio?: Estimate;
  rules?: number;
  rank_correlation?: RankCorrelation;
}

/** Whether escapes coincide with ambiguous rules, as the paper says. */
export function ambiguityBlocks({ ambiguous_rules }: AttackResult): Block[] {
  const found = ambiguous_rules as Ambiguity;
  const heading: Block = { kind: "heading", text: "Do escapes coincide with ambiguous rules?" };
  const { escaped, caught, mann_whitney: test, odds_ratio: odds, rank_correlation: rank } = found;
  if (!escaped || !caught || !test || !odds || !rank) {
    return [heading, { kind: "text", text: `Not known: ${printable(found.reason ?? "no attack has a rule")}.` }];
  }
  const mean = (value: Estimate) => (value.estimate === null ? printable(value.reason) : percent(value.estimate));
  const { effect } = test;
  const delta =
    effect.estimate === null
      ? `cannot be compared (${printable(effect.reason)})`
      : `Cliff's δ ${decimal(effect.estimate)} (${decimal(effect.lower)} to ${decimal(effect.upper)}), ${pText(test.p_value)} after Mann and Whitney`;
  return [
    heading,
    {
      kind: "text",
      text: `Ambiguity Index, in the run that the attacks were made from, of the rules they turn on: mean ${mean(escaped.ambiguity_index)} for ${plural(escaped.n, "escape")}, ${mean(caught.ambiguity_index)} for ${whole(caught.n)} caught; ${delta}.`,
    },
    {
      kind: "text",
      text: `Odds of escape under rules ${found.inclusive ? "at or above" : "above"} the median (${percent(found.median ?? 0)}) against the others: ${odds.estimate === null ? printable(odds.reason) : `${decimal(odds.estimate)} times (95 % interval ${decimal(odds.lower)} to ${decimal(odds.upper)})`}. Rule by rule (${plural(found.rules ?? 0, "rule")}), rank correlation of index and share escaped: ${rank.estimate === null ? printable(rank.reason) : `${decimal(rank.estimate)} (${decimal(rank.lower)} to ${decimal(rank.upper)}), ${pText(rank.p_value)}`}. ${verdict(test, rank)}`,
    },
  ];
}

/** What the two tests say together. Attacks on one rule are not independent: rules count. */
function verdict(test: MannWhitney, rank: RankCorrelation): string {
  const sure = rank.p_value !== null && rank.p_value < 0.05;
  if (sure && rank.estimate !== null && rank.estimate > 0)
    return "Rules under which more escapes are the more ambiguous ones.";
  if (sure) return "Rules under which more escapes are the less ambiguous ones, against the paper.";
  const apart = test.p_value !== null && test.p_value < 0.05;
  return apart
    ? "Attack by attack there is a difference, but between rules none that chance does not explain."
    : "Nothing here that chance does not explain.";
}

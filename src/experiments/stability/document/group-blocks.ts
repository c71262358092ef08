import type { Stability } from "../../../core/results/stability.js";
import { type Block, table } from "../../../present/document/document.js";
import { decimal, pCell, plural } from "../../../present/words/numbers.js";
import { sign } from "../../../present/words/signs.js";
import { temperatureText, valueText } from "./words.js";

/** Flippers against Stable at the lowest temperature; the others are in the JSON. */
export function groupBlocks({ group_tests, groups, temperatures }: Stability): Block[] {
  const first = temperatures[0]?.temperature ?? null;
  const rows = group_tests.filter(({ temperature }) => temperature === first);
  if (rows.length === 0 || !groups.pilot) return [];
  const { pilot } = groups;
  const rule = groups.rule === "level" ? "more than one level" : "both level 3 and another";
  return [
    { kind: "heading", text: `Flippers against Stable, ${temperatureText(first)}` },
    {
      kind: "text",
      text: `${plural(groups.flippers, "Flipper")} and ${groups.stable} Stable, chosen before from ${plural(pilot.candidates, "candidate")} with ${plural(pilot.replicates, "pilot audit")} each: a Flipper showed ${rule}. The pilot's audits are not among those measured.`,
    },
    table(
      ["", ">median Flippers", ">median Stable", ">Cliff's δ", ">p", ">adjusted p"],
      rows.map(({ metric, median, effect, p_value, adjusted_p }) => [
        sign(metric),
        decimal(median.flippers, 3),
        decimal(median.stable, 3),
        valueText(effect, 2),
        pCell(p_value),
        pCell(adjusted_p),
      ]),
    ),
    {
      kind: "text",
      text: `Consistency: the share of the commonest level. Mann and Whitney's test. δ = 1: every Flipper has the larger value; 0: none typically has. Adjusted: Holm's correction for all ${group_tests.length} tests, the other temperatures included.`,
    },
  ];
}

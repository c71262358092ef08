import { type Block, table } from "../../../present/document/document.js";
import { pCell, plural, whole } from "../../../present/words/numbers.js";
import type { RuleGain, Tiers } from "../tiers/result.js";
import { changeInterval, ownerName, pointsCell, ruleName } from "./change-blocks.js";

export interface TierRulesOptions {
  /** Rules shown. Default 15. */
  rows?: number;
  /** Rules by the citation under the finest or the coarsest text. Default finest. */
  citedUnder?: "finest" | "coarsest";
}

/** Which rule gains from which tier. */
export function tierRules({ rules: all, tiers }: Tiers, options: TierRulesOptions): Block[] {
  const finest = (options.citedUnder ?? "finest") === "finest";
  const { rules: told, too_few } = finest ? all.by_finest : all.by_coarsest;
  const few = too_few.length;
  const shown = told.slice(0, options.rows ?? 15);
  const under = finest ? tiers.at(-1)!.tier : tiers[0]!.tier;
  const heading: Block = { kind: "heading", text: "Which rule gains from which tier" };
  const fewText =
    few > 0
      ? ` ${plural(few, "rule is", "rules are")} cited by fewer than ${all.min_decisions} decisions: too few to say.`
      : "";
  if (told.length + few === 0) return [heading, { kind: "text", text: "The audits do not say which rules they cite." }];
  if (shown.length === 0) return [heading, { kind: "text", text: fewText.trim() }];
  const more = told.length - shown.length;
  const steps = shown[0]!.gains.length > 1;
  const bare = steps && shown.some((rule) => rule.gains.some((one) => one.text_differs === false));
  return [
    heading,
    table(
      [
        "rule",
        "of",
        ">n",
        ">AI by tier, %",
        ...(steps ? shown[0]!.gains.map(({ to }) => `>${to}`) : []),
        ">gain, pp",
        "95 % interval",
        ">adj. p",
      ],
      shown.map((rule) => [
        ruleName(rule),
        ownerName(rule),
        whole(rule.n),
        ladderText(rule),
        ...(steps
          ? rule.gains.map(({ gain, text_differs }) => `${pointsCell(gain)}${text_differs === false ? " *" : ""}`)
          : []),
        pointsCell(rule.gain),
        changeInterval(rule.gain),
        pCell(rule.adjusted_p),
      ]),
    ),
    {
      kind: "text",
      text: `Decisions by the rule they cite under ${under}; gain: how far AI falls, in percentage points, most first${steps ? `, and the part of each tier (${shown[0]!.gains.map(({ to }) => to).join(", ")})` : ""}.${bare ? " *: the tier adds no text to this rule." : ""}${more > 0 ? ` ${plural(more, "rule")} more with --rows or --json.` : ""}${fewText} Adjusted p: McNemar's mid-p after Holm's correction for the number of rules${shown.some((rule) => rule.adjusted_p === null) ? "; none where no decision changed" : ""}.`,
    },
  ];
}

/** "75 → 50 → 33". */
function ladderText({ ambiguity }: RuleGain): string {
  const value = (one: RuleGain["ambiguity"][number]) => (one.estimate === null ? "–" : (100 * one.estimate).toFixed(0));
  return ambiguity.map(value).join(" → ");
}

import type { Report } from "../../core/results/report.js";
import { labelsAlike } from "../../measures/metrics/tally.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { byOpenBothWays } from "../figures/rule-ambiguity.js";
import { countText, intervalText, plural, rateText, wideInterval } from "../words/numbers.js";

/** The rule ledger: under which rule decisions are open, and which rules nobody needs. */
export function rulesSection(report: Report, rows: number): Block[] {
  const cited = report.rules.filter((rule) => rule.cited > 0);
  if (cited.length === 0) return [];
  const sorted = [...cited].sort(byOpenBothWays);
  const shown = sorted.slice(0, rows);
  const unused = report.rules.length - cited.length;
  const alike = sorted.filter((rule) => labelsAlike(rule.open_labels));
  const more = cited.length - shown.length;
  return [
    { kind: "heading", text: "Rules" },
    table(
      ["rule", "title", ">cited", ">open both ways", "95 % interval", ">DI", ">AI"],
      shown.map((rule) => [
        nameOf(rule),
        printable(rule.title ?? "–", 36),
        String(rule.cited),
        countText(rule.ambiguity_pure),
        intervalText(wideInterval(rule.ambiguity_pure)),
        rateText(rule.defensibility_index),
        rateText(rule.ambiguity_index),
      ]),
    ),
    {
      kind: "text",
      text: `Sorted by how many decisions each rule left open both ways: the rules to clarify first.${more > 0 ? ` ${plural(more, "rule")} more in the JSON report.` : ""}${unused > 0 ? ` ${plural(unused, "rule")} ${unused === 1 ? "was" : "were"} never cited.` : ""} An approval cites the prohibitions that came nearest, so a rule may be cited because it does not apply.${alike.length > 0 ? ` Check the auditor before you change ${listOf(alike)}: people decided at least 90% of the labelled open cases alike.` : ""}`,
    },
  ];
}

/** "pottery R2, platform P1 and 3 others". */
function listOf(rules: readonly Report["rules"][number][]): string {
  const shown = rules.slice(0, 3).map((rule) => nameOf(rule));
  const more = rules.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${plural(more, "other")}` : shown.join(", ");
}

function nameOf({ scope, community, rule_id }: Report["rules"][number]): string {
  return printable(scope === "platform" ? `platform ${rule_id}` : `${community} ${rule_id}`, 32);
}

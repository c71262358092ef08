import type { Report } from "../../core/results/report.js";
import { printable } from "../../text/printable.js";
import { type Block, type Text, table } from "../document/document.js";
import type { NumberForm } from "../words/numbers.js";
import { estAt } from "../words/sentence.js";

/** Label, value with interval, counts. */
function row(label: string, at: string, as: NumberForm = "percent"): Text[] {
  return [label, estAt(at, as), estAt(at, as, "counts")];
}

/** What more than two actions add to a report: agreement on the action itself, and which alternatives follow from the rules as well. */
export function actionBlocks({ several_actions: several }: Report): Block[] {
  if (!several) return [];
  const { alternatives } = several;
  return [
    { kind: "heading", text: "Actions" },
    table(
      ["", ">value (95% interval)", ">decisions"],
      [
        row("same action as the human label", "/several_actions/exact_agreement"),
        row("mean distance in severity", "/several_actions/severity_distance", "decimal"),
      ],
    ),
    {
      kind: "text",
      text: "Agreement, F1 and accuracy above compare only whether both restrict. These two compare the actions.",
    },
    ...(alternatives
      ? [
          { kind: "heading" as const, text: "Alternatives that can be derived too" },
          table(
            ["decided", "alternative", ">derivable (95% interval)", ">decisions"],
            alternatives.pairs.map(({ decision, alternative }, i) => [
              printable(decision, 30),
              ...row(printable(alternative, 30), `/several_actions/alternatives/pairs/${i}/derivable`),
            ]),
          ),
        ]
      : [
          {
            kind: "text" as const,
            text: "`defensible audit --alternatives 2 --dry-run` shows what it costs to audit the nearest alternatives too.",
          },
        ]),
  ];
}

import type { GapColumn } from "../../core/results/gap-experiment.js";
import { type Block, table } from "../../present/document/document.js";
import { CAUSE_NAMES } from "../../present/words/cause-words.js";
import { numberCell, pointsCell, rateCell } from "../../present/words/experiments/estimate-cells.js";
import { plural } from "../../present/words/numbers.js";
import { wordOr } from "../../present/words/word-table.js";
import { printable } from "../../text/printable.js";
import { underText } from "../under-text.js";

/** The auditor's table beside that of what is true, and its causes against the true ones. */
export function gapTruthBlocks({ name, truth, ...all }: GapColumn): Block[] {
  if (!truth) return [];
  const what = truth.source === "simulation" ? `the planted truth${underText(truth.under)}` : "gold annotations";
  const { causes } = truth;
  // Older results have the auditor's measures over all verdicts alone.
  const column = truth.measured ?? all;
  return [
    { kind: "heading", text: `${printable(name, 40)}: the auditor against ${what} (${plural(truth.n, "decision")})` },
    table(
      ["", ">by the auditor", ">by the truth"],
      [
        ["Defensibility Index (DI)", rateCell(column.defensibility_index), rateCell(truth.defensibility_index)],
        ["Ambiguity Index (AI)", rateCell(column.ambiguity_index), rateCell(truth.ambiguity_index)],
        ["pure ambiguity (AI_pure)", rateCell(column.ambiguity_pure), rateCell(truth.ambiguity_pure)],
        ["gap: DI − F1", pointsCell(column.gap.di_minus_f1), pointsCell(truth.gap.di_minus_f1)],
        [
          "false negatives that are defensible",
          rateCell(column.trap.fn_defensible),
          rateCell(truth.trap.fn_defensible),
        ],
        [
          "all disagreements that are defensible",
          rateCell(column.trap.disagreements_defensible),
          rateCell(truth.trap.disagreements_defensible),
        ],
      ],
    ),
    ...(truth.without_truth
      ? [
          {
            kind: "text",
            text: `${plural(truth.without_truth, "verdict")} without a known truth ${truth.without_truth === 1 ? "is" : "are"} left out of both columns.`,
          } as const,
        ]
      : []),
    table(
      ["auditor ↓  truth →", ...causes.true.map((cause) => `>${wordOr(CAUSE_NAMES, cause)}`)],
      causes.counts.map((row, i) => [wordOr(CAUSE_NAMES, causes.audited[i]!), ...row.map(String)]),
    ),
    {
      kind: "text",
      text: `The auditor names the cause of a disagreement rightly in ${rateCell(causes.accuracy)}; agreement beyond chance: Cohen's κ ${numberCell(causes.kappa)}.${causes.true.includes("human_error") ? " A person's error is a cause that no audit can name: by the rules it looks like an unwritten norm." : ""}`,
    },
  ];
}

import type { Estimate } from "../../domain/estimate.js";
import type { Figure, FigureRow } from "../../domain/figure.js";
import type { GapColumn } from "../../domain/gap-experiment.js";
import { wideInterval } from "../../figures/wide-interval.js";

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
const points = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(100 * value).toFixed(1)} pp`;

/** The pictures of the gap table. */
export function gapFigures(columns: readonly GapColumn[]): Figure[] {
  return [gapBars(columns), causeBars(columns)];
}

function gapBars(columns: readonly GapColumn[]): Figure {
  const gaps = columns.flatMap(({ gap }) => (gap.di_minus_f1.estimate === null ? [] : [gap.di_minus_f1.estimate]));
  const against = columns.flatMap(({ gap: { di_minus_accuracy: gap } }) =>
    gap.estimate === null ? [] : [gap.estimate],
  );
  return {
    id: "gap",
    title:
      gaps.length === 0
        ? "No decision has a human label, so there is no gap to show"
        : `The Defensibility Index lies ${range(gaps)} from F1 and ${range(against)} from accuracy${columns.every(byChance) ? ", which chance alone could explain" : ""}`,
    mark: "bar",
    x: { field: "measure", label: "measure" },
    y: { field: "value", label: "share of decisions", format: "percent", domain: [0, 1] },
    series: "cohort",
    caption:
      "F1 at an agreement of DI: what F1 would be if decider and people agreed as often as decisions are defensible. Its distance to DI is arithmetic of rare actions, and not disagreement.",
    paper: "fig:agreement_gap",
    rows: columns.flatMap((column) => [
      bar(column.name, "F1", column.agreement.f1),
      bar(column.name, "accuracy", column.agreement.accuracy),
      bar(column.name, "Defensibility Index", column.defensibility_index),
      {
        cohort: column.name,
        measure: "F1 at an agreement of DI",
        value: column.imbalance.f1_at_di,
        lower: null,
        upper: null,
      },
    ]),
  };
}

/** Neither difference is beyond chance. */
function byChance({ gap }: GapColumn): boolean {
  return [gap.di_minus_f1, gap.di_minus_accuracy].every((difference) => {
    const interval = wideInterval(difference);
    return interval === null || (interval.lower <= 0 && interval.upper >= 0);
  });
}

/** "+33.0 pp", or "+33.0 pp to +46.6 pp". */
function range(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return points(low) === points(high) ? points(low) : `${points(low)} to ${points(high)}`;
}

function causeBars(columns: readonly GapColumn[]): Figure {
  const [first] = columns;
  const wrong = first?.root_causes.model_error;
  return {
    id: "gap-causes",
    title:
      !wrong || wrong.estimate === null
        ? "There are no disagreements to explain"
        : `By the auditor's verdicts ${percent(wrong.estimate)} of the disagreements in ${first!.name} are the decider's error`,
    mark: "bar",
    x: { field: "cause", label: "cause of the disagreement" },
    y: { field: "value", label: "share of disagreements", format: "percent", domain: [0, 1] },
    // Colours tell cohorts apart; of one alone they say what the causes are.
    series: columns.length > 1 ? "cohort" : "cause",
    rows: columns.flatMap(({ name, root_causes: causes }) =>
      (["model_error", "policy_ambiguity", "implicit_norm"] as const).map((cause) => {
        const { cohort, value, lower, upper } = bar(name, "", causes[cause]);
        return { cohort: cohort!, cause, value: value!, lower: lower!, upper: upper! };
      }),
    ),
  };
}

function bar(cohort: string, measure: string, estimate: Estimate): FigureRow {
  if (estimate.estimate === null) return { cohort, measure, value: null, lower: null, upper: null };
  return { cohort, measure, value: estimate.estimate, ...wideInterval(estimate)! };
}

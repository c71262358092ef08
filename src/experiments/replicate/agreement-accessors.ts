import { undefinedEstimate } from "../../core/estimate.js";
import type { GapColumn } from "../../core/results/gap-experiment.js";
import type { Humans } from "../../core/results/humans.js";
import { type Accessors, accessors, counted } from "./accessor.js";
import type { Found } from "./found.js";

const ofColumn: Record<string, (column: GapColumn) => Found> = {
  f1: ({ agreement }) => agreement.f1,
  di: ({ defensibility_index }) => defensibility_index,
  gap: ({ gap }) => gap.di_minus_f1,
  ai: ({ ambiguity_index }) => ambiguity_index,
  fn_defensible: ({ trap }) => trap.fn_defensible,
  accurate_indefensible: ({ trap }) => trap.accurate_but_indefensible.joint,
};

/** Datasets, the agreement gap, people. */
export const AGREEMENT: Accessors = {
  ...accessors("gap", {
    "datasets.random": ({ random }) => counted(random.counts.verdicts),
    "datasets.balanced": ({ balanced }) => counted(balanced.counts.verdicts),
    ...Object.fromEntries(
      (["random", "balanced"] as const).flatMap((cohort) =>
        Object.entries(ofColumn).map(([field, find]) => [
          `gap.${cohort}.${field}`,
          (gap: Record<typeof cohort, GapColumn>) => find(gap[cohort]),
        ]),
      ),
    ),
    "gap.balanced.model_error": ({ balanced }) => balanced.root_causes.model_error,
    "gap.balanced.disagreements": ({ balanced: { agreement } }) =>
      agreement.n_labelled === 0
        ? undefinedEstimate("no decision has a human label")
        : counted(agreement.confusion.fp + agreement.confusion.fn),
  }),
  ...accessors("humans", {
    "humans.pds": (humans) => correlation(humans, "pds"),
    "humans.level": (humans) => correlation(humans, "level"),
  }),
};

function correlation({ correlations }: Humans, signal: string): Found {
  return (
    correlations.find((one) => one.signal === signal)?.spearman ?? undefinedEstimate(`no ratings against ${signal}`)
  );
}

import type { Figure } from "../../core/figure.js";
import type { Validate } from "./result.js";

/** The pictures of a validation: bias of the auditor against DI, and errors of each quantity. */
export function validateFigures({ worlds }: Pick<Validate, "worlds">): Figure[] {
  if (!worlds) return [];
  const biased = worlds.conditions.filter(({ name }) => name !== "faultless");
  const index = ({ estimators }: (typeof biased)[number]) =>
    estimators.find(({ quantity }) => quantity === "defensibility_index")!;
  const last = biased.at(-1);
  const error = last ? index(last).error : null;
  const inflation =
    last && error?.estimate != null
      ? `An auditor that waves through ${Math.round(100 * last.bias)} % of its family's mistakes ${error.estimate < 0 ? "understates" : "overstates"} DI by ${(100 * Math.abs(error.estimate)).toFixed(1)} points`
      : "How bias towards the decider moves DI";
  return [
    {
      id: "same-backbone-bias",
      title: inflation,
      mark: "line",
      x: { field: "bias", label: "share of the decider's mistakes waved through", format: "percent" },
      y: { field: "error", label: "measured DI − true DI", format: "points" },
      references: [{ axis: "y", value: 0, label: "no error" }],
      paper: "§10",
      rows: biased.map((condition) => {
        const { error: of, truth, measured } = index(condition);
        const interval = of.estimate === null ? { lower: null, upper: null } : of;
        return {
          bias: condition.bias,
          error: of.estimate,
          lower: interval.lower,
          upper: interval.upper,
          truth,
          measured,
        };
      }),
    },
    {
      id: "estimator-errors",
      title: `Error of each index in ${worlds.count} worlds`,
      mark: "point",
      x: { field: "error", label: "measured − true", format: "points" },
      y: { field: "quantity", label: "index" },
      references: [{ axis: "x", value: 0, label: "no error" }],
      series: "condition",
      rows: worlds.conditions.flatMap((condition) =>
        condition.estimators.map(({ quantity, error: of, rmse }) => ({
          condition: condition.name,
          quantity,
          error: of.estimate,
          lower: of.estimate === null ? null : of.lower,
          upper: of.estimate === null ? null : of.upper,
          rmse,
        })),
      ),
    },
  ];
}

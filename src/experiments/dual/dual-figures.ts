import type { Estimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import type { Actions } from "../../core/records/actions.js";
import type { Dual, DualGroup } from "../../core/results/dual.js";
import { DUAL_CLASSES } from "../../measures/metrics/dual-audit.js";
import { percent } from "../../present/words/numbers.js";
import { boundsRow } from "../../present/words/wide-interval.js";

/** Pictures of a dual audit: the four classes by action, and the inverse check's two rates. */
export function dualFigures(all: DualGroup, byAction: Dual["by_action"], actions: Actions): Figure[] {
  const groups = [
    { group: "all", dual: all },
    { group: actions.positive, dual: byAction.positive },
    { group: actions.negative, dual: byAction.negative },
  ];
  const rows = (name: string, estimate: Estimate) => ({
    [name]: estimate.estimate,
    ...boundsRow(estimate),
    n: estimate.n,
  });
  return [
    {
      id: "dual-classes",
      title: classTitle(all),
      mark: "bar",
      x: { field: "group", label: "decisions" },
      y: { field: "share", label: "share of decisions", format: "percent", domain: [0, 1] },
      series: "class",
      series_order: [...DUAL_CLASSES],
      stack: true,
      interval: "none",
      caption:
        "Ambiguous: decision and opposite can both be derived. Determinate: only the decision. Error: only the opposite. Void: neither.",
      rows: groups.flatMap(({ group, dual }) =>
        DUAL_CLASSES.map((name) => ({ group, class: name, ...rows("share", dual[name]) })),
      ),
    },
    {
      id: "dual-inverse-check",
      title: checkTitle(all),
      mark: "point",
      x: { field: "group", label: "decisions" },
      y: { field: "rate", label: "rate", format: "percent", domain: [0, 1] },
      series: "measure",
      rows: groups.flatMap(({ group, dual }) =>
        (["sensitivity", "specificity"] as const).map((measure) => ({
          group,
          measure,
          ...rows("rate", dual.inverse_check[measure]),
        })),
      ),
    },
  ];
}

function classTitle({ ambiguous, void: uncovered }: DualGroup): string {
  if (ambiguous.estimate === null || uncovered.estimate === null)
    return "No decision was audited together with its opposite";
  const [both, neither] = [percent(ambiguous.estimate), percent(uncovered.estimate)];
  return `The rules allow both outcomes in ${both} of the decisions and neither in ${neither}`;
}

function checkTitle({ inverse_check: { sensitivity, specificity } }: DualGroup): string {
  const found =
    sensitivity.estimate === null ? null : `finds ${percent(sensitivity.estimate)} of the defensible opposites`;
  const rest = found === null ? "opposites, none of which is defensible" : "others";
  const turned = specificity.estimate === null ? null : `turns down ${percent(specificity.estimate)} of the ${rest}`;
  const does = [found, turned].filter((part) => part !== null);
  return does.length === 0
    ? "No opposite was audited that the one-token inverse check could be held against"
    : `The one-token inverse check ${does.join(" and ")}`;
}

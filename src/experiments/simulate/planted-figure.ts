import type { Figure } from "../../core/figure.js";
import { TIERS } from "../../core/records/rule-set.js";
import type { PlantedRates } from "../../core/results/simulated-world.js";

/** True indices of each cohort as more of the rules is read. */
export function plantedFigure(cohorts: Readonly<Record<string, PlantedRates>>, all: PlantedRates): Figure {
  const rows = Object.entries(cohorts).flatMap(([cohort, { tiers }]) =>
    TIERS.map((tier) => ({
      tier,
      cohort,
      ambiguity_index: tiers[tier].ambiguity_index,
      defensibility_index: tiers[tier].defensibility_index,
    })),
  );
  const { title, wiki } = all.tiers;
  const percent = (rate: number | null) => (rate === null ? "undefined" : `${(100 * rate).toFixed(1)} %`);
  return {
    id: "planted-by-tier",
    title: `In truth the opposite is derivable in ${percent(title.ambiguity_index)} of the decisions by titles alone, in ${percent(wiki.ambiguity_index)} by the whole text`,
    mark: "line",
    x: { field: "tier", label: "Text of the rules" },
    y: { field: "ambiguity_index", label: "True Ambiguity Index", unit: "share" },
    series: "cohort",
    rows,
  };
}

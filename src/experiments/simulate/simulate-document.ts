import type { Figure } from "../../core/figure.js";
import { TIERS } from "../../core/records/rule-set.js";
import type { PlantedRates } from "../../core/results/simulation.js";
import { type Document, table } from "../../present/document/document.js";
import { percent, whole } from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";
import type { MadeWorld } from "./make-world.js";

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
  return {
    id: "planted-by-tier",
    title: `In truth the opposite is derivable in ${rate(title.ambiguity_index)} of the decisions by titles alone, in ${rate(wiki.ambiguity_index)} by the whole text`,
    mark: "line",
    x: { field: "tier", label: "Text of the rules" },
    y: { field: "ambiguity_index", label: "True Ambiguity Index", unit: "share" },
    series: "cohort",
    rows,
  };
}

/** What world was made, and what is true in it. */
export function simulateDocument(result: MadeWorld, dir: string): Document {
  const { all } = result;
  const rows = Object.entries(result.cohorts).map(([name, rates]) => cohortRow(name, rates));
  const causes = Object.entries(result.cohorts).map(([name, { causes: shares }]) => [
    name,
    ...[shares.model_error, shares.implicit_norm, shares.policy_ambiguity, shares.human_error].map(rate),
  ]);
  const drawn = Object.entries(result.drawn).map(([name, size]) => `${name} (${whole(size)})`);
  return {
    title: "A simulated world",
    subtitle: `${printable(result.workspace)}: preset ${result.preset}, seed ${result.seed}, phrase book ${result.book}`,
    blocks: [
      {
        kind: "text",
        text: `${whole(result.decisions)} decisions in ${whole(result.communities)} communities with ${whole(result.rules)} rules and ${whole(result.precedents)} precedents. By construction ${rate(all.defensibility_index)} of the decisions are derivable from the rules, and of ${rate(all.ambiguity_index)} the opposite is.`,
      },
      { kind: "heading", text: "What is true" },
      table(
        [">decisions", ">DI", ">ambiguity", ">platform's", ">community's", ">void"].toSpliced(
          0,
          0,
          "cohort",
          ">communities",
        ),
        rows,
      ),
      {
        kind: "text",
        text: "These are counts, not estimates: nothing was audited yet. Ambiguity: the opposite is derivable; platform's and community's: whose rule the case turns on (the rest turns on none). Void: neither outcome is derivable.",
      },
      { kind: "heading", text: "Why decision and human label differ (shares of all decisions)" },
      table(["cohort", ">model error", ">unwritten norm", ">open rule", ">human slip"], causes),
      ...(drawn.length > 0 ? [{ kind: "text", text: `Drawn cohorts: ${drawn.join(", ")}.` } as const] : []),
      {
        kind: "text",
        text: `Everything in it is made up. Next: cd ${printable(dir)} && defensible audit && defensible report`,
      },
    ],
  };
}

function cohortRow(name: string, rates: PlantedRates): string[] {
  const { ambiguity } = rates;
  return [
    name,
    whole(rates.communities),
    whole(rates.decisions),
    rate(rates.defensibility_index),
    rate(rates.ambiguity_index),
    rate(ambiguity.platform),
    rate(ambiguity.community),
    rate(rates.void),
  ];
}

export function rate(value: number | null): string {
  return value === null ? "undefined" : percent(value);
}

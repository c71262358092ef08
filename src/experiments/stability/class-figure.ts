import type { Figure } from "../../core/figure.js";
import { STABILITY_CLASSES } from "../../core/results/stability-names.js";
import type { CaseRow } from "../../measures/stability/case-row.js";

/** The spread of each case, by how often its commonest level comes. */
export function spreadByClass(cases: readonly CaseRow[]): Figure {
  const rows = cases
    .filter(({ plug_in, sd_p_defensible }) => plug_in.class !== null && sd_p_defensible !== null)
    .map(({ decision_id, temperature, plug_in, sd_pds, sd_p_defensible }) => ({
      decision_id,
      temperature,
      class: plug_in.class,
      sd_pds,
      sd_p_defensible,
    }));
  const first = rows[0]?.temperature ?? null;
  const means = STABILITY_CLASSES.flatMap((name) => {
    const own = rows.filter((row) => row.class === name && row.temperature === first);
    const mean = own.reduce((sum, { sd_p_defensible }) => sum + sd_p_defensible!, 0) / own.length;
    return own.length === 0 ? [] : [`${mean.toFixed(3)} in ${own.length} ${name.replaceAll("_", " ")}`];
  });
  const at = first === null ? "" : ` at T\u00a0=\u00a0${first}`;
  return {
    id: "stability-classes",
    title: means.length > 0 ? `Mean sd of P(defensible)${at}: ${means.join(", ")} cases` : "Spread by stability class",
    mark: "point",
    x: { field: "class", label: "class by the shares as they are", order: [...STABILITY_CLASSES] },
    y: { field: "sd_p_defensible", label: "sd of P(defensible)", format: "decimal" },
    choose: ["temperature"],
    name: "decision_id",
    paper: "fig:monte_carlo D",
    rows,
  };
}

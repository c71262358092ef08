import type { CaseRow } from "../../experiments/stability/result.js";
import type { Analysed, CellAnalysis, Evidence } from "./analyse-cells.js";
import { boundaryFlipRate, consecutiveFlipRate, dominantShare, flipRate, thirdShare } from "./cell-stats.js";
import { plugInState } from "./tallies.js";

/** `fixed`: shares as they are, as the paper takes them. `sequential`: only what the confidence sequences have settled. */
export type StabilityMode = "fixed" | "sequential";

/** A cell in the words of the result. */
export function caseRow(
  analysed: Analysed,
  cell: CellAnalysis,
  { mode, evidence }: { mode: StabilityMode; evidence: Evidence },
): CaseRow {
  const { replicates, groups } = analysed;
  const { all, sequence } = cell;
  const condition = replicates.conditions[cell.condition]!;
  const [boundary, ownClass] = [sequence.boundary(), sequence.class()];
  const plug = plugInState(cell);
  const fixed = mode === "fixed";
  const state = {
    class: fixed ? plug.class : ownClass.value,
    boundary: fixed ? plug.boundary : boundary.value,
  };
  const dominant = dominantShare(all);
  return {
    decision_id: replicates.decisions[cell.case]!,
    community: replicates.communities[cell.case]!,
    temperature: condition.temperature,
    arm: condition.arm,
    run: condition.run,
    template: condition.template,
    group: groups[cell.case] ?? null,
    k: all.k,
    attempted: all.attempted,
    levels: { "1": all.counts[0], "2": all.counts[1], "3": all.counts[2] },
    p_level_3: thirdShare(all),
    p_level_3_interval: all.k === 0 ? null : shareInterval(cell, evidence),
    p_level_3_mean: all.drawn.n === 0 ? null : all.soft[2] / all.drawn.n,
    dominant_level: dominant === null ? null : ((all.counts.lastIndexOf(Math.max(...all.counts)) + 1) as 1 | 2 | 3),
    dominant_share: dominant,
    class: state.class ?? "undetermined",
    boundary: state.boundary ?? "undetermined",
    ...(state.class === null && { class_between: ownClass.between }),
    ...(state.boundary === null && { boundary_between: boundary.between }),
    plug_in: plug,
    settled_at: { boundary: boundary.at, class: ownClass.at },
    sd_pds: all.pds.sd,
    sd_pds_interval: cell.sdPdsInterval,
    sd_p_defensible: all.pDefensible.sd,
    sd_p_defensible_interval: cell.sdPDefensibleInterval,
    mean_pds: all.pds.mean,
    mean_p_defensible: all.pDefensible.mean,
    mean_inverse_yes_prob: all.inverseYesProb.mean,
    inverse_yes: all.inverseYes,
    flip_rate: flipRate(all.counts),
    consecutive_flip_rate: consecutiveFlipRate(all),
    boundary_flip_rate: boundaryFlipRate(all),
  };
}

/** With probabilities as evidence the interval need not hold the share of the levels that were drawn. */
function shareInterval({ all, sequence }: CellAnalysis, evidence: Evidence): CaseRow["p_level_3_interval"] {
  const known = evidence === "probabilities" ? all.drawn.n : 0;
  const about = known === 0 ? "p_level_3" : known === all.k ? "p_level_3_mean" : "mixed";
  return { ...sequence.interval(), level: 1 - sequence.alpha, about };
}

import { type RankCorrelation, spearman } from "../../stats/ranks/spearman.js";
import { holm } from "../../stats/tests/holm.js";
import type { Analysed, CellAnalysis } from "./analyse-cells.js";
import { bothKnown, caseColumn } from "./case-bootstrap.js";
import { type CellStats, dominantShare, thirdShare } from "./cell-stats.js";

/** How unstable a case is, on one set of replicates. */
const STABILITY_TARGETS = {
  sd_pds: (half: CellStats) => half.pds.sd,
  sd_p_defensible: (half: CellStats) => half.pDefensible.sd,
  dominant_share: dominantShare,
} as const;

export type StabilityTarget = keyof typeof STABILITY_TARGETS;

/** What spread is held against, apart from signals: the paper's scatter plots. */
const SPREAD_PARTNERS = {
  dominant_share: dominantShare,
  level_3_share: thirdShare,
  mean_inverse_yes_prob: (half: CellStats) => half.inverseYesProb.mean,
} as const;

export type SpreadPartner = keyof typeof SPREAD_PARTNERS;

const first = (name: keyof NonNullable<CellStats["first"]>) => (half: CellStats) => half.first?.[name] ?? null;

/** Signals that might foretell instability: of a single audit, and of its mean over replicates. */
const SIGNALS = {
  pds: first("pds"),
  pds_mean: (half: CellStats) => half.pds.mean,
  inverse_yes_prob: first("inverseYesProb"),
  inverse_yes_prob_mean: (half: CellStats) => half.inverseYesProb.mean,
  lambda_nats: first("lambdaNats"),
  lambda_nats_mean: (half: CellStats) => half.lambdaNats.mean,
  h_weight_bits: first("weightBits"),
  h_weight_bits_mean: (half: CellStats) => half.weightBits.mean,
  h_citation_bits: first("citationBits"),
  h_citation_bits_mean: (half: CellStats) => half.citationBits.mean,
  p_defensible: first("pDefensible"),
} as const;

export type Signal = keyof typeof SIGNALS;

export interface StabilityCorrelation {
  x: Signal | SpreadPartner;
  y: StabilityTarget;
  temperature: number | null;
  /** x of the even replicates, y of the odd ones: no draw is in both. */
  disjoint: RankCorrelation;
  /** After Holm's correction for the rows of the same table, temperature and y. */
  adjusted_p: number | null;
  /** Both of all replicates, as the paper does: partly a correlation of noise with itself. */
  coupled: RankCorrelation;
}

type Pick = (half: CellStats) => number | null;

/**
 * Whether a signal of a case goes with its instability, on disjoint replicates, beside the paper's version on the same ones.
 *
 * Formula: Spearman's ρ over cases; disjoint: x from replicates 0, 2, 4, …, y from 1, 3, 5, …; coupled: both from all. A signal of
 * a single audit is that of the first replicate with a verdict. Halves are noisier than the whole, which draws ρ towards 0.
 * Range: [−1, 1].
 * Undefined when: fewer than three cases have both, or one of them is constant.
 * Differs from the paper: it correlates values of the same draws, which are coupled mechanically.
 * @see paper §4.3, figure 2; §7.2, figure 7; appendix A.2, figure 8
 */
export function stabilityCorrelations(analysed: Analysed, of: "signals" | "spread"): StabilityCorrelation[] {
  const partners: [string, Pick][] = Object.entries(of === "signals" ? SIGNALS : SPREAD_PARTNERS);
  const targets = (Object.keys(STABILITY_TARGETS) as StabilityTarget[]).filter(
    (target) => of === "signals" || target !== "dominant_share",
  );
  return analysed.line.flatMap((condition) =>
    targets.flatMap((target) => {
      const rows = partners.map(([x, pick]): StabilityCorrelation => {
        const y = STABILITY_TARGETS[target];
        return {
          x: x as Signal | SpreadPartner,
          y: target,
          temperature: analysed.replicates.conditions[condition]!.temperature,
          disjoint: correlate(
            analysed,
            condition,
            ({ even }) => pick(even),
            ({ odd }) => y(odd),
          ),
          adjusted_p: null,
          coupled: correlate(
            analysed,
            condition,
            ({ all }) => pick(all),
            ({ all }) => y(all),
          ),
        };
      });
      return adjust(rows);
    }),
  );
}

function correlate(
  analysed: Analysed,
  condition: number,
  x: (cell: CellAnalysis) => number | null,
  y: (cell: CellAnalysis) => number | null,
): RankCorrelation {
  const xs = caseColumn(analysed, condition, x);
  const ys = caseColumn(analysed, condition, y);
  const both = bothKnown(xs, ys);
  return spearman(
    both.map((i) => xs[i]!),
    both.map((i) => ys[i]!),
  );
}

function adjust(rows: StabilityCorrelation[]): StabilityCorrelation[] {
  const tested = rows.filter(({ disjoint }) => disjoint.p_value !== null);
  const adjusted = holm(tested.map(({ disjoint }) => disjoint.p_value!));
  tested.forEach((row, i) => {
    row.adjusted_p = adjusted[i]!;
  });
  return rows;
}

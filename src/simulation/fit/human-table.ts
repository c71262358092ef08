import type { SimulatedCohort } from "../../core/results/simulation.js";
import { betaQuantile } from "../../stats/distributions/beta-quantile.js";
import type { WrittenShares } from "../auditor/written-shares.js";
import { errorsBySide } from "../world/errors-by-side.js";
import type { LatentRates } from "../world/latent-rates.js";
import { otherSide, type Side } from "../world/side-state.js";
import { writtenOf } from "./paper-noise.js";

/** The settings of a cohort that people's labels follow from. */
export type HumanSide = Pick<
  SimulatedCohort,
  "violating" | "missed" | "shared_errors" | "implicit_norms" | "slips" | "open_removed" | "precedence"
>;

/** Decisions for one side that people label with one side, of all. */
export interface HumanCell {
  share: number;
  /** Of all: written at level 3. */
  indefensible: number;
  /** Share times mean σ(ρ). */
  yesProb: number;
}

export type HumanTable = Record<Side, Record<Side, HumanCell>>;

const QUANTILES = 40;

/**
 * Decisions against labels as they come out in the long run, with what the paper's auditor writes of them.
 *
 * Formula: the laws of content, decider and people (docs/simulation.md), summed over kinds of content; a community's `error` over its beta law.
 * Range: shares; those of the four cells sum to 1.
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see docs/simulation.md
 * @example humanTable(rates, humans, 40).approve.remove.share // false negatives
 */
export function humanTable(rates: LatentRates, humans: HumanSide, concentration: number): HumanTable {
  const cell = (): HumanCell => ({ share: 0, indefensible: 0, yesProb: 0 });
  const table: HumanTable = {
    remove: { remove: cell(), approve: cell() },
    approve: { remove: cell(), approve: cell() },
  };
  const { open, void: voided, implied } = rates;
  const { violating, precedence, implicit_norms: norms, shared_errors: shared, open_removed: removed } = humans;

  function put(share: number, decision: Side, label: Side, written: WrittenShares): void {
    for (const [side, part] of [
      [label, share * (1 - humans.slips)],
      [otherSide(label), share * humans.slips],
    ] as const) {
      const own = table[decision][side];
      own.share += part;
      own.indefensible += part * written.levels[2];
      own.yesProb += part * written.yesProb;
    }
  }

  for (const [share, written] of [
    [open, writtenOf(2, "open")],
    [voided, writtenOf(4, "void")],
  ] as const) {
    for (const decision of ["remove", "approve"] as const) {
      for (const label of ["remove", "approve"] as const) {
        put(share * shareOf(decision, removed.decider) * shareOf(label, removed.people), decision, label, written);
      }
    }
  }

  const a = rates.error * concentration;
  const b = (1 - rates.error) * concentration;
  for (let i = 0; i < QUANTILES; i++) {
    const wrong = errorsBySide(betaQuantile((i + 0.5) / QUANTILES, a, b), humans);
    for (const right of ["remove", "approve"] as const) {
      const all = ((1 - open - voided) * shareOf(right, violating)) / QUANTILES;
      for (const basis of ["settled", "implied"] as const) {
        const share = all * (basis === "implied" ? implied : 1 - implied);
        const unwelcome = right === "approve" && basis === "settled" ? (1 - precedence) * norms : 0;
        for (const [part, label] of [
          [unwelcome, "remove"],
          [1 - unwelcome, right],
        ] as const) {
          const errs = share * part * wrong[right];
          put(share * part - errs, right, label, writtenOf(basis === "settled" ? 0 : 1, basis));
          put(errs * shared, otherSide(right), otherSide(right), writtenOf(3, basis));
          put(errs * (1 - shared), otherSide(right), label, writtenOf(3, basis));
        }
      }
    }
  }
  return table;
}

const shareOf = (side: Side, removals: number) => (side === "remove" ? removals : 1 - removals);

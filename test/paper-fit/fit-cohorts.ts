import type { SimulatedCohort, SimulatedState } from "../../src/core/results/simulation.js";
import { type LatentRates, latentRates, levelShares, PAPER_RATES } from "../../src/simulation/world/level-shares.js";
import { COHORT } from "../../src/simulation/world/presets.js";
import { errorsBySide, otherSide, type Side } from "../../src/simulation/world/side-state.js";
import { betaQuantile } from "../../src/stats/distributions/incomplete-beta.js";
import { partsOf, solveShares, writtenOf, writtenRates } from "./paper-noise.js";
import type { WrittenShares } from "./written-shares.js";

/** The settings of a cohort that people's labels follow from. */
type HumanSide = Pick<
  SimulatedCohort,
  "violating" | "missed" | "shared_errors" | "implicit_norms" | "slips" | "open_removed" | "precedence"
>;

/** Decisions for one side that people label with one side, of all. */
interface HumanCell {
  share: number;
  /** Of all: written at level 3. */
  indefensible: number;
  /** Share times mean σ(ρ). */
  yesProb: number;
}

type HumanTable = Record<Side, Record<Side, HumanCell>>;

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

const { inverse } = PAPER_RATES;

/** One state for a cohort, with rates at which its published DI and AI are what the paper's auditor writes. */
export function fittedState({ di, ai }: { di: number; ai: number }): SimulatedState {
  const planted = ([trueDi, trueAi]: readonly number[]) => plantedRates(trueDi!, trueAi!);
  const written = (shares: readonly number[]) => {
    const rates = writtenRates(partsOf(planted(shares)));
    return [rates.di, rates.ai];
  };
  return { name: "all", weight: 1, volume: 1, ...planted(solveShares(written, [di, ai], [di, ai])) };
}

function plantedRates(di: number, ai: number): LatentRates {
  return latentRates(levelShares({ di, ai, inverse }), [inverse[1], inverse[2]]);
}

/** A state in which every decision is derivable, with the published AI written. */
export function faultlessState(ai: number): SimulatedState {
  const planted = ([l2]: readonly number[]) => latentRates([1 - l2!, l2!, 0], [inverse[1], inverse[2]]);
  const solved = solveShares((shares) => [writtenRates(partsOf(planted(shares))).ai], [ai], [ai]);
  return { name: "all", weight: 1, volume: 1, ...planted(solved) };
}

/** What of the human side is neither printed nor fitted. On open content people and decider of the Random Sample mostly let it stay up. */
const ASSUMED_HUMANS = {
  random: { missed: 0.97, slips: 0.005, open_removed: { people: 0.2, decider: 0.2 } },
  balanced: { slips: 0.02 },
} as const;

const { precedence, concentration } = COHORT;

/**
 * The human side of the Random Sample: F1, disagreements at level 3 (from DI and "accurate but indefensible") and the share of false negatives at
 * level 3 come out as printed. `docs/paper.md` has the counts.
 */
export function randomHumans(rates: LatentRates): HumanSide {
  const { di, f1, fnDefensible, accurateIndefensible } = PAPER_RATES.random;
  const humans = ([violating, shared, norms]: readonly number[]): HumanSide => ({
    ...ASSUMED_HUMANS.random,
    ...{ violating: violating!, shared_errors: shared!, implicit_norms: norms!, precedence },
  });
  const expected = (shares: readonly number[]) => {
    const out = outcomes(humanTable(rates, humans(shares), concentration));
    return [out.f1, out.disagreedIndefensible, out.fnDefensible];
  };
  return humans(solveShares(expected, [f1, 1 - di - accurateIndefensible, fnDefensible], [0.08, 0.8, 0.04]));
}

/**
 * The human side of the Balanced Sample: F1, disagreements, how many of them and of the false negatives are at level 3, and how much higher σ(ρ)
 * is where they disagree come out as printed. It overrepresents contested cases: on open content people and decider pull apart.
 */
export function balancedHumans(rates: LatentRates): HumanSide {
  const { decisions, f1, fnDefensible, disagreements, modelErrors, yesProbRatio } = PAPER_RATES.balanced;
  const humans = ([violating, missed, shared, norms, apart]: readonly number[]): HumanSide => ({
    ...ASSUMED_HUMANS.balanced,
    ...{ violating: violating!, missed: missed!, shared_errors: shared!, implicit_norms: norms!, precedence },
    open_removed: { people: apart!, decider: 1 - apart! },
  });
  const expected = (shares: readonly number[]) => {
    const out = outcomes(humanTable(rates, humans(shares), concentration));
    return [out.f1, out.disagreed, out.disagreedIndefensible, out.fnDefensible, out.yesProbRatio];
  };
  const wanted = [f1, disagreements / decisions, modelErrors / decisions, fnDefensible, yesProbRatio];
  return humans(solveShares(expected, wanted, [0.34, 0.97, 0.5, 0.37, 0.8]));
}

/** What the paper prints of such a table. */
export function outcomes({ remove, approve }: HumanTable) {
  const [both, none, [fp, fn]] = [remove.remove, approve.approve, [remove.approve, approve.remove]];
  const disagreed = fp!.share + fn!.share;
  return {
    f1: (2 * both.share) / (2 * both.share + disagreed),
    disagreed,
    disagreedIndefensible: fp!.indefensible + fn!.indefensible,
    accurateIndefensible: both.indefensible + none.indefensible,
    fnDefensible: 1 - fn!.indefensible / fn!.share,
    yesProbRatio: ((fp!.yesProb + fn!.yesProb) / disagreed / (both.yesProb + none.yesProb)) * (1 - disagreed),
  };
}

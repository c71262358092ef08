import type { SimulatedState } from "../../core/results/simulation.js";
import { COHORT } from "../world/default-settings.js";
import { type LatentRates, latentRates } from "../world/latent-rates.js";
import { levelShares } from "../world/level-shares.js";
import { PAPER_RATES } from "../world/paper-rates.js";
import { type HumanSide, type HumanTable, humanTable } from "./human-table.js";
import { partsOf, writtenRates } from "./paper-noise.js";
import { solveShares } from "./solve-equations.js";

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

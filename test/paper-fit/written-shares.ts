import type { TrueVerdict } from "../../src/core/records/label.js";
import { atTemperature } from "../../src/core/results/simulated-auditor.js";
import { type CompiledAuditor, levelDistribution } from "../../src/simulation/auditor/draw-audit.js";
import { strayShare } from "../../src/simulation/auditor/read-case.js";

/** What a simulated auditor writes of cases of one kind, in the long run. */
export interface WrittenShares {
  /** Share of each level. */
  levels: readonly [number, number, number];
  /** Share of Yes. */
  inverse: number;
  /** Mean of σ(ρ). */
  yesProb: number;
}

/** Midpoints of the unit interval for how sure a trace is. */
const SURE = [0.0625, 0.1875, 0.3125, 0.4375, 0.5625, 0.6875, 0.8125, 0.9375];

/**
 * What an auditor writes of cases with one true verdict, in expectation: a row of its confusion matrix, straying and sampling included. It is the
 * expectation of `drawAudit` over `readCase`, for a decider of another family, the whole text and precedents.
 *
 * Formula: Σ over the level read, the level leaned to, contest and confidence of their probabilities times p^(1/T) renormalised.
 * Range: shares; the levels sum to 1. Faults are left out: they fall on all cases alike.
 * Undefined when: the answer to the inverse check is drawn from σ(ρ) (`inverse.emission: signal`): RangeError.
 * Differs from the paper: not in the paper.
 * @see docs/simulation.md
 */
export function writtenShares(
  verdict: TrueVerdict,
  contests: readonly number[],
  auditor: CompiledAuditor,
  temperature: number,
): WrittenShares {
  const { settings } = auditor;
  if (settings.inverse.emission !== "reading") throw new RangeError("inverse.emission: expected reading");
  const rates = auditor.at(temperature);
  const levels: [number, number, number] = [0, 0, 0];
  let [inverse, yesProb] = [0, 0];
  const own = verdict.level - 1;

  function add(weight: number, read: number, other: number, stray: number): void {
    const leans: [number, number, number] = [0, 0, 0];
    leans[read] = 1 - stray;
    leans[other] = stray;
    const asRead = verdict.inverse ? 1 - rates.missed[read]! : rates.invented[read]!;
    for (const lean of [read, other]) {
      const share = weight * leans[lean]!;
      const held = lean === read ? asRead : rates.leanInverse[lean]!;
      const mean = (answer: "yes" | "no") => atTemperature(settings.inverse[answer][lean]!, temperature);
      inverse += share * held;
      yesProb += share * (held * mean("yes") + (1 - held) * mean("no"));
      for (const place of SURE) {
        const probs = tempered(levelDistribution(lean, place, { leans }, auditor), temperature);
        for (let level = 0; level < 3; level++) levels[level]! += (share * probs[level]!) / SURE.length;
      }
    }
  }

  for (let read = 0; read < 3; read++) {
    const misread = settings.noise * settings.confusion[own]![read]! + (read === own ? 1 - settings.noise : 0);
    for (let other = 0; other < 3; other++) {
      const weight = (misread * settings.lean.elsewhere[read]![other]!) / contests.length;
      if (weight === 0) continue;
      for (const contest of contests) add(weight, read, other, strayShare(own, contest, rates, auditor));
    }
  }
  return { levels, inverse, yesProb };
}

function tempered(probs: readonly number[], temperature: number): number[] {
  const most = Math.max(...probs);
  const powers = probs.map((p) => (p / most) ** (1 / temperature));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

import type { SimulatedCohort } from "../../core/results/simulation.js";
import { generateWorld } from "./generate-world.js";
import { PAPER_RATES } from "./paper-rates.js";
import { PlantedTally } from "./planted-rates.js";
import { presetWorld } from "./presets.js";

/** A rate of the paper's preset: what was published, what came out, and the standard error of that. */
export interface PresetRate {
  name: string;
  published: number;
  observed: number;
  standardError: number;
}

const [a1] = PAPER_RATES.inverse;
/** Threads of like decisions make a sample say less: 1 + correlation of the sort of content times mates in the thread, generously. */
const DESIGN_EFFECT = 1.5;

/**
 * The paper's preset with every cohort cut to a share of its size. AI is compared as the paper's auditor would see it: the truth, and its false alarms
 * at level 1.
 */
export function paperPresetRates(scale: number, seed: number): PresetRate[] {
  const world = presetWorld("paper");
  const published: Record<string, { di: number; ai: number }> = {
    random: PAPER_RATES.random,
    balanced: PAPER_RATES.balanced,
    underspecification: { di: 1 - PAPER_RATES.tiers.wiki.indefensible / 37_286, ai: PAPER_RATES.tiers.wiki.ai },
  };
  const cohorts = world.cohorts.filter(({ name }) => name in published).map((cohort) => cut(cohort, scale));
  const tallies = new Map(cohorts.map(({ name }) => [name, new PlantedTally()]));
  for (const community of generateWorld({ ...world, cohorts }, seed)) {
    for (const { truth } of community.cases()) tallies.get(community.cohort)!.add(truth);
  }
  return [...tallies].flatMap(([name, tally]) => {
    const { decisions, defensibility_index, ambiguity_index, levels, tiers } = tally.rates();
    const row = (what: string, target: number, observed: number): PresetRate => ({
      name: `${name}: ${what}`,
      published: target,
      observed,
      standardError: Math.sqrt((DESIGN_EFFECT * target * (1 - target)) / decisions),
    });
    const { di, ai } = published[name]!;
    const rows = [row("DI", di, defensibility_index!), row("AI", ai, ambiguity_index! + a1 * levels["1"]!)];
    if (name !== "underspecification") return rows;
    const indefensible = (tier: "title" | "sidebar") => PAPER_RATES.tiers[tier].indefensible / 37_286;
    return [
      ...rows,
      row("DI by titles", 1 - indefensible("title"), tiers.title.defensibility_index!),
      row("DI by descriptions", 1 - indefensible("sidebar"), tiers.sidebar.defensibility_index!),
    ];
  });
}

function cut(cohort: SimulatedCohort, scale: number): SimulatedCohort {
  return {
    ...cohort,
    communities: Math.max(1, Math.round(cohort.communities * scale)),
    decisions: Math.round(cohort.decisions * scale),
  };
}

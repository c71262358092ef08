import type { Level } from "../../core/records/level.js";
import type { RatingKey } from "../../core/results/humans.js";
import { createRng } from "../../stats/random/create-rng.js";
import { shuffle } from "../../stats/random/shuffle.js";
import { HashSample } from "../../store/records/cohort-sample.js";

/** What a case is drawn by. Raters never see it. */
export interface Candidate {
  decision_id: string;
  level: Level;
  inverse: boolean;
}

export type ChosenCases = Pick<RatingKey, "drawn" | "population" | "strata" | "cases">;

/**
 * Draws cases in equal numbers from each level with and without the inverse, so that the rare ones are there to be rated; what a stratum
 * lacks comes from the others. `drawn: "random"` draws from all verdicts at once. Each case is weighted by how many decisions it stands for.
 * The order is shuffled, and a case's name tells nothing.
 */
export function chooseCases(
  candidates: Iterable<Candidate>,
  size: number,
  seed: number,
  drawn: NonNullable<RatingKey["drawn"]> = "sheet",
): ChosenCases {
  const strata = new Map<string, { level: Level; inverse: boolean; sample: HashSample }>();
  const stratumOf = new Map<string, string>();
  const all = new HashSample(seed, size);
  for (const { decision_id, level, inverse } of candidates) {
    const name = stratumName(level, inverse);
    let stratum = strata.get(name);
    if (!stratum) {
      stratum = { level, inverse, sample: new HashSample(seed, size) };
      strata.set(name, stratum);
    }
    stratum.sample.add(decision_id);
    if (drawn === "random") {
      all.add(decision_id);
      stratumOf.set(decision_id, name);
    }
  }
  const ordered = [...strata].sort(([a], [b]) => (a < b ? -1 : 1));
  const population = ordered.reduce((sum, [, { sample }]) => sum + sample.population, 0);
  const random = all.ids();
  const counts =
    drawn === "random"
      ? ordered.map(([name]) => random.filter((id) => stratumOf.get(id) === name).length)
      : evenly(
          ordered.map(([, { sample }]) => sample.population),
          size,
        );
  const chosen =
    drawn === "random"
      ? random.map((decision_id) => ({
          decision_id,
          stratum: stratumOf.get(decision_id)!,
          weight: population / random.length,
        }))
      : ordered.flatMap(([name, { sample }], i) =>
          sample.ids(counts[i]!).map((decision_id) => ({
            decision_id,
            stratum: name,
            weight: sample.population / counts[i]!,
          })),
        );
  const digits = String(chosen.length).length;
  return {
    drawn,
    population,
    strata: ordered.map(([, { level, inverse, sample }], i) => ({
      level,
      inverse,
      population: sample.population,
      cases: counts[i]!,
    })),
    cases: shuffle(chosen, createRng(seed).fork("order of cases")).map((one, i) => ({
      case: `C${String(i + 1).padStart(digits, "0")}`,
      ...one,
    })),
  };
}

function stratumName(level: Level, inverse: boolean): string {
  return `level ${level}, inverse ${inverse ? "Yes" : "No"}`;
}

/** Strata that no verdict of the run is in: raters cannot be asked about such. */
export function emptyStrata(strata: RatingKey["strata"]): string[] {
  const names = new Set(strata.map(({ level, inverse }) => stratumName(level, inverse)));
  const all = ([1, 2, 3] as const).flatMap((level) => [stratumName(level, false), stratumName(level, true)]);
  return all.filter((name) => !names.has(name));
}

/** Equal numbers as far as they go: a stratum that has fewer gives all, and the others share the rest. */
export function evenly(available: readonly number[], size: number): number[] {
  const counts = available.map(() => 0);
  let left = Math.min(
    size,
    available.reduce((sum, count) => sum + count, 0),
  );
  while (left > 0) {
    const open = available.map((_, i) => i).filter((i) => counts[i]! < available[i]!);
    const share = Math.max(1, Math.floor(left / open.length));
    for (const i of open) {
      const more = Math.min(share, available[i]! - counts[i]!, left);
      counts[i]! += more;
      left -= more;
    }
  }
  return counts;
}

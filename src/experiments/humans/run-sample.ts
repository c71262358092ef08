import type { AuditTable } from "../../analysis/audit-table.js";
import { judgedPairs, loadHumanLabels, verdictCells } from "../../analysis/labels/judgements.js";
import type { Estimate } from "../../core/estimate.js";
import type { Label, LabelSample } from "../../core/records/label.js";
import type { Level } from "../../core/records/level.js";
import type { JudgedPair, JudgedSample } from "../../measures/metrics/against.js";
import { populationShare, populationStatistic } from "../../measures/metrics/weighted-against.js";
import { createRng, shuffle } from "../../stats/random/create-rng.js";
import { caseMeans, type Ratings } from "../../stats/ranks/raters.js";
import { weightedSpearman } from "../../stats/ranks/spearman.js";
import { HashSample } from "../../store/cohorts.js";
import { designOf, joinRatings, type RatedCases } from "./read-ratings.js";
import type { RatingKey } from "./result.js";

/** The properties by which a case is drawn. Raters never see them. */
export interface Candidate {
  decision_id: string;
  level: Level;
  inverse: boolean;
}

type ChosenCases = Pick<RatingKey, "drawn" | "population" | "strata" | "cases">;

/**
 * Draws cases in equal numbers from each level with and without the inverse, so that rare ones are rated too; if a stratum has too few, the
 * others fill up. `drawn: "random"` draws from all verdicts at once. Each case is weighted by how many decisions it represents. The order
 * is shuffled, and a case's name reveals nothing.
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

/** Strata without any verdict in the run, about which raters cannot be asked. */
export function emptyStrata(strata: RatingKey["strata"]): string[] {
  const names = new Set(strata.map(({ level, inverse }) => stratumName(level, inverse)));
  const all = ([1, 2, 3] as const).flatMap((level) => [stratumName(level, false), stratumName(level, true)]);
  return all.filter((name) => !names.has(name));
}

/** Equal numbers as far as possible: a stratum with fewer gives all it has, and the others share the rest. */
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

/** The ratings of drawn cases as estimates for the whole run, weighted as in `report --against human` and the gate. */
export interface RunSample {
  /** How the labels were drawn. */
  design: LabelSample;
  /** null: the cases are not a drawn sample of this run, and say nothing about it. */
  cases: {
    /** Median ratings of the cases whose labels belong to the sample. */
    pairs: readonly JudgedPair[];
    sample: JudgedSample;
    /** The same ratings one by one. */
    rated: RatedCases;
  } | null;
}

/** The rated cases that are a sample of this run (`chooseLabels`). Labels from before designs were recorded use the design in their sheet's key. */
export async function runSample(
  table: AuditTable,
  labels: readonly Label[],
  { runId, key }: { runId: string | null; key: RatingKey | null },
): Promise<RunSample> {
  const cases = new Map(key?.cases.map((one) => [one.decision_id, one]));
  const named = labels
    .filter(({ rater }) => rater?.trim())
    .map((label) => {
      const one = label.drawn || label.sheet_id !== key?.sheet_id ? undefined : cases.get(label.decision_id);
      return one ? { ...label, ...designOf(key!, one) } : label;
    });
  const file = { path: "labels", format: "jsonl" as const, rows: named };
  const design = await loadHumanLabels(table, file, runId);
  if (design.weighted === null || design.flags.length > 0) return { design, cases: null };
  const used = new Set(design.designs.flatMap((one) => (one.used ? [designKey(one)] : [])));
  const isUsed = ({ drawn, frame }: Label) => used.has(designKey({ drawn: drawn ?? "unknown", frame: frame ?? null }));
  return {
    design,
    cases: {
      pairs: await judgedPairs(table),
      sample: { design, population: await verdictCells(table) },
      rated: await joinRatings(table, named.filter(isUsed)),
    },
  };
}

function designKey({ drawn, frame }: { drawn: string; frame: string | null }): string {
  return JSON.stringify([drawn, frame]);
}

type DrawnCases = NonNullable<RunSample["cases"]>;

/** A share of the whole run; `of` is null for a case that its raters leave open. */
export function shareOfRun({ pairs, sample }: DrawnCases, of: (pair: JudgedPair) => boolean | null): Estimate {
  return populationShare(pairs, sample, of);
}

/** Rank correlation of a signal with the mean rating in the whole run. */
export function correlationOfRun(
  { pairs, sample, rated }: DrawnCases,
  ratingsOf: (rated: RatedCases) => Ratings,
  signalOf: (audit: RatedCases["audits"][number]) => number | null,
): Estimate {
  const means = caseMeans(ratingsOf(rated));
  const cases = new Map(
    rated.audits.map((audit, i) => [audit.decision_id, { signal: signalOf(audit), mean: means[i]! }]),
  );
  const rows = pairs.flatMap((pair) => {
    const { signal = null, mean = Number.NaN } = cases.get(pair.decision_id!) ?? {};
    return signal === null || Number.isNaN(mean) ? [] : [{ ...pair, signal, mean }];
  });
  const rho = weightedSpearman(
    rows.map(({ signal }) => signal),
    rows.map(({ mean }) => mean),
  );
  return populationStatistic(rows, { pairs, sample }, rho, [-1, 1]);
}

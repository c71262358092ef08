import { loadReplicates, type ReadReplicates, type ReplicateSource } from "../../analysis/replicates.js";
import type { Stability } from "../../core/results/stability.js";
import type { StabilityGroup } from "../../core/results/stability-names.js";
import type { StopRule } from "../../measures/stability/allocate.js";
import { analyseStability } from "../../measures/stability/analyse-stability.js";
import type { StabilityMode } from "../../measures/stability/case-row.js";
import { type FlipperRule, pilotGroup } from "../../measures/stability/choose-cases.js";
import type { Evidence } from "../../measures/stability/replay.js";
import { createRng } from "../../stats/random/create-rng.js";
import type { Duck } from "../../store/files/duckdb.js";
import { stabilityFigures } from "./stability-figures.js";
import { stabilityWarnings } from "./stability-warnings.js";

export interface StabilityInputs {
  sources: readonly (ReplicateSource & { name: string; auditor: string | null })[];
  mode: StabilityMode;
  stop: StopRule;
  evidence: Evidence;
  alpha: number;
  /** Most replicates of a case under a condition. */
  cap: number;
  budget: number | null;
  rule: FlipperRule;
  /** Take so many first replicates for a pilot where there is no pilot arm. */
  pilot?: number;
  /** Cases that were asked for; null: all. */
  asked: number | null;
  seed: number;
  draws: number;
}

/** Everything that repeated audits of one or several sources say about stability. */
export async function buildStability(db: Duck, inputs: StabilityInputs): Promise<Stability> {
  const read = await loadReplicates(db, inputs.sources, inputs.pilot ? { pilot: inputs.pilot } : {});
  const { replicates } = read;
  const groups = groupsOf(read, inputs);
  const { mode, stop, evidence, alpha, cap, budget, seed, draws } = inputs;
  const settings = { mode, stop, evidence, alpha, cap, rng: createRng(seed), draws };
  const { analysed, analysis } = analyseStability(replicates, groups.of, settings);
  const verdicts = analysed.cells.reduce((sum, { all }) => sum + all.k, 0);
  const audits = replicates.level.length;
  const result: Stability = {
    format: 1,
    experiment: "stability",
    runs: inputs.sources.flatMap(({ run }) => (run === null ? [] : [run])),
    random: { seed, draws },
    sources: inputs.sources.map(({ name, run }, index) => ({
      name,
      run_id: run,
      auditor: inputs.sources[index]!.auditor ?? auditorOf(read, run),
    })),
    settings: { mode, stop, evidence, alpha, cap, budget },
    counts: {
      cases: replicates.decisions.length,
      conditions: replicates.conditions.length,
      audits,
      verdicts,
      without_verdict: audits - verdicts,
    },
    groups: groups.summary,
    ...analysis,
    cases: analysis.cases.map((row) => ({ ...row })),
    temperatures: analysis.temperatures.map((row) => ({ ...row })),
    group_tests: analysis.group_tests.map((row) => ({ ...row })),
    figures: stabilityFigures(analysed, analysis),
    warnings: [],
  };
  result.warnings = [...read.notes, ...stabilityWarnings(result)];
  return result;
}

function auditorOf({ replicates }: ReadReplicates, run: string | null): string | null {
  return replicates.conditions.find((condition) => condition.run === run)?.auditor ?? null;
}

/** Which group each case is in, by the pilot. */
function groupsOf(
  { replicates, pilot, pilotReplicates, pilotBy }: ReadReplicates,
  { rule, asked }: StabilityInputs,
): { of: (StabilityGroup | null)[]; summary: Stability["groups"] } {
  const seen = new Map((pilot ?? []).map(({ decision_id, counts }) => [decision_id, pilotGroup(counts, rule)]));
  const of = replicates.decisions.map((id) => seen.get(id) ?? null);
  const count = (groups: Iterable<StabilityGroup | null>, name: StabilityGroup) =>
    [...groups].filter((group) => group === name).length;
  return {
    of,
    summary: {
      by: pilotBy,
      rule,
      flippers: count(of, "flipper"),
      stable: count(of, "stable"),
      asked,
      pilot: pilot && {
        candidates: pilot.length,
        flippers: count(seen.values(), "flipper"),
        stable: count(seen.values(), "stable"),
        replicates: pilotReplicates,
      },
    },
  };
}

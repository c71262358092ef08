import { loadReplicates, type ReadReplicates, type ReplicateSource } from "../../analysis/replicates.js";
import type { StabilityGroup } from "../../core/names.js";
import { type FlipperRule, pilotGroup, type StopRule } from "../../measures/stability/allocate.js";
import type { Evidence } from "../../measures/stability/analyse-cells.js";
import { analyseStability, type StabilityMode } from "../../measures/stability/analyse-stability.js";
import { LEAST_REPLICATES } from "../../measures/stability/level-sequence.js";
import { whole } from "../../present/words/numbers.js";
import { createRng } from "../../stats/random/create-rng.js";
import type { Duck } from "../../store/files/duckdb.js";
import { auditorNotes } from "../audits.js";
import type { Stability } from "./result.js";
import { stabilityFigures } from "./stability-figures.js";

/** Draws less likely than this under their own probabilities were not drawn from them. */
const NOT_DRAWN_FROM = 1e-4;

/** Whether anything was audited twice under the same conditions: without that, stability cannot be assessed. */
export function isRepeated({ cases }: Pick<Stability, "cases">): boolean {
  return cases.some(({ attempted }) => attempted > 1);
}

/** What a reader must know before believing the numbers, each in a sentence. */
function stabilityWarnings(result: Stability): string[] {
  const { counts, groups, cases, temperatures } = result;
  const most = cases.reduce((largest, { k }) => Math.max(largest, k), 0);
  return [
    ...auditorNotes(result.sources.map(({ auditor }) => auditor)),
    isRepeated(result)
      ? ""
      : "no decision was audited twice under the same conditions: these audits say nothing of stability",
    ...aboutGroups(groups, counts.cases),
    result.sources.length > 1
      ? "several sources: all but the decomposition of variance and the rows of cases are about the first"
      : "",
    most < LEAST_REPLICATES
      ? `no case has ${LEAST_REPLICATES} verdicts (the most is ${most}): none has a class, since with few replicates every case seems stable`
      : "",
    counts.without_verdict > 0
      ? `${whole(counts.without_verdict)} of ${whole(counts.audits)} audits have no verdict and are left out; if they are not a random part of all, shares are biased`
      : "",
    cases.every(({ sd_pds }) => sd_pds === null)
      ? "no audit has a signal S, or no case has two: spreads of S are undefined, and only levels are counted"
      : "",
    temperatures.some(({ temperature }) => temperature === 0)
      ? "temperature 0: replicates are copies of each other unless the server is not deterministic; their agreement says nothing"
      : "",
    ...temperatures
      .filter(({ draws }) => draws.p_value !== null && draws.p_value < NOT_DRAWN_FROM)
      .map(
        ({ temperature, draws }) =>
          `at temperature ${temperature} the levels were not drawn from the probabilities that the audits state (level 3: ${share(draws.drawn!)} drawn, ${share(draws.promised!)} promised; p = ${draws.p_value!.toExponential(0)}): these are of another temperature or cut off, and means of them must not replace counts`,
      ),
    result.settings.evidence === "probabilities" && cases.every(({ p_level_3_mean }) => p_level_3_mean === null)
      ? "the law of the draws is not known (no probabilities, or it is not known whether they are before or after temperature): levels were counted instead"
      : "",
  ].filter(Boolean);
}

function aboutGroups(groups: Stability["groups"], cases: number): string[] {
  const { by, flippers, stable, asked, pilot } = groups;
  if (by === null || !pilot) {
    return [
      "no pilot: cases are not told apart as Flippers and Stable; `--pilot K` does that on replicates of their own",
    ];
  }
  const wanted = asked === null ? null : Math.floor(asked / 2);
  const of = `of ${pilot.candidates} candidates with ${pilot.replicates} pilot audits each`;
  return [
    flippers === 0
      ? `the pilot found no Flippers among ${pilot.candidates} candidates: there is nothing to compare`
      : "",
    flippers > 0 && wanted !== null && flippers < wanted
      ? `only ${flippers} Flippers instead of ${wanted}: the pilot found ${pilot.flippers} ${of}`
      : "",
    wanted !== null && stable < wanted && cases > 0
      ? `only ${stable} Stable cases instead of ${wanted}: the pilot found ${pilot.stable} ${of}`
      : "",
    by === "pilot" && asked !== null && asked % 2 === 1
      ? `${asked} cases were asked for, an odd number: half are Flippers and half Stable, so at most ${wanted} of each`
      : "",
    by === "first_replicates"
      ? `there was no pilot arm: the first ${pilot.replicates} replicates of the lowest temperature served for one, and are left out of everything else`
      : "",
  ].filter(Boolean);
}

function share(value: number): string {
  return `${(100 * value).toFixed(1)}%`;
}

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
  /** Number of first replicates to use as a pilot if there is no pilot arm. */
  pilot?: number;
  /** Number of cases requested; null: all. */
  asked: number | null;
  seed: number;
  draws: number;
}

/** The stability result of repeated audits from one or several sources. */
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

/** Assigns each case to a group by the pilot. */
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

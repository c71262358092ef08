import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { GATE_MODES, type GateMode } from "../../core/names.js";
import { auditedIndex, emptyJudgeCounts, humanIndex, judgeIndex } from "../../measures/metrics/judge/counts.js";
import { judgeError } from "../../measures/metrics/judge/judge-error.js";
import type { ExpectedRates } from "../../simulation/world/level-shares.js";
import { meanOf } from "../../stats/intervals/mean-estimate.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { createRng, sampleWithoutReplacement } from "../../stats/random/create-rng.js";
import type { AuditedWorld, Condition, WorldCommunity } from "./audit-world.js";
import { VALIDATED, type Validate, type ValidatedQuantity } from "./result.js";
import { gateOpenings, keepsLimits, type Openings, PROMISES, QUANTITIES } from "./run-truth.js";

type ConditionResult = NonNullable<Validate["worlds"]>["conditions"][number];

/** With fewer worlds, the mean truth of the others does not estimate the rate of their process. */
const LEAST_WORLDS = 20;

interface Seen {
  truth: number;
  measured: Estimate;
  /** The long-run rate of exactly these communities; null: it has no formula. */
  own: number | null;
}

/** Collects what one auditor measured in each world. */
export class WorldTally {
  private readonly seen = new Map<ValidatedQuantity, Seen[]>(VALIDATED.map((name) => [name, []]));
  private readonly corrected: Seen[] = [];
  private readonly largest: number[] = [];
  private readonly openings: Record<GateMode, Openings>[] = [];

  constructor(
    private readonly condition: Condition,
    private readonly labels: number,
  ) {}

  add(world: readonly WorldCommunity[], audited: AuditedWorld, seed: number): void {
    const truths = world.flatMap(({ cases }) => cases.map(({ truth }) => truth));
    for (const name of VALIDATED) {
      const { holds, measure } = QUANTITIES[name];
      this.seen.get(name)!.push({
        truth: truths.filter(holds).length / truths.length,
        measured: measure(audited.tallies),
        own: ownProcess(world, name),
      });
    }
    const { truth, own } = this.seen.get("defensibility_index")!.at(-1)!;
    this.corrected.push({ truth, own, measured: correctedIndex(world, audited, this.labels, seed) });
    this.largest.push(world.reduce((most, { cases }) => Math.max(most, cases.length), 0) / truths.length);
    this.openings.push(
      gateOpenings(
        audited.tallies,
        world.map(({ expected }) => keepsLimits(expected)),
      ),
    );
  }

  /** Mean share of a world's decisions in its largest community. */
  largestShare(): number {
    return mean(this.largest);
  }

  /** `process`: rates of the process that draws worlds, which an interval over communities should cover. */
  result(process: ExpectedRates): ConditionResult {
    const { name, auditor, sameFamily } = this.condition;
    const correctedErrors = errorsOf(this.corrected);
    return {
      name,
      bias: auditor.bias,
      noise: auditor.noise,
      same_family: sameFamily,
      estimators: VALIDATED.map((quantity) => {
        const seen = this.seen.get(quantity)!;
        const errors = errorsOf(seen);
        return {
          quantity,
          truth: mean(seen.map(({ truth }) => truth)),
          measured: mean(seen.flatMap(({ measured }) => measured.estimate ?? [])),
          error: meanOf(errors),
          rmse: errors.length === 0 ? null : Math.sqrt(mean(errors.map((error) => error ** 2))),
          coverage: {
            independent: coverage(
              seen,
              ({ own }) => own,
              (measured) => measured,
            ),
            clustered: clusteredCoverage(seen, process[quantity as keyof ExpectedRates] ?? null),
          },
        };
      }),
      corrected: {
        labels: this.labels,
        error: meanOf(correctedErrors),
        coverage: coverage(
          this.corrected,
          ({ own }) => own,
          (measured) => measured,
        ),
      },
      gate: Object.fromEntries(GATE_MODES.map((mode) => [mode, this.gate(mode)])),
    };
  }

  private gate(mode: GateMode): ConditionResult["gate"][string] {
    const all = this.openings.map((one) => one[mode]);
    const sum = (field: keyof Openings) => all.reduce((total, one) => total + one[field], 0);
    return {
      promise: PROMISES[mode],
      worlds_with_false_opening: proportion(all.filter(({ wrong }) => wrong > 0).length, all.length),
      false_openings: proportion(sum("wrong"), sum("passing")),
      recall: proportion(sum("found"), sum("good")),
    };
  }
}

function errorsOf(seen: readonly Seen[]): number[] {
  return seen.flatMap(({ truth, measured }) => (measured.estimate === null ? [] : [measured.estimate - truth]));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

const NO_LONG_RUN =
  "the rate in the long run is not worked out from the settings of a world, so that there is nothing for an interval of rows to cover";

function coverage(
  seen: readonly Seen[],
  truthOf: (seen: Seen) => number | null,
  intervalOf: (measured: Extract<Estimate, { estimate: number }>) => { lower: number; upper: number } | undefined,
): Estimate {
  let covered = 0;
  let counted = 0;
  let known = 0;
  for (const one of seen) {
    const truth = truthOf(one);
    const interval = one.measured.estimate === null ? undefined : intervalOf(one.measured);
    if (truth !== null) known++;
    if (truth === null || interval === undefined) continue;
    counted++;
    if (interval.lower <= truth && truth <= interval.upper) covered++;
  }
  if (counted > 0) return proportion(covered, counted);
  return undefinedEstimate(known === 0 ? NO_LONG_RUN : "no world gives such an interval", 0);
}

/**
 * Whether intervals over communities cover the rate of the process. A rate without a formula is replaced by the mean truth of the other
 * worlds: if it included the world itself, its interval would cover by construction.
 */
function clusteredCoverage(seen: readonly Seen[], process: number | null): Estimate {
  const cluster = (measured: Extract<Estimate, { estimate: number }>) => measured.cluster;
  if (process !== null) return coverage(seen, () => process, cluster);
  if (seen.length < LEAST_WORLDS) {
    return undefinedEstimate(
      `the rate in the long run has no formula, and the mean truth of fewer than ${LEAST_WORLDS} worlds does not estimate it`,
      0,
    );
  }
  const all = seen.reduce((sum, { truth }) => sum + truth, 0);
  return coverage(seen, ({ truth }) => (all - truth) / (seen.length - 1), cluster);
}

/** Long-run rates, each community weighted by its decisions. */
function ownProcess(world: readonly WorldCommunity[], name: ValidatedQuantity): number | null {
  if (name === "ambiguity_platform" || name === "ambiguity_community") return null;
  let sum = 0;
  let n = 0;
  for (const { cases, expected } of world) {
    sum += cases.length * expected[name];
    n += cases.length;
  }
  return sum / n;
}

/** DI with the auditor's errors corrected by the truth of a random sample of decisions, as people's labels would be used. */
function correctedIndex(
  world: readonly WorldCommunity[],
  { audits }: AuditedWorld,
  labels: number,
  seed: number,
): Estimate {
  const chosen = new Set(
    sampleWithoutReplacement(audits.length, Math.min(labels, audits.length), createRng(seed).fork("labels")),
  );
  const counts = world.map(({ name }) => emptyJudgeCounts(name));
  audits.forEach(({ community, level, inverse, truth }, i) => {
    const own = counts[community]!;
    const cell = auditedIndex(level, inverse);
    if (chosen.has(i)) own.labelled[judgeIndex(cell, humanIndex(truth.level, truth.inverse))]! += 1;
    else own.rest[cell]! += 1;
  });
  return judgeError(counts).fleet.defensibility_index.prediction_powered;
}

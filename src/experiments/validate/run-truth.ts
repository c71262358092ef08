import type { AuditTable } from "../../analysis/audit-table.js";
import { type ComparedRow, comparedRows } from "../../analysis/labels/judgements.js";
import { groupCells } from "../../analysis/tallies.js";
import type { KnownTruth, TruthTable } from "../../auditors/simulated/truth-table.js";
import type { Estimate } from "../../core/estimate.js";
import type { GateMode } from "../../core/gate.js";
import { GATE_MODES } from "../../core/names.js";
import type { Truth } from "../../core/records/label.js";
import { TIERS, type Tier } from "../../core/records/rule-set.js";
import { evaluateScore } from "../../measures/calibration/errors/evaluate-score.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { type GateCohort, STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import { ambiguityIndex, defensibilityIndex, pureAmbiguity, scopedAmbiguity } from "../../measures/metrics/indices.js";
import { cellMask, countIn, type Tally } from "../../measures/metrics/tally.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { VALIDATED, type Validate, type ValidatedQuantity } from "./result.js";

/** The promise of each mode about communities that should not pass. */
export const PROMISES: Readonly<Record<GateMode, string>> = {
  paper: "nothing",
  shrunk: "of those that pass at most 5% should not, on average",
  certified: "none that should not passes, with probability 0.95",
};

export interface Openings {
  passing: number;
  /** Passed, but should not have. */
  wrong: number;
  /** Should pass, and those of them that did. */
  good: number;
  found: number;
}

/** Whether a community meets the limits. */
export function keepsLimits(rates: { defensibility_index: number; ambiguity_index: number }): boolean {
  return rates.defensibility_index >= STANDARD_LIMITS.di - 1e-9 && rates.ambiguity_index <= STANDARD_LIMITS.ai + 1e-9;
}

const LEVEL_3 = cellMask((cell) => cell.level === 3);
const YES = cellMask((cell) => cell.inverse);
const PURE = cellMask((cell) => cell.inverse && cell.level !== 3);
const ALL = cellMask(() => true);

/** Opens the gate on the audits, in each mode, and counts the communities wrongly let through. */
export function gateOpenings(tallies: readonly Tally[], good: readonly boolean[]): Record<GateMode, Openings> {
  const cohorts = tallies.map(
    (tally): GateCohort => ({
      key: tally.cluster,
      n: countIn(tally, ALL),
      indefensible: countIn(tally, LEVEL_3),
      inverse_yes: countIn(tally, YES),
      inverse_yes_pure: countIn(tally, PURE),
      unscored: tally.unscored,
    }),
  );
  const { communities } = evaluateGate(cohorts, { frontier: false, look: "once" });
  const places = new Map(tallies.map(({ cluster }, i) => [cluster, i]));
  const eligible = communities.filter(({ n }) => n >= STANDARD_LIMITS.min_decisions);
  const count = (mode: GateMode): Openings => {
    const passed = eligible.filter(({ passes }) => passes[mode]);
    const isGood = ({ community }: (typeof eligible)[number]) => good[places.get(community)!]!;
    return {
      passing: passed.length,
      wrong: passed.filter((one) => !isGood(one)).length,
      good: eligible.filter(isGood).length,
      found: passed.filter(isGood).length,
    };
  };
  return { paper: count("paper"), shrunk: count("shrunk"), certified: count("certified") };
}

/** How a quantity is measured, and when it is true of a decision. */
interface Quantity {
  measure: (tallies: readonly Tally[]) => Estimate;
  holds: (truth: Pick<Truth, "level" | "inverse" | "rule">) => boolean;
}

export const QUANTITIES: Readonly<Record<ValidatedQuantity, Quantity>> = {
  defensibility_index: { measure: defensibilityIndex, holds: ({ level }) => level !== 3 },
  ambiguity_index: { measure: ambiguityIndex, holds: ({ inverse }) => inverse },
  ambiguity_pure: { measure: pureAmbiguity, holds: ({ inverse, level }) => inverse && level !== 3 },
  ambiguity_platform: {
    measure: (tallies) => scopedAmbiguity(tallies, "platform"),
    holds: ({ inverse, rule }) => inverse && rule?.scope === "platform",
  },
  ambiguity_community: {
    measure: (tallies) => scopedAmbiguity(tallies, "community"),
    holds: ({ inverse, rule }) => inverse && rule?.scope === "community",
  },
};

type ScoreRow = NonNullable<Validate["worlds"]>["scores"][number];

/** How well a score separates defensible decisions from indefensible ones, judged by the truth. NaN: the row has no score. */
export function scoreRow(name: string, score: Float64Array, truth: Uint8Array, seed: number): ScoreRow {
  const y = truth.map((level) => (level === 3 ? 0 : 1));
  const { auroc, ece, log_loss } = evaluateScore(score, y, { seed });
  return {
    score: name,
    auroc,
    ece: ece.equal_frequency.value,
    ece_null_95: ece.equal_frequency.null_95,
    log_loss: log_loss.value,
    detected_at_5: detectedAt(score, y, 0.05),
  };
}

/** Share of indefensible decisions below the score that `share` of the defensible fall below. Decisions of equal score are all flagged or all not. */
function detectedAt(score: Float64Array, y: Uint8Array, share: number) {
  const good = score.filter((value, i) => y[i] === 1 && !Number.isNaN(value)).sort();
  const bad = score.filter((value, i) => y[i] === 0 && !Number.isNaN(value));
  const limit = good[Math.floor(share * good.length)] ?? Number.NEGATIVE_INFINITY;
  return proportion(bad.filter((value) => value < limit).length, bad.length);
}

type RunResult = NonNullable<Validate["run"]>;

interface RunInputs {
  runId: string;
  auditor: string;
  seed: number;
}

/** The figures of a run of a simulated workspace, against the truth. The table must have been opened with `TRUTH_COLUMNS`. */
export async function compareWithTruth(table: AuditTable, truths: TruthTable, inputs: RunInputs): Promise<RunResult> {
  const seen = new SeenTruths();
  for await (const batch of comparedRows(table)) for (const row of batch) seen.add(row, truths.get(row.decision_id));
  const tallies = seen.tallies();
  return {
    run_id: inputs.runId,
    auditor: inputs.auditor,
    matched: seen.matched,
    without_truth: seen.missing,
    tiers: TIERS.filter((tier) => seen.tiers.has(tier)),
    quantities: VALIDATED.map((quantity) => {
      const measured = QUANTITIES[quantity].measure(tallies);
      const truth = seen.share(quantity);
      return { quantity, truth, measured, error: difference(measured, truth), ...coverage(measured, truth) };
    }),
    levels: seen.levels,
    same_level: proportion(seen.levels[0]![0]! + seen.levels[1]![1]! + seen.levels[2]![2]!, seen.matched),
    inverse: {
      sensitivity: proportion(seen.inverse.found, seen.inverse.found + seen.inverse.missed),
      specificity: proportion(seen.inverse.denied, seen.inverse.denied + seen.inverse.invented),
    },
    same_family: seen.ofFamily(),
    gate: seen.gate(),
    scores: seen.scores(inputs.seed),
  };
}

function difference(measured: Estimate, truth: number | null): number | null {
  return measured.estimate === null || truth === null ? null : measured.estimate - truth;
}

function coverage(measured: Estimate, truth: number | null) {
  const within = (interval: { lower: number; upper: number } | undefined) =>
    interval === undefined || truth === null ? null : interval.lower <= truth && truth <= interval.upper;
  if (measured.estimate === null) return { covered: null, covered_clustered: null };
  return { covered: within(measured), covered_clustered: within(measured.cluster) };
}

/** Counts audits with their truths in one pass. */
class SeenTruths {
  matched = 0;
  missing = 0;
  readonly tiers = new Set<Tier>();
  readonly levels = [1, 2, 3].map(() => [0, 0, 0]);
  readonly inverse = { found: 0, missed: 0, denied: 0, invented: 0 };
  private readonly held = new Map<string, number>(VALIDATED.map((name) => [name, 0]));
  private readonly communities = new Map<string, { n: number; defensible: number; open: number }>();
  private readonly family = { own: { wrong: 0, n: 0 }, others: { wrong: 0, n: 0 } };
  /** Cells of the compared audits, by community. */
  private readonly cells = new Map<string, { community: string; cell: number; n: number }>();
  private readonly truthLevels: number[] = [];
  private readonly pds: number[] = [];
  private readonly pDefensible: number[] = [];

  add(row: ComparedRow, known: KnownTruth | null): void {
    if (known === null) {
      if (row.cell >= 0) this.missing++;
      return;
    }
    this.count(row);
    if (row.cell < 0) return;
    this.matched++;
    // A file without a tier is of the whole text.
    const tier = row.tier ?? "wiki";
    this.tiers.add(tier);
    const truth = { ...known.tiers[tier], rule: known.rule };
    this.levels[truth.level - 1]![row.level - 1]! += 1;
    this.inverse[truth.inverse ? (row.inverse ? "found" : "missed") : row.inverse ? "invented" : "denied"]++;
    for (const name of VALIDATED) if (QUANTITIES[name].holds(truth)) this.held.set(name, this.held.get(name)! + 1);
    const community = this.communities.get(row.community) ?? { n: 0, defensible: 0, open: 0 };
    community.n++;
    if (truth.level !== 3) community.defensible++;
    if (truth.inverse) community.open++;
    this.communities.set(row.community, community);
    if (truth.level === 3) {
      const family = this.family[row.same_family ? "own" : "others"];
      family.n++;
      if (row.level !== 3) family.wrong++;
    }
    this.truthLevels.push(truth.level);
    this.pds.push(row.pds ?? Number.NaN);
    this.pDefensible.push(row.p_defensible ?? Number.NaN);
  }

  private count({ community, cell }: ComparedRow): void {
    const key = `${cell} ${community}`;
    const counted = this.cells.get(key) ?? { community, cell, n: 0 };
    counted.n++;
    this.cells.set(key, counted);
  }

  /** Over the decisions with a known truth only: the others have nothing to be compared with. */
  tallies(): Tally[] {
    return groupCells([...this.cells.values()], () => [""])[0]?.tallies ?? [];
  }

  share(name: string): number | null {
    return this.matched === 0 ? null : this.held.get(name)! / this.matched;
  }

  /** Indefensible decisions that were judged defensible, by whether the decider is of the auditor's family. */
  ofFamily(): RunResult["same_family"] {
    const { own, others } = this.family;
    return own.n === 0 ? null : { own: proportion(own.wrong, own.n), others: proportion(others.wrong, others.n) };
  }

  /** A community's truth is that of its audited decisions; its process may be a little better or worse. */
  gate(): RunResult["gate"] {
    const known = this.tallies().filter(({ cluster }) => this.communities.has(cluster));
    const good = known.map(({ cluster }) => {
      const { n, defensible, open } = this.communities.get(cluster)!;
      return keepsLimits({ defensibility_index: defensible / n, ambiguity_index: open / n });
    });
    const openings = gateOpenings(known, good);
    return Object.fromEntries(
      GATE_MODES.map((mode) => {
        const { passing, wrong, good: all, found } = openings[mode];
        return [mode, { passing, false_openings: proportion(wrong, passing), recall: proportion(found, all) }];
      }),
    );
  }

  scores(seed: number): RunResult["scores"] {
    const truth = Uint8Array.from(this.truthLevels);
    return [
      scoreRow("1 − p(L3)", Float64Array.from(this.pDefensible), truth, seed),
      scoreRow("S (PDS)", Float64Array.from(this.pds), truth, seed),
    ].filter(({ auroc }) => auroc.n > 0);
  }
}

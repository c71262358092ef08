import type { AuditTable } from "../../analysis/audit-table.js";
import { type ComparedRow, comparedRows } from "../../analysis/judgements.js";
import { groupCells } from "../../analysis/tallies.js";
import type { KnownTruth, TruthTable } from "../../auditors/simulated/truth-table.js";
import type { Estimate } from "../../core/estimate.js";
import { GATE_MODES } from "../../core/names.js";
import { TIERS, type Tier } from "../../core/records/rule-set.js";
import { VALIDATED, type Validate } from "../../core/results/validate.js";
import type { Tally } from "../../measures/metrics/tally.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { gateOpenings, keepsLimits, QUANTITIES, scoreRow } from "./gate-openings.js";

type RunResult = NonNullable<Validate["run"]>;

export interface RunInputs {
  runId: string;
  auditor: string;
  seed: number;
}

/** What a run of a simulated workspace says, against what is true there. The table must have been opened with `TRUTH_COLUMNS`. */
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

/** Counts audits beside their truths, as they pass. */
class SeenTruths {
  matched = 0;
  missing = 0;
  readonly tiers = new Set<Tier>();
  readonly levels = [1, 2, 3].map(() => [0, 0, 0]);
  readonly inverse = { found: 0, missed: 0, denied: 0, invented: 0 };
  private readonly held = new Map<string, number>(VALIDATED.map((name) => [name, 0]));
  private readonly communities = new Map<string, { n: number; defensible: number; open: number }>();
  private readonly family = { own: { wrong: 0, n: 0 }, others: { wrong: 0, n: 0 } };
  /** Cells of the audits that are compared, by community. */
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
    // A file that says no tier is of the whole text.
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

  /** Of the same decisions as the truths: what else was audited would be held against nothing. */
  tallies(): Tally[] {
    return groupCells([...this.cells.values()], () => [""])[0]?.tallies ?? [];
  }

  share(name: string): number | null {
    return this.matched === 0 ? null : this.held.get(name)! / this.matched;
  }

  /** Indefensible decisions that pass for defensible, by whether the decider is of the auditor's family. */
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

import { PILOT_ARM } from "../../analysis/replicates.js";
import type { Arm } from "../../audit/arms.js";
import { InputError } from "../../core/errors.js";
import type { StabilityGroup } from "../../core/names.js";
import type { Audit, Template } from "../../core/records/audit.js";
import {
  type AllocationOrder,
  allocate,
  type ChosenCase,
  chooseCases,
  FIRST_BATCH,
  type FlipperRule,
  pilotGroup,
  type StopRule,
} from "../../measures/stability/allocate.js";
import type { Evidence } from "../../measures/stability/analyse-cells.js";
import type { StabilityMode } from "../../measures/stability/analyse-stability.js";
import { samplingLaw } from "../../measures/stability/cell-stats.js";
import { LevelSequence } from "../../measures/stability/level-sequence.js";
import { createRng, shuffle } from "../../stats/random/create-rng.js";

export interface PlanSettings {
  temperatures: readonly number[];
  /** In addition to the run's own. */
  moreTemplates: readonly Template[];
  mode: StabilityMode;
  /** Replicates of a case under a condition: exactly (fixed), or at most (sequential). */
  replicates: number;
  stop: StopRule;
  alpha: number;
  evidence: Evidence;
  /** Total replicates, not counting the pilot's; null: no limit. */
  budget: number | null;
  /** How a budget is allocated. */
  order: AllocationOrder;
  /** Replicates of the pilot; 0: no pilot, and no groups. */
  pilot: number;
  pilotTemperature: number;
  rule: FlipperRule;
  /** Cases to measure; null: every candidate. */
  cases: number | null;
  seed: number;
}

interface Cell {
  sequence: LevelSequence;
  planned: number;
  /** By replicate: 1 to 3, 0 without a verdict, NOT_SEEN before its answer. */
  levels: Uint8Array;
  /** By replicate and level; null if the evidence is levels. */
  laws: Float64Array | null;
}

const NOT_SEEN = 255;

/**
 * Controls the audits of the experiment: first the pilot, from which cases are chosen, then replicates in batches, for each case and
 * condition until its state is settled. It judges whole batches in the order of replicates, never answers in the order of their arrival,
 * which may depend on their content. Given the audits of an interrupted run again, it makes the same plan.
 */
export class StabilityPlan {
  readonly arms: readonly Arm[];
  readonly #settings: PlanSettings;
  readonly #candidates: readonly string[];
  readonly #pilot = new Map<string, [number, number, number]>();
  readonly #measured: readonly Arm[];
  #chosen: Map<string, StabilityGroup | null> | null = null;
  readonly #cells = new Map<string, Cell>();
  /** Answers that came before their case was chosen, when a run is continued. */
  readonly #early: Audit[] = [];

  constructor(settings: PlanSettings, candidates: readonly string[]) {
    this.#settings = settings;
    this.#candidates = candidates;
    this.#measured = [undefined, ...settings.moreTemplates].flatMap((template) =>
      settings.temperatures.map(
        (temperature): Arm => ({
          name: template ? `t=${temperature} template=${template}` : `t=${temperature}`,
          temperature,
          ...(template && { template }),
        }),
      ),
    );
    const pilot: Arm = { name: PILOT_ARM, temperature: settings.pilotTemperature };
    this.arms = settings.pilot > 0 ? [pilot, ...this.#measured] : this.#measured;
    this.#refuseSmallBudget();
    if (settings.pilot === 0) this.#choose(this.#withoutPilot());
  }

  /** The measured cases, with their groups; null before the pilot is done. */
  get chosen(): ReadonlyMap<string, StabilityGroup | null> | null {
    return this.#chosen;
  }

  /** The most cases that will be measured: an even number if half are to be Flippers and half Stable. */
  get mostCases(): number {
    const { pilot, cases } = this.#settings;
    const asked = cases === null ? Number.POSITIVE_INFINITY : pilot > 0 ? 2 * Math.floor(cases / 2) : cases;
    return Math.min(asked, this.#candidates.length);
  }

  /** Audits of the pilot, and the most that may follow it. */
  get most(): { pilot: number; measured: number } {
    const { pilot, replicates, budget } = this.#settings;
    const measured = this.mostCases * this.#measured.length * replicates;
    return { pilot: pilot * this.#candidates.length, measured: Math.min(budget ?? Number.POSITIVE_INFINITY, measured) };
  }

  replicatesFor(decisionId: string, arm: string): number {
    if (arm === PILOT_ARM) return this.#settings.pilot;
    return this.#cells.get(cellKey(decisionId, arm))?.planned ?? 0;
  }

  observe(audit: Audit): void {
    if (audit.arm === PILOT_ARM) {
      const counts = this.#pilot.get(audit.decision_id) ?? [0, 0, 0];
      if (audit.outcome === "verdict") counts[audit.level! - 1]! += 1;
      this.#pilot.set(audit.decision_id, counts);
      return;
    }
    if (this.#settings.mode === "fixed") return;
    if (this.#chosen === null) this.#early.push(slim(audit));
    else this.#note(audit);
  }

  /** Whether there is more to do, once everything planned so far has been answered. */
  again(): boolean {
    if (this.#chosen === null) {
      this.#choose(this.#byPilot());
      for (const audit of this.#early.splice(0)) this.#note(audit);
      return this.#chosen!.size > 0;
    }
    if (this.#settings.mode === "fixed") return false;
    const cells = [...this.#cells.values()];
    for (const cell of cells) judge(cell);
    const { stop, replicates, budget, order } = this.#settings;
    const left =
      budget === null ? Number.POSITIVE_INFINITY : budget - cells.reduce((sum, cell) => sum + cell.planned, 0);
    const more = allocate(cells, { stop, cap: replicates, left, order });
    for (const [index, planned] of more) cells[index]!.planned = planned;
    return more.size > 0;
  }

  /** Every case must be audited under every condition: otherwise the design would have gaps unrelated to verdicts. */
  #refuseSmallBudget(): void {
    const { budget } = this.#settings;
    const [cases, conditions] = [this.mostCases, this.#measured.length];
    if (budget === null || budget >= cases * conditions) return;
    throw new InputError(
      "budget_too_small",
      `--budget: too small for one audit of each case under each condition; got ${budget}, expected at least ${cases * conditions} (${cases} cases, ${conditions} conditions)`,
      "Raise it (the pilot is not counted in it), or ask for fewer --cases or --temperatures.",
    );
  }

  #byPilot(): { decision_id: string; group: StabilityGroup | null }[] {
    const { cases, rule, seed } = this.#settings;
    const seen = [...this.#pilot].map(([decision_id, counts]) => ({ decision_id, counts }));
    if (cases !== null) return chooseCases(seen, { cases, rule, rng: createRng(seed).fork("cases") });
    return seen.flatMap(({ decision_id, counts }): ChosenCase[] => {
      const group = pilotGroup(counts, rule);
      return group ? [{ decision_id, group }] : [];
    });
  }

  #withoutPilot(): { decision_id: string; group: null }[] {
    const { cases, seed } = this.#settings;
    const all = [...this.#candidates].sort();
    const some = cases === null ? all : shuffle(all, createRng(seed).fork("cases")).slice(0, cases);
    return some.map((decision_id) => ({ decision_id, group: null }));
  }

  #choose(cases: readonly { decision_id: string; group: StabilityGroup | null }[]): void {
    const { mode, replicates, budget, alpha, evidence } = this.#settings;
    this.#chosen = new Map(cases.map(({ decision_id, group }) => [decision_id, group]));
    const cells = cases.length * this.#measured.length;
    const share = budget === null || cells === 0 ? replicates : Math.floor(budget / cells);
    const first = Math.min(replicates, share, mode === "fixed" ? replicates : FIRST_BATCH);
    const sequential = mode === "sequential";
    for (const { decision_id } of cases) {
      for (const arm of this.#measured) {
        this.#cells.set(cellKey(decision_id, arm.name), {
          sequence: new LevelSequence(alpha),
          planned: first,
          levels: new Uint8Array(sequential ? replicates : 0).fill(NOT_SEEN),
          laws: sequential && evidence === "probabilities" ? new Float64Array(3 * replicates).fill(Number.NaN) : null,
        });
      }
    }
  }

  #note(audit: Audit): void {
    const cell = this.#cells.get(cellKey(audit.decision_id, audit.arm));
    if (!cell || audit.replicate >= cell.levels.length) return;
    cell.levels[audit.replicate] = audit.outcome === "verdict" ? audit.level! : 0;
    if (cell.laws && audit.level_probs && audit.signal === "logprobs" && isKnown(audit)) {
      const law = samplingLaw(...audit.level_probs, audit.temperature);
      if (law) cell.laws.set(law, 3 * audit.replicate);
    }
  }
}

/** Advances a cell's sequence to what is planned, in the order of replicates. */
function judge({ sequence, planned, levels, laws }: Cell): void {
  // A replicate without a verdict counts as requested, but is no evidence.
  let said = 0;
  for (let replicate = 0; replicate < planned; replicate++) {
    const level = levels[replicate]!;
    if (level === 0 || level === NOT_SEEN) continue;
    said += 1;
    if (said <= sequence.replicates) continue;
    const p1 = laws?.[3 * replicate] ?? Number.NaN;
    if (Number.isNaN(p1)) sequence.addLevel(level);
    else sequence.add(p1, laws![3 * replicate + 1]!, laws![3 * replicate + 2]!);
  }
}

function isKnown({ logprob_space, temperature }: Audit): boolean {
  return logprob_space === "raw" || logprob_space === "tempered" || temperature === 1;
}

/** The fields needed from an audit that has to wait. */
function slim(audit: Audit): Audit {
  const { decision_id, arm, replicate, outcome, level, level_probs, signal, logprob_space, temperature } = audit;
  return { decision_id, arm, replicate, outcome, level, level_probs, signal, logprob_space, temperature } as Audit;
}

function cellKey(decisionId: string, arm: string): string {
  return `${decisionId}\u0000${arm}`;
}

import { Refusal } from "../../../app/notices.js";
import { CheckFailedError, InputError } from "../../../core/errors.js";
import type { Figure } from "../../../core/figure.js";
import type { Experiment } from "../../../core/results/experiment.js";
import type { Simulation } from "../../../core/results/simulation.js";
import { collectGarbage } from "../../../io/machine.js";
import type { Context } from "../../../store/context.js";
import { readSimulation } from "../../../store/files/simulated-world.js";
import { type ExperimentRefusal, type Kept, keepResult, refusal, refusalWords } from "../../audits.js";
import { loadSteps, stepNames } from "../../registry.js";
import { plannedDecisions, simulationOf, type WorldWishes } from "../../simulate/make-world.js";
import { buildReplicate, takeOver } from "../build-replicate.js";
import type { ReferenceStudy } from "../compare.js";
import { COHORT_ROLES, type CohortNames, type CohortRole } from "../datasets.js";
import {
  type PlannedStep,
  type Replicate,
  type ReplicatePlan,
  type ReplicateStep,
  replicateSchema,
  type StepRecord,
} from "../result.js";
import { type RunName, replicateSizes, type SizeWishes } from "./requests.js";
import {
  type NotDone,
  ReplicateRuns,
  type RunsRequest,
  type Step,
  type StepContext,
  type StepEvent,
  Stopped,
} from "./step.js";

export interface ReplicateRequest extends Omit<RunsRequest, "cohorts" | "sizes" | "sweep"> {
  /** Cohorts that replace the paper's. Default: the existing ones of the paper's names. */
  cohorts: Partial<CohortNames>;
  sizes: SizeWishes;
  /** The steps to run. */
  steps: readonly ReplicateStep[];
  /** The study to compare with; null: none. Default: the paper. */
  reference?: ReferenceStudy | null;
  tell: (event: StepEvent) => void;
}

/** The outcome. `spent`: the money limit kept steps from being run; `figures`: those of the steps, each once. */
export type Replicated = { stopped: ReplicateStep } | (Kept<Replicate> & { figures: Figure[]; spent: boolean });

export async function planReplicate(request: ReplicateRequest): Promise<ReplicatePlan> {
  const context = await prepare(request);
  return planSteps(context, await stepsOf(request));
}

/** Runs all experiments in order, and compares their numbers with those of the reference. */
export async function runReplicate(request: ReplicateRequest): Promise<Replicated> {
  const context = await prepare(request);
  const steps = await stepsOf(request);
  const done = await runSteps(context, steps);
  if ("stopped" in done) return done;
  const { runs, results, simulation, seed, warnings, expert, raters } = context;
  const found = buildReplicate({
    auditor: request.auditor,
    simulation: simulation && {
      preset: simulation.preset,
      seed: simulation.seed,
      decisions: plannedDecisions(simulation),
    },
    seed,
    cohorts: runs.cohorts,
    steps: done.records,
    results,
    expert,
    raters,
    warnings,
    reference: request.reference,
    numbers: (await loadSteps()).flatMap(({ numbers = [] }) => numbers),
  });
  const kept = await keepResult(request.context, takeOver(found, await earlierIn(request.context)));
  return { ...kept, figures: figuresOf(results), spent: done.spent };
}

async function stepsOf({ steps }: ReplicateRequest): Promise<Step[]> {
  return (await loadSteps()).filter(({ name }) => steps.includes(name));
}

async function prepare({ steps, tell, ...request }: ReplicateRequest): Promise<StepContext> {
  const { context, seed } = request;
  const simulation = readSimulation(context.workspace.root);
  const runs = new ReplicateRuns({
    ...request,
    cohorts: await chooseCohorts(context, request.cohorts),
    sizes: replicateSizes(request.sizes, simulation?.preset === "paper"),
    sweep: steps.includes("signal"),
  });
  return { runs, results: {}, seed, simulation, warnings: [], expert: null, raters: null, tell };
}

/** The cohort in each of the paper's roles: the one that the user named, else the one of the paper's name, else null, which means all decisions. */
async function chooseCohorts({ cohorts }: Context, named: Partial<CohortNames>): Promise<CohortNames> {
  const there = (await cohorts.list()).map(({ name }) => name);
  const chosen = Object.entries(COHORT_ROLES).map(([role, usual]) => {
    const asked = named[role as CohortRole] ?? undefined;
    if (asked !== undefined && !there.includes(asked)) {
      throw refusal({ code: "unknown_cohort", role, asked, there });
    }
    return [role, asked ?? (there.includes(usual) ? usual : null)];
  });
  return Object.fromEntries(chosen) as CohortNames;
}

/** The kept result; null: no result that this version can read. */
async function earlierIn({ experiments }: Context): Promise<Replicate | null> {
  const kept = replicateSchema.safeParse(await experiments.read("replicate"));
  return kept.success ? kept.data : null;
}

async function runSteps(
  context: StepContext,
  steps: readonly Step[],
): Promise<{ stopped: ReplicateStep } | { records: StepRecord[]; spent: boolean }> {
  const records = new Map<ReplicateStep, StepRecord>();
  let spent: CheckFailedError | null = null;
  for (const [i, step] of steps.entries()) {
    const { name, title } = step;
    if (spent) {
      records.set(name, record(name, "not_done", whyOf(spent)));
      continue;
    }
    const refused = (await step.refuses?.(context)) ?? null;
    if (refused) {
      context.tell({ event: "refused", title, number: i + 1, of: steps.length, reason: refused.reason });
      records.set(name, record(name, "not_done", refused));
      continue;
    }
    context.tell({ event: "begun", title, number: i + 1, of: steps.length });
    try {
      if (context.runs.request.stop.aborted) throw new Stopped();
      // Garbage of one step must not add to what the next needs.
      collectGarbage();
      const found = await step.run(context);
      const experiment = experimentIn(found);
      if (experiment) await context.runs.context.experiments.keep(experiment);
      (context.results as Record<string, unknown>)[name] = found;
      records.set(name, withRuns(record(name, "done"), context));
    } catch (thrown) {
      const cause = worded(thrown);
      if (cause instanceof Stopped) return { stopped: name };
      if (cause instanceof CheckFailedError) spent = cause;
      else if (!(cause instanceof InputError)) throw cause;
      context.tell({ event: "failed", step: name, reason: cause.message });
      records.set(name, withRuns(record(name, "not_done", whyOf(cause)), context));
    }
  }
  const all = stepNames().map((name) => records.get(name) ?? record(name, "left_out"));
  return { records: all, spent: spent !== null };
}

function worded(thrown: unknown): unknown {
  return thrown instanceof Refusal ? refusalWords(thrown.why as ExperimentRefusal) : thrown;
}

function whyOf({ message, remedy }: CheckFailedError | InputError): NotDone {
  return { reason: message, command: remedy ?? null };
}

function record(step: ReplicateStep, status: StepRecord["status"], why: NotDone | null = null): StepRecord {
  const left = status === "left_out" ? { reason: "the step was left out", command: null } : null;
  return { step, status, reason: null, command: null, ...left, ...why, runs: [], audits: 0, cost_usd: 0 };
}

function withRuns(one: StepRecord, { runs }: StepContext): StepRecord {
  const made = runs.takeMade();
  return {
    ...one,
    runs: made.map(({ run_id }) => run_id),
    audits: made.reduce((sum, { counts }) => sum + counts.verdicts + counts.unscored + counts.errors, 0),
    cost_usd: made.reduce((sum, { usage }) => sum + (usage?.cost_usd ?? 0), 0),
  };
}

/** The figures of the steps, each once. Those of the gate are in the result itself. */
function figuresOf({ gate: _, ...results }: StepContext["results"]): Figure[] {
  const seen = new Set<string>();
  return Object.entries(results).flatMap(([step, found]) =>
    (experimentIn(found as object)?.figures ?? []).map((figure) => {
      const id = seen.has(figure.id) ? `${step}-${figure.id}` : figure.id;
      seen.add(id);
      return { ...figure, id };
    }),
  );
}

/** The experiment's result among a step's results; null: the step made a table. */
function experimentIn(found: { experiment?: unknown }): Experiment | null {
  if (typeof found.experiment === "object") return found.experiment as Experiment;
  return found.experiment === undefined ? null : (found as Experiment);
}

/** Sizes of the paper's cohorts in a quick world. */
const QUICK_SIZES = [
  "cohorts.random.communities=20",
  "cohorts.random.decisions=500",
  "cohorts.balanced.communities=20",
  "cohorts.balanced.decisions=400",
  "cohorts.underspecification.decisions=300",
  'cohorts.fleet.large={"communities":12,"min":25}',
  "cohorts.fleet.communities=40",
  "cohorts.fleet.decisions=900",
  "cohorts.expert.decisions=100",
  "draws.sg-bench.size=300",
  "draws.monte-carlo.size=60",
];

/** The world of a replication that does not use existing decisions. */
export function replicateWorld(
  { preset, seed }: Pick<WorldWishes, "preset" | "seed">,
  { quick }: { quick: boolean },
): Simulation {
  return simulationOf({ preset, seed, set: quick && preset === "paper" ? QUICK_SIZES : [] });
}

/** The audits that each step would make. For stability and attacks, the cost is estimated from the mean price of an audit. */
async function planSteps(context: StepContext, steps: readonly Step[]): Promise<ReplicatePlan> {
  const planned: PlannedStep[] = [];
  const seen = new Set<RunName>();
  const { sample, limit = Number.POSITIVE_INFINITY } = context.runs.request.selection;
  const chosen = Math.min(sample?.size ?? Number.POSITIVE_INFINITY, limit);
  const failures: InputError[] = [];
  const sum = { audits: 0, cost: 0 as number | null };
  const add = (audits: number, cost: number | null) => {
    sum.audits += audits;
    sum.cost = cost === null || sum.cost === null ? null : sum.cost + cost;
  };
  for (const step of steps) {
    const refused = (await step.refuses?.(context)) ?? null;
    if (refused) {
      planned.push({ step: step.name, audits: 0, cost_usd: 0, reason: refused.reason });
      continue;
    }
    const one: PlannedStep = { step: step.name, audits: 0, cost_usd: 0, reason: null };
    try {
      for (const name of step.needs(context)) {
        const { key, audits, cost_usd } = await context.runs.plan(name);
        if (seen.has(key)) continue;
        seen.add(key);
        one.audits += audits;
        one.cost_usd = one.cost_usd === null || cost_usd === null ? null : one.cost_usd + cost_usd;
      }
    } catch (thrown) {
      const cause = worded(thrown);
      if (!(cause instanceof InputError)) throw cause;
      failures.push(cause);
      add(one.audits, one.cost_usd);
      planned.push({ ...one, reason: cause.message });
      continue;
    }
    const more = (await step.more?.(context, { audits: one.audits, chosen })) ?? 0;
    const mean = sum.audits + one.audits > 0 ? meanCost(sum, one) : 0;
    one.audits += more;
    one.cost_usd = one.cost_usd === null || mean === null ? null : one.cost_usd + more * mean;
    add(one.audits, one.cost_usd);
    planned.push(one);
  }
  if (failures.length > 0 && planned.every(({ reason }) => reason !== null)) throw failures[0]!;
  return { steps: planned, audits: sum.audits, cost_usd: sum.cost };
}

function meanCost(sum: { audits: number; cost: number | null }, one: PlannedStep): number | null {
  if (sum.cost === null || one.cost_usd === null) return null;
  return (sum.cost + one.cost_usd) / (sum.audits + one.audits);
}

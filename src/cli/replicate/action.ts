import { CheckFailedError, InputError } from "../../core/errors.js";
import type { Figure } from "../../core/figure.js";
import {
  REPLICATE_STEPS,
  type Replicate,
  type ReplicateStep,
  replicateSchema,
  type StepRecord,
} from "../../core/results/replicate.js";
import { buildReplicate, takeOver } from "../../experiments/replicate/build-replicate.js";
import { replicateDocument } from "../../experiments/replicate/document/replicate-document.js";
import { collectGarbage, keepHeapSmall } from "../../io/limits.js";
import { readExperiment, writeExperiment } from "../../store/files/experiment-store.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import type { ReplicateFlags } from "../commands/replicate.js";
import { EXIT } from "../exit-code.js";
import { writeFigureData } from "../figure-data.js";
import { workspaceOf } from "../options.js";
import { printDocument, printJson, say } from "../output.js";
import { printPage } from "../page.js";
import { chooseCohorts, type Step, type StepContext } from "./context.js";
import { planDocument, planReplicate } from "./plan.js";
import type { ReplicateSizes } from "./requests.js";
import { ReplicateRuns, Stopped } from "./runs.js";
import { STEPS } from "./steps.js";
import { settingsIn, simulatedWorld } from "./world.js";

/** `defensible replicate`. */
export async function replicate(flags: ReplicateFlags): Promise<void> {
  refuse(flags);
  keepHeapSmall();
  const context = await prepare(flags);
  const steps = STEPS.filter(({ name }) => isWanted(name, flags));
  if (flags.dryRun) {
    const plan = await planReplicate(context, steps);
    if (!printJson(plan, flags)) printDocument(planDocument(plan, context.runs.auditor));
    return;
  }
  const release = watchInterrupts(context.runs);
  const records = await runSteps(context, steps).finally(release);
  if (!records) return;
  const { runs, results, simulation, seed, warnings, expert, raters } = context;
  const found = buildReplicate({
    auditor: runs.auditor,
    simulation: simulation && {
      preset: simulation.preset,
      seed: simulation.seed,
      decisions: simulation.world.cohorts.reduce((sum, { decisions }) => sum + decisions, 0),
    },
    seed,
    cohorts: runs.cohorts,
    steps: records,
    results,
    expert,
    raters,
    warnings,
  });
  const result = takeOver(found, await earlierIn(runs.workspace));
  if (records.every(({ status }) => status !== "done")) process.exitCode ??= EXIT.user;
  say(`Kept as ${printable(writeExperiment(runs.workspace, result))}`);
  writeFigureData([...result.figures, ...figuresOf(context)], flags);
  printPage(() => replicateDocument(result), flags, printJson(result, flags));
}

/** The kept result; null: there is none that this version can read. */
async function earlierIn(workspace: Workspace): Promise<Replicate | null> {
  const kept = replicateSchema.safeParse(await readExperiment(workspace, "replicate"));
  return kept.success ? kept.data : null;
}

function refuse(flags: ReplicateFlags): void {
  if (flags.cohort !== undefined) {
    throw new InputError(
      "several_cohorts",
      "--cohort: every step has a cohort of its own",
      "Name them with --cohort-random, --cohort-balanced and so on, or choose decisions with --filter or --sample.",
    );
  }
  if (flags.only && flags.skip) {
    throw new InputError("only_and_skip", "--only and --skip: got both, expected one", "Leave out one of the two.");
  }
}

async function prepare(flags: ReplicateFlags): Promise<StepContext> {
  const made = flags.preset !== undefined || flags.out !== undefined;
  const workspace = made ? simulatedWorld(flags) : await workspaceOf(flags);
  const simulation = settingsIn(workspace.root);
  const cohorts = chooseCohorts(workspace, flags);
  const sizes = sizesOf(flags, simulation?.preset === "paper");
  const runs = new ReplicateRuns(workspace, flags, cohorts, sizes, isWanted("signal", flags));
  const seed = flags.seed ?? workspace.config.seed;
  return { runs, results: {}, seed, simulation, warnings: [], expert: null, raters: null };
}

function sizesOf(flags: ReplicateFlags, paper: boolean): ReplicateSizes {
  const { quick } = flags;
  return {
    replicates: flags.replicates ?? (quick ? 40 : paper ? 1000 : 40),
    cases: flags.cases ?? (quick ? 16 : 100),
    pilot: quick ? 5 : 10,
    draws: flags.draws ?? (quick ? 200 : 1000),
    worlds: flags.worlds ?? (quick ? 0 : 40),
    paired: quick ? 100 : 2000,
    spread: quick ? { decisions: 100, replicates: 4 } : { decisions: 400, replicates: 10 },
  };
}

function isWanted(step: ReplicateStep, { only, skip }: ReplicateFlags): boolean {
  return only ? only.includes(step) : !skip?.includes(step);
}

/** Ctrl-C while nothing is being audited: what is in hand is finished, and nothing more begun. */
function watchInterrupts(runs: ReplicateRuns): () => void {
  const onSignal = () => {
    if (runs.stopped) process.exit(EXIT.interrupted);
    runs.stopped = true;
    if (!runs.auditing) say("\nStopping after what is being computed. Press Ctrl-C again to leave at once.");
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return () => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  };
}

/** One step after the other; null: stopped, and it has been said. */
async function runSteps(context: StepContext, steps: readonly Step[]): Promise<StepRecord[] | null> {
  const records = new Map<ReplicateStep, StepRecord>();
  let spent: CheckFailedError | null = null;
  for (const [i, step] of steps.entries()) {
    if (spent) {
      records.set(step.name, record(step.name, "not_done", { reason: spent.message, command: spent.remedy ?? null }));
      continue;
    }
    const refused = (await step.refuses?.(context)) ?? null;
    if (refused) {
      say(`[${i + 1}/${steps.length}] ${step.title}: not done, ${refused.reason}`);
      records.set(step.name, record(step.name, "not_done", refused));
      continue;
    }
    say(`[${i + 1}/${steps.length}] ${step.title}`);
    try {
      if (context.runs.stopped) throw new Stopped();
      // What one step leaves behind must not add to what the next needs.
      collectGarbage();
      await step.run(context);
      records.set(step.name, withRuns(record(step.name, "done"), context));
    } catch (cause) {
      if (cause instanceof Stopped) {
        say(`Stopped in step ${step.name}. What is done is kept; repeat the command to continue.`);
        process.exitCode = EXIT.interrupted;
        return null;
      }
      if (cause instanceof CheckFailedError) {
        spent = cause;
        process.exitCode = EXIT.checkFailed;
      } else if (!(cause instanceof InputError)) throw cause;
      say(`${step.name}: not done, ${printable(cause.message, 500)}`);
      const why = { reason: cause.message, command: cause.remedy ?? null };
      records.set(step.name, withRuns(record(step.name, "not_done", why), context));
    }
  }
  return REPLICATE_STEPS.map((name) => records.get(name) ?? record(name, "left_out"));
}

function record(
  step: ReplicateStep,
  status: StepRecord["status"],
  why: { reason: string; command: string | null } | null = null,
): StepRecord {
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

/** The figures of the steps, each once. */
function figuresOf({ results }: StepContext): Figure[] {
  const { gap, signal, tiers, scopes, stability, attack, dual, humans, validate, circularity } = results;
  const all = {
    gap: gap?.experiment,
    signal: signal?.experiment,
    tiers,
    scopes,
    stability,
    attack,
    dual,
    humans,
    validate,
    circularity,
  };
  const seen = new Set<string>();
  return Object.entries(all).flatMap(([step, result]) =>
    (result?.figures ?? []).map((figure) => {
      const id = seen.has(figure.id) ? `${step}-${figure.id}` : figure.id;
      seen.add(id);
      return { ...figure, id };
    }),
  );
}

import { resolve } from "node:path";
import { worded } from "../../app/refusal.js";
import { InputError } from "../../core/errors.js";
import { refusalWords } from "../../experiments/refusals.js";
import { stepNames } from "../../experiments/registry.js";
import { ensureWorld, plannedDecisions } from "../../experiments/simulate/make-world.js";
import { COHORT_ROLES, type CohortNames } from "../../experiments/study/datasets.js";
import { replicateDocument, replicatePlanDocument } from "../../experiments/study/document/study-document.js";
import {
  planReplicate,
  type ReplicateRequest,
  replicateWorld,
  runReplicate,
} from "../../experiments/study/run/run-replicate.js";
import type { StepEvent } from "../../experiments/study/run/step.js";
import { keepHeapSmall } from "../../io/limits.js";
import { whole } from "../../present/words/numbers.js";
import type { FileContext } from "../../store/files/stores.js";
import { printable } from "../../text/printable.js";
import { selectionFrom } from "../audit/options.js";
import type { CohortFlag, StudyFlags } from "../commands/research/study.js";
import { EXIT } from "../exit-code.js";
import { Interrupts } from "../interrupt.js";
import { contextOf } from "../options.js";
import { printDocument, printJson, say } from "../output.js";
import { printPage, writeFigureData } from "../page.js";
import { worldsProgress } from "../progress.js";
import { auditsBy, plansBy } from "./audits.js";
import { referenceOf } from "./reference.js";

/** `defensible study`. */
export async function study(flags: StudyFlags): Promise<void> {
  refuse(flags);
  // Read before anything is audited.
  const reference = referenceOf(flags.reference);
  keepHeapSmall();
  const made = flags.preset !== undefined || flags.out !== undefined;
  const context = await contextOf(made ? { workspace: await simulatedWorld(flags) } : flags);
  const interrupts = new Interrupts();
  const request = { ...requestOf(context, flags, interrupts), reference };
  if (flags.dryRun) {
    const plan = await worded(refusalWords, () => planReplicate(request));
    if (!printJson(plan, flags)) printDocument(replicatePlanDocument(plan, request.auditor));
    return;
  }
  const done = await worded(refusalWords, () => interrupts.during(() => runReplicate(request)));
  if ("stopped" in done) {
    say(`Stopped in step ${done.stopped}. What is done is kept; repeat the command to continue.`);
    process.exitCode = EXIT.interrupted;
    return;
  }
  const { result, kept, figures } = done;
  if (done.spent) process.exitCode = EXIT.checkFailed;
  if (result.steps.every(({ status }) => status !== "done")) process.exitCode ??= EXIT.user;
  say(`Kept as ${printable(kept!)}`);
  writeFigureData([...result.figures, ...figures], flags);
  printPage(() => replicateDocument(result), flags, printJson(result, flags));
}

function refuse(flags: StudyFlags): void {
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

/** The simulated world of `--out`: made, or used where it is there with the same settings. Returns its folder. */
async function simulatedWorld({
  out,
  preset = "paper",
  seed = 1,
  quick = false,
  force = false,
  workspace,
}: StudyFlags): Promise<string> {
  if (out === undefined) {
    throw new InputError("no_out", "--preset: needs a folder for the world", "Name a new one with --out.");
  }
  if (workspace !== undefined) {
    throw new InputError(
      "two_workspaces",
      "--workspace: cannot be used with --out, which is the workspace",
      "Leave out one of the two.",
    );
  }
  const root = resolve(out);
  const simulation = replicateWorld({ preset, seed }, { quick });
  const tell = (isNew: boolean) => {
    if (isNew) say(`Making a world of ${whole(plannedDecisions(simulation))} decisions in ${printable(root)}.`);
    else say(`The world in ${printable(root)} has these settings: it is used as it is.`);
  };
  await worded(refusalWords, () => ensureWorld(root, simulation, { force, tell }));
  return root;
}

function requestOf(context: FileContext, flags: StudyFlags, interrupts: Interrupts): ReplicateRequest {
  const { only, skip, quick = false, replicates, cases, draws, worlds } = flags;
  const seed = flags.seed ?? context.config.seed;
  const make = auditsBy(context, flags);
  return {
    context,
    auditor: flags.auditor ?? context.config.auditor,
    seed,
    cohorts: cohortsOf(flags),
    sizes: { quick, replicates, cases, draws, worlds },
    steps: stepNames().filter((step) => (only ? only.includes(step) : !skip?.includes(step))),
    selection: selectionFrom(flags, seed),
    maxCost: flags.maxCost,
    make: (wanted) => interrupts.auditing(() => make(wanted)),
    plan: plansBy(context, flags),
    stop: interrupts.signal,
    tell: teller(),
  };
}

function cohortsOf(flags: StudyFlags): Partial<CohortNames> {
  const flag = (role: string) => `cohort${role[0]!.toUpperCase()}${role.slice(1)}` as CohortFlag;
  return Object.fromEntries(Object.keys(COHORT_ROLES).map((role) => [role, flags[flag(role)]]));
}

function teller(): (event: StepEvent) => void {
  let worlds: ((done: number) => void) | null = null;
  return (progress) => {
    switch (progress.event) {
      case "begun":
        return say(`[${progress.number}/${progress.of}] ${progress.title}`);
      case "refused":
        return say(`[${progress.number}/${progress.of}] ${progress.title}: not done, ${progress.reason}`);
      case "failed":
        return say(`${progress.step}: not done, ${printable(progress.reason, 500)}`);
      case "planned":
        say(`${progress.words}.`);
        for (const note of progress.notes) say(`Note: ${note}.`);
        return;
      case "worlds":
        worlds ??= worldsProgress(progress.of);
        return worlds(progress.done);
    }
  };
}

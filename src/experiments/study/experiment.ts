import { basename, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { keepHeapSmall } from "../../io/machine.js";
import { whole } from "../../present/words/numbers.js";
import type { FileContext } from "../../store/files/stores.js";
import { printable } from "../../text/printable.js";
import { stepNames } from "../registry.js";
import { ensureWorld, plannedDecisions } from "../simulate/make-world.js";
import type { OwnCommand, Tools } from "../slice.js";
import { PAPER, type ReferenceStudy, readReference } from "./compare.js";
import { COHORT_ROLES, type CohortNames, type CohortRole } from "./datasets.js";
import { replicateDocument, replicatePlanDocument } from "./document.js";
import type { Replicate } from "./result.js";
import {
  planReplicate,
  type Replicated,
  type ReplicateRequest,
  replicateWorld,
  runReplicate,
} from "./run/run-replicate.js";
import type { StepEvent } from "./run/step.js";

type CohortFlag = `cohort${Capitalize<CohortRole>}`;

interface Options extends Partial<Record<CohortFlag, string>> {
  workspace?: string;
  auditor?: string;
  cohort?: string;
  seed?: number;
  maxCost?: number;
  dryRun?: boolean;
  reference?: string;
  preset?: "small" | "fleet" | "paper";
  out?: string;
  force?: boolean;
  quick?: boolean;
  only?: string[];
  skip?: string[];
  replicates?: number;
  cases?: number;
  worlds?: number;
  draws?: number;
}

type Done = Exclude<Replicated, { stopped: unknown }>;

/** `study`; under its older name `replicate` the reference is the paper. */
export const study: OwnCommand<Replicate, Options, Done> = {
  takes: ["result", "audits"],
  options: {
    "--reference <study>": [
      "compare every number with this study: its JSON file, or `paper` for the numbers that the paper prints",
    ],
    "--preset <name>": [
      "make a simulated world first, in --out, or use the one that is there",
      { choices: ["paper", "fleet", "small"] },
    ],
    "--out <dir>": ["folder of the simulated world (with --preset; alone: preset paper)"],
    "--force": ["with --preset: replace a simulated world of other settings, with its runs"],
    "--quick": ["little of everything, in seconds: to see how it reads, not for its numbers"],
    "--only <steps>": [`only these steps: ${stepNames().join(",")}`, stepList],
    "--skip <steps>": ["leave out these steps", stepList],
    "--replicates <k>": [
      "stability: audits of a case at a temperature (default 40; with --preset paper 1,000, as in the paper)",
      { whole: [2, 100_000] },
    ],
    "--cases <n>": ["stability: cases, half Flippers and half Stable (default 100)", { whole: [2, 100_000] }],
    "--worlds <n>": ["validate: simulated worlds (default 40)", { whole: [0, 100_000] }],
    "--draws <n>": ["draws of each bootstrap (default 1,000)", { whole: [100, 1_000_000] }],
    ...Object.fromEntries(
      Object.entries(COHORT_ROLES).map(([role, name]) => [
        `--cohort-${role} <name>`,
        [`cohort in the place of the paper's (default: ${name}, if it is there)`] as const,
      ]),
    ),
  },
  examples: [
    "defensible study --dry-run",
    "defensible study --auditor openai:gpt-4.1-mini --sample 500 --max-cost 20 --json=mini.json",
    "defensible study --auditor vertex:gemini-2.5-flash --sample 500 --reference mini.json --md=study.md",
    "defensible study --only tiers,stability --reference paper",
    "defensible study --preset paper --out paper-world --reference paper --figure-data figures",
  ],
  more: `
Every step is a run that is continued when the command is repeated, and used again when it is complete. --sample, --limit, --communities and --filter
choose decisions within each cohort; without cohorts of the paper's names all decisions are used for each. docs/study.md explains every step.`,
  async run(tools, options) {
    refuse(options);
    // Read before anything is audited.
    const reference = referenceOf(options.reference, tools);
    keepHeapSmall();
    const made = options.preset !== undefined || options.out !== undefined;
    const context = await tools.workspace(made ? { workspace: simulatedWorld(options, tools) } : undefined);
    const { request, during } = requestOf(context, options, tools);
    if (options.dryRun) {
      const plan = await planReplicate({ ...request, reference });
      tools.page(() => replicatePlanDocument(plan, request.auditor), tools.json(plan));
      return null;
    }
    const done = await during(() => runReplicate({ ...request, reference }));
    if ("stopped" in done) {
      tools.say(`Stopped in step ${done.stopped}. What is done is kept; repeat the command to continue.`);
      tools.end("interrupted");
      return null;
    }
    if (done.spent) tools.end("checkFailed");
    if (done.result.steps.every(({ status }) => status !== "done")) tools.end("user");
    return done;
  },
  document: replicateDocument,
};

function stepList(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  const known = stepNames();
  if (names.some((name) => !known.includes(name))) throw new RangeError(`expected some of ${known.join(",")}.`);
  return known.filter((step) => names.includes(step));
}

/** The study that `--reference` names; null: none. */
function referenceOf(asked: string | undefined, { files }: Tools): ReferenceStudy | null {
  if (asked === undefined) return null;
  if (asked === "paper") return PAPER;
  let json: unknown;
  try {
    json = JSON.parse(files.read(asked));
  } catch (cause) {
    throw new InputError(
      "bad_reference",
      `--reference: ${printable(asked, 200)} cannot be read as JSON; ${(cause as Error).message}`,
      "Write a study with `defensible study --json=FILE`, or name `paper`.",
    );
  }
  return readReference(basename(asked), json);
}

function refuse(options: Options): void {
  if (options.cohort !== undefined) {
    throw new InputError(
      "several_cohorts",
      "--cohort: every step has a cohort of its own",
      "Name them with --cohort-random, --cohort-balanced and so on, or choose decisions with --filter or --sample.",
    );
  }
  if (options.only && options.skip) {
    throw new InputError("only_and_skip", "--only and --skip: got both, expected one", "Leave out one of the two.");
  }
}

/** The simulated world of `--out`: made, or reused if it exists with the same settings. Returns its folder. */
function simulatedWorld(options: Options, { say }: Tools): string {
  const { out, preset = "paper", seed = 1, quick = false, force = false, workspace } = options;
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
  ensureWorld(root, simulation, { force, tell });
  return root;
}

function requestOf(context: FileContext, options: Options, tools: Tools) {
  const { only, skip, quick = false, replicates, cases, draws, worlds } = options;
  const seed = options.seed ?? context.config.seed;
  const make = tools.make(context);
  const interrupts = tools.interrupts();
  const request: Omit<ReplicateRequest, "reference"> = {
    context,
    auditor: options.auditor ?? context.config.auditor,
    seed,
    cohorts: cohortsOf(options),
    sizes: { quick, replicates, cases, draws, worlds },
    steps: stepNames().filter((step) => (only ? only.includes(step) : !skip?.includes(step))),
    selection: tools.selection(seed),
    maxCost: options.maxCost,
    make: (wanted) => interrupts.auditing(() => make(wanted)),
    plan: tools.plan(context),
    stop: interrupts.signal,
    tell: teller(tools),
  };
  return { request, during: <T>(work: () => Promise<T>) => interrupts.during(work) };
}

function cohortsOf(options: Options): Partial<CohortNames> {
  const flag = (role: string) => `cohort${role[0]!.toUpperCase()}${role.slice(1)}` as CohortFlag;
  return Object.fromEntries(Object.keys(COHORT_ROLES).map((role) => [role, options[flag(role)]]));
}

function teller({ say, worlds: progressOf }: Tools): (event: StepEvent) => void {
  let worlds: ((done: number) => void) | null = null;
  return (progress) => {
    switch (progress.event) {
      case "begun":
        return say(`[${progress.number}/${progress.of}] ${progress.title}`);
      case "refused":
        return say(`[${progress.number}/${progress.of}] ${progress.title}: not done, ${progress.reason}`);
      case "failed":
        return say(`Not done: ${printable(progress.reason, 500)}`);
      case "planned":
        say(`${progress.words}.`);
        for (const note of progress.notes) say(`Note: ${note}.`);
        return;
      case "worlds":
        worlds ??= progressOf(progress.of);
        return worlds(progress.done);
    }
  };
}

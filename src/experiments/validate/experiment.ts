import { join } from "node:path";
import { openAuditTable } from "../../analysis/audit-table.js";
import { TRUTH_COLUMNS } from "../../analysis/labels/true-verdicts.js";
import { readSettings, readTruthTable } from "../../auditors/simulated/truth-table.js";
import { InputError } from "../../core/errors.js";
import type { Figure } from "../../core/figure.js";
import { TRUTH_FILE } from "../../core/names.js";
import type { Simulation } from "../../core/results/simulation.js";
import { boundsRow } from "../../present/words/numbers.js";
import { namedRun, newestRun, refuseArmsOnly } from "../../store/choose-run.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { readSimulation } from "../../store/files/simulated-world.js";
import { type FileContext, fileContext } from "../../store/files/stores.js";
import { findWorkspace, openWorkspace } from "../../store/files/workspace.js";
import { refusal } from "../audits.js";
import { simulationOf, type WorldWishes } from "../simulate/make-world.js";
import type { OwnCommand, Tools } from "../slice.js";
import type { Step } from "../study/run/step.js";
import { validateDocument } from "./document.js";
import type { Validate } from "./result.js";
import { compareWithTruth } from "./run-truth.js";
import { simulateWorlds } from "./simulate-worlds.js";

type Options = Omit<ValidateRequest, "progress"> & { workspace?: string };

/** Default sizes, also used in a study. */
const SIZES = { communities: 40, decisions: 2400, labels: 200 };

export const validate: OwnCommand<Validate, Options> = {
  takes: ["result"],
  options: {
    "--preset <name>": [
      "worlds of this kind (default: the workspace's, else small)",
      { choices: ["small", "fleet", "paper"] },
    ],
    "--run <id>": ["compare this run of the simulated workspace with its truth (default: the newest)"],
    "--worlds <n>": ["simulated worlds; 0: only the run", { whole: [0, 100_000] }, 40],
    "--communities <n>": ["communities of each world", { whole: [2, 100_000] }, SIZES.communities],
    "--decisions <n>": ["decisions of each world", { whole: [10, 10_000_000] }, SIZES.decisions],
    "--labels <n>": ["true labels per world, to correct the auditor by", { whole: [30] }, SIZES.labels],
    "--temperature <t>": ["temperature of the simulated audits", { number: [0, 2] }, 0.2],
    "--noise <share>": ["how much of its misreadings the simulated auditor has", { share: [0, 1] }],
    "--seed <s>": ["seed of the first world; the others follow (default: 1)", { whole: [0] }],
  },
  examples: [
    "defensible validate --worlds 100",
    "defensible simulate world && cd world && defensible audit && defensible validate --worlds 0",
  ],
  async run(tools, options) {
    const context = simulatedWorkspace(tools, options);
    const result = await runValidate(context, { ...options, progress: tools.worlds(options.worlds) });
    await context?.experiments.keep(result);
    return { result, kept: null };
  },
  document: validateDocument,
};

/** The workspace, if it is a simulated one; null: there is no such workspace and no run was named. */
function simulatedWorkspace({ files, say }: Tools, { workspace: named, run }: Options): FileContext | null {
  let root: string;
  try {
    root = named ?? findWorkspace();
  } catch (cause) {
    if (run !== undefined || !(cause instanceof InputError)) throw cause;
    return null;
  }
  if (files.has(join(root, TRUTH_FILE))) return fileContext(openWorkspace(root));
  if (named === undefined && run === undefined) {
    say("This workspace is no simulation, so its runs have no known truth; simulated worlds are used alone.");
    return null;
  }
  throw new InputError(
    "no_truth",
    `workspace: ${root} is no simulation; there is no ${TRUTH_FILE}`,
    "Make a world with `defensible simulate DIR`, and audit it there.",
  );
}

export const validateStep: Step = {
  name: "validate",
  title: "against the truth",
  refuses({ simulation }) {
    if (simulation) return null;
    return {
      reason: "requires a simulated workspace",
      command: "defensible validate, or defensible study --preset paper --out DIR",
    };
  },
  needs: () => ["random"],
  async run(context) {
    const { runs, seed } = context;
    const { manifest } = await runs.get("random");
    return runValidate(runs.context, {
      ...SIZES,
      run: manifest!.run_id,
      worlds: runs.sizes.worlds,
      temperature: manifest!.temperature,
      seed,
      progress: (done) => context.tell({ event: "worlds", done, of: runs.sizes.worlds }),
    });
  },
};

interface ValidateRequest {
  /** Worlds of this kind. Default: that of the simulated workspace, else small. */
  preset?: WorldWishes["preset"];
  /** Run of the simulated workspace. Default: the newest. */
  run?: string;
  /** 0: only the run. */
  worlds: number;
  /** Size of each world. */
  communities: number;
  decisions: number;
  /** Decisions of each world whose truth is known, to correct the auditor by. */
  labels: number;
  temperature: number;
  /** Factor on the simulated auditor's rate of misreadings. */
  noise?: number;
  /** Seed of the first world; the others follow. Default 1. */
  seed?: number;
  /** Receives the number of worlds done. */
  progress?: (done: number) => void;
}

/** A run against its truth, and many worlds. null context: there is no simulated workspace, and so no run. */
async function runValidate(context: FileContext | null, request: ValidateRequest): Promise<Validate> {
  const { seed = 1 } = request;
  const run = context ? await runAgainstTruth(context, request.run, seed) : null;
  if (request.worlds === 0 && (run === null || run.matched === 0)) throw refusal({ code: "nothing_to_validate", run });
  const worlds = request.worlds === 0 ? null : await manyWorlds(context, request, seed);
  const parts = { run, worlds };
  return {
    format: 1,
    experiment: "validate",
    runs: run ? [run.run_id] : [],
    random: { seed, worlds: request.worlds },
    ...parts,
    figures: validateFigures(parts),
    warnings: warnings(parts),
  };
}

async function runAgainstTruth(
  { runs, workspace }: FileContext,
  named: string | undefined,
  seed: number,
): Promise<Validate["run"]> {
  const manifest = named === undefined || named === "newest" ? await newestRun(runs) : await namedRun(runs, named);
  if (!manifest) return null;
  refuseArmsOnly(manifest);
  const truths = await readTruthTable(workspace.paths.truth);
  return withDuckDB(async (db) => {
    const table = await openAuditTable(db, await runs.snapshot(manifest.run_id), {
      actions: manifest.actions,
      also: TRUTH_COLUMNS,
    });
    return compareWithTruth(table, truths, { runId: manifest.run_id, auditor: manifest.auditor, seed });
  });
}

async function manyWorlds(
  context: FileContext | null,
  { preset, worlds, communities, decisions, labels, temperature, noise, progress }: ValidateRequest,
  seed: number,
): Promise<Validate["worlds"]> {
  const simulation = preset || !context ? simulationOf({ preset: preset ?? "small", seed }) : ownSimulation(context);
  const changes = [...(context ? [] : ["preset=default"]), ...(noise === undefined ? [] : [`noise=${noise}`])];
  const { settings } = readSettings(changes.join(","), context?.workspace.root ?? "");
  return simulateWorlds({
    settings: simulation.world,
    auditor: settings,
    worlds,
    communities,
    decisions: Math.max(decisions, communities),
    temperature,
    labels,
    seed,
    progress,
  });
}

function ownSimulation({ workspace: { root, paths } }: FileContext): Simulation {
  const found = readSimulation(root);
  if (found) return found;
  throw refusal({ code: "bad_simulation", file: paths.simulation });
}

function warnings({ run, worlds }: Pick<Validate, "run" | "worlds">): string[] {
  return [
    ...(run && run.without_truth > 0
      ? [`${run.without_truth} verdicts are of decisions without a known truth, and are left out of what is measured`]
      : []),
    ...(run?.tiers?.some((tier) => tier !== "wiki")
      ? [`audits were made under tier ${run.tiers.join(" and ")}: each is held against the truth of its own tier`]
      : []),
    ...(worlds && worlds.count < 20 ? [`only ${worlds.count} worlds: shares of worlds are rough`] : []),
    ...(worlds === null ? ["no worlds were simulated: nothing is said of coverage and of gates' promises"] : []),
  ];
}

/** The pictures of a validation: bias of the auditor against DI, and errors of each quantity. */
function validateFigures({ worlds }: Pick<Validate, "worlds">): Figure[] {
  if (!worlds) return [];
  const biased = worlds.conditions.filter(({ name }) => name !== "faultless");
  const index = ({ estimators }: (typeof biased)[number]) =>
    estimators.find(({ quantity }) => quantity === "defensibility_index")!;
  const last = biased.at(-1);
  const error = last ? index(last).error : null;
  const inflation =
    last && error?.estimate != null
      ? `An auditor that waves through ${Math.round(100 * last.bias)}% of its family's mistakes ${error.estimate < 0 ? "understates" : "overstates"} DI by ${(100 * Math.abs(error.estimate)).toFixed(1)} points`
      : "How bias towards the decider moves DI";
  return [
    {
      id: "same-backbone-bias",
      title: inflation,
      mark: "line",
      x: { field: "bias", label: "share of the decider's mistakes waved through", format: "percent" },
      y: { field: "error", label: "measured DI − true DI", format: "points" },
      references: [{ axis: "y", value: 0, label: "no error" }],
      paper: "§10",
      rows: biased.map((condition) => {
        const { error: of, truth, measured } = index(condition);
        return { bias: condition.bias, error: of.estimate, ...boundsRow(of), truth, measured };
      }),
    },
    {
      id: "estimator-errors",
      title: `Error of each index in ${worlds.count} worlds`,
      mark: "point",
      x: { field: "error", label: "measured − true", format: "points" },
      y: { field: "quantity", label: "index" },
      references: [{ axis: "x", value: 0, label: "no error" }],
      series: "condition",
      rows: worlds.conditions.flatMap((condition) =>
        condition.estimators.map(({ quantity, error: of, rmse }) => ({
          condition: condition.name,
          quantity,
          error: of.estimate,
          ...boundsRow(of),
          rmse,
        })),
      ),
    },
  ];
}

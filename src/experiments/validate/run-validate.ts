import { openAuditTable } from "../../analysis/audit-table.js";
import { TRUTH_COLUMNS } from "../../analysis/labels/true-verdicts.js";
import { readSettings, readTruthTable } from "../../auditors/simulated/truth-table.js";
import type { Figure } from "../../core/figure.js";
import type { Simulation } from "../../core/results/simulation.js";
import { boundsRow } from "../../present/words/numbers.js";
import { namedRun, newestRun, refuseArmsOnly } from "../../store/choose-run.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { readSimulation } from "../../store/files/simulated-world.js";
import type { FileContext } from "../../store/files/stores.js";
import { refusal } from "../refusals.js";
import { simulationOf, type WorldWishes } from "../simulate/make-world.js";
import type { Validate } from "./result.js";
import { compareWithTruth } from "./run-truth.js";
import { simulateWorlds } from "./simulate-worlds.js";

export interface ValidateRequest {
  /** Worlds of this kind. Default: that of the simulated workspace, else small. */
  preset?: WorldWishes["preset"];
  /** Run of the simulated workspace. Default: the newest. */
  run?: string;
  /** 0: only the run. */
  worlds: number;
  /** Of each world. */
  communities: number;
  decisions: number;
  /** Decisions of each world whose truth is given, to correct the auditor by. */
  labels: number;
  temperature: number;
  /** How much of its misreadings the simulated auditor has. */
  noise?: number;
  /** Of the first world; the others follow. Default 1. */
  seed?: number;
  /** Gets the number of worlds done. */
  progress?: (done: number) => void;
}

/** A run against its truth, and many worlds. Null: there is no simulated workspace, and so no run. */
export async function runValidate(context: FileContext | null, request: ValidateRequest): Promise<Validate> {
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

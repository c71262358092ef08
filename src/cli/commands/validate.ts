import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { openAuditTable } from "../../analysis/audit-table.js";
import { TRUTH_COLUMNS } from "../../analysis/true-verdicts.js";
import { readSettings, TRUTH_FILE } from "../../auditors/simulated/read-settings.js";
import { readTruthTable } from "../../auditors/simulated/truth-table.js";
import { InputError } from "../../core/errors.js";
import { type Simulation, simulationSchema } from "../../core/results/simulation.js";
import type { Validate } from "../../core/results/validate.js";
import { simulationOf } from "../../experiments/simulate/settings.js";
import { validateFigures } from "../../experiments/validate/figures.js";
import { compareWithTruth } from "../../experiments/validate/run-truth.js";
import { simulateWorlds } from "../../experiments/validate/simulate-worlds.js";
import { validateDocument } from "../../experiments/validate/validate-document.js";
import { newestRun, refuseArmsOnly } from "../../store/choose-run.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { writeExperiment } from "../../store/files/experiment-store.js";
import { fileStores } from "../../store/files/stores.js";
import { findWorkspace, openWorkspace, type Workspace } from "../../store/files/workspace.js";
import { type FigureOptions, withFigureOption, writeFigureData } from "../figure-data.js";
import { type CommonOptions, examples, integer, number, withCommonOptions } from "../options.js";
import { printJson, say } from "../output.js";
import { type PageOptions, printPage } from "../page.js";

interface ValidateFlags extends CommonOptions, PageOptions, FigureOptions {
  preset?: "small" | "fleet" | "paper";
  run?: string;
  worlds: number;
  communities: number;
  decisions: number;
  labels: number;
  temperature: number;
  noise?: number;
  seed?: number;
}

export function validateCommand(): Command {
  return withFigureOption(withCommonOptions(new Command("validate")))
    .addOption(
      new Option("--preset <name>", "worlds of this kind (default: the workspace's, else small)").choices([
        "small",
        "fleet",
        "paper",
      ]),
    )
    .option("--run <id>", "compare this run of the simulated workspace with its truth (default: the newest)")
    .option("--worlds <n>", "simulated worlds; 0: only the run", integer(0, 100_000), 40)
    .option("--communities <n>", "communities of each world", integer(2, 100_000), 40)
    .option("--decisions <n>", "decisions of each world", integer(10, 10_000_000), 2400)
    .option("--labels <n>", "decisions of each world whose truth is told, to correct the auditor by", integer(30), 200)
    .option("--temperature <t>", "temperature of the simulated audits", number(0, 2), 0.2)
    .option("--noise <share>", "how much of its misreadings the simulated auditor has", number(0, 1))
    .option("--seed <s>", "seed of the first world; the others follow (default: 1)", integer(0))
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp())
    .addHelpText(
      "after",
      examples(
        "defensible validate --worlds 100",
        "defensible simulate world && cd world && defensible audit && defensible validate --worlds 0",
      ),
    )
    .action(validate);
}

async function validate(flags: ValidateFlags): Promise<void> {
  const workspace = simulatedWorkspace(flags);
  const result = await validateOf(workspace, flags);
  if (workspace) writeExperiment(workspace, result);
  writeFigureData(result.figures, flags);
  printPage(() => validateDocument(result), flags, printJson(result, flags));
}

/** A run against its truth, and many worlds; null: there is no simulated workspace, and so no run. */
export async function validateOf(
  workspace: Workspace | null,
  flags: Omit<ValidateFlags, keyof (CommonOptions & PageOptions & FigureOptions)>,
): Promise<Validate> {
  const seed = flags.seed ?? 1;
  const run = workspace ? await runAgainstTruth(workspace, flags.run, seed) : null;
  if (flags.worlds === 0 && run === null) {
    throw new InputError(
      "nothing_to_validate",
      `--worlds 0: leaves nothing to do without a run of a simulated workspace`,
      "Make a world with `defensible simulate DIR`, audit it, and validate there; or leave out --worlds.",
    );
  }
  if (flags.worlds === 0 && run?.matched === 0) {
    throw new InputError(
      "nothing_to_validate",
      `run ${run.run_id}: no verdict is of a decision whose truth is known; got ${run.without_truth} without`,
      "Name another run, or leave out --worlds 0.",
    );
  }
  const worlds = flags.worlds === 0 ? null : await manyWorlds(workspace, flags, seed);
  const parts = { run, worlds };
  return {
    format: 1,
    experiment: "validate",
    runs: run ? [run.run_id] : [],
    random: { seed, worlds: flags.worlds },
    ...parts,
    figures: validateFigures(parts),
    warnings: warnings(parts),
  };
}

/** The workspace, if it is a simulated one; null: there is none, and none was named. */
function simulatedWorkspace({ workspace: named, run }: ValidateFlags): Workspace | null {
  let root: string;
  try {
    root = named ?? findWorkspace();
  } catch (cause) {
    if (run !== undefined || !(cause instanceof InputError)) throw cause;
    return null;
  }
  if (existsSync(join(root, TRUTH_FILE))) return openWorkspace(root);
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

async function runAgainstTruth(
  workspace: Workspace,
  named: string | undefined,
  seed: number,
): Promise<Validate["run"]> {
  const ledger = fileStores(workspace).runs;
  const manifest = named === undefined || named === "newest" ? await newestRun(ledger) : await ledger.manifest(named);
  if (!manifest) return null;
  refuseArmsOnly(manifest);
  const truths = await readTruthTable(workspace.paths.truth);
  return withDuckDB(async (db) => {
    const table = await openAuditTable(db, await ledger.snapshot(manifest.run_id), {
      actions: manifest.actions,
      also: TRUTH_COLUMNS,
    });
    return compareWithTruth(table, truths, { runId: manifest.run_id, auditor: manifest.auditor, seed });
  });
}

async function manyWorlds(
  workspace: Workspace | null,
  flags: Parameters<typeof validateOf>[1],
  seed: number,
): Promise<Validate["worlds"]> {
  const simulation =
    flags.preset || !workspace ? simulationOf({ preset: flags.preset ?? "small", seed }) : own(workspace);
  const changes = [
    ...(workspace ? [] : ["preset=default"]),
    ...(flags.noise === undefined ? [] : [`noise=${flags.noise}`]),
  ];
  const { settings } = readSettings(changes.join(","), workspace?.root ?? "");
  const started = performance.now();
  let told = started;
  return simulateWorlds({
    settings: simulation.world,
    auditor: settings,
    worlds: flags.worlds,
    communities: flags.communities,
    decisions: Math.max(flags.decisions, flags.communities),
    temperature: flags.temperature,
    labels: flags.labels,
    seed,
    progress: (done) => {
      const now = performance.now();
      if (now - told < 5000 || done === flags.worlds) return;
      told = now;
      const left = ((now - started) / done) * (flags.worlds - done);
      say(`${done} of ${flags.worlds} worlds, about ${Math.ceil(left / 1000)} s left`);
    },
  });
}

function own({ paths }: Workspace): Simulation {
  const file = paths.simulation;
  const read = simulationSchema.safeParse(parsed(file));
  if (read.success) return read.data;
  throw new InputError(
    "bad_simulation",
    `${file}: not the settings of a world`,
    "Make the world again, or name --preset.",
  );
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
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

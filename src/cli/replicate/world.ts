import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SIMULATION_FILE } from "../../auditors/simulated/read-settings.js";
import { InputError } from "../../core/errors.js";
import { type Simulation, simulationSchema } from "../../core/results/simulation.js";
import { prepareFolder, simulationOf, writeWorld } from "../../experiments/simulate/index.js";
import { whole } from "../../present/words/numbers.js";
import { openWorkspace, type Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import type { ReplicateFlags } from "../commands/replicate.js";
import { say } from "../output.js";

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

/** The simulated world of `--out`: made, or used where it is there with the same settings. */
export function simulatedWorld(flags: ReplicateFlags): Workspace {
  if (flags.out === undefined) {
    throw new InputError("no_out", "--preset: needs a folder for the world", "Name a new one with --out.");
  }
  if (flags.workspace !== undefined) {
    throw new InputError(
      "two_workspaces",
      "--workspace: does not go with --out, which is the workspace",
      "Leave out one of the two.",
    );
  }
  const root = resolve(flags.out);
  const preset = flags.preset ?? "paper";
  const set = flags.quick && preset === "paper" ? QUICK_SIZES : [];
  const simulation = simulationOf({ preset, seed: flags.seed ?? 1, set });
  const there = settingsIn(root);
  const same = there !== null && JSON.stringify(there) === JSON.stringify(simulation);
  if (same && existsSync(join(root, "defensible.yaml"))) {
    say(`The world in ${printable(root)} has these settings: it is used as it is.`);
    return openWorkspace(root);
  }
  if (there !== null && !same && !flags.force) {
    throw new InputError(
      "other_world",
      `${root}: holds a simulated world of other settings (preset ${there.preset}, seed ${there.seed})`,
      "Name another folder with --out, or replace that world and its runs with --force.",
    );
  }
  const decisions = simulation.world.cohorts.reduce((sum, cohort) => sum + cohort.decisions, 0);
  say(`Making a world of ${whole(decisions)} decisions in ${printable(root)}.`);
  // What was interrupted while it was being written has the same settings, and is written anew.
  prepareFolder(root, there !== null);
  writeWorld(root, simulation);
  return openWorkspace(root);
}

/** The settings of a simulated workspace; null: it is none. */
export function settingsIn(root: string): Simulation | null {
  const file = join(root, SIMULATION_FILE);
  if (!existsSync(file)) return null;
  try {
    const read = simulationSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

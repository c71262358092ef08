import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../../core/errors.js";
import { SIMULATION_FILE } from "../../core/names.js";
import { type Simulation, simulationSchema } from "../../core/results/simulation.js";
import { fileError } from "../../io/files.js";
import { workspacePaths } from "../../store/files/workspace.js";

/** Everything that a simulated workspace can come to hold; nothing else is ever removed. What says that it is one goes last. */
function partsOf(root: string): string[] {
  const { simulation, truth, ...others } = workspacePaths(root);
  return [...Object.values(others), join(root, "README.md"), dirname(truth), simulation];
}

/** Makes a folder ready for a world. One that holds anything is refused, save a simulation that is to be replaced. */
export function prepareFolder(root: string, force: boolean): void {
  if (!existsSync(root)) {
    try {
      mkdirSync(root, { recursive: true });
    } catch (cause) {
      throw fileError(cause, root);
    }
    return;
  }
  if (!statSync(root).isDirectory()) {
    throw new InputError("not_a_folder", `simulate: ${root} is a file, not a folder`, "Name a folder.");
  }
  if (readdirSync(root).length === 0) return;
  if (!isSimulation(root)) {
    throw new InputError(
      "folder_in_use",
      `simulate: ${root} is not empty and holds no simulation`,
      "Choose a new folder. What is not a simulation is never overwritten.",
    );
  }
  if (!force) {
    throw new InputError(
      "simulation_exists",
      `simulate: ${root} holds a simulation already`,
      "Choose another folder, or replace it and its runs with --force.",
    );
  }
  try {
    for (const part of partsOf(root)) rmSync(part, { recursive: true, force: true });
  } catch (cause) {
    throw fileError(cause, root);
  }
}

/** The settings of a simulated workspace; null: it is none, or they cannot be read. */
export function readSimulation(root: string): Simulation | null {
  try {
    const read = simulationSchema.safeParse(JSON.parse(readFileSync(join(root, SIMULATION_FILE), "utf8")));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Whether a workspace is there; the file that says so is written last. */
export function isWorkspaceFolder(root: string): boolean {
  return existsSync(workspacePaths(root).config);
}

function isSimulation(root: string): boolean {
  try {
    return (
      (JSON.parse(readFileSync(join(root, SIMULATION_FILE), "utf8")) as { simulated?: unknown }).simulated === true
    );
  } catch {
    return false;
  }
}

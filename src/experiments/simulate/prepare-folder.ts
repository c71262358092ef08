import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors.js";
import { fileError } from "../../ledger/files.js";

/** Everything that a simulated workspace can come to hold; nothing else is ever removed. */
const PARTS = [
  "defensible.yaml",
  "README.md",
  "rules",
  "precedents.jsonl",
  "decisions.jsonl",
  "labels.jsonl",
  "cohorts",
  "truth",
  "runs",
  "cache",
  "calibrations",
  "gate",
  "experiments",
  "rejects",
  "pds_weights.json",
  "simulation.json",
];

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
    for (const part of PARTS) rmSync(join(root, part), { recursive: true, force: true });
  } catch (cause) {
    throw fileError(cause, root);
  }
}

function isSimulation(root: string): boolean {
  try {
    return (
      (JSON.parse(readFileSync(join(root, "simulation.json"), "utf8")) as { simulated?: unknown }).simulated === true
    );
  } catch {
    return false;
  }
}

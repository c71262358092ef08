import type { Figure } from "../../core/figure.js";
import type { Simulation } from "../../core/results/simulation.js";
import { refusal } from "../refusals.js";
import { isWorkspaceFolder, prepareFolder, readSimulation } from "./prepare-folder.js";
import { plantedFigure } from "./simulate-document.js";
import { type WrittenWorld, writeWorld } from "./write-world.js";

export interface MadeWorld extends WrittenWorld {
  format: 1;
  simulated: true;
  workspace: string;
  preset: string;
  seed: number;
  book: string;
  figures: Figure[];
}

/** Decisions that a world will have. */
export function plannedDecisions({ world }: Simulation): number {
  return world.cohorts.reduce((sum, { decisions }) => sum + decisions, 0);
}

/** Makes a world in a new folder, or in the place of a simulation that is to be replaced. `progress`: told how many decisions are written. */
export function makeWorld(
  root: string,
  simulation: Simulation,
  { force, progress }: { force: boolean; progress?: (done: number) => void },
): MadeWorld {
  prepareFolder(root, force);
  const written = writeWorld(root, simulation, progress);
  const figures = [plantedFigure(written.cohorts, written.all)];
  const { preset, seed, world } = simulation;
  return { format: 1, simulated: true, workspace: root, preset, seed, book: world.book, ...written, figures };
}

/**
 * Makes a world unless the folder holds the one of these settings. One of other settings is replaced only by force. `tell`: whether it is made, before
 * that is done.
 */
export function ensureWorld(
  root: string,
  simulation: Simulation,
  { force, tell }: { force: boolean; tell: (made: boolean) => void },
): void {
  const there = readSimulation(root);
  const same = there !== null && JSON.stringify(there) === JSON.stringify(simulation);
  const usable = same && isWorkspaceFolder(root);
  if (there !== null && !same && !force) {
    throw refusal({ code: "other_world", root, preset: there.preset, seed: there.seed });
  }
  tell(!usable);
  if (usable) return;
  // What was interrupted while it was being written has the same settings, and is written anew.
  makeWorld(root, simulation, { force: there !== null });
}

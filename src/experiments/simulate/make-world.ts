import type { Figure } from "../../core/figure.js";
import type { Simulation } from "../../core/results/simulation.js";
import {
  isWorkspaceFolder,
  prepareFolder,
  readSimulation,
  type WrittenWorld,
  writeWorld,
} from "../../store/files/simulated-world.js";
import { refusal } from "../refusals.js";
import { plantedFigure, rate } from "./simulate-document.js";

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

/** Makes a world in a new folder, or in the place of a simulation that is to be replaced. `progress`: gets the number of decisions written. */
export function makeWorld(
  root: string,
  simulation: Simulation,
  { force, progress }: { force: boolean; progress?: (done: number) => void },
): MadeWorld {
  prepareFolder(root, force);
  const texts = {
    config: simulationConfig(simulation.seed),
    readme: (world: WrittenWorld) => simulationReadme(simulation, world),
  };
  const written = writeWorld(root, simulation, texts, progress);
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

/** `defensible.yaml` of a simulated workspace. */
function simulationConfig(seed: number): string {
  return `# A simulated workspace, made by \`defensible simulate\`: no real community, member or decision. Flags override these settings.
version: 1
actions:
  positive: remove
  negative: approve

# The simulated auditor reads the truth and distorts it by the stated errors of simulation.json. Any other auditor can be named: it sees none of it.
auditor: "simulated:columns"
tier: wiki
template: paper
temperature: 0.2
seed: ${seed}
`;
}

/** The README of a simulated workspace: what it is, what is in it, and that nothing of it is real. */
function simulationReadme({ preset, seed, world }: Simulation, written: WrittenWorld): string {
  const rows = Object.entries(written.cohorts).map(
    ([name, rates]) =>
      `| ${name} | ${rates.communities} | ${rates.decisions} | ${rate(rates.defensibility_index)} | ${rate(rates.ambiguity_index)} | ${rate(rates.void)} |`,
  );
  const drawn = Object.entries(written.drawn).map(([name, size]) => `\`${name}\` (${size})`);
  return `# A simulated platform

Everything in this folder was made up by \`defensible simulate --preset ${preset} --seed ${seed}\` from the phrase book \`${world.book}\`: communities, rules, posts, precedents,
decisions and human labels. No person, platform or decision in it is real, and no figure computed from it says anything about a real one.

It is an ordinary workspace (\`defensible audit\`, \`report\`, \`gate\`, …) with two files more: \`simulation.json\`, the settings that it was made with, and
\`truth/truth.jsonl\`, what is true of each decision by construction. Auditors are not given the truth, save the simulated one, which distorts it by stated errors.

True rates, counted over all decisions of a cohort:

| cohort | communities | decisions | DI | AI | void |
|---|--:|--:|--:|--:|--:|
${rows.join("\n")}
${drawn.length > 0 ? `\nDrawn from these: ${drawn.join(", ")}.\n` : ""}
Each cohort has its name for \`--cohort\`. \`docs/simulation.md\` of the package explains the model.
`;
}

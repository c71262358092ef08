import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../../core/errors.js";
import { SIMULATION_FILE } from "../../core/names.js";
import type { Decision } from "../../core/records/decision.js";
import type { Cohort } from "../../core/records/manifest.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import {
  type DrawnCohort,
  type PlantedRates,
  type Simulation,
  simulationSchema,
} from "../../core/results/simulation.js";
import { fileError } from "../../io/files.js";
import { generatePlatformRules, generateWorld } from "../../simulation/world/generate-world.js";
import { PlantedTally } from "../../simulation/world/level-shares.js";
import { HashSample, isContested } from "../cohorts.js";
import { workspacePaths } from "./workspace.js";

/** Everything that a simulated workspace may contain; nothing else is ever removed. The file that marks it as simulated comes last. */
function partsOf(root: string): string[] {
  const { simulation, truth, ...others } = workspacePaths(root);
  return [...Object.values(others), join(root, "README.md"), dirname(truth), simulation];
}

/** Prepares a folder for a world. A folder with any content is rejected, except a simulation that is to be replaced. */
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

/** The settings of a simulated workspace; null: it is not simulated, or they cannot be read. */
export function readSimulation(root: string): Simulation | null {
  try {
    const read = simulationSchema.safeParse(JSON.parse(readFileSync(join(root, SIMULATION_FILE), "utf8")));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Whether a folder is a workspace, according to the file that is written last. */
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

const CHUNK = 1 << 20;

/** Writes a file in large pieces, to keep memory constant and disk writes rare. */
class LineWriter {
  private readonly file: number;
  private held = "";

  constructor(private readonly path: string) {
    try {
      this.file = openSync(path, "w");
    } catch (cause) {
      throw fileError(cause, path);
    }
  }

  write(text: string): void {
    this.held += text;
    if (this.held.length >= CHUNK) this.flush();
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }

  private flush(): void {
    const bytes = Buffer.from(this.held);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.file, bytes, written);
    } catch (cause) {
      throw fileError(cause, this.path);
    }
    this.held = "";
  }
}

interface Draw {
  settings: DrawnCohort;
  sample: HashSample;
}

/** Writes the cohorts of a simulated workspace as `defensible cohort` would, with ids in the order generated. */
class CohortWriter {
  private readonly files = new Map<string, LineWriter>();
  private readonly counts = new Map<string, number>();
  private readonly draws: Draw[];

  constructor(
    private readonly folder: string,
    private readonly simulation: Simulation,
  ) {
    const { world, seed } = simulation;
    this.draws = world.draws.map((settings) => ({ settings, sample: new HashSample(seed, settings.size) }));
  }

  add(cohort: string, decision: Decision): void {
    let file = this.files.get(cohort);
    if (!file) {
      file = new LineWriter(join(this.folder, `${cohort}.json`));
      file.write(`{"name":${JSON.stringify(cohort)},"decision_ids":[\n`);
      this.files.set(cohort, file);
    }
    const count = this.counts.get(cohort) ?? 0;
    file.write(`${count > 0 ? ",\n" : ""}${JSON.stringify(decision.id)}`);
    this.counts.set(cohort, count + 1);
    for (const { settings, sample } of this.draws) {
      if (settings.from === cohort && fits(decision, settings.where)) sample.add(decision.id);
    }
  }

  /** Closes the files; returns the sizes of the drawn cohorts. */
  finish(population: number): Record<string, number> {
    const created_at = this.simulation.world.start;
    for (const [name, file] of this.files) {
      const selection: Cohort["selection"] = { kind: "filter", filters: [`tags=${name}`] };
      file.write(
        `\n],"selection":${JSON.stringify(selection)},"population":${population},"created_at":"${created_at}"}\n`,
      );
      file.close();
    }
    const drawn: Record<string, number> = {};
    for (const { settings, sample } of this.draws) {
      const { name } = settings;
      const decision_ids = sample.ids();
      if (decision_ids.length === 0) continue;
      // The list is the cohort's source, because a draw by label and seed cannot be expressed as a filter.
      writeFileSync(join(this.folder, `${name}.txt`), `${decision_ids.join("\n")}\n`);
      const cohort: Cohort = {
        name,
        selection: { kind: "file", file: `cohorts/${name}.txt` },
        population,
        created_at,
        decision_ids,
      };
      writeFileSync(join(this.folder, `${name}.json`), `${JSON.stringify(cohort, null, 2)}\n`);
      drawn[name] = decision_ids.length;
    }
    return drawn;
  }
}

function fits(decision: Decision, where: DrawnCohort["where"]): boolean {
  if (where === "any") return true;
  if (where === "contested") return isContested(decision);
  return decision.human_label === decision.decision;
}

/** Counts of what was written. */
export interface WrittenWorld {
  communities: number;
  decisions: number;
  precedents: number;
  rules: number;
  /** True rates of each generated cohort, and of all combined. */
  cohorts: Record<string, PlantedRates>;
  all: PlantedRates;
  /** Cohorts drawn from the generated ones, with their sizes. */
  drawn: Record<string, number>;
}

/** Texts for people to read and edit in a simulated workspace. */
export interface WorldTexts {
  /** `defensible.yaml` */
  config: string;
  readme(written: WrittenWorld): string;
}

/**
 * Writes a simulated world as a workspace, community by community. The settings file comes first and the workspace's own configuration last, so an
 * interrupted write leaves no workspace, but a folder that can be told apart from one with other files.
 */
export function writeWorld(
  root: string,
  simulation: Simulation,
  texts: WorldTexts,
  progress?: (decisions: number) => void,
): WrittenWorld {
  const { world, seed } = simulation;
  const path = (...parts: string[]) => join(root, ...parts);
  try {
    for (const folder of ["rules", "runs", "cohorts", "truth"]) mkdirSync(path(folder), { recursive: true });
    writeFileSync(path("simulation.json"), `${JSON.stringify(simulation, null, 2)}\n`);
  } catch (cause) {
    throw fileError(cause, root);
  }
  const decisions = new LineWriter(path("decisions.jsonl"));
  const precedents = new LineWriter(path("precedents.jsonl"));
  const truths = new LineWriter(path("truth", "truth.jsonl"));
  const cohorts = new CohortWriter(path("cohorts"), simulation);
  const all = new PlantedTally();
  const tallies = new Map(world.cohorts.map(({ name }) => [name, new PlantedTally()]));
  const written = { precedents: 0, rules: 0 };
  const writeRules = (file: string, set: RuleSet) => {
    // JSON, because thousands of files are read many times faster than as YAML.
    writeFileSync(path("rules", file), `${JSON.stringify(set, null, 2)}\n`);
    written.rules += set.rules.length;
  };
  let done = 0;
  try {
    writeRules("platform.json", generatePlatformRules(world, seed));
    for (const community of generateWorld(world, seed)) {
      const tally = tallies.get(community.cohort)!;
      writeRules(`${community.community}.json`, community.ruleSet);
      for (const precedent of community.precedents) precedents.write(`${JSON.stringify(precedent)}\n`);
      written.precedents += community.precedents.length;
      for (const { decision, truth } of community.cases()) {
        decisions.write(`${JSON.stringify(decision)}\n`);
        truths.write(`${JSON.stringify(truth)}\n`);
        cohorts.add(community.cohort, decision);
        tally.add(truth);
        all.add(truth);
        done += 1;
        if (done % 1000 === 0) progress?.(done);
      }
      tally.communities += 1;
      all.communities += 1;
    }
  } catch (cause) {
    throw fileError(cause, root);
  } finally {
    for (const file of [decisions, precedents, truths]) file.close();
  }
  const drawn = cohorts.finish(done);
  const rates = Object.fromEntries([...tallies].map(([name, tally]) => [name, tally.rates()]));
  const result = { communities: all.communities, decisions: done, ...written, cohorts: rates, all: all.rates(), drawn };
  writeFileSync(path("README.md"), texts.readme(result));
  writeFileSync(workspacePaths(root).config, texts.config);
  return result;
}

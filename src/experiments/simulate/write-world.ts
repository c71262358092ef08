import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { PlantedRates } from "../../core/results/simulated-world.js";
import type { Simulation } from "../../core/results/simulation.js";
import { fileError } from "../../io/files.js";
import { generatePlatformRules, generateWorld } from "../../simulation/world/generate-world.js";
import { PlantedTally } from "../../simulation/world/planted-rates.js";
import { CohortWriter } from "./cohort-writer.js";
import { simulationConfig } from "./config.js";
import { LineWriter } from "./line-writer.js";
import { simulationReadme } from "./readme.js";

/** What was written. */
export interface WrittenWorld {
  communities: number;
  decisions: number;
  precedents: number;
  rules: number;
  /** True rates of each generated cohort, and of all together. */
  cohorts: Record<string, PlantedRates>;
  all: PlantedRates;
  /** Cohorts drawn from the generated ones, with their sizes. */
  drawn: Record<string, number>;
}

/**
 * Writes a simulated world as a workspace, a community at a time. The settings file comes first and the workspace's own configuration last: what
 * was interrupted is no workspace, and can be told from somebody's own folder.
 */
export function writeWorld(root: string, simulation: Simulation, progress?: (decisions: number) => void): WrittenWorld {
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
    // JSON: thousands of files are read many times faster than as YAML.
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
  writeFileSync(path("README.md"), simulationReadme(simulation, result));
  writeFileSync(path("defensible.yaml"), simulationConfig(seed));
  return result;
}

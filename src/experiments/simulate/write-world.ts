import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Decision } from "../../core/records/decision.js";
import type { Cohort } from "../../core/records/manifest.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { PlantedRates } from "../../core/results/simulated-world.js";
import type { DrawnCohort, Simulation } from "../../core/results/simulation.js";
import { fileError } from "../../io/files.js";
import { generatePlatformRules, generateWorld } from "../../simulation/world/generate-world.js";
import { PlantedTally } from "../../simulation/world/planted-rates.js";
import { HashSample, isContested } from "../../store/records/cohort-sample.js";

const CHUNK = 1 << 20;

/** Writes a file in large pieces, so that memory stays flat and the disk is asked rarely. */
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

/** Writes the cohorts of a simulated workspace as `defensible cohort` would, with ids as they come. */
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

  /** Ends the files; sizes of the drawn cohorts. */
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
      // The list is the cohort's source: such a draw is by label and seed, which no filter says.
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
      `| ${name} | ${rates.communities} | ${rates.decisions} | ${percent(rates.defensibility_index)} | ${percent(rates.ambiguity_index)} | ${percent(rates.void)} |`,
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

function percent(rate: number | null): string {
  return rate === null ? "undefined" : `${(100 * rate).toFixed(1)} %`;
}

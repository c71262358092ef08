import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cohort } from "../../core/records/cohort.js";
import type { Decision } from "../../core/records/decision.js";
import type { DrawnCohort, Simulation } from "../../core/results/simulation.js";
import { HashSample, isContested } from "../../store/records/cohort-sample.js";
import { LineWriter } from "./line-writer.js";

interface Draw {
  settings: DrawnCohort;
  sample: HashSample;
}

/** Writes the cohorts of a simulated workspace as `defensible cohort` would, with ids as they come. */
export class CohortWriter {
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

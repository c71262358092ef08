import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Experiment, ExperimentKind } from "../../core/results/experiment.js";
import { EXPERIMENTS } from "../../experiments/registry.js";
import { experimentFile, readExperiment, readExperiments, writeExperiment } from "./experiment-store.js";
import { tempWorkspace } from "./in-temp-folder.suite.js";

const empty: Experiment = { format: 1, experiment: "gap", runs: [], columns: [], figures: [], warnings: [] };

describe("readExperiment", () => {
  it("gives back what was kept, with fields that the schema does not know", async () => {
    const workspace = tempWorkspace();
    const result = { ...empty, more: 1 };
    writeExperiment(workspace, result);
    expect(await readExperiment(workspace, "gap")).toEqual(result);
    expect(Object.keys(await readExperiments(workspace))).toEqual(["gap"]);
  });

  it("refuses a result of any kind that lacks its fields", async () => {
    const workspace = tempWorkspace();
    writeExperiment(workspace, empty);
    for (const kind of Object.keys(EXPERIMENTS) as ExperimentKind[]) {
      writeFileSync(experimentFile(workspace, kind), JSON.stringify({ experiment: kind, format: 1 }));
      await expect(readExperiment(workspace, kind)).rejects.toThrow(`is not a result of experiment ${kind}`);
    }
    for (const text of ["", "[]", "null", '{"format":1', JSON.stringify({ ...empty, experiment: "dual" })]) {
      writeFileSync(experimentFile(workspace, "gap"), text);
      await expect(readExperiment(workspace, "gap")).rejects.toThrow(/is not a result of experiment gap/);
    }
  });
});

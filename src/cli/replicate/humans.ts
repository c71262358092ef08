import { readTruthTable } from "../../auditors/simulated/truth-table.js";
import type { Label } from "../../core/records/label.js";
import { buildHumans } from "../../experiments/humans/build-humans.js";
import { RATERS, type RaterSettings, simulatedRatings } from "../../experiments/replicate/simulated-ratings.js";
import { readCohort } from "../../store/files/cohorts.js";
import { readLabels } from "../../store/files/records.js";
import { keepStep, type Step, type StepContext, withRun } from "./context.js";

/** People's ratings; in a simulated world with a cohort to be rated, ratings of simulated people. */
export const replicateHumans: Pick<Step, "refuses" | "needs" | "run"> = {
  refuses: async (context) => {
    if ((await ratingsOf(context)).length > 0) return null;
    return {
      reason: "no person has rated a decision",
      command: "defensible humans sample, then defensible humans import",
    };
  },
  needs: () => ["human"],
  run: async (context) => {
    const { runs, seed } = context;
    const labels = await ratingsOf(context);
    const place = await runs.get("human");
    const { draws } = runs.sizes;
    const runId = place.manifest!.run_id;
    const settings = context.raters;
    const simulated = settings !== undefined;
    const inputs = { runId, labels, key: null, simulated, seed, draws };
    const result = await withRun(place, (table) => buildHumans(table, inputs));
    context.results.humans = keepStep(context, {
      ...result,
      ...(settings && {
        simulated_raters: settings,
        warnings: ["the raters are simulated from the truth: nothing here is about people", ...result.warnings],
      }),
    });
  },
};

async function ratingsOf(context: StepContext): Promise<Label[]> {
  const { runs, simulation } = context;
  const labels: Label[] = [];
  for await (const batch of readLabels(runs.workspace)) {
    labels.push(...batch.filter(({ source, rater }) => source === "human" && rater));
  }
  const { human } = runs.cohorts;
  if (labels.length > 0 || !simulation || human === null) return labels;
  const truths = await readTruthTable(runs.workspace.paths.truth);
  const cases = readCohort(runs.workspace, human).decision_ids.flatMap((decision_id) => {
    const truth = truths.get(decision_id);
    return truth ? [{ decision_id, level: truth.level, inverse: truth.inverse }] : [];
  });
  const settings: RaterSettings = { ...RATERS, seed: simulation.seed };
  context.raters = { ...settings, cases: cases.length };
  return simulatedRatings(cases, settings);
}

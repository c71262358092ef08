import { readTruthTable } from "../../auditors/simulated/truth-table.js";
import type { Label } from "../../core/records/label.js";
import { RATERS, type RaterSettings, simulatedRatings } from "../study/datasets.js";
import { keepStep, type Step, type StepContext, withRun } from "../study/run/step.js";
import { buildHumans } from "./build-humans.js";

/** People's ratings; in a simulated world with a cohort to be rated, ratings of simulated people. */
export const humansStep: Step = {
  name: "humans",
  title: "people's ratings",
  async refuses(context) {
    if ((await ratingsOf(context)).length > 0) return null;
    return {
      reason: "no person has rated a decision",
      command: "defensible humans sample, then defensible humans import",
    };
  },
  needs: () => ["human"],
  async run(context) {
    const { runs, seed } = context;
    const labels = await ratingsOf(context);
    const place = await runs.get("human");
    const settings = context.raters;
    const inputs = { runId: place.manifest!.run_id, labels, key: null, simulated: settings !== null, seed };
    const result = await withRun(place, (table) => buildHumans(table, { ...inputs, draws: runs.sizes.draws }));
    context.results.humans = await keepStep(context, {
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
  for await (const batch of runs.context.labels.labels()) {
    labels.push(...batch.filter(({ source, rater }) => source === "human" && rater));
  }
  const { human } = runs.cohorts;
  if (labels.length > 0 || !simulation || human === null) return labels;
  const truths = await readTruthTable(runs.context.workspace.paths.truth);
  const rated = (await runs.context.cohorts.find(human))!.decision_ids;
  const cases = rated.flatMap((decision_id) => {
    const truth = truths.get(decision_id);
    return truth ? [{ decision_id, level: truth.level, inverse: truth.inverse }] : [];
  });
  const settings: RaterSettings = { ...RATERS, seed: simulation.seed };
  context.raters = { ...settings, cases: cases.length };
  return simulatedRatings(cases, settings);
}

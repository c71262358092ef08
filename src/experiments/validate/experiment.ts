import { keepStep, type Step } from "../study/run/step.js";
import { runValidate } from "./run-validate.js";

export const validateStep: Step = {
  name: "validate",
  title: "against the truth",
  refuses({ simulation }) {
    if (simulation) return null;
    return {
      reason: "requires a simulated workspace",
      command: "defensible validate, or defensible study --preset paper --out DIR",
    };
  },
  needs: () => ["random"],
  async run(context) {
    const { runs, seed } = context;
    const { manifest } = await runs.get("random");
    const result = await runValidate(runs.context, {
      run: manifest!.run_id,
      worlds: runs.sizes.worlds,
      communities: 40,
      decisions: 2400,
      labels: 200,
      temperature: manifest!.temperature,
      seed,
      progress: (done) => context.tell({ event: "worlds", done, of: runs.sizes.worlds }),
    });
    context.results.validate = await keepStep(context, result);
  },
};

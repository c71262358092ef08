import { InputError } from "../../core/errors.js";
import { keepResult } from "../audits.js";
import type { Analysis } from "../slice.js";
import { keepStep, type Step } from "../study/run/step.js";
import { backboneDocument } from "./document.js";
import type { Backbone } from "./result.js";
import { runBackbone } from "./run.js";

const MIN_DECISIONS = 30;

export const backbone: Analysis<Backbone, { minDecisions: number }> = {
  audits: "there",
  options: [
    {
      flag: "--min-decisions <n>",
      does: "decisions that a decider needs to be in the table",
      is: { whole: [2] },
      default: MIN_DECISIONS,
    },
  ],
  examples: [
    "defensible experiment backbone",
    "defensible experiment backbone --run RUN_A --run RUN_B --md=backbone.md",
  ],
  more: "Without --run, the newest run of each auditor is taken. Deciders are told apart by `decider.id` of the decisions.",
  async run({ context, places }, { minDecisions }) {
    if (!context) {
      throw new InputError(
        "needs_workspace",
        "backbone: needs a workspace; got --audits",
        "Deciders are in the decisions of a workspace: import the decisions, audit them, and name runs.",
      );
    }
    return keepResult(context, await runBackbone({ context, places, minDecisions }));
  },
  document: backboneDocument,
};

/** In a study it takes runs that are there: a study has one auditor. */
export const backboneStep: Step = {
  name: "backbone",
  title: "deciders by auditors",
  needs: () => ["random"],
  async run(context) {
    const { runs } = context;
    const place = await runs.get("random");
    const result = await runBackbone({ context: runs.context, places: [place], minDecisions: MIN_DECISIONS });
    context.results.backbone = await keepStep(context, result);
  },
  numbers: [
    {
      id: "backbone.own",
      place: "Deciders by auditors",
      what: "DI, own family less others",
      unit: "points",
      digits: 3,
      step: "backbone",
      at: "/own/defensibility_index",
    },
  ],
};

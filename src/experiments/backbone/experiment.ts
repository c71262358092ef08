import { InputError } from "../../core/errors.js";
import { keepResult } from "../audits.js";
import type { Analysis } from "../slice.js";
import { backboneDocument } from "./document.js";
import type { Backbone } from "./result.js";
import { runBackbone } from "./run.js";

export const backbone: Analysis<Backbone, { minDecisions: number }> = {
  audits: "there",
  options: [
    {
      flag: "--min-decisions <n>",
      does: "decisions that a decider needs to be in the table",
      is: { whole: [2] },
      default: 30,
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

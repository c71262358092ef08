import { InputError } from "../../core/errors.js";
import type { ArmStudy } from "../slice.js";
import { keepStep, type Step } from "../study/run/step.js";
import { dualDocument } from "./dual-document.js";
import type { Dual } from "./result.js";
import { dualOf, runDual } from "./run-dual.js";

export const dual: ArmStudy<Dual, { correct?: string; rows: number }> = {
  audits: "made",
  rows: 10,
  options: [
    {
      flag: "--correct <run>",
      does: "correct the ambiguity of this run by the dual audit of a random part of its decisions",
    },
  ],
  examples: [
    "defensible experiment dual",
    "defensible experiment dual --sample 200 --auditor openai:gpt-4.1-mini --max-cost 2",
    "defensible experiment dual --sample 200 --correct newest",
    "defensible experiment dual --run 20261115T101530Z-4f2a --md=dual.md",
  ],
  async run({ context, from, settings }, { correct, rows }) {
    if (correct !== undefined && "file" in from) {
      throw new InputError(
        "no_workspace",
        "--correct: cannot be used with --audits",
        "Use --run with a run of the workspace.",
      );
    }
    return runDual({
      context,
      from,
      correct,
      settings: settings && { ...settings, selection: { ...settings.selection } },
      cases: 10 * rows,
    });
  },
  document: (result, { rows }) => dualDocument(result, { rows }),
};

export const dualStep: Step = {
  name: "dual",
  title: "decisions and their opposites",
  needs: () => ["dual"],
  async run(context) {
    const place = await context.runs.get("dual");
    context.results.dual = await keepStep(context, await dualOf(place, { cases: 100 }));
  },
};

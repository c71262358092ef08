import { InputError } from "../../core/errors.js";
import { keepResult } from "../audits.js";
import type { Analysis } from "../slice.js";
import { gapDocument } from "./gap-document.js";
import type { GapExperiment } from "./result.js";
import { runGap } from "./run-gap.js";

export const gap: Analysis<GapExperiment, { cohort?: string[] }> = {
  audits: "there",
  options: [
    {
      flag: "--cohort <name>",
      does: "a cohort as a column of the table; may be given several times (default: all decisions, then the cohorts)",
      is: "several",
    },
  ],
  examples: [
    "defensible experiment gap",
    "defensible experiment gap --cohort random --cohort balanced --md=gap.md",
    "defensible experiment gap --audits a.parquet --audits b.csv --json",
  ],
  async run({ context, places, say }, { cohort }) {
    if (!context && cohort) {
      throw new InputError("needs_workspace", "--cohort: needs a workspace; got --audits", "Leave out --cohort.");
    }
    const cohorts = cohort && [...new Set(cohort)];
    const result = await runGap({ places, context, ...(cohorts && { cohorts }) });
    // An empty table must not take the place of a good one.
    const empty = result.columns.every(({ counts }) => counts.verdicts === 0);
    if (empty) say("There is no verdict to show; nothing was kept.");
    return keepResult(empty ? null : context, result);
  },
  document: gapDocument,
};

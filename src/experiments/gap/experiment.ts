import type { AuditTable } from "../../analysis/audit-table.js";
import { countGapCells, loadTrueVerdicts, TRUTH_COLUMNS } from "../../analysis/labels/true-verdicts.js";
import { InputError } from "../../core/errors.js";
import { keepResult, referencePlaces } from "../audits.js";
import type { Analysis } from "../slice.js";
import { type Step, type StepContext, withRun } from "../study/run/step.js";
import { gapDocument } from "./document.js";
import { gapColumn } from "./gap-column.js";
import type { GapColumn, GapExperiment } from "./result.js";
import { gapExperiment, runGap } from "./run-gap.js";

export const gap: Analysis<GapExperiment, { cohort?: string[] }> = {
  audits: "there",
  options: {
    "--cohort <name>": [
      "a cohort as a column of the table; may be given several times (default: all decisions, then the cohorts)",
      "several",
    ],
  },
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

export const gapStep: Step = {
  name: "gap",
  title: "agreement against defensibility",
  needs: () => ["balanced", "random"],
  async run(context) {
    const [random, balanced] = [await columnOf(context, "random"), await columnOf(context, "balanced")];
    return { experiment: gapExperiment([random, balanced]), random, balanced };
  },
};

async function columnOf({ runs }: StepContext, name: "random" | "balanced"): Promise<GapColumn> {
  const place = await runs.get(name);
  const read = async (table: AuditTable) => {
    const truth = await loadTrueVerdicts(table, await referencePlaces(runs.context, place));
    const { run_id, auditor } = place.manifest!;
    const cells = await countGapCells(table, { truth: truth !== null });
    return gapColumn({ name, run_id, auditor, cohort: runs.cohorts[name] }, cells, truth);
  };
  return withRun(place, read, { also: TRUTH_COLUMNS });
}

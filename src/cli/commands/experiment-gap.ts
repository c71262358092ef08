import { Command } from "commander";
import { InputError } from "../../core/errors.js";
import { keepResult } from "../../experiments/audits.js";
import { gapDocument } from "../../experiments/gap/gap-document.js";
import { runGap } from "../../experiments/gap/run-gap.js";
import { type ExperimentFlags, experimentPlaces, withAnalysisOptions } from "../experiment/flags.js";
import { collect, examples } from "../options.js";
import { say } from "../output.js";
import { showExperiment } from "../page.js";

interface GapFlags extends ExperimentFlags {
  cohort?: string[];
}

export function experimentGapCommand(): Command {
  return withAnalysisOptions(new Command("gap"))
    .description("the gap between agreement with people and defensibility, for one or several cohorts side by side")
    .option(
      "--cohort <name>",
      "a cohort as a column of the table; may be given several times (default: all decisions, then the cohorts)",
      collect,
    )
    .addHelpText(
      "after",
      examples(
        "defensible experiment gap",
        "defensible experiment gap --cohort random --cohort balanced --md=gap.md",
        "defensible experiment gap --audits a.parquet --audits b.csv --json",
      ),
    )
    .action(gap);
}

async function gap(flags: GapFlags): Promise<void> {
  if (flags.audits && flags.cohort) {
    throw new InputError("needs_workspace", "--cohort: needs a workspace; got --audits", "Leave out --cohort.");
  }
  const { context, places } = await experimentPlaces(flags);
  const cohorts = flags.cohort && [...new Set(flags.cohort)];
  const result = await runGap({ places, context, ...(cohorts && { cohorts }) });
  // An empty table must not take the place of a good one.
  const empty = result.columns.every(({ counts }) => counts.verdicts === 0);
  if (empty) say("There is no verdict to show; nothing was kept.");
  showExperiment(await keepResult(empty ? null : context, result), flags, gapDocument);
}

import { Command } from "commander";
import type { AuditsPlace } from "../../app/calibrate/load-scores.js";
import { InputError } from "../../core/errors.js";
import { gapDocument } from "../../experiments/gap/gap-document.js";
import { runGap } from "../../experiments/gap/run-gap.js";
import { selectionText } from "../../present/report/report-document.js";
import { refuseArmsOnly } from "../../store/choose-run.js";
import { type ExperimentFlags, experimentPlaces, keep, withAnalysisOptions } from "../experiment-places.js";
import { writeFigureData } from "../figure-data.js";
import { collect, examples } from "../options.js";
import { printJson, say } from "../output.js";
import { printPage } from "../page.js";

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

/** A run of a part of the decisions is called by what was chosen. */
function wholeOf({ manifest }: AuditsPlace): string {
  const selection = manifest?.selection ?? {};
  return Object.keys(selection).length === 0 ? "all decisions" : selectionText(selection);
}

async function gap(flags: GapFlags): Promise<void> {
  if (flags.audits && flags.cohort) {
    throw new InputError("needs_workspace", "--cohort: needs a workspace; got --audits", "Leave out --cohort.");
  }
  const { workspace, places } = await experimentPlaces(flags);
  for (const { manifest } of places) if (manifest) refuseArmsOnly(manifest);
  const cohorts = flags.cohort && [...new Set(flags.cohort)];
  const result = await runGap({ places, workspace, wholeOf, ...(cohorts && { cohorts }) });
  // An empty table must not take the place of a good one.
  if (result.columns.some(({ counts }) => counts.verdicts > 0)) keep(workspace, result);
  else say("There is no verdict to show; nothing was kept.");
  writeFigureData(result.figures, flags);
  printPage(() => gapDocument(result), flags, printJson(result, flags));
}

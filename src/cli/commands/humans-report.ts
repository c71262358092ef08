import { existsSync } from "node:fs";
import { Command, Option } from "commander";
import { openAuditTable } from "../../analysis/audit-table.js";
import { InputError } from "../../core/errors.js";
import type { Label } from "../../core/records/label.js";
import { buildHumans } from "../../experiments/humans/build-humans.js";
import { humansDocument } from "../../experiments/humans/humans-document.js";
import { readRatingKey } from "../../experiments/humans/read-ratings.js";
import { chosenRun } from "../../store/choose-run.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { keyFile, sheetIds } from "../../store/files/rating-sheets.js";
import { readLabels } from "../../store/files/records.js";
import { fileStores } from "../../store/files/stores.js";
import { keep } from "../experiment-places.js";
import { type FigureOptions, withFigureOption, writeFigureData } from "../figure-data.js";
import { type CommonOptions, examples, integer, withCommonOptions, workspaceOf } from "../options.js";
import { printJson } from "../output.js";
import { type PageOptions, printPage } from "../page.js";

interface ReportFlags extends CommonOptions, PageOptions, FigureOptions {
  run?: string;
  sheet?: string;
  seed?: number;
  draws: number;
}

export function humansReportCommand(): Command {
  return withFigureOption(withCommonOptions(new Command("report")))
    .description("compare people's ratings with the auditor: rank correlation, agreement, reliability, power")
    .option("--run <id>", "which run (default: the sheet's own, else the newest)")
    .option("--sheet <id>", "only ratings of this sheet (default: all labels of people)")
    .option("--seed <s>", "seed of the bootstrap (default: the workspace's)", integer(0))
    .option("--draws <n>", "draws of the bootstrap", integer(100, 100_000), 2000)
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp())
    .addHelpText("after", examples("defensible humans report", "defensible humans report --json=humans.json"))
    .action(report);
}

async function report(flags: ReportFlags): Promise<void> {
  const workspace = await workspaceOf(flags);
  const ids = sheetIds(workspace);
  if (flags.sheet !== undefined && !ids.includes(flags.sheet)) {
    throw new InputError(
      "unknown_sheet",
      `sheet: there is no ${flags.sheet}; there ${ids.length === 1 ? "is" : "are"} ${ids.join(", ") || "none"}`,
      "`defensible humans sample` draws one.",
    );
  }
  const labels: Label[] = [];
  for await (const batch of readLabels(workspace)) {
    labels.push(...batch.filter((label) => flags.sheet === undefined || label.sheet_id === flags.sheet));
  }
  // Cases of several sheets are no sample of one design.
  const sheets = new Set(labels.flatMap(({ sheet_id }) => (typeof sheet_id === "string" ? [sheet_id] : [])));
  const [sheet] = sheets.size === 1 ? sheets : [];
  const stored = sheet === undefined ? null : keyFile(workspace, sheet);
  const key = stored !== null && existsSync(stored) ? readRatingKey(stored) : null;
  const ledger = fileStores(workspace).runs;
  const manifest = await chosenRun(ledger, flags.run ?? key?.run_id);
  const result = await withDuckDB(async (db) => {
    const table = await openAuditTable(db, await ledger.snapshot(manifest.run_id), { actions: manifest.actions });
    const seed = flags.seed ?? workspace.config.seed;
    // Its weights are those of the run it was drawn from.
    const own = key?.run_id === manifest.run_id ? key : null;
    const { run_id: runId, auditor } = manifest;
    return buildHumans(table, { runId, auditor, labels, key: own, seed, draws: flags.draws });
  });
  keep(workspace, result);
  writeFigureData(result.figures, flags);
  printPage(() => humansDocument(result), flags, printJson(result, flags));
}

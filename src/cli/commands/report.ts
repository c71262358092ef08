import { basename } from "node:path";
import { Command, Option } from "commander";
import type { Actions } from "../../domain/actions.js";
import { InputError } from "../../errors.js";
import { printable } from "../../figures/printable.js";
import { openAuditTable } from "../../ledger/audit-table.js";
import { type Duck, withDuckDB } from "../../ledger/duckdb.js";
import { writeFileAtomic } from "../../ledger/files.js";
import { buildReport } from "../../reports/build-report.js";
import { renderMarkdown } from "../../reports/render-markdown.js";
import { reportDocument } from "../../reports/report-document.js";
import { auditFormat } from "../audit-format.js";
import {
  actions,
  type CommonOptions,
  examples,
  inheritFlags,
  integer,
  withCommonOptions,
  workspaceOf,
} from "../options.js";
import { print, printDocument, printJson, say } from "../output.js";
import type { ReportSubject } from "../run-report.js";
import { compareCommand } from "./compare.js";

interface ReportOptions extends CommonOptions {
  run?: string;
  audits?: string;
  actions?: Actions;
  cohort?: string;
  against?: string;
  md?: boolean;
  mdFile?: string;
  html?: string;
  rows: number;
}

export function reportCommand(): Command {
  return (
    inheritFlags(withCommonOptions(new Command("report")))
      // Flags after `compare` are its own.
      .enablePositionalOptions()
      .helpCommand(false)
      .description("report how defensible the decisions of a run are, with every number explained")
      .option("--run <id>", "which run (default: the newest)")
      .option("--audits <file>", "report on an audits file (JSONL, CSV or Parquet) instead of a workspace")
      .option("--actions <positive,negative>", "with --audits: the two actions, the restricting one first", actions)
      .option("--cohort <name>", "only the decisions of a cohort")
      .option(
        "--against <what>",
        "measure the auditor against `gold`, `human` (labels of defensibility) or another run's id",
      )
      .option("--md", "print Markdown (--md=FILE writes it to a file)")
      .addOption(new Option("--md-file <file>").hideHelp())
      .option("--html <file>", "write one HTML file to look at: every view, no network needed")
      .option("--rows <n>", "rows shown of long tables", integer(1), 15)
      .addHelpText(
        "after",
        examples(
          "defensible report",
          "defensible report --against gold --md=report.md --json=report.json",
          "defensible report --audits audits.csv --json",
          "defensible report compare RUN_A RUN_B",
        ),
      )
      .action(report)
      .addCommand(compareCommand())
  );
}

async function report(options: ReportOptions): Promise<void> {
  const result = await withDuckDB(
    async (db) => {
      const subject = await (options.audits ? fileReport(db, options.audits, options) : workspaceReport(db, options));
      if (options.html) {
        const { writeReportPage } = await import("../report-page.js");
        await writeReportPage(subject, options.html);
      }
      return subject.report;
    },
    { ordered: false },
  );
  const document = () => reportDocument(result, { rows: options.rows });
  const taken = printJson(result, options);
  if (options.mdFile) {
    writeFileAtomic(options.mdFile, renderMarkdown(document()));
    say(`Wrote ${printable(options.mdFile)}`);
  }
  if (taken) return;
  if (options.md) print(renderMarkdown(document()));
  else if (!options.jsonFile && !options.mdFile && !options.html) printDocument(document());
}

async function fileReport(db: Duck, path: string, options: ReportOptions): Promise<ReportSubject> {
  const flag = options.against ? "--against" : options.cohort ? "--cohort" : options.run ? "--run" : null;
  if (flag) {
    throw new InputError(
      "needs_workspace",
      `${flag}: needs a workspace; got --audits`,
      `Leave out ${flag}, or report on a run.`,
    );
  }
  const table = await openAuditTable(db, { path, format: auditFormat(path), own: false }, { actions: options.actions });
  const report = await buildReport(table, {
    run: { run_id: null, source: basename(path) },
    rules: [],
    hasCohorts: false,
  });
  return { report, table, manifest: null, workspace: null };
}

/** Everything about workspaces is loaded only when one is asked for. */
async function workspaceReport(db: Duck, options: ReportOptions): Promise<ReportSubject> {
  if (options.actions) {
    throw new InputError(
      "needs_audits",
      "--actions: goes with --audits",
      "A run knows its own actions; leave out the flag.",
    );
  }
  const { runReport } = await import("../run-report.js");
  return runReport(db, await workspaceOf(options), options);
}

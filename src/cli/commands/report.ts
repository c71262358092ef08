import { basename } from "node:path";
import { Command, Option } from "commander";
import { withAuditTable } from "../../analysis/audit-table.js";
import { oneAuditor } from "../../analysis/gate-evidence.js";
import { PAGE_COLUMNS } from "../../analysis/score-parts.js";
import { auditFormat } from "../../app/audit/audit-format.js";
import type { ReportSubject } from "../../app/report/run-report.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import { type Duck, withDuckDB } from "../../store/files/duckdb.js";
import {
  actions,
  type CommonOptions,
  examples,
  inheritFlags,
  integer,
  withCommonOptions,
  workspaceOf,
} from "../options.js";
import { printJson } from "../output.js";
import {
  checkPageFlags,
  DEFAULT_DECISIONS,
  MOST_DECISIONS,
  type PageFlags,
  refuseOwnFiles,
  wantsPage,
} from "../report/flags.js";
import { compareCommand } from "./compare.js";

interface ReportOptions extends CommonOptions, PageFlags {
  run?: string;
  audits?: string;
  actions?: Actions;
  cohort?: string;
  against?: string;
  rows: number;
}

export function reportCommand(): Command {
  return (
    inheritFlags(withCommonOptions(new Command("report")))
      // Flags after `compare` are its own.
      .enablePositionalOptions()
      .helpCommand(false)
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
      .option("--decisions <n>", "with --html: decisions listed at most", integer(1, MOST_DECISIONS), DEFAULT_DECISIONS)
      .option("--no-decisions", "with --html or --figures: leave single decisions out, of --json and --md too")
      .option("--redact", "for sharing outside: replace what people wrote by lengths and keyed hashes")
      .option(
        "--figures <dir>",
        "write every figure of the report as a whole to DIR/<figure>.svg, to print or to put into a paper",
      )
      .option("--rows <n>", "rows shown of long tables", integer(1), 15)
      .addHelpText(
        "after",
        examples(
          "defensible report",
          "defensible report --against gold --md=report.md --json=report.json",
          "defensible report --audits audits.csv --json",
          "defensible report --html report.html",
          "defensible report --html outside.html --redact",
          "defensible report compare RUN_A RUN_B",
        ),
      )
      // The two have one value, that of the last; only events tell that both were given.
      .on("option:decisions", function (this: Command) {
        this.setOptionValue("listed", true);
      })
      .on("option:no-decisions", function (this: Command) {
        this.setOptionValue("leftOut", true);
      })
      .action(report)
      .addCommand(compareCommand())
  );
}

async function report(options: ReportOptions, command: Command): Promise<void> {
  checkPageFlags(options, (name) => command.getOptionValueSource(name) === "cli");
  // Loaded while the engine starts.
  if (!options.audits) void import("../../app/report/run-report.js");
  const result = await withDuckDB(
    async (db) => {
      const subject = await (options.audits ? fileReport(db, options.audits, options) : workspaceReport(db, options));
      if (options.redact || wantsPage(options)) {
        const { redactionOf, reportPage, writeReportPage } = await import("../report/page.js");
        const redaction = options.redact ? await redactionOf(subject) : null;
        if (redaction) subject.report = redaction.report;
        if (!options.decisions) {
          const { withoutDecisions } = await import("../../present/page/without-decisions.js");
          subject.report = withoutDecisions(subject.report);
        }
        if (wantsPage(options)) {
          const page = await reportPage(subject, { decisions: options.decisions || null, redaction });
          const figures = options.figures === undefined ? null : await import("../report/figures.js");
          figures?.refuseForeignFigures(page, options.figures!);
          if (options.html !== undefined) writeReportPage(page, options.html);
          await figures?.writeReportFigures(page, options.figures!);
        }
      }
      return subject.report;
    },
    { ordered: false },
  );
  const taken = printJson(result, options);
  const elsewhere = taken || (!options.md && (wantsPage(options) || options.jsonFile !== undefined));
  if (elsewhere && !options.mdFile) return;
  // Loaded only where words are wanted, which saves half of the start-up time elsewhere.
  const { reportDocument } = await import("../../present/report/report-document.js");
  const { printPage } = await import("../page.js");
  printPage(() => reportDocument(result, { rows: options.rows }), options, taken);
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
  const source = { path, format: auditFormat(path), own: false };
  const also = ["auditor", ...(pageColumns(options) ?? [])] as const;
  // Loaded while the file is read.
  const formulas = import("../../app/report/build-report.js");
  return withAuditTable(db, source, { actions: options.actions, also }, async (table) => {
    const auditor = await oneAuditor(table);
    const { buildReport } = await formulas;
    const report = await buildReport(table, {
      run: { run_id: null, source: basename(path), ...(auditor === null ? {} : { auditor }) },
      rules: [],
      hasCohorts: false,
    });
    return { report, table, source, manifest: null, context: null };
  });
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
  const { FINDING_COLUMNS, runReport } = await import("../../app/report/run-report.js");
  const { fileContext } = await import("../../store/files/stores.js");
  const workspace = await workspaceOf(options);
  refuseOwnFiles(options, workspace);
  const findings = wantsPage(options) || options.json || options.jsonFile !== undefined;
  return runReport(db, fileContext(workspace), {
    ...options,
    findings: findings ? (await import("../../present/gate/gate-words.js")).gateWords() : undefined,
    also: pageColumns(options) ?? (findings ? FINDING_COLUMNS : undefined),
  });
}

/** Only a page looks at threads, times and parts of S. */
function pageColumns(options: ReportOptions): typeof PAGE_COLUMNS | undefined {
  return wantsPage(options) ? PAGE_COLUMNS : undefined;
}

import { Command, Option } from "commander";
import { PAGE_COLUMNS } from "../../../analysis/decision-scores.js";
import { auditFormat } from "../../../app/find-audits.js";
import { worded } from "../../../app/notices.js";
import type { ReportSubject } from "../../../app/report/build-report.js";
import type { ReportRefusal } from "../../../app/report/run-report.js";
import type { Actions } from "../../../core/records/actions.js";
import { type Duck, withDuckDB } from "../../../store/files/duckdb.js";
import { ACTIONS_HELP, actions, type CommonOptions, collect, examples, inheritFlags, integer } from "../../options.js";
import { printJson } from "../../output.js";
import { checkPageFlags, DEFAULT_DECISIONS, MOST_DECISIONS, type PageFlags, wantsPage } from "../../report/flags.js";
import { saySmallRun, storesOf, withStores } from "../../serve/stores.js";
import { compareCommand } from "./compare.js";

interface ReportOptions extends CommonOptions, PageFlags {
  run?: string;
  audits?: string;
  actions?: Actions;
  cohort?: string;
  against?: string;
  rows?: number;
}

export function reportCommand(): Command {
  return (
    inheritFlags(withStores(new Command("report")))
      // Flags after `compare` belong to it.
      .enablePositionalOptions()
      .helpCommand(false)
      .option("--run <id>", "which run (default: the newest)")
      .option("--audits <file>", "report on an audits file (JSONL, CSV or Parquet) instead of a workspace")
      .option("--actions <names>", `with --audits: the actions, ${ACTIONS_HELP}`, actions)
      .option("--cohort <name>", "only the decisions of a cohort")
      .option(
        "--against <what>",
        "measure the auditor against `gold`, `human` (labels of defensibility) or another run's id",
      )
      .option("--md", "print Markdown (--md=FILE writes it to a file)")
      .addOption(new Option("--md-file <file>").hideHelp())
      .option("--html <file>", "write the report as one HTML file that needs no network")
      .option("--decisions <n>", "with --html: decisions listed at most", integer(1, MOST_DECISIONS), DEFAULT_DECISIONS)
      .option("--no-decisions", "with --html or --figures: leave out individual decisions, also from --json and --md")
      .option("--redact", "for sharing: replace what people wrote with lengths and keyed hashes")
      .option("--figures <dir>", "write every figure of the report to DIR/<figure>.svg, for print or a paper")
      .addOption(new Option("--figure-files <file>").argParser(collect).hideHelp())
      .option("--rows <n>", "rows shown in long tables (default: 5, with --verbose 15)", integer(1))
      .option("--verbose", "show every section, and technical notices")
      .addHelpText(
        "after",
        examples(
          "defensible report",
          "defensible report --against gold --out report.md --out report.json",
          "defensible report --audits audits.csv --json",
          "defensible report --out report.html",
          "defensible report --out outside.html --redact",
          "defensible report compare RUN_A RUN_B",
        ),
      )
      // Both flags share one value, set by the last; only events show that both were given.
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
  void (options.audits ? import("../../../app/report/build-report.js") : import("../../../app/report/run-report.js"));
  const result = await withDuckDB(
    async (db) => {
      const subject = await (options.audits ? fileSubject(db, options.audits, options) : runSubject(db, options));
      if (options.redact || wantsPage(options)) {
        const { finishReport } = await import("../../report/page.js");
        await finishReport(subject, options);
      }
      return subject.report;
    },
    { ordered: false },
  );
  const taken = printJson(result, options);
  const elsewhere = taken || (!options.md && (wantsPage(options) || options.jsonFile !== undefined));
  if (elsewhere && !options.mdFile) return;
  // Loaded only if words are needed; this halves start-up time otherwise.
  const { reportDocument } = await import("../../../present/report/report-document.js");
  const { printPage } = await import("../../page.js");
  // `html` is left out: the report's page has more than this document.
  printPage((size) => reportDocument(result, size), { ...options, html: undefined }, taken);
}

async function fileSubject(db: Duck, path: string, options: ReportOptions): Promise<ReportSubject> {
  const { fileReport } = await import("../../../app/report/build-report.js");
  const source = { path, format: auditFormat(path), own: false };
  return fileReport(db, source, { actions: options.actions, also: pageColumns(options) });
}

/** Workspace code is loaded only here, because a report on a file does not need it. */
async function runSubject(db: Duck, options: ReportOptions): Promise<ReportSubject> {
  const { FINDING_COLUMNS, runReport } = await import("../../../app/report/run-report.js");
  const context = await storesOf(options);
  const findings = wantsPage(options) || options.json || options.jsonFile !== undefined;
  const request = {
    ...options,
    findings: findings ? (await import("../../../present/gate/gate-words.js")).gateWords() : undefined,
    also: pageColumns(options) ?? (findings ? FINDING_COLUMNS : undefined),
  };
  const words = async (why: ReportRefusal) =>
    (await import("../../../present/report/report-document.js")).reportRefusal(why);
  if (!options.run) await saySmallRun(context);
  return worded(words, () => runReport(db, context, request));
}

/** Only a page needs threads, times and parts of S. */
function pageColumns(options: ReportOptions): typeof PAGE_COLUMNS | undefined {
  return wantsPage(options) ? PAGE_COLUMNS : undefined;
}

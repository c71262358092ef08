import { Command, Option } from "commander";
import { runReport } from "../../app/report/run-report.js";
import { CheckFailedError, InputError } from "../../core/errors.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { Lint } from "../../core/results/lint.js";
import type { Report } from "../../core/results/report.js";
import { buildLint, newestSets } from "../../experiments/lint.js";
import { lintDocument } from "../../present/document/lint-document.js";
import { plural } from "../../present/words/numbers.js";
import { newestRun } from "../../store/choose-run.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { loadRuleSets, parseRuleSet, readText } from "../../store/files/rule-files.js";
import { fileContext, fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { type CommonOptions, examples, integer, number, withCommonOptions, workspaceOf } from "../options.js";
import { printJson } from "../output.js";
import { type PageOptions, printPage } from "../page.js";

interface LintFlags extends CommonOptions, PageOptions {
  run?: string | false;
  failOn?: "error" | "warning" | "note";
  open: number;
  rows: number;
}

export function rulesLintCommand(): Command {
  return withCommonOptions(new Command("lint"))
    .description(
      "find, without a model, what rules leave open: empty tiers, catch-all discretion, undefined terms, hedges, duplicates, contradictions; with a run also rules never cited",
    )
    .argument("[files...]", "rule sets (YAML or JSON) to read instead of the workspace's")
    .option(
      "--run <id>",
      "count the citations of this run (`newest`: the newest, which is the default if there is one)",
    )
    .option("--no-run", "look at the texts alone")
    .option("--open <share>", "share of open decisions from which a rule is remarked on", number(0, 1), 0.15)
    .addOption(
      new Option("--fail-on <severity>", "exit with 2 if there is a finding of this severity or worse").choices([
        "error",
        "warning",
        "note",
      ]),
    )
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp())
    .option("--rows <n>", "rules shown", integer(1), 40)
    .addHelpText(
      "after",
      examples("defensible rules lint", "defensible rules lint rules/film-club.yaml --fail-on warning"),
    )
    .action(lint);
}

async function lint(files: string[], flags: LintFlags): Promise<void> {
  const inputs = files.length > 0 ? await filesInputs(files, flags) : await workspaceInputs(flags);
  if (inputs.sets.length === 0) {
    throw new InputError("no_rules", "rules: there are none to read", "Import some: `defensible import rules.yaml`.");
  }
  const result = buildLint({ ...inputs, greatestOpen: flags.open });
  printPage(() => lintDocument(result, { rows: flags.rows }), flags, printJson(result, flags));
  check(result, flags.failOn);
}

interface Inputs {
  sets: RuleSet[];
  report: Report | null;
}

async function filesInputs(files: readonly string[], { run }: LintFlags): Promise<Inputs> {
  if (typeof run === "string") {
    throw new InputError(
      "needs_workspace",
      "--run: goes with the workspace's own rules; got files",
      "Leave out --run.",
    );
  }
  return { sets: newestSets(files.map((file) => parseRuleSet(readText(file), file))), report: null };
}

async function workspaceInputs(flags: LintFlags): Promise<Inputs> {
  const workspace = await workspaceOf(flags);
  const sets = newestSets(loadRuleSets(workspace).map(({ set }) => set));
  const asked = typeof flags.run === "string" && flags.run !== "newest" ? flags.run : undefined;
  // Who asks for a run by name is told if there is none; without --run the texts alone are read.
  const wanted = typeof flags.run === "string" || (flags.run !== false && (await hasRun(workspace)));
  const report = wanted ? await reportOf(workspace, asked) : null;
  return { sets, report };
}

async function hasRun(workspace: Workspace): Promise<boolean> {
  return (await newestRun(fileStores(workspace).runs)) !== undefined;
}

function reportOf(workspace: Workspace, run: string | undefined): Promise<Report> {
  return withDuckDB(
    async (db) => (await runReport(db, fileContext(workspace), run === undefined ? {} : { run })).report,
    {
      ordered: false,
    },
  );
}

const SEVERITIES = ["error", "warning", "note"] as const;

function check({ counts }: Lint, failOn: LintFlags["failOn"]): void {
  if (!failOn) return;
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  const found = counted.reduce((sum, severity) => sum + counts[severity], 0);
  if (found === 0) return;
  throw new CheckFailedError(
    "lint",
    `rules: ${plural(found, "finding")} of severity ${failOn}${failOn === "error" ? "" : " or worse"}`,
    "Mend the rules, or leave out --fail-on.",
  );
}

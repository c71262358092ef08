import { Command, Option } from "commander";
import { worded } from "../../../app/notices.js";
import { CheckFailedError, InputError } from "../../../core/errors.js";
import type { Lint } from "../../../core/results/lint.js";
import { refusalWords } from "../../../experiments/audits.js";
import { lintKept, lintTexts, type RuleText, readRuleTexts, renderSarif } from "../../../experiments/lint.js";
import { writeFileAtomic } from "../../../io/files.js";
import { VERSION } from "../../../io/machine.js";
import { draftRemark, lintDocument } from "../../../present/document/rules-document.js";
import { plural } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, contextOf, examples, integer, share, withCommonOptions } from "../../options.js";
import { printJson, say, withMarkdown } from "../../output.js";
import { type PageOptions, printPage } from "../../page.js";
import { namingCommunity, type PageRuleFlags, pageRules, withPageRuleOptions } from "../../rule-pages.js";
import { saySmallRun } from "../../serve/stores.js";

interface LintFlags extends CommonOptions, PageOptions, PageRuleFlags {
  run?: string | false;
  failOn?: "error" | "warning" | "note";
  open: number;
  rows: number;
  sarif?: string;
}

export function rulesLintCommand(): Command {
  return withPageRuleOptions(withMarkdown(withCommonOptions(new Command("lint"))))
    .description(
      "find, without a model, what rules leave open: empty tiers, catch-all discretion, undefined terms, hedges, duplicates, contradictions; with a run also rules never cited",
    )
    .argument("[files...]", "rule sets (YAML, JSON) or pages (Markdown, text, HTML) to read instead of the workspace's")
    .option(
      "--run <id>",
      "count the citations of this run (`newest`: the newest, which is the default if there is one)",
    )
    .option("--no-run", "look at the texts alone")
    .option("--open <share>", "share of open decisions from which a rule is remarked on", share(0, 1), 0.15)
    .addOption(
      new Option("--fail-on <severity>", "exit with 2 if there is a finding of this severity or worse").choices([
        "error",
        "warning",
        "note",
      ]),
    )
    .option("--rows <n>", "rules shown", integer(1), 40)
    .option("--sarif <file>", "write the findings in files as SARIF 2.1.0, for code scanning")
    .addHelpText(
      "after",
      examples(
        "defensible rules lint",
        "defensible rules lint rules/film-club.yaml --fail-on warning",
        "defensible rules lint guidelines.html --community film-club",
        "defensible rules lint rules/*.yaml --sarif lint.sarif --fail-on error",
      ),
    )
    .action(lint);
}

async function lint(files: string[], flags: LintFlags): Promise<void> {
  const { sarif } = flags;
  if (sarif !== undefined && files.length === 0)
    throw new InputError("needs_files", "--sarif: requires files of rules", "Name them, such as rules/*.yaml.");
  const { result, texts } = await worded(refusalWords, () => lintOf(files, flags));
  if (sarif !== undefined) {
    writeFileAtomic(sarif, renderSarif(result, texts, VERSION));
    say(`Wrote ${printable(sarif)}`);
  }
  printPage(() => lintDocument(result, { rows: flags.rows }), flags, printJson(result, flags));
  check(result, flags.failOn);
}

async function lintOf(
  files: readonly string[],
  { run, open, ...flags }: LintFlags,
): Promise<{ result: Lint; texts: RuleText[] }> {
  if (files.length === 0) {
    const context = await contextOf(flags);
    if (run === undefined) await saySmallRun(context);
    return { result: await lintKept(context, run === false ? null : run, open), texts: [] };
  }
  if (run !== undefined && run !== false) {
    throw new InputError("needs_workspace", "--run: requires the workspace's own rules; got files", "Leave out --run.");
  }
  const texts = namingCommunity(() =>
    readRuleTexts(files, pageRules(flags), (file, { unread }) => say(draftRemark(file, unread.length))),
  );
  return { result: lintTexts(texts, open), texts };
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
    "Fix the rules, or leave out --fail-on.",
  );
}

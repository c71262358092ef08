import { existsSync, readFileSync } from "node:fs";
import { Command } from "commander";
import { worded } from "../../../app/refusal.js";
import { compareHumans, importRatings } from "../../../experiments/humans/humans.js";
import { humansDocument } from "../../../experiments/humans/humans-document.js";
import { faultLines, humansRefusal, importedSentence } from "../../../experiments/humans/humans-words.js";
import type { RatingKey } from "../../../experiments/humans/result.js";
import { fileError } from "../../../io/files.js";
import { noRatingKey, parseRatingKey } from "../../../store/rating-keys.js";
import { printable } from "../../../text/printable.js";
import { EXIT } from "../../exit-code.js";
import { type CommonOptions, contextOf, examples, integer, withCommonOptions } from "../../options.js";
import { print, printJson, say } from "../../output.js";
import { type FigureOptions, type PageOptions, printPage, withResultOptions, writeFigureData } from "../../page.js";
import { humansSampleCommand } from "./humans-sample.js";

interface ImportFlags extends CommonOptions {
  key?: string;
  sheet?: string;
  rater?: string;
  dryRun?: boolean;
}

interface ReportFlags extends CommonOptions, PageOptions, FigureOptions {
  run?: string;
  sheet?: string;
  seed?: number;
  draws: number;
}

export function humansCommand(): Command {
  return new Command("humans")
    .helpCommand(false)
    .addCommand(humansSampleCommand())
    .addCommand(importCommand())
    .addCommand(reportCommand());
}

function importCommand(): Command {
  return withCommonOptions(new Command("import"))
    .description("bring ratings back: what the form saved, or the sheet filled in; they become labels of the workspace")
    .argument("<files...>", "one file a rater, or several raters in one (CSV, JSONL, Parquet)")
    .option("--sheet <id>", "take ratings of this sheet only (default: each row says its own)")
    .option("--key <file>", "the sheet's key, if it is not in this workspace")
    .option("--rater <name>", "who rated, for rows that do not say")
    .option("--dry-run", "check everything and write nothing")
    .addHelpText(
      "after",
      examples("defensible humans import ratings-*.csv", "defensible humans import sheet.csv --rater ana"),
    )
    .action(importAction);
}

async function importAction(files: string[], flags: ImportFlags): Promise<void> {
  const context = await contextOf(flags);
  const { sheet, rater, dryRun = false } = flags;
  const key = flags.key === undefined ? undefined : readKey(flags.key);
  const result = await worded(humansRefusal, () => importRatings(context, files, { sheet, key, rater, dryRun }));
  const { imported, duplicate, conflicting, unrated, raters, faults } = result;
  if (faults.length > 0 || conflicting > 0 || result.read === 0) process.exitCode = EXIT.user;
  const counts = { imported, duplicate, conflicting, unrated, faulty: faults.length, raters };
  if (printJson({ ...counts, dry_run: dryRun, faults: faults.slice(0, 100) }, flags)) return;
  for (const line of faultLines(result)) say(line);
  print(importedSentence(result, dryRun));
}

function readKey(file: string): RatingKey {
  if (!existsSync(file)) throw noRatingKey(file);
  try {
    return parseRatingKey(readFileSync(file, "utf8"), file);
  } catch (cause) {
    throw fileError(cause, file);
  }
}

function reportCommand(): Command {
  return withResultOptions(withCommonOptions(new Command("report")))
    .description("compare people's ratings with the auditor: rank correlation, agreement, reliability, power")
    .option("--run <id>", "which run (default: the sheet's own, else the newest)")
    .option("--sheet <id>", "only ratings of this sheet (default: all labels of people)")
    .option("--seed <s>", "seed of the bootstrap (default: the workspace's)", integer(0))
    .option("--draws <n>", "draws of the bootstrap", integer(100, 100_000), 2000)
    .addHelpText("after", examples("defensible humans report", "defensible humans report --json=humans.json"))
    .action(reportAction);
}

async function reportAction(flags: ReportFlags): Promise<void> {
  const context = await contextOf(flags);
  const result = await worded(humansRefusal, () => compareHumans(context, flags));
  say(`Kept as ${printable(await context.experiments.keep(result))}`);
  writeFigureData(result.figures, flags);
  printPage(() => humansDocument(result), flags, printJson(result, flags));
}

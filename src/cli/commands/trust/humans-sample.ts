import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { worded } from "../../../app/refusal.js";
import { InputError } from "../../../core/errors.js";
import { drawSheet } from "../../../experiments/humans/humans.js";
import { changedNotes, humansRefusal, sheetText } from "../../../experiments/humans/humans-words.js";
import { emptyStrata } from "../../../experiments/humans/run-sample.js";
import { sheetCsv, sheetHtml } from "../../../experiments/humans/sheet-html.js";
import { writeFileAtomic } from "../../../io/files.js";
import { type ScrubOptions, scrubFrom, withScrubOptions } from "../../model-options.js";
import { type CommonOptions, contextOf, examples, integer, withCommonOptions } from "../../options.js";
import { print, printJson, say } from "../../output.js";

interface SampleFlags extends CommonOptions, ScrubOptions {
  cases?: number;
  random?: number;
  seed?: number;
  run?: string;
  out: string;
  anyway?: boolean;
}

export function humansSampleCommand(): Command {
  return withScrubOptions(withCommonOptions(new Command("sample")), "raters")
    .description(
      "draw cases for people to rate: equal numbers of each level with and without the inverse, blinded, as CSV and as a form that works offline",
    )
    .option("--cases <n>", "how many (default: 30)", integer(1, 100_000))
    .option("--random <n>", "draw this many from all verdicts at once instead, without strata", integer(1, 100_000))
    .option("--seed <s>", "seed of the draw (default: the workspace's)", integer(0))
    .option("--run <id>", "draw from this run's verdicts (default: the newest)")
    .option("--out <dir>", "folder for the sheet", "rating-sheet")
    .option("--anyway", "draw although rules or precedents have changed since the run")
    .addHelpText(
      "after",
      examples("defensible humans sample --cases 30 --out sheet", "defensible humans sample --random 200 --out sheet"),
    )
    .action(sample);
}

async function sample(flags: SampleFlags): Promise<void> {
  if (flags.cases !== undefined && flags.random !== undefined) {
    throw new InputError("two_sizes", "--cases and --random: got both, expected one", "Leave out one of them.");
  }
  const context = await contextOf(flags);
  const files = { form: join(flags.out, "form.html"), csv: join(flags.out, "sheet.csv") };
  refuseExisting(Object.values(files));
  const size = flags.random ?? flags.cases ?? 30;
  const { run, seed, anyway = false } = flags;
  const scrub = await scrubFrom(flags);
  const request = { run, size, drawn: flags.random === undefined ? "sheet" : "random", seed, anyway, scrub } as const;
  const drawn = await worded(humansRefusal, () => drawSheet(context, request));
  for (const note of changedNotes(drawn)) say(note);
  const { key, cases } = drawn;
  mkdirSync(flags.out, { recursive: true });
  writeFileAtomic(files.form, sheetHtml(key.sheet_id, cases));
  writeFileAtomic(files.csv, sheetCsv(key.sheet_id, cases));
  const place = await context.sheets.keep(key);
  const { sheet_id, run_id, population, strata } = key;
  const shown = {
    ...{ sheet_id, run_id, drawn: request.drawn, population },
    cases: cases.length,
    strata,
    empty_strata: emptyStrata(strata),
    files,
    key: place,
  };
  if (printJson(shown, flags)) return;
  print(sheetText(drawn, { ...files, key: place }, size, scrub !== null));
}

/** Raters may be at work on a sheet that is there. */
function refuseExisting(files: readonly string[]): void {
  for (const file of files) {
    if (!existsSync(file)) continue;
    const remedy = "Raters may be at work on it. Name another folder with --out.";
    throw new InputError("sheet_exists", `${file}: is there already`, remedy);
  }
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { importFiles } from "../../app/import/import.js";
import type { ImportResult } from "../../app/import/import-report.js";
import { InputError } from "../../core/errors.js";
import { RaterNames } from "../../experiments/humans/rated-cases.js";
import { RatingKeys, type ReadRatings, readRatingKey, readRatings } from "../../experiments/humans/read-ratings.js";
import { plural } from "../../present/words/numbers.js";
import { keyFile, sheetIds } from "../../store/files/rating-sheets.js";
import { readLabels } from "../../store/files/records.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { EXIT } from "../exit-code.js";
import { type CommonOptions, examples, withCommonOptions, workspaceOf } from "../options.js";
import { print, printJson, say } from "../output.js";

interface ImportFlags extends CommonOptions {
  key?: string;
  sheet?: string;
  rater?: string;
  dryRun?: boolean;
}

export function humansImportCommand(): Command {
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
    .action(importRatings);
}

async function importRatings(files: string[], flags: ImportFlags): Promise<void> {
  const workspace = await workspaceOf(flags);
  const read = await readRatings(files, chosenKeys(workspace, flags), {
    ...(flags.rater === undefined ? {} : { rater: flags.rater }),
    names: await knownRaters(workspace),
  });
  if (read.labels.length === 0 && read.faults.length === 0) throw nothingRated(files, read.empty);
  const result = read.labels.length > 0 ? await store(workspace, read, flags.dryRun ?? false) : null;
  const counts = {
    imported: result?.accepted ?? 0,
    duplicate: result?.duplicates ?? 0,
    conflicting: result?.rejected ?? 0,
    unrated: read.empty,
    faulty: read.faults.length,
    raters: new Set(read.labels.map(({ rater }) => rater)).size,
  };
  if (counts.faulty > 0 || counts.conflicting > 0 || read.labels.length === 0) process.exitCode = EXIT.user;
  if (printJson({ ...counts, dry_run: flags.dryRun ?? false, faults: read.faults.slice(0, 100) }, flags)) return;
  for (const { file, line, reason } of read.faults.slice(0, 20))
    say(`${printable(file)}, line ${line}: ${printable(reason, 300)}`);
  if (read.faults.length > 20) say(`… and ${read.faults.length - 20} more.`);
  if (counts.conflicting > 0) {
    say(
      `${plural(counts.conflicting, "rating")} not taken: the same rater has rated the case before, otherwise or on another sheet. Ratings are kept as they came first.`,
    );
  }
  const verb = flags.dryRun ? "Would import" : "Imported";
  print(
    `${verb} ${plural(counts.imported, "rating")} of ${plural(counts.raters, "rater")}; ${plural(counts.duplicate, "duplicate")}, ${plural(counts.unrated, "case")} left unrated, ${plural(counts.faulty, "row")} that could not be used.${counts.imported > 0 && !flags.dryRun ? " `defensible humans report` shows what they say." : ""}`,
  );
}

function nothingRated(files: readonly string[], unrated: number): InputError {
  return new InputError(
    "nothing_rated",
    `ratings: ${files.map((file) => printable(file)).join(", ")} ${files.length === 1 ? "has" : "have"} ${unrated === 0 ? "no rows" : `${plural(unrated, "case")}, none of them rated`}`,
    "Each rater fills in `level` (1, 2 or 3), `inverse` (Yes or No) and `rater` in the sheet, or saves a file from the form; import that file.",
  );
}

async function knownRaters(workspace: Workspace): Promise<RaterNames> {
  const names = new RaterNames();
  for await (const batch of readLabels(workspace)) for (const { rater } of batch) if (rater) names.spelling(rater);
  return names;
}

function chosenKeys(workspace: Workspace, { key, sheet }: ImportFlags): RatingKeys {
  if (key !== undefined) {
    const named = readRatingKey(key);
    if (sheet === undefined || sheet === named.sheet_id) return RatingKeys.of(named);
    throw new InputError("two_sheets", `--key: is of sheet ${named.sheet_id}, not ${sheet}`, "Leave out --sheet.");
  }
  const ids = sheetIds(workspace).filter((id) => sheet === undefined || id === sheet);
  if (ids.length > 0) return new RatingKeys(new Map(ids.map((id) => [id, keyFile(workspace, id)])));
  const drawn = sheetIds(workspace);
  if (drawn.length > 0) {
    throw new InputError(
      "unknown_sheet",
      `--sheet: there is no ${sheet}; there ${drawn.length === 1 ? "is" : "are"} ${drawn.join(", ")}`,
      "Name one of these, or the sheet's key with --key.",
    );
  }
  throw new InputError(
    "no_sheet",
    "ratings: no sheet was drawn in this workspace",
    "Name the sheet's key with --key, or draw one: `defensible humans sample`. Labels that name decisions are imported with `defensible import FILE --as labels`.",
  );
}

async function store(workspace: Workspace, { labels }: ReadRatings, dryRun: boolean): Promise<ImportResult> {
  const folder = mkdtempSync(join(tmpdir(), "defensible-ratings-"));
  try {
    const file = join(folder, "ratings.jsonl");
    writeFileSync(file, labels.map((label) => `${JSON.stringify(label)}\n`).join(""));
    return await importFiles(workspace, [file], { as: "labels", dryRun });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

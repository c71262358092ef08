import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { openAuditTable } from "../../analysis/audit-table.js";
import { verdictRows } from "../../analysis/verdict-rows.js";
import { changedSince } from "../../app/report/run-report.js";
import { newRunId } from "../../audit/identity.js";
import { InputError } from "../../core/errors.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { RatingKey } from "../../core/results/humans.js";
import { type Candidate, chooseCases, emptyStrata } from "../../experiments/humans/choose-cases.js";
import { contentCell, contentMark, sheetCases } from "../../experiments/humans/sheet.js";
import { sheetCsv } from "../../experiments/humans/sheet-csv.js";
import { sheetHtml } from "../../experiments/humans/sheet-html.js";
import { writeFileAtomic } from "../../io/files.js";
import { plural } from "../../present/words/numbers.js";
import { chosenRun, refuseArmsOnly } from "../../store/choose-run.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { writeRatingKey } from "../../store/files/rating-sheets.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { type CommonOptions, examples, integer, withCommonOptions, workspaceOf } from "../options.js";
import { print, printJson, say } from "../output.js";
import { type ScrubOptions, scrubFrom, withScrubOptions } from "../scrub-options.js";

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
  const drawnBy = flags.random === undefined ? "sheet" : "random";
  const size = flags.random ?? flags.cases ?? 30;
  const workspace = await workspaceOf(flags);
  const ledger = fileStores(workspace).runs;
  const manifest = await chosenRun(ledger, flags.run);
  refuseArmsOnly(manifest);
  for (const name of ["form.html", "sheet.csv"]) {
    if (!existsSync(join(flags.out, name))) continue;
    throw new InputError(
      "sheet_exists",
      `${join(flags.out, name)}: is there already`,
      "Raters may be at work on it. Name another folder with --out.",
    );
  }
  await refuseChanged(workspace, manifest, flags.anyway ?? false);
  const seed = flags.seed ?? workspace.config.seed;
  const candidates = await withDuckDB(async (db) => {
    const table = await openAuditTable(db, await ledger.snapshot(manifest.run_id), { actions: manifest.actions });
    return verdictRows<Candidate>(table);
  });
  const chosen = chooseCases(candidates, size, seed, drawnBy);
  if (chosen.cases.length === 0) {
    throw new InputError("no_verdicts", `run ${manifest.run_id}: has no verdict to draw from`, "Name another run.");
  }
  const now = new Date();
  const drawn: RatingKey = {
    format: 1,
    sheet_id: newRunId(now),
    run_id: manifest.run_id,
    seed,
    created_at: now.toISOString(),
    ...chosen,
  };
  const { actions, tier } = manifest;
  const cases = await sheetCases(workspace, drawn, { actions, tier, scrub: await scrubFrom(flags) });
  const key: RatingKey = {
    ...drawn,
    cases: drawn.cases.map((one, i) => {
      const shown = cases[i]!;
      return { ...one, decision: shown.decision, content_mark: contentMark(contentCell(shown)) };
    }),
  };
  mkdirSync(flags.out, { recursive: true });
  const files = { form: join(flags.out, "form.html"), csv: join(flags.out, "sheet.csv") };
  writeFileAtomic(files.form, sheetHtml(key.sheet_id, cases));
  writeFileAtomic(files.csv, sheetCsv(key.sheet_id, cases));
  const keyPath = writeRatingKey(workspace, key);
  const { sheet_id, run_id, strata, population } = key;
  const empty_strata = emptyStrata(strata);
  const told = {
    sheet_id,
    run_id,
    drawn: drawnBy,
    population,
    cases: key.cases.length,
    strata,
    empty_strata,
    files,
    key: keyPath,
  };
  if (printJson(told, flags)) return;
  const short = key.cases.length < size ? ` (${size} were asked for; the run has no more verdicts)` : "";
  print(
    [
      `Sheet ${sheet_id}: ${plural(key.cases.length, "case")} of ${plural(population, "verdict")} in run ${run_id}${short}${drawnBy === "random" ? ", drawn at random" : ""}.`,
      ...strata.map(
        (one) => `  level ${one.level}, inverse ${one.inverse ? "Yes" : "No"}: ${one.cases} of ${one.population}`,
      ),
      ...(empty_strata.length > 0 ? [`  none in the run, and so none on the sheet: ${empty_strata.join("; ")}`] : []),
      ...(tier === "wiki" ? [] : [`Raters see the rules at tier ${tier}, as the auditor of this run did.`]),
      `For raters: ${printable(files.form)} (opens in any browser, offline) or ${printable(files.csv)}. They hold content as it was posted${flags.scrub || flags.scrubNames ? ", with contacts hidden" : "; --scrub hides contacts"}.`,
      `Not for raters: ${printable(keyPath)} says which decision each case is.`,
      `Then: defensible humans import ${printable(files.csv)} (or the file that the form saved)`,
    ].join("\n"),
  );
}

/** Raters who read other rules than the auditor do not rate the auditor. */
async function refuseChanged(workspace: Workspace, manifest: Manifest, anyway: boolean): Promise<void> {
  const changed = await changedSince(fileStores(workspace).records, manifest);
  const texts = changed.filter((name) => name !== "decisions");
  if (texts.length > 0) {
    const what = `the ${texts.join(" and ")} of the workspace are no longer those of run ${manifest.run_id}`;
    if (!anyway) {
      throw new InputError(
        "changed_since_run",
        `sheet: ${what}; raters would judge by other texts than the auditor`,
        "Audit again and draw from the new run, or add --anyway.",
      );
    }
    say(`Note: ${what}. Raters are shown today's.`);
  }
  if (changed.includes("decisions"))
    say(`Note: decisions were added or changed since run ${manifest.run_id}. Raters are shown content as it is today.`);
}

import { join } from "node:path";
import { readTruthTable } from "../../auditors/simulated/truth-table.js";
import { InputError } from "../../core/errors.js";
import type { Label } from "../../core/records/label.js";
import { fileError } from "../../io/files.js";
import { plural } from "../../present/words/numbers.js";
import { smallRunNote } from "../../present/words/vocabulary.js";
import { smallRun } from "../../store/choose-run.js";
import { noRatingKey, parseRatingKey } from "../../store/rating-keys.js";
import { printable } from "../../text/printable.js";
import { changedText, keepResult } from "../audits.js";
import type { OptionsOf, OwnCommand, SliceGroup, SliceOptions, Tools } from "../slice.js";
import { RATERS, type RaterSettings, simulatedRatings } from "../study/datasets.js";
import { type Step, type StepContext, withRun } from "../study/run/step.js";
import { buildHumans } from "./build-humans.js";
import { humansDocument } from "./document.js";
import {
  compareHumans,
  type DrawnSheet,
  drawSheet,
  type HumansRefusal,
  type HumansRequest,
  type ImportedRatings,
  importRatings,
} from "./humans.js";
import type { Humans, RatingKey } from "./result.js";
import { emptyStrata } from "./run-sample.js";
import { sheetCsv, sheetHtml } from "./sheet-html.js";

const SAMPLE = {
  "--cases <n>": ["how many (default: 30)", { whole: [1, 100_000] }],
  "--random <n>": ["draw this many from all verdicts at once instead, without strata", { whole: [1, 100_000] }],
  "--seed <s>": ["seed of the draw (default: the workspace's)", { whole: [0] }],
  "--run <id>": ["draw from this run's verdicts (default: the newest)"],
  "--out <dir>": ["folder for the sheet", "text", "rating-sheet"],
  "--anyway": ["draw although rules or precedents have changed since the run"],
} as const satisfies SliceOptions;

const sample: OwnCommand<never, OptionsOf<typeof SAMPLE>> = {
  does: "draw cases for people to rate: equal numbers of each level with and without the inverse, blinded, as CSV and as a form that works offline",
  takes: ["raters"],
  refusals: humansRefusal,
  options: SAMPLE,
  examples: ["defensible humans sample --cases 30 --out sheet", "defensible humans sample --random 200 --out sheet"],
  async run({ say, print, json, files: disk, scrub, workspace }, options) {
    const { cases: wanted, random, run, seed, anyway = false, out } = options;
    if (wanted !== undefined && random !== undefined) {
      throw new InputError("two_sizes", "--cases and --random: got both, expected one", "Leave out one of them.");
    }
    const context = await workspace();
    const files = { form: join(out, "form.html"), csv: join(out, "sheet.csv") };
    for (const file of Object.values(files).filter(disk.has)) {
      const remedy = "Raters may be at work on it. Name another folder with --out.";
      throw new InputError("sheet_exists", `${file}: is there already`, remedy);
    }
    const size = random ?? wanted ?? 30;
    const hidden = await scrub();
    const how = random === undefined ? "sheet" : "random";
    const small = run === undefined ? await smallRun(context.runs) : null;
    if (small) say(smallRunNote(small));
    const drawn = await drawSheet(context, { run, size, drawn: how, seed, anyway, scrub: hidden });
    for (const note of changedNotes(drawn)) say(note);
    const { key, cases } = drawn;
    const { sheet_id, run_id, population, strata } = key;
    disk.makeFolder(out);
    disk.write(files.form, sheetHtml(sheet_id, cases));
    disk.write(files.csv, sheetCsv(sheet_id, cases));
    const place = await context.sheets.keep(key);
    const shown = {
      ...{ sheet_id, run_id, drawn: how, population },
      cases: cases.length,
      strata,
      empty_strata: emptyStrata(strata),
      files,
      key: place,
    };
    if (!json(shown)) print(sheetText(drawn, { ...files, key: place }, size, hidden !== null));
    return null;
  },
};

const IMPORT = {
  "--sheet <id>": ["take ratings of this sheet only (default: each row says its own)"],
  "--key <file>": ["the sheet's key, if it is not in this workspace"],
  "--rater <name>": ["who rated, for rows that do not say"],
  "--dry-run": ["check everything and write nothing"],
} as const satisfies SliceOptions;

const bringBack: OwnCommand<never, OptionsOf<typeof IMPORT>> = {
  does: "bring ratings back: what the form saved, or the sheet filled in; they become labels of the workspace",
  arguments: [["<files...>", "one file a rater, or several raters in one (CSV, JSONL, Parquet)"]],
  takes: [],
  refusals: humansRefusal,
  options: IMPORT,
  examples: ["defensible humans import ratings-*.csv", "defensible humans import sheet.csv --rater ana"],
  async run({ say, print, json, end, files: disk, workspace }, options, files: string[]) {
    const context = await workspace();
    const { sheet, rater, dryRun = false } = options;
    const key = options.key === undefined ? undefined : readKey(disk, options.key);
    const result = await importRatings(context, files, { sheet, key, rater, dryRun });
    const { imported, duplicate, conflicting, unrated, raters, faults } = result;
    if (faults.length > 0 || conflicting > 0 || result.read === 0) end("user");
    const counts = { imported, duplicate, conflicting, unrated, faulty: faults.length, raters };
    if (json({ ...counts, dry_run: dryRun, faults: faults.slice(0, 100) })) return null;
    for (const line of faultLines(result)) say(line);
    print(importedSentence(result, dryRun));
    return null;
  },
};

function readKey(files: Tools["files"], file: string): RatingKey {
  if (!files.has(file)) throw noRatingKey(file);
  try {
    return parseRatingKey(files.read(file), file);
  } catch (cause) {
    throw fileError(cause, file);
  }
}

const report: OwnCommand<Humans, HumansRequest> = {
  does: "compare people's ratings with the auditor: rank correlation, agreement, reliability, power",
  takes: ["result"],
  refusals: humansRefusal,
  options: {
    "--run <id>": ["which run (default: the sheet's own, else the newest)"],
    "--sheet <id>": ["only ratings of this sheet (default: all labels of people)"],
    "--seed <s>": ["seed of the bootstrap (default: the workspace's)", { whole: [0] }],
    "--draws <n>": ["draws of the bootstrap", { whole: [100, 100_000] }, 2000],
  },
  examples: ["defensible humans report", "defensible humans report --json=humans.json"],
  async run({ workspace }, options) {
    const context = await workspace();
    return keepResult(context, await compareHumans(context, options));
  },
  document: humansDocument,
};

export const humans: SliceGroup = { commands: { sample, import: bringBack, report } };

/** People's ratings; in a simulated world with a cohort for rating, ratings of simulated people. */
export const humansStep: Step = {
  name: "humans",
  title: "people's ratings",
  async refuses(context) {
    if ((await ratingsOf(context)).length > 0) return null;
    return {
      reason: "no person has rated a decision",
      command: "defensible humans sample, then defensible humans import",
    };
  },
  needs: () => ["human"],
  async run(context) {
    const { runs, seed } = context;
    const labels = await ratingsOf(context);
    const place = await runs.get("human");
    const settings = context.raters;
    const { run_id: runId, weights } = place.manifest!;
    const inputs = { runId, weights, labels, key: null, simulated: settings !== null, seed };
    const result = await withRun(place, (table) => buildHumans(table, { ...inputs, draws: runs.sizes.draws }));
    return {
      ...result,
      ...(settings && {
        simulated_raters: settings,
        warnings: ["the raters are simulated from the truth: nothing here is about people", ...result.warnings],
      }),
    };
  },
};

async function ratingsOf(context: StepContext): Promise<Label[]> {
  const { runs, simulation } = context;
  const labels: Label[] = [];
  for await (const batch of runs.context.labels.labels()) {
    labels.push(...batch.filter(({ source, rater }) => source === "human" && rater));
  }
  const { human } = runs.cohorts;
  if (labels.length > 0 || !simulation || human === null) return labels;
  const truths = await readTruthTable(runs.context.workspace.paths.truth);
  const rated = (await runs.context.cohorts.find(human))!.decision_ids;
  const cases = rated.flatMap((decision_id) => {
    const truth = truths.get(decision_id);
    return truth ? [{ decision_id, level: truth.level, inverse: truth.inverse }] : [];
  });
  const settings: RaterSettings = { ...RATERS, seed: simulation.seed };
  context.raters = { ...settings, cases: cases.length };
  return simulatedRatings(cases, settings);
}

/** How a drawn sheet differs from its run. */
function changedNotes({ changed, key: { run_id } }: DrawnSheet): string[] {
  const texts = changed.filter((part) => part !== "decisions");
  return [
    ...(texts.length > 0 ? [`Note: ${changedText({ run: run_id, parts: texts })}. Raters are shown today's.`] : []),
    ...(changed.includes("decisions")
      ? [`Note: decisions were added or changed since run ${run_id}. Raters are shown content as it is today.`]
      : []),
  ];
}

/** Paths of a sheet's files. */
interface SheetFiles {
  form: string;
  csv: string;
  key: string;
}

/** What was drawn, and where it was written. `asked`: number of cases requested. */
function sheetText({ key, tier }: DrawnSheet, files: SheetFiles, asked: number, scrubbed: boolean): string {
  const { sheet_id, run_id, strata, population, cases, drawn } = key;
  const empty = emptyStrata(strata);
  const short = cases.length < asked ? ` (${asked} were asked for; the run has no more verdicts)` : "";
  return [
    `Sheet ${sheet_id}: ${plural(cases.length, "case")} of ${plural(population, "verdict")} in run ${run_id}${short}${drawn === "random" ? ", drawn at random" : ""}.`,
    ...strata.map(
      (one) => `  level ${one.level}, inverse ${one.inverse ? "Yes" : "No"}: ${one.cases} of ${one.population}`,
    ),
    ...(empty.length > 0 ? [`  none in the run, and so none on the sheet: ${empty.join("; ")}`] : []),
    ...(tier === "wiki" ? [] : [`Raters see the rules at tier ${tier}, as the auditor of this run did.`]),
    `For raters: ${printable(files.form)} (opens in any browser, offline) or ${printable(files.csv)}. They hold content as it was posted${scrubbed ? ", with contacts hidden" : "; --scrub hides contacts"}.`,
    `Not for raters: ${printable(files.key)} says which decision each case is.`,
    `Then: defensible humans import ${printable(files.csv)} (or the file that the form saved)`,
  ].join("\n");
}

/** Rows that were rejected, and why. */
function faultLines({ faults, conflicting }: ImportedRatings): string[] {
  return [
    ...faults
      .slice(0, 20)
      .map(({ file, line, reason }) => `${printable(file)}, line ${line}: ${printable(reason, 300)}`),
    ...(faults.length > 20 ? [`… and ${faults.length - 20} more.`] : []),
    ...(conflicting > 0
      ? [
          `${plural(conflicting, "rating")} not taken: the same rater has rated the case before, otherwise or on another sheet. Ratings are kept as they came first.`,
        ]
      : []),
  ];
}

function importedSentence(result: ImportedRatings, dryRun: boolean): string {
  const { imported, raters, duplicate, unrated, faults } = result;
  const next = imported > 0 && !dryRun ? " `defensible humans report` shows what they say." : "";
  return `${dryRun ? "Would import" : "Imported"} ${plural(imported, "rating")} of ${plural(raters, "rater")}; ${plural(duplicate, "duplicate")}, ${plural(unrated, "case")} left unrated, ${plural(faults.length, "row")} that could not be used.${next}`;
}

/** A refusal in the terms of `defensible humans`. */
function humansRefusal(why: HumansRefusal): InputError {
  const [message, remedy] = refusalWords(why);
  return new InputError(why.code, message, remedy);
}

function refusalWords(why: HumansRefusal): [message: string, remedy: string] {
  switch (why.code) {
    case "changed_since_run":
      return [
        `sheet: ${changedText({ run: why.run, parts: why.texts })}; raters would judge by other texts than the auditor`,
        "Audit again and draw from the new run, or add --anyway.",
      ];
    case "no_verdicts":
      return [`run ${why.run}: has no verdict to draw from`, "Name another run."];
    case "nothing_rated": {
      const { files, unrated } = why;
      const what = unrated === 0 ? "no rows" : `${plural(unrated, "case")}, none of them rated`;
      return [
        `ratings: ${files.map((file) => printable(file)).join(", ")} ${files.length === 1 ? "has" : "have"} ${what}`,
        "Each rater fills in `level` (1, 2 or 3), `inverse` (Yes or No) and `rater` in the sheet, or saves a file from the form; import that file.",
      ];
    }
    case "two_sheets":
      return [`--key: is of sheet ${why.key}, not ${why.asked}`, "Leave out --sheet."];
    case "no_sheet":
      return [
        "ratings: no sheet was drawn in this workspace",
        "Name the sheet's key with --key, or draw one: `defensible humans sample`. Labels that name decisions are imported with `defensible import FILE --as labels`.",
      ];
    case "unknown_sheet": {
      const { sheet, drawn, wanted } = why;
      const known = `there ${drawn.length === 1 ? "is" : "are"} ${drawn.join(", ") || "none"}`;
      return wanted === "key"
        ? [`--sheet: there is no ${sheet}; ${known}`, "Name one of these, or the sheet's key with --key."]
        : [`sheet: there is no ${sheet}; ${known}`, "`defensible humans sample` draws one."];
    }
  }
}

import { join } from "node:path";
import { readTruthTable } from "../../auditors/simulated/truth-table.js";
import { InputError } from "../../core/errors.js";
import type { Label } from "../../core/records/label.js";
import { fileError } from "../../io/files.js";
import { noRatingKey, parseRatingKey } from "../../store/rating-keys.js";
import { keepResult } from "../audits.js";
import type { OptionsOf, OwnCommand, SliceGroup, SliceOptions, Tools } from "../slice.js";
import { RATERS, type RaterSettings, simulatedRatings } from "../study/datasets.js";
import { type Step, type StepContext, withRun } from "../study/run/step.js";
import { buildHumans } from "./build-humans.js";
import { humansDocument } from "./document.js";
import { compareHumans, drawSheet, type HumansRequest, importRatings } from "./humans.js";
import { changedNotes, faultLines, humansRefusal, importedSentence, sheetText } from "./humans-words.js";
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

/** People's ratings; in a simulated world with a cohort to be rated, ratings of simulated people. */
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
    const inputs = { runId: place.manifest!.run_id, labels, key: null, simulated: settings !== null, seed };
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

import { InputError } from "../../core/errors.js";
import { plural } from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";
import { changedText } from "../refusals.js";
import type { DrawnSheet, HumansRefusal, ImportedRatings } from "./humans.js";
import { emptyStrata } from "./run-sample.js";

/** What a drawn sheet does not share with the run it is of. */
export function changedNotes({ changed, key: { run_id } }: DrawnSheet): string[] {
  const texts = changed.filter((part) => part !== "decisions");
  return [
    ...(texts.length > 0 ? [`Note: ${changedText({ run: run_id, parts: texts })}. Raters are shown today's.`] : []),
    ...(changed.includes("decisions")
      ? [`Note: decisions were added or changed since run ${run_id}. Raters are shown content as it is today.`]
      : []),
  ];
}

/** Where a sheet went. */
export interface SheetFiles {
  form: string;
  csv: string;
  key: string;
}

/** What was drawn, and where it is. `asked`: how many cases. */
export function sheetText({ key, tier }: DrawnSheet, files: SheetFiles, asked: number, scrubbed: boolean): string {
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

/** Rows that were not taken, and why. */
export function faultLines({ faults, conflicting }: ImportedRatings): string[] {
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

export function importedSentence(result: ImportedRatings, dryRun: boolean): string {
  const { imported, raters, duplicate, unrated, faults } = result;
  const next = imported > 0 && !dryRun ? " `defensible humans report` shows what they say." : "";
  return `${dryRun ? "Would import" : "Imported"} ${plural(imported, "rating")} of ${plural(raters, "rater")}; ${plural(duplicate, "duplicate")}, ${plural(unrated, "case")} left unrated, ${plural(faults.length, "row")} that could not be used.${next}`;
}

/** A refusal in the terms of `defensible humans`. */
export function humansRefusal(why: HumansRefusal): InputError {
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

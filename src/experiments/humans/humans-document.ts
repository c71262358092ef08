import { InputError } from "../../core/errors.js";
import { type Block, type Document, noteBlocks, type Text, table } from "../../present/document/document.js";
import { RATED_SIGNALS } from "../../present/words/experiments/experiment-words.js";
import { type NumberForm, pCell, plural, wideInterval } from "../../present/words/numbers.js";
import { countedAt, estAt, numberAt, type Sentence, sentence } from "../../present/words/sentence.js";
import { sign } from "../../present/words/signs.js";
import { wordOr } from "../../present/words/vocabulary.js";
import { printable } from "../../text/printable.js";
import { changedText } from "../audits.js";
import type { DrawnSheet, HumansRefusal, ImportedRatings } from "./humans.js";
import type { Humans } from "./result.js";
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

/** What people's ratings say of the auditor, and how far people agree among themselves. */
export function humansDocument(humans: Humans): Document {
  const { counts, runs, auditor } = humans;
  const source = [...runs.map((run) => `run ${run}`), ...(auditor ? [`auditor ${auditor}`] : [])];
  return {
    title: "The auditor against people's ratings",
    subtitle: `${source.map((part) => `${printable(part, 60)} · `).join("")}${plural(counts.cases, "case")} · ${plural(counts.raters, "rater")} · ${plural(counts.ratings, "rating")}`,
    data: humans,
    blocks: [
      { kind: "text", as: "lead", text: conclusion(humans) },
      { kind: "figure", id: "ratings-against-pds" },
      agreement(humans),
      { kind: "heading", text: "Rank correlations" },
      ...correlations(humans),
      { kind: "heading", text: "How far the raters agree among themselves" },
      reliability(humans),
      { kind: "text", text: power(humans) },
      ...noteBlocks(humans.warnings),
    ],
  };
}

/** The most telling correlation: S, else P(defensible), else any that is defined. */
function headline({ correlations: all }: Humans): number {
  const defined = (name: string) =>
    all.findIndex(({ signal, spearman }) => signal === name && spearman.estimate !== null);
  return (
    ["pds", "p_defensible"].map(defined).find((place) => place >= 0) ??
    all.findIndex(({ spearman }) => spearman.estimate !== null)
  );
}

function conclusion(humans: Humans): Sentence {
  const { counts, agreement: of } = humans;
  const rated =
    "simulated_raters" in humans
      ? sentence`Simulated raters, not people: this checks the instrument and says nothing about people. `
      : [];
  const who = sentence`${countedAt("/counts/raters", counts.raters, "rater")} and the auditor agree`;
  const side =
    of.defensible.estimate === null
      ? sentence`Agreement of ${countedAt("/counts/raters", counts.raters, "rater")} with the auditor is undefined: ${of.defensible.reason}.`
      : sentence`${who} on whether a decision is defensible in ${estAt("/agreement/defensible", "rounded", "all")} of the cases, and on its level in ${estAt("/agreement/level", "rounded", "value")}.`;
  return sentence`${rated}${side} ${orderSentence(humans)}`;
}

function orderSentence(humans: Humans): Sentence {
  const place = headline(humans);
  const found = humans.correlations[place];
  if (!found) {
    const [first] = humans.correlations;
    return [
      `No rank correlation can be given: ${first?.spearman.estimate === null ? first.spearman.reason : "no signal"}.`,
    ];
  }
  const run = found.of_run && found.of_run.estimate !== null;
  const interval = (run ? wideInterval(found.of_run!) : found.two_way) ?? wideInterval(found.spearman)!;
  const verdict =
    interval.lower > 0
      ? "they order the cases alike"
      : interval.upper < 0
        ? "they order the cases the other way round"
        : "not statistically significant";
  return sentence`Spearman's ρ of ${wordOr(RATED_SIGNALS, found.signal, 60)}${run ? ", for the whole run," : ""} is ${estAt(`/correlations/${place}/${run ? "of_run" : "spearman"}`, "decimal")}: ${verdict}.`;
}

function agreement({ agreement: of, indices_of_run: ofRun }: Humans): Block {
  const row = (name: string, at: string, as: NumberForm = "percent"): Text[] => [
    name,
    estAt(at, as),
    numberAt(`${at}/n`, "whole"),
  ];
  return table(
    ["", ">share", ">cases"],
    [
      row("Same side: defensible or not", "/agreement/defensible"),
      ...(of.weighted ? [row("… for the whole run", "/agreement/weighted/defensible")] : []),
      row("Same level", "/agreement/level"),
      row("Same answer on the opposite", "/agreement/inverse"),
      row("Cohen's κ of levels", "/agreement/kappa_level", "decimal"),
      row("Defensible, by the raters", "/indices/defensible_by_raters"),
      row("Defensible, by the auditor", "/indices/defensible_by_auditor"),
      row("Opposite derivable, by the raters", "/indices/inverse_by_raters"),
      row("Opposite derivable, by the auditor", "/indices/inverse_by_auditor"),
      ...(ofRun
        ? [
            row("Defensible, by the raters, whole run", "/indices_of_run/defensible_by_raters"),
            row("Opposite derivable, by the raters, whole run", "/indices_of_run/inverse_by_raters"),
          ]
        : []),
    ],
    "The auditor against the median rating",
  );
}

function correlations({ correlations: all, drawn }: Humans): Block[] {
  return [
    table(
      ["~correlation of", ">ρ of the run", ">ρ of the cases"],
      all.map(({ signal, of_run }, i): Text[] => [
        wordOr(RATED_SIGNALS, signal, 60),
        of_run ? estAt(`/correlations/${i}/of_run`, "decimal") : "–",
        estAt(`/correlations/${i}/spearman`, "decimal"),
      ]),
    ),
    table(
      ["~the same cases", ">raters drawn too", ">without rater error", ">p", ">n"],
      all.map(({ signal, spearman, two_way, disattenuated }, i): Text[] => {
        const at = `/correlations/${i}`;
        return [
          printable(sign(signal), 60),
          two_way
            ? sentence`${numberAt(`${at}/two_way/lower`, "decimal")} to ${numberAt(`${at}/two_way/upper`, "decimal")}`
            : "–",
          disattenuated === null ? "–" : numberAt(`${at}/disattenuated`, "decimal"),
          spearman.estimate === null ? "–" : pCell(spearman.p_value),
          numberAt(`${at}/spearman/n`, "whole"),
        ];
      }),
    ),
    {
      kind: "text",
      text: `${drawn === "sheet" ? "A sheet has equal numbers of each verdict, so the ρ of the run weights each case by the decisions it represents. " : ""}Intervals draw cases. Without rater error: ρ divided by the square root of the reliability of the mean rating.`,
    },
  ];
}

function reliability({ reliability: of }: Humans): Block {
  const mean = of.raters_per_case === null ? "k" : of.raters_per_case.toFixed(1);
  const row = (name: string, field: string): Text[] => [name, estAt(`/reliability/${field}`, "decimal")];
  return table(
    ["measure", ">value"],
    [
      row("Krippendorff's α, levels (ordinal)", "krippendorff_level"),
      row("Krippendorff's α, opposite (nominal)", "krippendorff_inverse"),
      row("ICC(2,1): one rater", "icc_single"),
      row(`ICC(2,k): the mean of ${mean}`, "icc_average"),
    ],
  );
}

function power({ power: { detectable } }: Humans): Sentence {
  const shown =
    detectable === null
      ? ["are too few to show any correlation"]
      : sentence`can show a correlation of at least ${numberAt("/power/detectable", "decimal")} (power 0.8, 5% level)`;
  return sentence`${numberAt("/power/cases", "whole")} cases ${shown}; a correlation of 0.3 takes ${numberAt("/power/needed_for_0_3", "whole")} cases. More raters do not replace more cases.`;
}

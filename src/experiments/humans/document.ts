import {
  type Block,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../present/document/document.js";
import { ratedSignal } from "../../present/words/experiment-words.js";
import { type NumberForm, pCell, plural, whole, wideInterval } from "../../present/words/numbers.js";
import { countedAt, estAt, numberAt, type Sentence, sentence } from "../../present/words/sentence.js";
import { sign } from "../../present/words/vocabulary.js";
import { printable } from "../../text/printable.js";
import type { Humans } from "./result.js";

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

/** The most informative correlation: S, else P(defensible), else any that is defined. */
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
      ? "positively correlated"
      : interval.upper < 0
        ? "negatively correlated"
        : "not statistically significant";
  return sentence`Spearman's ρ of ${ratedSignal(found.signal, humans.weights)}${run ? ", for the whole run," : ""} is ${estAt(`/correlations/${place}/${run ? "of_run" : "spearman"}`, "decimal")}: ${verdict}.`;
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

function correlations({ correlations: all, drawn, weights }: Humans): Block[] {
  return [
    table(
      ["~correlation of", ">ρ of the run", ">ρ of the cases"],
      all.map(({ signal, of_run }, i): Text[] => [
        ratedSignal(signal, weights),
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
      text: `ρ of the cases: of the rated cases as they are. ρ of the run: ${drawn === "sheet" ? "a sheet has equal numbers of each verdict, so each case is weighted by the decisions it represents" : "the same for all of its verdicts, of which the cases are a sample"}. Intervals draw cases. Without rater error: ρ divided by the square root of the reliability of the mean rating.`,
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

export default {
  kind: "humans",
  view: "trust",
  id: "people",
  place: 1,
  tab: "People",
  heading: "People",
  purpose:
    "People rate a sheet of cases without seeing the verdicts (`humans sample`, `humans import`); the ratings show how far to trust the auditor.",
  command: "defensible humans report",
  document: humansDocument,
  missing({ decisions }) {
    // As in the report, a rating counts only if it names its rater.
    const rated = decisions.filter(
      ({ audit, labels }) =>
        audit.outcome === "verdict" && labels.some(({ source, rater }) => source === "human" && rater?.trim()),
    );
    if (rated.length === 0) return null;
    return `People rated ${whole(rated.length)} of the decisions listed here, and no report of their ratings was made.`;
  },
} satisfies Screen<"humans">;

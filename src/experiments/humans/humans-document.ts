import { type Block, type Document, noteBlocks, table } from "../../present/document/document.js";
import { RATED_SIGNALS } from "../../present/words/experiments/experiment-words.js";
import { decimal, intervalText, plural, pText, rateText } from "../../present/words/numbers.js";
import { sign } from "../../present/words/signs.js";
import { wordOr } from "../../present/words/word-table.js";
import { printable } from "../../text/printable.js";
import type { Humans } from "./result.js";

const INVERSE = "inverse_yes_prob";

const STRATIFIED =
  "A sheet has equal numbers of each verdict, so the ρ of its cases is not that of the run; the ρ of the run weighs each case by how many decisions it stands for. ";

/** What people's ratings say of the auditor, and how far people agree among themselves. */
export function humansDocument(humans: Humans): Document {
  const { counts, power } = humans;
  const perCase = counts.ratings_per_case;
  return {
    title: "The auditor against people's ratings",
    subtitle: `${source(humans)}${plural(counts.cases, "case")} · ${plural(counts.raters, "rater")} · ${plural(counts.ratings, "rating")}${perCase ? ` (${perCase.least} to ${perCase.most} a case)` : ""}`,
    blocks: [
      ...headline(humans),
      { kind: "heading", text: "Rank correlations" },
      ...correlations(humans),
      {
        kind: "text",
        text: `${humans.drawn === "sheet" ? STRATIFIED : ""}Of the ρ of the cases the first interval takes the raters as given and cases as the sample; the second draws both. The corrected ρ is divided by the square root of the reliability of the mean rating: what it would be if the raters were without error, above 1 where that overcorrects.${dashReasons(humans)}`,
      },
      { kind: "heading", text: "How far the raters agree among themselves" },
      reliability(humans),
      { kind: "heading", text: "The auditor against the median rating" },
      agreement(humans),
      {
        kind: "text",
        text: `What ${plural(power.cases, "case")} can show: ${power.detectable === null ? "nothing, they are too few" : `a correlation of at least ${decimal(power.detectable)} (power 0.8, 5 %)`}; for 0.3 it takes ${power.needed_for_0_3} cases. More raters make each case's mean surer, not the cases more.`,
      },
      ...noteBlocks(humans.warnings),
    ],
  };
}

function source({ runs, auditor }: Humans): string {
  const parts = [...runs.map((run) => `run ${run}`), ...(auditor ? [`auditor ${auditor}`] : [])];
  return parts.map((part) => `${printable(part, 60)} · `).join("");
}

/** S and p_defensible side by side: two readings of one answer, of which the better must not stand alone, nor the worse. */
function headline({ correlations: all }: Humans): Block[] {
  const told = ["pds", "p_defensible"].flatMap((name) => all.filter(({ signal }) => signal === name));
  const defined = told.filter(({ spearman }) => spearman.estimate !== null);
  const shown = defined.length > 0 ? defined : all.filter(({ spearman }) => spearman.estimate !== null).slice(0, 1);
  if (shown.length === 0) {
    const [first] = all;
    const reason = first?.spearman.estimate === null ? first.spearman.reason : "no signal";
    return [{ kind: "text", text: `No rank correlation can be given: ${reason}.` }];
  }
  const missing = told.flatMap(({ signal, spearman }) =>
    spearman.estimate === null ? [`${printable(sign(signal), 60)} has none: ${spearman.reason}.`] : [],
  );
  return [
    ...shown.map(correlationHeadline),
    ...(missing.length > 0 ? [{ kind: "text", text: missing.join(" ") } as const] : []),
  ];
}

function correlationHeadline({ signal, spearman, two_way, of_run }: Humans["correlations"][number]): Block {
  if (spearman.estimate === null) return { kind: "text", text: spearman.reason };
  const run = of_run && of_run.estimate !== null ? of_run : null;
  const interval = run ?? two_way ?? spearman;
  const verdict =
    interval.lower > 0
      ? "People and this signal order the cases alike, as far as the interval says."
      : interval.upper < 0
        ? "This signal orders the cases the other way round than people."
        : "Chance alone could explain it.";
  return {
    kind: "headline",
    value: decimal((run ?? spearman).estimate),
    label: `Spearman's ρ of ${wordOr(RATED_SIGNALS, signal, 60)}${run ? ", of the run" : ", of these cases"}`,
    under: `95 % interval ${range(interval)}, over ${plural(spearman.n, "case")}. ${verdict}`,
  };
}

/** Why cells of the table of correlations are empty. */
function dashReasons({ correlations: all, reliability: { icc_average: reliable } }: Humans): string {
  const reasons = all.flatMap(({ signal, spearman }) =>
    spearman.estimate === null ? [`${printable(sign(signal), 60)} has no ρ (${spearman.reason})`] : [],
  );
  const ofRun = all.find(({ of_run }) => of_run?.estimate === null)?.of_run;
  if (ofRun?.estimate === null) reasons.push(`the run has no ρ (${ofRun.reason})`);
  const defined = all.filter(({ spearman }) => spearman.estimate !== null);
  if (defined.some(({ two_way }) => two_way === null)) {
    reasons.push(
      "both can be drawn only with two cases and two raters or more, and where most draws have a correlation",
    );
  }
  const byMean = defined.filter(({ signal, disattenuated }) => signal !== INVERSE && disattenuated === null);
  if (byMean.length > 0) {
    const why = reliable.estimate === null ? reliable.reason : "raters agree no more than by chance";
    reasons.push(`the reliability of the mean rating is not known (${why})`);
  }
  if (defined.some(({ signal, disattenuated }) => signal === INVERSE && disattenuated === null)) {
    reasons.push("σ(ρ) is not corrected, since the reliability of the shares of Yes is not estimated");
  }
  return reasons.length === 0 ? "" : ` A dash means undefined: ${reasons.join("; ")}.`;
}

function range({ lower, upper }: { lower: number; upper: number }): string {
  return `${decimal(lower)} to ${decimal(upper)}`;
}

/** The ρ of the run and of the cases; then how sure that of the cases is. Two tables, so that each fits a narrow terminal. */
function correlations({ correlations: all }: Humans): Block[] {
  return [
    table(
      ["~correlation of", ">ρ of the run", "95 % interval", ">ρ of the cases", ">n"],
      all.map(({ signal, spearman, of_run }) => [
        wordOr(RATED_SIGNALS, signal, 60),
        of_run ? decimal(of_run.estimate) : "–",
        of_run && of_run.estimate !== null ? range(of_run) : "–",
        decimal(spearman.estimate),
        String(spearman.n),
      ]),
    ),
    table(
      ["the cases", ">ρ", "interval: cases", "interval: both", ">p", ">corrected"],
      all.map(({ signal, spearman, two_way, disattenuated }) => [
        printable(sign(signal), 60),
        decimal(spearman.estimate),
        spearman.estimate === null ? "–" : range(spearman),
        two_way ? range(two_way) : "–",
        spearman.estimate === null ? "–" : pText(spearman.p_value),
        decimal(disattenuated),
      ]),
    ),
  ];
}

function reliability({ reliability: of }: Humans): Block {
  const names = [
    ["Krippendorff's α, levels (ordinal)", of.krippendorff_level],
    ["Krippendorff's α, inverse (nominal)", of.krippendorff_inverse],
    ["ICC(2,1): one rater", of.icc_single],
    [`ICC(2,k): the mean of ${of.raters_per_case === null ? "k" : of.raters_per_case.toFixed(1)}`, of.icc_average],
  ] as const;
  return table(
    ["measure", ">value", "~95 % interval, cases drawn"],
    names.map(([name, estimate]) => [
      name,
      decimal(estimate.estimate),
      estimate.estimate === null ? estimate.reason : range(estimate),
    ]),
  );
}

function agreement({ agreement: of, indices, indices_of_run: ofRun }: Humans): Block {
  const rows = [
    ["same level", of.level],
    ["same side: defensible or not", of.defensible],
    ...(of.weighted ? ([["the same, of the run", of.weighted.defensible]] as const) : []),
    ["same answer to the inverse", of.inverse],
    ["defensible, say the raters", indices.defensible_by_raters],
    ["defensible, says the auditor", indices.defensible_by_auditor],
    ["opposite derivable, say the raters", indices.inverse_by_raters],
    ["opposite derivable, says the auditor", indices.inverse_by_auditor],
    ...(ofRun
      ? ([
          ["defensible, say the raters, of the run", ofRun.defensible_by_raters],
          ["opposite derivable, say the raters, of the run", ofRun.inverse_by_raters],
        ] as const)
      : []),
  ] as const;
  return table(
    ["", ">share", "~95 % interval", ">n"],
    [
      ...rows.map(([name, estimate]) => [
        name,
        rateText(estimate),
        estimate.estimate === null ? estimate.reason : intervalText(estimate),
        String(estimate.n),
      ]),
      [
        "Cohen's κ of levels",
        decimal(of.kappa_level.estimate),
        of.kappa_level.estimate === null ? of.kappa_level.reason : range(of.kappa_level),
        String(of.kappa_level.n),
      ],
    ],
  );
}

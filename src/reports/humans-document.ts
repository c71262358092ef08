import type { Humans } from "../domain/humans.js";
import { type Block, type Document, table } from "./document.js";
import { decimal, intervalText, plural, pText, rateText } from "./numbers.js";
import { printable } from "./printable.js";

const SIGNALS: Record<string, string> = {
  pds: "S (PDS) with the mean rating",
  p_defensible: "p_defensible with the mean rating",
  level: "the auditor's level with the mean rating",
  inverse_yes_prob: "σ(ρ) with the share of raters who say the opposite can be derived",
};

/** What people's ratings say of the auditor, and how far people agree among themselves. */
export function humansDocument(humans: Humans): Document {
  const { counts, power } = humans;
  const perCase = counts.ratings_per_case;
  return {
    title: "The auditor against people's ratings",
    subtitle: `${plural(counts.cases, "case")} · ${plural(counts.raters, "rater")} · ${plural(counts.ratings, "rating")}${perCase ? ` (${perCase.least} to ${perCase.most} a case)` : ""}`,
    blocks: [
      ...headline(humans),
      { kind: "heading", text: "Rank correlations" },
      correlations(humans),
      {
        kind: "text",
        text: "The first interval takes the raters as given and cases as the sample; the second draws both. The last column divides by the square root of the reliability of the mean rating: what the correlation would be if the raters were without error, above 1 where that overcorrects.",
      },
      { kind: "heading", text: "How far the raters agree among themselves" },
      reliability(humans),
      { kind: "heading", text: "The auditor against what most raters said" },
      agreement(humans),
      {
        kind: "text",
        text: `What ${plural(power.cases, "case")} can show: ${power.detectable === null ? "nothing, they are too few" : `a correlation of at least ${decimal(power.detectable)} (power 0.8, 5 %)`}; for 0.3 it takes ${power.needed_for_0_3} cases. More raters make each case's mean surer, not the cases more.`,
      },
      ...humans.warnings.map((text): Block => ({ kind: "text", text: `Note: ${printable(text, 300)}.` })),
    ],
  };
}

function headline({ correlations: all }: Humans): Block[] {
  const main = all.find(({ spearman }) => spearman.estimate !== null);
  if (!main || main.spearman.estimate === null) {
    return [
      {
        kind: "text",
        text: `No rank correlation can be given: ${all[0]?.spearman.estimate === null ? all[0].spearman.reason : "no signal"}.`,
      },
    ];
  }
  const interval = main.two_way ?? main.spearman;
  return [
    {
      kind: "headline",
      value: decimal(main.spearman.estimate),
      label: "Spearman's ρ",
      under: `of ${SIGNALS[main.signal] ?? main.signal}, 95 % interval ${range(interval)}, over ${plural(main.spearman.n, "case")}. ${interval.lower > 0 ? "People and auditor order the cases alike, as far as the interval says." : "Chance alone could explain it."}`,
    },
  ];
}

function range({ lower, upper }: { lower: number; upper: number }): string {
  return `${decimal(lower)} to ${decimal(upper)}`;
}

function correlations({ correlations: all }: Humans): Block {
  return table(
    ["~correlation of", ">ρ", "over cases", "over cases and raters", ">p", ">n", ">without rater error"],
    all.map(({ signal, spearman, two_way, disattenuated }) => [
      SIGNALS[signal] ?? signal,
      spearman.estimate === null ? "–" : decimal(spearman.estimate),
      spearman.estimate === null ? spearman.reason : range(spearman),
      two_way ? range(two_way) : "–",
      spearman.estimate === null ? "–" : pText(spearman.p_value),
      String(spearman.n),
      decimal(disattenuated),
    ]),
  );
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

function agreement({ agreement: of, indices }: Humans): Block {
  const rows = [
    ["same level", of.level],
    ["same side: defensible or not", of.defensible],
    ...(of.weighted
      ? ([["the same, for the whole run that the sheet was drawn from", of.weighted.defensible]] as const)
      : []),
    ["same answer to the inverse", of.inverse],
    ["defensible, say the raters", indices.defensible_by_raters],
    ["defensible, says the auditor", indices.defensible_by_auditor],
    ["opposite derivable, say the raters", indices.inverse_by_raters],
    ["opposite derivable, says the auditor", indices.inverse_by_auditor],
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

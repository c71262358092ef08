import type { Estimate } from "../../core/estimate.js";
import type { CohortMetrics, Report } from "../../core/results/report.js";
import { groupBy } from "../../core/text-checks.js";
import type { AuditedReason, StatedReason } from "../../measures/metrics/reason-accuracy.js";
import { printable } from "../../text/printable.js";
import { type Block, type Document, type Text, table } from "../document/document.js";
import { type NumberForm, plural, wideInterval } from "../words/numbers.js";
import { estAt, numberAt, type Piece, pointerPart, type Sentence, sentence, termOf } from "../words/sentence.js";
import { CAUSE_NAMES, CAUSE_WORDS, CAUSES, wordsOf } from "../words/vocabulary.js";
import { FLAG_WORDS, type OtherAction, openWords, otherAction } from "../words/words.js";

/** The numbers behind the headline: levels, ambiguity, agreement, breakdowns and signals. Pointers refer to the report. */
export function numbersDocument(report: Report, { rows = 15 }: { rows?: number } = {}): Document {
  return {
    title: "All numbers",
    subtitle: "",
    data: report,
    blocks: [
      ...levelBlocks(otherAction(report)),
      ...reasonBlocks(report),
      ...agreementBlocks(report),
      ...breakdownBlocks(report, rows),
      ...signalBlocks(report),
    ],
  };
}

/** A row of estimates: label, value with interval, counts. */
export function row(label: Piece, at: string, as: NumberForm = "percent"): Text[] {
  return [label, estAt(at, as), estAt(at, as, "counts")];
}

const COLUMNS = ["~", ">value (95% interval)", ">decisions"];

function levelBlocks(other: OtherAction): Block[] {
  return [
    { kind: "heading", text: "Levels and ambiguity" },
    { kind: "figure", id: "levels" },
    table(COLUMNS, [
      row(termOf("L1, L2, L3", "level 1, robustly defensible"), "/levels/1"),
      row("level 2, plausibly defensible", "/levels/2"),
      row("level 3, indefensible", "/levels/3"),
      row(termOf("AI_pure", `${openWords(other)} (pure ambiguity)`), "/ambiguity/pure"),
      row(termOf("AI_contra", `indefensible, only ${other} holds`), "/ambiguity/contradiction"),
      row(termOf("AI_G, AI_C", "ambiguous, citing platform rules"), "/ambiguity/platform"),
      row("ambiguous, citing community rules or precedents", "/ambiguity/community"),
      row("ambiguous, citing both", "/ambiguity/mixed"),
      row("ambiguous, citing no known rule", "/ambiguity/none"),
    ]),
    {
      kind: "text",
      text: `Pure ambiguity and contradiction add up to the Ambiguity Index, and so do the last four rows. Only pure ambiguity is a property of the rules: where only ${other} holds, the decision was wrong and the rule not unclear.`,
    },
  ];
}

/** The stated reasons in a few sentences. */
export function reasonLine({ stated_reasons: reasons }: Report): Block[] {
  if (!reasons?.counts || reasons.accuracy.estimate === null) return [];
  const [at, audited] = ["/stated_reasons/accuracy", "/stated_reasons/audited/wrong_reason"];
  const wrong = reasons.audited
    ? sentence` Audited by the stated rule alone, ${estAt(audited, "percent", "counts")} restrictions are right for a wrong reason, ${estAt(audited)}.`
    : [];
  return [
    {
      kind: "text",
      text: sentence`Stated reasons: ${estAt(at, "percent", "counts")} name a rule that the audit rests on, ${estAt(at)}, a lower bound.${wrong}`,
    },
  ];
}

/** Counts of the stated reasons, and what the share does not mean. */
function reasonCounts(): Sentence {
  const count = (name: StatedReason) => numberAt(`/stated_reasons/counts/${name}`, "whole");
  return sentence`Others: it rests on another rule ${count("other_rule")}, on none ${count("no_rule_supports")}; the cited rule does not exist ${count("unknown_rule")}. Not counted: undetermined ${count("undetermined")}, no rule stated ${count("unstated")}. An audit does not name every rule that would do, so this is a lower bound.`;
}

/** What the audits of the stated reasons found. */
function auditedCounts(): Sentence {
  const at = "/stated_reasons/audited";
  const count = (name: AuditedReason) => numberAt(`${at}/counts/${name}`, "whole");
  return sentence`Audited by the stated rule alone, of the restrictions that follow from the rules: ${estAt(`${at}/wrong_reason`, "percent", "counts")} are right for a wrong reason, ${estAt(`${at}/wrong_reason`)}: only other rules support them ${count("only_others")}, the cited rule does not exist ${count("unknown_rule")}. The stated rule supports ${count("carries_alone")} alone and ${count("needs_more")} only with others. Of those that do not follow: it supports ${count("not_under_all")} alone, no rule supports ${count("no_rule_supports")}. Without a verdict: ${count("no_verdict")}.`;
}

/** Whether the stated reasons are those that the audits rest on. */
function reasonBlocks({ stated_reasons: reasons }: Report): Block[] {
  if (!reasons?.counts || reasons.accuracy.estimate === null) return [];
  return [
    { kind: "heading", text: "Stated reasons" },
    table(COLUMNS, [
      row(
        termOf("reason accuracy", "stated reason is the rule that supports the decision"),
        "/stated_reasons/accuracy",
      ),
      row("the same, where a rule supports the decision", "/stated_reasons/accuracy_supported"),
      ...(reasons.audited
        ? [
            row("stated rule supports the restriction alone, audited", "/stated_reasons/audited/carries_alone"),
            row(
              termOf("right for a wrong reason", "restriction follows, not from the stated rule"),
              "/stated_reasons/audited/wrong_reason",
            ),
          ]
        : []),
    ]),
    { kind: "text", text: reasonCounts() },
    ...(reasons.audited ? [{ kind: "text" as const, text: auditedCounts() }] : []),
  ];
}

/** The Agreement Trap: what agreement with labels hides. */
function agreementBlocks(report: Report): Block[] {
  const { agreement, gap, humans, counts } = report;
  const heading: Block = { kind: "heading", text: "The agreement trap" };
  if (agreement.n_labelled === 0) {
    const why =
      counts.verdicts === 0
        ? "There is no verdict, so there is nothing to compare with moderators' decisions."
        : "No decision with a verdict has a moderator's decision (`human_label`), so there is nothing to agree with.";
    return [heading, { kind: "empty", why }];
  }
  const count = (name: string) => numberAt(`/agreement/confusion/${name}`, "whole");
  return [
    heading,
    {
      kind: "text",
      text: sentence`Decider and moderator both restrict ${count("tp")}, both allow ${count("tn")}; the decider alone restricts ${count("fp")}, the moderator alone ${count("fn")}.`,
    },
    table(COLUMNS, [
      row(termOf("gap, DI − F1", "Defensibility Index − F1"), "/gap/di_minus_f1", "points"),
      row(termOf("gap, DI − accuracy", "Defensibility Index − accuracy"), "/gap/di_minus_accuracy", "points"),
      ...(gap.labelled
        ? [
            row("the same, where labelled: − F1", "/gap/labelled/di_minus_f1", "points"),
            row("the same, where labelled: − accuracy", "/gap/labelled/di_minus_accuracy", "points"),
          ]
        : []),
      row(termOf("P(L1/L2 given disagreement)", "disagreements that are defensible"), "/trap/disagreements_defensible"),
      row(termOf("P(L1/L2 given FN)", "false negatives that are defensible"), "/trap/fn_defensible"),
      row(termOf("P(L1/L2 given FP)", "false positives that are defensible"), "/trap/fp_defensible"),
      row(termOf("P(agree, L3)", "agreed and indefensible, of all labelled"), "/trap/accurate_but_indefensible/joint"),
      row(
        termOf("P(L3 given agree)", "agreed and indefensible, of the agreements"),
        "/trap/accurate_but_indefensible/conditional",
      ),
      ...(humans
        ? [row(termOf("DI_decider − DI_human", "decider − moderators, same decisions"), "/humans/difference", "points")]
        : []),
      row(termOf("precision"), "/agreement/precision"),
      row(termOf("recall"), "/agreement/recall"),
      row(termOf("κ (Cohen)", "agreement beyond chance (Cohen's κ)"), "/agreement/kappa", "decimal"),
    ]),
    ...independentBlocks(report),
    {
      kind: "text",
      text: "Every agreement metric counts a defensible disagreement as an error although a rule supports the decision, and an agreed but indefensible decision as a success. F1 ignores decisions that both allow, so where restricting is rare the gap to F1 is large by arithmetic alone: read it with the gap to accuracy.",
    },
    ...causeBlocks(report),
  ];
}

/** Which measures of agreement lack an interval over communities, and why. */
function independentBlocks({ agreement: { f1, kappa }, gap }: Report): Block[] {
  const named = { F1: f1, "Cohen's κ": kappa, "DI − F1": gap.di_minus_f1, "DI − accuracy": gap.di_minus_accuracy };
  const why = (estimate: Estimate) =>
    "warnings" in estimate && estimate.warnings?.find((warning) => warning.startsWith("no interval over communities"));
  return [...groupBy(Object.entries(named), ([, estimate]) => why(estimate) || "")]
    .filter(([warning]) => warning !== "")
    .map(([warning, measures]) => ({
      kind: "text",
      text: `${measures.map(([name]) => name).join(", ")}: ${warning}. The interval shown treats decisions as independent and is usually too narrow.`,
    }));
}

/** Why decider and moderator disagree, and what helps. */
export function causeBlocks({ root_causes: causes }: Report): Block[] {
  if (causes.model_error.estimate === null) return [];
  return [
    { kind: "heading", text: "Why decider and moderator disagree" },
    { kind: "figure", id: "root-causes" },
    table(
      ["", ">share of disagreements", ">of", "~what helps"],
      CAUSES.map((name): Text[] => [
        CAUSE_NAMES[name],
        estAt(`/root_causes/${name}`),
        estAt(`/root_causes/${name}`, "percent", "counts"),
        CAUSE_WORDS[name].remedy,
      ]),
    ),
  ];
}

/** Rates of fewer verdicts say little. */
const FEWEST = 10;

/** The headline indices by decision, language, cohort and community. */
function breakdownBlocks(report: Report, rows: number): Block[] {
  return [
    // Within one action F1 is an artefact (approvals have no true positives), so accuracy is shown instead.
    ...partBlocks("By decision", report, "by_decision", "accuracy"),
    ...actionBlocks(report),
    ...(Object.keys(report.by_language).length > 1 ? partBlocks("By language", report, "by_language") : []),
    // Within one cohort the others are only overlaps with it.
    ...(report.run.cohort ? [] : partBlocks("By cohort", report, "by_cohort")),
    ...communityBlocks(report, rows),
  ];
}

type Agreement = "f1" | "accuracy";

function partBlocks(
  title: string,
  report: Report,
  field: "by_decision" | "by_language" | "by_cohort",
  agreement: Agreement = "f1",
): Block[] {
  const all = Object.entries(report[field]);
  const enough = all.filter(([, { counts }]) => counts.verdicts >= FEWEST);
  if (enough.length === 0) return [];
  const few = all.length - enough.length;
  return [
    { kind: "heading", text: title },
    metricTable(
      enough.map(([name, metrics]) => ({ name, at: `/${field}/${pointerPart(name)}`, metrics })),
      agreement,
    ),
    ...(few > 0
      ? [{ kind: "text" as const, text: `${plural(few, "part")} with fewer than ${FEWEST} verdicts left out.` }]
      : []),
  ];
}

/** Communities, lowest first. `brief`: without how to read the table. */
export function communityBlocks({ communities }: Report, rows: number, brief = false): Block[] {
  const lowest = ({ metrics }: Place) => wideInterval(metrics.defensibility_index)?.upper ?? 2;
  const sorted = communities
    .map((metrics, place) => ({ name: metrics.community, at: `/communities/${place}`, metrics }))
    .filter(({ metrics }) => metrics.counts.verdicts > 0)
    .sort((a, b) => lowest(a) - lowest(b));
  if (sorted.length === 0) return [];
  const hidden = sorted.length - rows;
  if (brief)
    return [
      { kind: "heading", text: "Communities, lowest upper end of the interval first" },
      metricTable(sorted.slice(0, rows)),
    ];
  return [
    { kind: "heading", text: "By community" },
    metricTable(sorted.slice(0, rows)),
    {
      kind: "text",
      text: `Lowest first, by the upper end of the interval.${hidden > 0 ? ` ${plural(hidden, "community", "communities")} more in the JSON report.` : ""} With few decisions an interval is wide: a low value alone is no verdict on a community.`,
    },
  ];
}

interface Place {
  name: string;
  at: string;
  metrics: CohortMetrics;
}

function metricTable(places: readonly Place[], agreement: Agreement = "f1"): Block {
  const name = agreement === "f1" ? "F1" : "accuracy";
  return table(
    ["", ">verdicts", ">DI", ">ambiguity", ">pure", `>${name}`, `>DI − ${name}`],
    places.map(({ name: key, at, metrics: { counts } }): Text[] => [
      printable(key, 40),
      counts.attempted > counts.verdicts
        ? sentence`${numberAt(`${at}/counts/verdicts`, "whole")} of ${numberAt(`${at}/counts/attempted`, "whole")}`
        : numberAt(`${at}/counts/verdicts`, "whole"),
      estAt(`${at}/defensibility_index`),
      estAt(`${at}/ambiguity_index`),
      estAt(`${at}/ambiguity_pure`, "percent", "value"),
      estAt(`${at}/agreement/${agreement}`, "percent", "value"),
      estAt(`${at}/gap/di_minus_${agreement}`, "points", "value"),
    ]),
  );
}

/** The probability signals behind the verdicts, and the flags on them. */
function signalBlocks(report: Report): Block[] {
  if (report.counts.verdicts === 0) return [];
  const { signals, flags } = report;
  const weights = ["High", "Medium", "Low"];
  const length =
    signals.mean_citation_tokens.estimate === null
      ? []
      : sentence`Citations are ${numberAt("/signals/mean_citation_tokens/estimate", "decimal")} tokens long on average. `;
  return [
    { kind: "heading", text: "Signals" },
    table(
      ["~", ">value (95% interval)", ">verdicts"],
      [
        row(termOf("DI_soft, AI_soft", "defensibility from probabilities (soft)"), "/defensibility_index_soft"),
        row("ambiguity from probabilities (soft)", "/ambiguity_index_soft"),
        row("level probabilities found", "/signals/detection/level"),
        row("precedent-weight probabilities found", "/signals/detection/weight"),
        row("inverse probabilities found", "/signals/detection/inverse"),
        row("citation tokens found", "/signals/detection/citation"),
        row("written level is not the most probable", "/signals/level_differs_from_map"),
        row("citation found in rules or precedents", "/signals/grounded_citations"),
        row("level 3 with precedent weight High", "/precedent_weight/level3_high_share"),
      ],
    ),
    {
      kind: "text",
      text: sentence`${length}Mean PDS (S): ${numberAt("/signals/mean_pds/estimate", "fine")}${flags.uncalibrated ? ", with weights that were not fitted for this auditor: use it for ordering only" : ""}.`,
    },
    table(
      ["precedent weight by level", ...weights.map((name) => `>${name}`)],
      ["1", "2", "3"].map((level): Text[] => [
        `level ${level}`,
        ...weights.map((name) =>
          report.precedent_weight.by_level[level as "1"]
            ? numberAt(`/precedent_weight/by_level/${level}/${name}`, "whole")
            : "0",
        ),
      ]),
    ),
    ...(Object.keys(flags).length > 0
      ? [
          table(
            ["flag", ">audits", "~meaning"],
            Object.keys(flags).map((flag): Text[] => [
              printable(flag, 60),
              numberAt(`/flags/${pointerPart(flag)}`, "whole"),
              wordsOf(FLAG_WORDS, flag).meaning,
            ]),
          ),
        ]
      : []),
  ];
}

/** What more than two actions add to a report: agreement on the action itself, and which alternatives also follow from the rules. */
export function actionBlocks({ several_actions: several, run }: Report): Block[] {
  if (!several) return [];
  const { alternatives } = several;
  const isBaseline = run.auditor === "baseline";
  return [
    { kind: "heading", text: "Actions" },
    table(
      ["", ">value (95% interval)", ">decisions"],
      [
        row("same action as the human label", "/several_actions/exact_agreement"),
        row("mean distance in severity", "/several_actions/severity_distance", "decimal"),
      ],
    ),
    {
      kind: "text",
      text: "Agreement, F1 and accuracy above compare only whether both restrict. These two compare the actions.",
    },
    ...(isBaseline ? [BASELINE_SIDES] : []),
    ...(alternatives
      ? [
          { kind: "heading" as const, text: "Alternatives that can be derived too" },
          { kind: "text" as const, text: anyDerivableText(isBaseline) },
          table(
            ["decided", "alternative", ">derivable (95% interval)", ">decisions"],
            alternatives.pairs.map(({ decision, alternative }, i) => [
              printable(decision, 30),
              ...row(printable(alternative, 30), `/several_actions/alternatives/pairs/${i}/derivable`),
            ]),
          ),
        ]
      : [
          {
            kind: "text" as const,
            text: "`defensible audit --alternatives 2 --dry-run` shows what it costs to audit the nearest alternatives too.",
          },
        ]),
  ];
}

const BASELINE_SIDES: Block = {
  kind: "text",
  text: "The baseline knows only whether an action restricts. Its Ambiguity Index counts the other side alone, and an alternative on the decision's own side has the decision's verdict by construction.",
};

/** How many decisions have an alternative, next to the auditor's answer when asked about all alternatives at once. */
function anyDerivableText(isBaseline: boolean): Sentence {
  const at = "/several_actions/alternatives/any_derivable";
  const found = sentence`At least one audited alternative can be derived for ${estAt(at)} of the decisions, ${estAt(at, "percent", "counts")}.`;
  if (isBaseline) return found;
  return sentence`${found} The Ambiguity Index (${estAt("/ambiguity_index", "percent", "value")}) is the auditor's answer to whether any other action can be derived. If it is the smaller of the two, the auditor contradicts itself.`;
}

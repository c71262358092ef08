import type { ReportRefusal } from "../../app/report/run-report.js";
import { InputError } from "../../core/errors.js";
import type { Report } from "../../core/results/report.js";
import { commandOf } from "../../experiments/registry.js";
import { FIRST_LABELS, labelNotes } from "../../measures/metrics/label-sample.js";
import { labelsAlike } from "../../measures/metrics/tally.js";
import { printable } from "../../text/printable.js";
import { type Block, type Document, table } from "../document/document.js";
import { byOpenBothWays } from "../figures/rule-ambiguity.js";
import { countText, intervalText, plural, rateText, wideInterval } from "../words/numbers.js";
import { openWords, otherAction } from "../words/words.js";
import { governanceSection, headlineSection } from "./headline-document.js";
import { actionBlocks, causeBlocks, communityBlocks, numbersDocument, reasonLine } from "./numbers-document.js";
import { againstDocument, moderatorBlocks, realisedSection } from "./trust-document.js";

export interface DocumentOptions {
  /** Rows shown of long tables (communities, rules). Default: 15 with all sections, else 5; the JSON report has all. */
  rows?: number;
  /** All sections, instead of two screens. Default true. */
  verbose?: boolean;
}

/** The report in words: headline first, then tables, with what each number does and does not mean. */
export function reportDocument(report: Report, options: DocumentOptions = {}): Document {
  const { verbose = true, rows = verbose ? 15 : 5 } = options;
  const against = againstDocument(report);
  return {
    title: "Defensibility report",
    subtitle: subtitle(report),
    data: report,
    dense: !verbose,
    blocks: [
      ...headlineSection(report, verbose),
      ...baselineNote(report),
      ...(verbose
        ? [...numbersDocument(report, { rows }).blocks, ...humansSection(report)]
        : [
            ...reasonLine(report),
            ...causeBlocks(report),
            ...actionBlocks(report),
            ...communityBlocks(report, rows, true),
          ]),
      ...rulesSection(report, rows, !verbose),
      ...(against ? [{ kind: "heading" as const, text: against.title }, ...against.blocks] : []),
      ...governanceSection(report, verbose),
      ...realisedSection(report.realised_risk, rows),
      ...(verbose ? experimentsSection(report) : [MORE]),
    ],
  };
}

const MORE: Block = {
  kind: "text",
  text: "--rows 15 shows more of each table, --verbose every section; --html FILE writes a page.",
};

function baselineNote({ run }: Report): Block[] {
  if (run.auditor !== "baseline") return [];
  return [
    {
      kind: "text",
      text: "The auditor is the built-in baseline, which reads rules by their words. Do not use it to judge real policy; `defensible help models` has the others.",
    },
  ];
}

/** "communities a, b; limit 5". */
export function selectionText(selection: Record<string, unknown>): string {
  const words = Object.entries(selection).map(([name, value]) => {
    const text = Array.isArray(value)
      ? value.join(", ")
      : typeof value === "object"
        ? Object.values(value ?? {}).join(" seed ")
        : value;
    return `${name} ${text}`;
  });
  return printable(words.join("; "), 80);
}

function subtitle(report: Report): string {
  const { run, counts } = report;
  const parts = [run.run_id ? `run ${run.run_id}` : printable(String(run.source ?? "audits file"))];
  if (run.auditor) parts.push(`auditor ${printable(String(run.auditor))}`);
  if (run.cohort) parts.push(`cohort ${printable(String(run.cohort))}`);
  else if (run.selection && Object.keys(run.selection).length > 0)
    parts.push(selectionText(run.selection as Record<string, unknown>));
  if (run.tier) parts.push(`${run.tier} tier`);
  if (run.temperature !== undefined) parts.push(`T = ${run.temperature}`);
  if (run.signal === "sampling") parts.push(`probabilities from ${run.samples ?? "several"} draws a decision`);
  else if (run.signal === "none") parts.push("without probabilities");
  const audited = report.communities.filter((one) => one.counts.attempted > 0).length;
  parts.push(`${plural(counts.attempted, "decision")} in ${plural(audited, "community", "communities")}`);
  return parts.join(" · ");
}

/** Decider and moderators, if `audit --humans` was run. */
function humansSection({ humans }: Report): Block[] {
  return humans ? [{ kind: "heading", text: "Decider and moderators by the same measure" }, ...moderatorBlocks()] : [];
}

/** The experiments with results. Their numbers are in the JSON report. */
function experimentsSection({ stability, experiments = {} }: Report): Block[] {
  const kept = [...(stability ? [["stability", stability] as const] : []), ...Object.entries(experiments)];
  if (kept.length === 0) return [];
  return [
    { kind: "heading", text: "Experiments of this workspace" },
    table(
      ["command", ">figures", "from"],
      kept.map(([kind, result]) => [
        `defensible ${commandOf(kind)}`,
        String(result.figures.length),
        result.runs.length === 0
          ? "no run"
          : printable(result.runs.length > 2 ? plural(result.runs.length, "run") : result.runs.join(", "), 60),
      ]),
    ),
    { kind: "text", text: "Their newest results are in the JSON report, with the data of their figures." },
  ];
}

/** The rule ledger: which rules leave decisions open, and which are unused. `brief`: only the table and what to check first. */
export function rulesSection(report: Report, rows: number, brief = false): Block[] {
  const cited = report.rules.filter((rule) => rule.cited > 0);
  if (cited.length === 0) return [];
  const open = openWords(otherAction(report));
  const sorted = [...cited].sort(byOpenBothWays);
  const shown = sorted.slice(0, rows);
  const unused = report.rules.length - cited.length;
  const alike = sorted.filter((rule) => labelsAlike(rule.open_labels));
  const more = cited.length - shown.length;
  const check =
    alike.length > 0
      ? `Check the auditor before you change ${listOf(alike)}: people decided at least 90% of the labelled open cases alike.`
      : "";
  const note = brief
    ? check
    : `Sorted by how many decisions each rule left ${open}: the rules to clarify first.${more > 0 ? ` ${plural(more, "rule")} more in the JSON report.` : ""}${unused > 0 ? ` ${plural(unused, "rule")} ${unused === 1 ? "was" : "were"} never cited.` : ""} An approval cites the prohibitions that came nearest, so a rule may be cited because it does not apply. ${check}`;
  return [
    { kind: "heading", text: brief ? `Rules, most often ${open} first` : "Rules" },
    table(
      ["rule", "title", ">cited", `>${open}`, "95% interval", ">DI", ">ambiguity"],
      shown.map((rule) => [
        nameOf(rule),
        printable(rule.title ?? "–", 36),
        String(rule.cited),
        countText(rule.ambiguity_pure),
        intervalText(wideInterval(rule.ambiguity_pure)),
        rateText(rule.defensibility_index),
        rateText(rule.ambiguity_index),
      ]),
    ),
    ...(note ? [{ kind: "text" as const, text: note.trim() }] : []),
  ];
}

/** "pottery R2, platform P1 and 3 others". */
function listOf(rules: readonly Report["rules"][number][]): string {
  const shown = rules.slice(0, 3).map((rule) => nameOf(rule));
  const more = rules.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${plural(more, "other")}` : shown.join(", ");
}

function nameOf({ scope, community, rule_id }: Report["rules"][number]): string {
  return printable(scope === "platform" ? `platform ${rule_id}` : `${community} ${rule_id}`, 32);
}

/** A refusal in the terms of `defensible report`. */
export function reportRefusal(why: ReportRefusal): InputError {
  switch (why.code) {
    case "unknown_cohort":
      return new InputError(
        why.code,
        `cohort: there is no "${why.cohort}"; there ${why.known.length === 1 ? "is" : "are"} ${why.known.join(", ") || "none"}`,
        "`defensible cohort create` makes one.",
      );
    case "no_design":
      return new InputError(
        why.code,
        `--against human: ${labelNotes(why.sample).join("; ")}`,
        "`defensible humans sample` draws cases of this run to rate.",
      );
    case "no_judgements":
      return new InputError(why.code, ...noJudgements(why));
  }
}

function noJudgements(why: Extract<ReportRefusal, { code: "no_judgements" }>): [message: string, remedy: string] {
  const { against, run, labelled } = why;
  if (labelled !== null) {
    return [
      `--against human: no verdict of run ${run} has a label; run ${labelled} has them`,
      `\`defensible report --against human --run ${labelled}\` reports on that run. \`defensible humans sample --random 60 --out sheet\` draws decisions of this one to rate.`,
    ];
  }
  return against === "gold"
    ? [
        "--against gold: no verdict of this run has a gold annotation",
        "Reference annotations are the `gold` field of decisions (docs/formats.md). For people's labels of defensibility (`defensible import labels.jsonl --as labels`) there is `--against human`.",
      ]
    : [
        "--against human: no verdict of this run has a label of defensibility by a rater",
        `${FIRST_LABELS} For the \`gold\` field of decisions there is \`--against gold\`. A decision's human_label is the moderator's action, not a label of defensibility.`,
      ];
}

import type { CalibrationResult } from "../../core/calibration.js";
import { countOf, type Estimate } from "../../core/estimate.js";
import type { Report, ReportTarget } from "../../core/results/report.js";
import type { RulesDiff } from "../../experiments/rules/diff/result.js";
import { detailed } from "../../measures/calibration/candidate-result.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { clusterToShow, FEW_CLUSTERS, fewClusters } from "../../measures/metrics/indices.js";
import type { ReportPage } from "../../measures/report-page.js";
import { printable } from "../../text/printable.js";
import { type Block, boundsAt, type Document, table } from "../document/document.js";
import {
  byCount,
  countText,
  decimal,
  intervalText,
  percent,
  plural,
  rateText,
  roundedShare,
  whole,
} from "../words/numbers.js";
import { againstWords } from "../words/route-words.js";
import { gateChangeSentences, openChangeText, rewritten, shareOf } from "../words/rule-texts.js";
import {
  countedAt,
  estAt,
  numberAt,
  rateAt,
  type Sentence,
  sentence,
  sentenceText,
  valueAt,
} from "../words/sentence.js";
import { misjudgedSentence, TRAP_KINDS, TRAP_WORDS, trapExamples } from "../words/trap-examples.js";
import { liveDay, nameText } from "../words/vocabulary.js";
import { gateName, modeText, type OtherAction, openWords, otherAction } from "../words/words.js";
import { flipBlocks } from "./trust-document.js";

/** What the workspace's calibration and gate say about this run, in two sentences; empty without either. */
export function governanceSection({ calibration, gate }: Report, verbose = true): Block[] {
  const sentences: string[] = [];
  if (calibration) {
    const { auroc, weights } = calibration;
    const name = `Calibration ${printable(String(calibration.calibration_id))} (${calibration.method})`;
    sentences.push(
      calibration.model
        ? `${name}${verbose ? " turns the auditor's signals into a probability" : ""}: log-loss ${decimal(calibration.log_loss, 3)}, AUROC ${decimal(auroc, 3)}.`
        : `${name} gives the weights of S (α ${decimal(weights.alpha, 3)}, β ${decimal(weights.beta, 3)}, γ ${decimal(weights.gamma, 3)}) and no probability: AUROC ${decimal(auroc, 3)}.`,
    );
  }
  if (gate?.closed) {
    const { since, reason } = gate.closed;
    sentences.push(
      `Every gate is closed since ${printable(since, 40)} (${printable(reason)}): nothing is automated until \`defensible gate open\`.`,
    );
  } else if (gate) {
    const passing = gate.communities.filter((community) => community.passes[gate.mode] && !community.suspended).length;
    sentences.push(
      `The active gate (${modeText(gate.mode)}) lets ${passing} of ${plural(gate.communities.length, "community", "communities")} be automated; \`defensible gate\` shows why.`,
    );
  }
  if (sentences.length === 0) return [];
  return [
    ...(verbose ? [{ kind: "heading" as const, text: "Calibration and gate" }] : []),
    { kind: "text", text: sentences.join(" ") },
  ];
}

/** `short`: only what is decisive. `all`: with the intervals of communities as clusters. */
type Detail = "short" | "page" | "all";

/** The three key figures, with their intervals, targets and references. */
export function keyFigures(report: Report, detail: Detail = "page"): Block[] {
  const { defensibility_index: di, ambiguity_index: ai, agreement, ambiguity } = report;
  const short = detail === "short";
  const few = fewClusters(di);
  const other = otherAction(report);
  const sure = (at: string, estimate: Estimate) => certainty(at, estimate, detail === "all");
  return [
    headline(
      "/defensibility_index",
      "of the decisions can be derived from the written rules",
      sentence`Defensibility Index, ${sure("/defensibility_index", di)}${targetText(di, report.targets.defensibility_index, short)}.${byReference(report, "defensibility_index")}`,
    ),
    headline(
      "/ambiguity_index",
      `where ${other} follows from the rules too, or alone`,
      sentence`Ambiguity Index, ${sure("/ambiguity_index", ai)}${targetText(ai, report.targets.ambiguity_index, short)}.${byReference(report, "ambiguity_index")}${split(ambiguity.pure, ambiguity.contradiction, other)}`,
    ),
    headline(
      "/agreement/f1",
      "F1 against moderators' decisions, the number such systems are usually judged by",
      agreement.f1.estimate === null
        ? sentence`Undefined: ${agreement.f1.reason}.`
        : sentence`F1, ${sure("/agreement/f1", agreement.f1)}. Accuracy ${rateAt("/agreement/accuracy")}, ${sure("/agreement/accuracy", agreement.accuracy)}. ${short ? (misjudgedSentence(report, "", { counted: true }) ?? "") : AGREEMENT_NOTE}`,
    ),
    ...(few === null ? [] : [{ kind: "text" as const, text: fewText(few) }]),
  ];
}

const AGREEMENT_NOTE = sentence`F1 ignores the ${numberAt("/agreement/confusion/tn", "whole")} of ${numberAt("/agreement/n_labelled", "whole")} labelled decisions that both allow. Both say how often the decider did what the moderator did, not whether a rule supports it.`;

/** The key figures, their meaning, and the levels behind them. */
export function headlineSection(report: Report, verbose: boolean): Block[] {
  const { defensibility_index: di, counts } = report;
  const blocks: Block[] = [...unfinished(report), ...keyFigures(report, verbose ? "all" : "short")];
  blocks.push(...flipBlocks(report.flip_control));
  const invalid = counts.unscored + counts.errors;
  if (invalid > 0) {
    const bounds = di.estimate === null ? undefined : di.worst_case;
    blocks.push({
      kind: "text",
      text: `${plural(counts.unscored, "audit")} ended without a verdict and ${plural(counts.errors, "audit")} in an error. They count in no rate${bounds ? `; whatever they would have said, the Defensibility Index lies in ${intervalText(bounds)}` : ""}.`,
    });
  }
  if (counts.no_rules > 0) {
    blocks.push({
      kind: "text",
      text: `${plural(counts.no_rules, "more decision is", "more decisions are")} under no rule at all (no_rules): not audited, and in no rate and no bound. Import their rules with \`defensible import\`.`,
    });
  }
  if (counts.verdicts === 0) {
    blocks.push({ kind: "text", text: "There is no verdict yet, so every rate is undefined." });
    return blocks;
  }
  if (verbose) blocks.push({ kind: "heading", text: "Levels" });
  blocks.push(
    {
      kind: "bars",
      rows: [
        bar(`1 robustly defensible${verbose ? "" : ": a rule settles it"}`, report.levels["1"]),
        bar(`2 plausibly defensible${verbose ? "" : ": the rules are open"}`, report.levels["2"]),
        bar(`3 indefensible${verbose ? "" : ": no rule supports it"}`, report.levels["3"]),
      ],
    },
    {
      kind: "text",
      text: `${verbose ? "Level 1: a rule settles it. Level 2: the rules are open and can be read this way. Level 3: no rule supports the decision. " : ""}These are the auditor's verdicts; ${trust(report)}`,
    },
  );
  return blocks;
}

function trust({ against, run }: Report): string {
  if (against) return `"The auditor against ${againstWords(against.target).title}" below says how far to trust them.`;
  // Only a workspace has judgements to compare with.
  return run.run_id === null
    ? "how far to trust them is a question to ask with labels, in a workspace."
    : "check them against human ratings (`defensible report --against human`) or reference annotations (`--against gold`).";
}

/** An open run covers only part of its decisions, and not a random part. */
function unfinished({ run, counts }: Report): Block[] {
  if (run.status !== "open") return [];
  const day = liveDay(run);
  if (day) return [{ kind: "text", text: `These are the audits of ${day} (UTC) so far.` }];
  const planned = typeof run.planned === "number" ? ` of ${whole(run.planned)} planned audits` : "";
  return [
    {
      kind: "text",
      text: `This run is not finished: ${plural(counts.attempted, "decision")} so far${planned}. What is done is the beginning of the file and no random part of it; repeat \`defensible audit\` to finish it.`,
    },
  ];
}

function headline(at: string, label: string, under: Sentence): Block {
  return { kind: "headline", value: rateAt(at), label, under };
}

/** Counts and the wider interval of a rate; `verbose`: with independent decisions, and with communities as clusters. */
function certainty(at: string, estimate: Estimate, verbose: boolean): Sentence {
  if (estimate.estimate === null) return sentence`not defined: ${estimate.reason}`;
  if (!verbose) return sentence`${estAt(at, "percent", "counts")}; 95% interval ${boundsAt(at, estimate, "percent")}`;
  const between = (place: string) => boundsAt(place, undefined, "percent");
  const cluster = clusterToShow(estimate);
  const effective =
    cluster?.effective_clusters === undefined
      ? []
      : sentence` (effective number ${numberAt(`${at}/cluster/effective_clusters`, "decimal")})`;
  const clustered = cluster
    ? sentence`, or ${between(`${at}/cluster`)} with ${countedAt(`${at}/cluster/clusters`, cluster.clusters, "community", "communities")} as clusters${effective}`
    : [];
  return sentence`${estAt(at, "percent", "counts")}; 95% interval ${between(at)}${clustered}`;
}

function targetText(estimate: Estimate, target: ReportTarget, short: boolean): string {
  if (estimate.estimate === null) return "";
  const goal = `${target.direction === "at_least" ? "≥" : "≤"} ${percent(target.target, 0)}`;
  const words = {
    met: "met",
    not_met: "not met",
    undecided: short ? "undecided" : "undecided, the interval contains it",
    undefined: "undefined",
  };
  return `; target ${goal}: ${words[target.status]}`;
}

/** The same index by reference annotations, people or another run. */
function byReference({ against }: Report, field: "defensibility_index" | "ambiguity_index"): Sentence {
  const estimate = against?.[field];
  if (!against || !estimate || estimate.estimate === null) return [];
  return sentence` By ${againstWords(against.target).title} ${rateAt(`/against/${field}`)} of ${numberAt(`/against/${field}/n`, "whole")}.`;
}

/** Why no interval over communities is shown. */
function fewText(communities: number): string {
  return `With fewer than ${FEW_CLUSTERS} communities nothing can be said of others like them: the ${communities} are taken as they are, and every interval speaks of their decisions alone.`;
}

function split(pure: Estimate, contra: Estimate, other: OtherAction): Sentence {
  if (pure.estimate === null || contra.estimate === null) return [];
  return sentence` Of these, ${numberAt("/ambiguity/pure/k", "whole")} are ${openWords(other)}; in ${numberAt("/ambiguity/contradiction/k", "whole")} only ${other} follows.`;
}

function bar(label: string, estimate: Estimate): { label: string; share: number; text: string } {
  return { label, share: estimate.estimate ?? 0, text: `${rateText(estimate)}  (${countText(estimate)})` };
}

/** What the demo found, in the order shown. */
export interface DemoFindings {
  platform: string;
  /** The model whose recorded answers were used. */
  model: string;
  page: ReportPage;
  gate: GateReport;
  diff: RulesDiff;
  /** Null: answers were recorded once, so there are no probabilities to calibrate. */
  calibration: CalibrationResult | null;
}

/** The demo on one screen: conclusion first, every number with its denominator. */
export function demoDocument({ platform, model, page, gate, diff, calibration }: DemoFindings): Document {
  const { report } = page;
  const { counts, defensibility_index: index, agreement } = report;
  const misjudged =
    countOf(report.trap.disagreements_defensible) + countOf(report.trap.accurate_but_indefensible.joint);
  return {
    title: "Can these decisions be derived from the rules?",
    subtitle: `${nameText(platform, 60)} · ${plural(counts.verdicts, "decision")} · recorded answers of ${nameText(model, 40)}`,
    blocks: [
      text(
        `${shareOf(index, "decisions")} follow from the rules. Agreement with moderators is ${agreement.f1.estimate === null ? "unknown" : roundedShare(agreement.f1.estimate)} (F1) and misjudges ${whole(misjudged)} of the ${whole(report.trap.accurate_but_indefensible.joint.n)}.`,
      ),
      trapTable(page),
      text(harmText(report)),
      text(trustText(report, calibration)),
      text(gateText(gate)),
      text(rewriteText(diff)),
    ],
  };
}

const text = (of: string): Block => ({ kind: "text", text: of });

function trapTable(page: ReportPage): Block {
  const examples = trapExamples(page);
  const rows = TRAP_KINDS.map((kind) => {
    const { at, counted } = TRAP_WORDS[kind];
    const count = Number(valueAt(page.report, at) ?? 0);
    const one = examples[kind];
    const shown = one ? nameText(one.title ?? one.text ?? "", 50) : "–";
    return [whole(count), byCount(count, ...counted), shown];
  });
  return table([">decisions", "what agreement does not see", "for example"], rows);
}

function harmText({ by_decision, run }: Report): string {
  const indefensible = (action: string | undefined) => {
    const of = action === undefined ? undefined : by_decision[action]?.defensibility_index;
    return of ? `${whole(of.n - countOf(of))} of ${whole(of.n)}` : "–";
  };
  return `Wrongly removed: ${indefensible(run.actions?.positive)}. Wrongly left up: ${indefensible(run.actions?.negative)}.`;
}

/** How far the auditor can be trusted, as far as this sample shows. */
function trustText({ against, flip_control: flip }: Report, calibration: DemoFindings["calibration"]): string {
  const parts = [];
  if (against && against.level_accuracy.estimate !== null) {
    parts.push(`the reference annotations give the same level in ${shareOf(against.level_accuracy, "decisions")}`);
  }
  if (flip && flip.n > 0) {
    parts.push(
      `of ${plural(flip.n, "inverted decision")} it still calls ${whole(countOf(flip.opposite_defensibility_index))} defensible`,
    );
  }
  if (calibration && calibration.ece.equal_frequency !== null) {
    const before = detailed(calibration).baselines?.p_defensible.ece.equal_frequency.value ?? null;
    parts.push(
      `after calibration to these annotations, P(defensible) is off by ${points(calibration.ece.equal_frequency)} points on average${before === null ? "" : `, before by ${points(before)}`}`,
    );
  }
  return `Trust in the auditor: ${parts.join("; ")}. A language model helped to write texts and annotations too, which flatters it.`;
}

const points = (share: number) => decimal(100 * share, 1);

function gateText({ mode, fleet: { counts } }: GateReport): string {
  const { passing_communities: passing, communities, automated_decisions: n, automated_indefensible: wrong } = counts;
  return `Gate (dry run): ${whole(passing)} of ${plural(communities, "community", "communities")} pass the ${gateName(mode)}. No rule supports ${whole(wrong)} of their ${plural(n, "decision")}.`;
}

function rewriteText({ what, changes, effect, gate }: RulesDiff): string {
  const open = effect ? `: open decisions ${openChangeText(effect)}` : "";
  const passing = gate ? gateChangeSentences(gate, "").map((one) => sentenceText(gate, one)) : [];
  return [`Rewriting ${rewritten(what, changes)}${open}.`, ...passing].join(" ");
}

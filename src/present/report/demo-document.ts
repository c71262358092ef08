import type { CalibrationResult } from "../../core/calibration.js";
import { countOf } from "../../core/estimate.js";
import type { Report } from "../../core/results/report.js";
import type { RulesDiff } from "../../experiments/rules/diff/result.js";
import { detailed } from "../../measures/calibration/candidate-result.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import type { ReportPage } from "../../measures/report-page.js";
import { type Block, type Document, table } from "../document/document.js";
import { gateChangeSentences, gateName, openChangeText, rewritten, shareOf } from "../words/gate-change.js";
import { decimal, plural, roundedShare, whole } from "../words/numbers.js";
import { sentenceText, valueAt } from "../words/sentence.js";
import { TRAP_KINDS, TRAP_WORDS, trapExamples } from "../words/trap-examples.js";
import { nameText } from "../words/vocabulary.js";

/** What the demo found, in the order in which it is shown. */
export interface DemoFindings {
  platform: string;
  /** The model whose recorded answers were read. */
  model: string;
  page: ReportPage;
  gate: GateReport;
  diff: RulesDiff;
  /** Null: answers were recorded once, so there are no probabilities to calibrate. */
  calibration: CalibrationResult | null;
}

/** The demo on one screen: conclusion first, every number with what it is of. */
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
    const { at, many } = TRAP_WORDS[kind];
    const one = examples[kind];
    const shown = one ? nameText(one.title ?? one.text ?? "", 50) : "–";
    return [whole(Number(valueAt(page.report, at) ?? 0)), many, shown];
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

/** How far the auditor can be trusted, as far as this sample can say. */
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

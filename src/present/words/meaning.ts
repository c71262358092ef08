import { countOf, type Estimate } from "../../core/estimate.js";
import type { Report, ReportTarget } from "../../core/results/report.js";
import type { ReportPage } from "../../measures/report-page.js";
import { boundsAt } from "../document/document.js";
import { comparedWith, trapSide } from "../figures/agreement-trap.js";
import { byCount, isShownAsWhole, percent, wideInterval } from "./numbers.js";
import { countedAt, type NumberPiece, named, numberAt, rateAt, type Sentence, sentence, termOf } from "./sentence.js";
import { lowerFirst } from "./vocabulary.js";
import { otherAction } from "./words.js";

/** From this gap on, agreement and defensibility lead to different conclusions; a smaller significant gap is called small. */
const LARGE_GAP = 0.1;
/** Fewer verdicts than this leave intervals of about ±10 points. */
export const FEW_VERDICTS = 100;

const DI = "/report/defensibility_index";
const F1 = "/report/agreement/f1";
const ACCURACY = "/report/agreement/accuracy";
const GAP = "/report/gap";

/** What a report means, in three sentences: agreement against the rules; the disagreements; targets and trust. */
export function whatItMeans({ report }: ReportPage): [Sentence, Sentence, Sentence] {
  if (report.counts.verdicts === 0) return withoutVerdicts(report);
  return [agreementSentence(report), disagreementSentence(report), trustSentence(report)];
}

function withoutVerdicts({ counts }: Report): [Sentence, Sentence, Sentence] {
  return [
    sentence`${counts.attempted === 1 ? "The one audit gave no" : sentence`None of ${numberAt("/report/counts/attempted", "whole")} audits gave a`} verdict: ${numberAt("/report/counts/unscored", "whole")} ended without one and ${numberAt("/report/counts/errors", "whole")} in an error.`,
    sentence`So every rate of this report is undefined, which is not the same as zero.`,
    sentence`The list of what to do first says how to get verdicts.`,
  ];
}

function agreementSentence(report: Report): Sentence {
  const { gap, isPart } = comparedWith(report);
  const at = isPart ? `${GAP}/labelled` : GAP;
  const index = isPart ? `${at}/defensibility_index` : DI;
  const agreement = sentence`Judged by agreement with people${isPart ? sentence` on the ${numberAt("/report/agreement/n_labelled", "whole")} of ${numberAt("/report/counts/verdicts", "whole")} decisions that they labelled` : []}, the decider scores ${termOf("F1")} ${shareAt(F1, report.agreement.f1)} (${termOf("accuracy")} ${shareAt(ACCURACY, report.agreement.accuracy)})`;
  const rules = sentence`${shareAt(index, comparedWith(report).index)} of ${isPart ? "these" : "its"} decisions can be derived from the written rules`;
  const difference = numberAt(`${at}/di_minus_f1/estimate`, "points");
  // Agreement says nothing about decisions without a label, so they are reported separately.
  const all = isPart
    ? sentence`; of all decisions, labelled or not, ${shareAt(DI, report.defensibility_index)} can`
    : [];
  switch (trapSide(report)) {
    case "above":
      return gap.di_minus_f1.estimate! >= LARGE_GAP
        ? sentence`${agreement}, yet ${rules}: a gap of ${difference} that agreement cannot see${all}.`
        : sentence`${agreement}, and ${rules}: a difference of ${difference}, small but beyond chance${all}.`;
    case "below":
      return sentence`${agreement}, but only ${rules}: agreement makes it look better than the rules do (defensibility minus F1 is ${difference})${all}.`;
    case "by_f1": {
      const isOpposite = Math.sign(gap.di_minus_accuracy.estimate!) !== Math.sign(gap.di_minus_f1.estimate!);
      const { lower, upper } = wideInterval(gap.di_minus_accuracy)!;
      const turns = isOpposite && (lower > 0 || upper < 0);
      return sentence`${agreement}, and ${rules}: a gap of ${difference} to F1, which against accuracy ${turns ? "turns round" : "is not significant"} (${boundsAt(`${at}/di_minus_accuracy`, gap.di_minus_accuracy)}), so that it may lie in how F1 counts${all}.`;
    }
    case "same":
      return sentence`${agreement}, and about as many, ${rules}${all}.`;
    case "close":
      return sentence`${agreement}, and ${rules}: the difference, ${difference} (${boundsAt(`${at}/di_minus_f1`, gap.di_minus_f1)}), is too close to call${all}.`;
    default:
      return sentence`The auditor finds that ${shareAt(DI, report.defensibility_index)} of ${countedAt("/report/counts/verdicts", report.counts.verdicts, "decision")} can be derived from the written rules.`;
  }
}

/** A share with enough digits not to be shown as 0 or 100% when it is neither. */
function shareAt(at: string, { estimate }: Estimate): NumberPiece {
  return numberAt(`${at}/estimate`, estimate !== null && isShownAsWhole(estimate) ? "risk" : "percent");
}

function disagreementSentence(report: Report): Sentence {
  const { agreement, root_causes: causes, trap } = report;
  if (agreement.n_labelled === 0) {
    const several = otherAction(report) === "another action";
    return sentence`No decision has a person's label, so agreement is undefined; but ${rateAt("/report/ambiguity_index")} of the decisions could have gone ${several ? "to another action" : "the other way"} under the same rules.`;
  }
  const { joint } = trap.accurate_but_indefensible;
  const blind = "/report/trap/accurate_but_indefensible/joint/k";
  const agreed = countOf(joint);
  if (causes.model_error.estimate === null) {
    const { n_labelled: n } = agreement;
    const number = numberAt("/report/agreement/n_labelled", "whole");
    const all =
      n === 1
        ? sentence`Decider and people agree on the one labelled decision`
        : sentence`Decider and people agree on all ${number} labelled decisions`;
    if (agreed === 0) return sentence`${all}, and ${n === 1 ? "it" : "every one of them"} follows from the rules.`;
    return n === 1
      ? sentence`${all}, and it follows from no rule, which no measure of agreement can see.`
      : sentence`${all}, and still ${numberAt(blind, "whole")} of them ${byCount(agreed, "follows", "follow")} from no rule, which no measure of agreement can see.`;
  }
  const both =
    countOf(agreement.accuracy) === 0
      ? sentence`there is no decision on which both agree`
      : agreed > 0
        ? sentence`${countedAt(blind, agreed, "decision")} on which both agree ${byCount(agreed, "follows", "follow")} from no rule`
        : sentence`every decision on which both agree follows from the rules`;
  return sentence`${disagreements(causes)}; and ${both}.`;
}

/** How many of the disagreements are the decider's errors, and why the others are not. */
function disagreements(causes: Report["root_causes"]): Sentence {
  const at = (cause: string) => numberAt(`/report/root_causes/${cause}/k`, "whole");
  const { n } = causes.model_error;
  const errors = countOf(causes.model_error);
  const number = numberAt("/report/root_causes/model_error/n", "whole");
  if (errors === n) {
    return n === 1
      ? sentence`The one disagreement with people is an error of the decider`
      : sentence`All ${number} disagreements with people are errors of the decider`;
  }
  const reasons = sentence`in ${at("policy_ambiguity")} the rules allow both, in ${at("implicit_norm")} people followed a norm that is not written`;
  if (errors === 0) {
    return n === 1
      ? sentence`The one disagreement with people is no error of the decider: ${countOf(causes.policy_ambiguity) === 1 ? "the rules allow both" : "people followed a norm that is not written"}`
      : sentence`None of ${number} disagreements with people is an error of the decider: ${reasons}`;
  }
  const defensible = "/report/trap/disagreements_defensible";
  return sentence`Of ${number} disagreements with people, ${at("model_error")} ${byCount(errors, "is an error", "are errors")} of the decider, and the other ${numberAt(`${defensible}/k`, "whole")} (${rateAt(defensible)}) can be defended: ${reasons}`;
}

function trustSentence(report: Report): Sentence {
  const few = report.counts.verdicts < FEW_VERDICTS;
  const size = few
    ? sentence`With only ${countedAt("/report/counts/verdicts", report.counts.verdicts, "verdict")}, ${lowerFirst(targetsText(report))}`
    : [targetsText(report)];
  return sentence`${size}, ${auditorClause(report)}.`;
}

function targetsText({ targets: { defensibility_index: di, ambiguity_index: ai } }: Report): string {
  const names = `${goal("defensibility", di)}, ${goal("ambiguity", ai)}`;
  if (di.status === ai.status) {
    const words: Record<ReportTarget["status"], string> = {
      met: `Both targets are met (${names})`,
      not_met: `Neither target is met (${names})`,
      undecided: `Whether the targets are met is undecided (${names}), because the intervals hold them`,
      undefined: "The targets cannot be judged",
    };
    return words[di.status];
  }
  return `Of the targets, ${goal("defensibility", di)} is ${status(di)} and ${goal("ambiguity", ai)} is ${status(ai)}`;
}

function goal(name: string, { direction, target }: ReportTarget): string {
  return `${name} ${direction === "at_least" ? "at least" : "at most"} ${percent(target, 0)}`;
}

function status(target: ReportTarget): string {
  return target.status.replace("_", " ");
}

function auditorClause(report: Report): Sentence {
  switch (auditorKind(report)) {
    case "baseline":
      return [
        "but these are verdicts of the built-in baseline, which reads words and not meaning: a rehearsal, not a judgement of real policy",
      ];
    case "simulated":
      return [
        "but these are verdicts of a simulated auditor, which errs by stated laws: they show what the instrument does and say nothing of a real system",
      ];
    default:
      break;
  }
  const { against } = report;
  if (against && against.level_accuracy.estimate !== null) {
    return sentence`and the auditor finds the level that ${named(against.target)} gives in ${rateAt("/report/against/level_accuracy")} of ${countedAt("/report/against/n", against.n, "decision")}`;
  }
  return ["and how far the auditor can be trusted is not checked here against people's judgements"];
}

type Audited = { run: Pick<Report["run"], "auditor"> };

type AuditorKind = "baseline" | "simulated" | "model" | "unknown";

/** A caveat before advice based on an auditor's verdicts: why not to act on it. Null if the auditor is fit to judge. */
export function auditorCaveat(report: Audited): string | null {
  switch (auditorKind(report)) {
    case "baseline":
      return "The verdicts are the built-in baseline's, which reads words and not meaning: audit with a language model before acting on this.";
    case "simulated":
      return "The verdicts are a simulated auditor's, over a made-up world: nothing of this is to be acted on.";
    default:
      return null;
  }
}

/** What gave the verdicts. The first two cannot judge real policy, and readers must know. */
export function auditorKind({ run }: Audited): AuditorKind {
  if (!run.auditor) return "unknown";
  const [kind] = run.auditor.split(":");
  return kind === "baseline" || kind === "simulated" ? kind : "model";
}

import type { Report, ReportTarget } from "../domain/report.js";
import { trapSide } from "./agreement-trap.js";
import { auditorKind } from "./auditor-kind.js";
import { percent } from "./numbers.js";
import type { ReportPage } from "./report-page.js";
import { named, numberAt, rateAt, type Sentence, sentence, termOf } from "./sentence.js";
import { isClusterWider, wideInterval } from "./wide-interval.js";

/** From this gap on agreement and defensibility tell different stories; below, the difference is beyond chance and small. */
export const LARGE_GAP = 0.1;
/** Fewer verdicts than this leave intervals of some ±10 points. */
export const FEW_VERDICTS = 100;

const DI = "/report/defensibility_index";
const F1 = "/report/agreement/f1";
const ACCURACY = "/report/agreement/accuracy";
const GAP = "/report/gap/di_minus_f1";
const PLAIN = "/report/gap/di_minus_accuracy";

/** What the numbers of a report mean, in three sentences: agreement against the rules; the disagreements; targets and trust. */
export function whatItMeans({ report }: ReportPage): [Sentence, Sentence, Sentence] {
  if (report.counts.verdicts === 0) return withoutVerdicts();
  return [agreementSentence(report), disagreementSentence(report), trustSentence(report)];
}

function withoutVerdicts(): [Sentence, Sentence, Sentence] {
  return [
    sentence`None of ${numberAt("/report/counts/attempted", "whole")} audits gave a verdict: ${numberAt("/report/counts/unscored", "whole")} ended without one and ${numberAt("/report/counts/errors", "whole")} in an error.`,
    sentence`So every rate of this report is undefined, which is not the same as zero.`,
    sentence`The list of what to do first says how to get verdicts.`,
  ];
}

function agreementSentence(report: Report): Sentence {
  const rules = sentence`${rateAt(DI)} of its decisions can be derived from the written rules`;
  const agreement = sentence`Judged by agreement with people, the decider scores ${termOf("F1")} ${rateAt(F1)} (${termOf("accuracy")} ${rateAt(ACCURACY)})`;
  const { di_minus_f1: gap, di_minus_accuracy: plain } = report.gap;
  switch (trapSide(report)) {
    case "above": {
      if ((wideInterval(plain)?.lower ?? 1) <= 0) {
        const at = isClusterWider(plain) ? `${PLAIN}/cluster` : PLAIN;
        return sentence`${agreement}, and ${rules}: a gap of ${numberAt(`${GAP}/estimate`, "points")} to F1, which against accuracy ${wideInterval(plain)!.upper < 0 ? "turns round" : "cannot be told from none"} (${numberAt(`${at}/lower`, "points")} to ${numberAt(`${at}/upper`, "points")}), so that it may lie in how F1 counts.`;
      }
      return gap.estimate! >= LARGE_GAP
        ? sentence`${agreement}, yet ${rules}: a gap of ${numberAt(`${GAP}/estimate`, "points")} that agreement cannot see.`
        : sentence`${agreement}, and ${rules}: a difference of ${numberAt(`${GAP}/estimate`, "points")}, small but beyond chance.`;
    }
    case "below":
      return sentence`${agreement}, but only ${rules}: agreement makes it look better than the rules do (DI − F1 is ${numberAt(`${GAP}/estimate`, "points")}).`;
    case "close": {
      const at = isClusterWider(gap) ? `${GAP}/cluster` : GAP;
      return sentence`${agreement}, and ${rules}: the difference, ${numberAt(`${at}/lower`, "points")} to ${numberAt(`${at}/upper`, "points")}, is too close to call.`;
    }
    case "alike":
      return sentence`${agreement}, and ${rules}: these decisions are all alike, so how sure the difference is cannot be said.`;
    default:
      return sentence`The auditor finds that ${rateAt(DI)} of ${numberAt("/report/counts/verdicts", "whole")} decisions can be derived from the written rules.`;
  }
}

function disagreementSentence({ agreement, root_causes: causes, trap }: Report): Sentence {
  if (agreement.n_labelled === 0) {
    return sentence`No decision has a person's label, so agreement is undefined; but ${rateAt("/report/ambiguity_index")} of the decisions could have gone the other way under the same rules.`;
  }
  const { joint } = trap.accurate_but_indefensible;
  const blind = "/report/trap/accurate_but_indefensible/joint/k";
  const agreed = joint.estimate === null ? 0 : (joint.k ?? 0);
  if (causes.model_error.estimate === null) {
    const all = sentence`Decider and people agree on all ${numberAt("/report/agreement/n_labelled", "whole")} labelled decisions`;
    return agreed > 0
      ? sentence`${all}, and still ${numberAt(blind, "whole")} of them follow from no rule, which no measure of agreement can see.`
      : sentence`${all}, and every one of them follows from the rules.`;
  }
  const at = (cause: string) => numberAt(`/report/root_causes/${cause}/k`, "whole");
  const last =
    agreed > 0
      ? sentence`; and ${numberAt(blind, "whole")} decisions on which both agree follow from no rule`
      : sentence`; and every decision on which both agree follows from the rules`;
  const times = causes.model_error.n === 1 ? "disagreement" : "disagreements";
  return sentence`Of ${numberAt("/report/root_causes/model_error/n", "whole")} ${times} with people, ${rateAt("/report/trap/disagreements_defensible")} are defensible: ${at("model_error")} are errors of the decider, in ${at("policy_ambiguity")} the rules allow both, in ${at("implicit_norm")} people followed a norm that is not written${last}.`;
}

function trustSentence(report: Report): Sentence {
  const few = report.counts.verdicts < FEW_VERDICTS;
  const size = few
    ? sentence`With only ${numberAt("/report/counts/verdicts", "whole")} verdicts, ${lowerFirst(targetsText(report))}`
    : [targetsText(report)];
  return sentence`${size}, ${auditorClause(report)}.`;
}

function targetsText({ targets: { defensibility_index: di, ambiguity_index: ai } }: Report): string {
  const names = `${goal("DI", di)}, ${goal("AI", ai)}`;
  if (di.status === ai.status) {
    const words: Record<ReportTarget["status"], string> = {
      met: `Both targets are met (${names})`,
      not_met: `Neither target is met (${names})`,
      undecided: `Whether the targets are met is undecided (${names}), because the intervals hold them`,
      undefined: "The targets cannot be judged",
    };
    return words[di.status];
  }
  return `Of the targets, ${goal("DI", di)} is ${status(di)} and ${goal("AI", ai)} is ${status(ai)}`;
}

function goal(symbol: string, { direction, target }: ReportTarget): string {
  return `${symbol} ${direction === "at_least" ? "at least" : "at most"} ${percent(target, 0)}`;
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
    return sentence`and the auditor finds the level that ${named(against.target)} gives in ${rateAt("/report/against/level_accuracy")} of ${numberAt("/report/against/n", "whole")} decisions`;
  }
  return ["and how far the auditor can be trusted is not checked here against people's judgements"];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

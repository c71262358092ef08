import type { Report } from "../../../core/results/report.js";
import { isOfCohort } from "../left-out.js";
import { byCount } from "../numbers.js";
import { countedAt, sentence } from "../sentence.js";
import { type FirstAction, linkTo } from "./action.js";

/** What the workspace lacks: each makes a part of the report possible. */
export function setupActions(report: Report): FirstAction[] {
  const { verdicts, attempted } = report.counts;
  if (verdicts === 0) return attempted === 0 ? [firstAudit()] : [];
  // An audits file has no workspace to calibrate or to gate.
  const inWorkspace = report.run.run_id !== null;
  const saysWhatThereIs = inWorkspace && !isOfCohort(report);
  return [
    ...(report.gate || !saysWhatThereIs ? [] : [gate(report)]),
    ...((report.calibration && report.calibration.method !== "paper") || !saysWhatThereIs ? [] : [calibrate()]),
    ...(report.agreement.n_labelled > 0 ? [] : [label(inWorkspace)]),
  ];
}

function firstAudit(): FirstAction {
  return {
    id: "first-audit",
    title: "Audit some decisions",
    why: sentence`This report has no audit yet.`,
    command: "defensible audit",
  };
}

function gate({ counts: { verdicts } }: Report): FirstAction {
  return {
    id: "gate",
    title: "Put a gate in force",
    why: sentence`No gate in force rests on ${byCount(verdicts, "this", "these")} ${countedAt("/report/counts/verdicts", verdicts, "verdict")}, so nothing says which communities may be automated.`,
    link: linkTo("the fleet under other limits", "fleet"),
    command: "defensible gate",
  };
}

function calibrate(): FirstAction {
  return {
    id: "calibrate",
    title: "Calibrate the auditor's probabilities",
    why: sentence`No calibration that gives probabilities fits this run, so the probabilities of single decisions order them and are no probabilities to act on.`,
    link: linkTo("what calibration shows", "calibration"),
    command: "defensible calibrate",
  };
}

function label(inWorkspace: boolean): FirstAction {
  const where = inWorkspace ? "" : " The column human_label of the file holds it.";
  return {
    id: "label",
    title: "Add what people decided",
    why: sentence`No decision has a person's label, so agreement, the gap to it and its causes are undefined.${where}`,
    ...(inWorkspace ? { command: "defensible import FILE" } : {}),
  };
}

import type { Report } from "../../../core/results/report.js";
import { isEligible } from "../../../measures/gate/limits.js";
import { passGate } from "../../../measures/gate/pass-gate.js";
import type { ReportPage } from "../../../measures/report-page.js";
import { gateOptions } from "../../figures/gate-modes.js";
import { auditorKind } from "../meaning.js";
import { byCount } from "../numbers.js";
import { countedAt, numberAt, rateAt, type Sentence, sentence } from "../sentence.js";
import { isOfCohort, liveDay } from "../vocabulary.js";
import { type FindingAction, type FirstAction, findingActions, linkTo, ruleActions } from "./findings.js";

export const MOST_ACTIONS = 6;

/**
 * What to do first about a report, in order: what undermines trust in its numbers, then its findings by the number of decisions concerned, then what
 * the workspace lacks. One place is reserved for the rule with the most open verdicts, since a policy lead can change a rule, and one for what is
 * lacking, so that a long list of findings does not hide a missing gate.
 */
export function firstActions(page: ReportPage): FirstAction[] {
  const trust = trustActions(page.report);
  const lacking = setupActions(page);
  const room = MOST_ACTIONS - trust.length - Math.min(1, lacking.length);
  const [rule, ...otherRules] = ruleActions(page);
  const others = [...otherRules, ...findingActions(page)].sort(byDecisions);
  const findings = [...(rule ? [rule] : []), ...others.slice(0, rule ? room - 1 : room)].sort(byDecisions);
  const actions = [...trust, ...findings, ...lacking].slice(0, MOST_ACTIONS);
  // Without individual decisions there is no list to link to; without a workspace no command applies.
  const listed = page.decisions_of === null ? actions.map(withoutList) : actions;
  return page.report.run.run_id === null ? listed.map(({ command, ...action }) => action) : listed;
}

function withoutList({ link, ...action }: FirstAction): FirstAction {
  return link && link.view !== "review" ? { ...action, link } : action;
}

function byDecisions(first: FindingAction, second: FindingAction): number {
  return second.decisions - first.decisions;
}

/** Below this share of citations found in the rules, the auditor argues from something else. */
const LEAST_GROUNDED = 0.9;

/** Share of audits without a verdict that may shift the rates. */
const MANY_LOST = 0.01;

const WITH_MODEL = "defensible audit --auditor openai:gpt-4.1-mini --dry-run";

/** What must be fixed before the numbers can be relied on. */
function trustActions(report: Report): FirstAction[] {
  return [auditByModel(report), finishRun(report), retryErrors(report), checkInjections(report), checkCitations(report)]
    .filter((action) => action !== null)
    .slice(0, 2);
}

function auditByModel(report: Report): FirstAction | null {
  const kind = auditorKind(report);
  if (kind === "simulated" && report.counts.verdicts > 0) {
    return {
      id: "real-auditor",
      title: "Take these numbers for an exercise",
      why: sentence`${allVerdicts(report)} from a simulated auditor over a made-up world; only audits of your own decisions say something of your rules.`,
      command: "defensible import FILE",
    };
  }
  if (kind !== "baseline") return null;
  return {
    id: "real-auditor",
    title: "Audit with a language model before acting on a verdict",
    why: sentence`${allVerdicts(report)} from the built-in baseline, which reads words and not meaning.`,
    command: WITH_MODEL,
  };
}

function allVerdicts({ counts: { verdicts } }: Report): Sentence {
  return verdicts === 1
    ? sentence`The one verdict comes`
    : sentence`All ${numberAt("/report/counts/verdicts", "whole")} verdicts come`;
}

function finishRun({ run, counts }: Report): FirstAction | null {
  if (run.status !== "open" || liveDay(run)) return null;
  const planned =
    // The plan covers the whole run, not a cohort.
    typeof run.planned === "number" && !isOfCohort({ run })
      ? sentence` of ${numberAt("/report/run/planned", "whole")} planned`
      : [];
  return {
    id: "finish-run",
    title: "Finish the run",
    why: sentence`${countedAt("/report/counts/attempted", counts.attempted, "audit")}${planned} ${byCount(counts.attempted, "is", "are")} done, and they are no random part of the decisions.`,
    command: "defensible audit",
  };
}

/** Audits without a verdict; a few do not matter, as the worst-case bounds show. */
function retryErrors({ counts }: Report): FirstAction | null {
  const lost = counts.errors + counts.unscored;
  if (lost === 0 || lost < MANY_LOST * counts.attempted) return null;
  const errors = numberAt("/report/counts/errors", "whole");
  const unscored = numberAt("/report/counts/unscored", "whole");
  const attempted = countedAt("/report/counts/attempted", counts.attempted, "audit");
  return {
    id: "retry",
    title: counts.errors > 0 ? "Ask again where an audit failed" : "See why audits gave no verdict",
    why: sentence`Of ${attempted} ${errors} ended in an error and ${unscored} without a verdict; they count in no rate, only in worst-case bounds.`,
    link: linkTo("decisions that were not scored", "review", [], { reason: "not_scored" }),
    ...(counts.errors > 0 ? { command: "defensible audit --retry-errors" } : {}),
  };
}

function checkInjections({ flags }: Report): FirstAction | null {
  const suspected = flags.injection_suspected ?? 0;
  if (suspected === 0) return null;
  return {
    id: "injections",
    title: "Check content that addresses the auditor",
    why: sentence`The content of ${countedAt("/report/flags/injection_suspected", suspected, "decision")} seems to give orders to whoever audits it, so ${byCount(suspected, "its verdict", "their verdicts")} may have been steered.`,
    link: linkTo("these decisions", "review", [], { reason: "injection_suspected" }),
  };
}

function checkCitations({ signals: { grounded_citations: grounded } }: Report): FirstAction | null {
  if (grounded.estimate === null || grounded.estimate >= LEAST_GROUNDED) return null;
  const at = "/report/signals/grounded_citations";
  return {
    id: "citations",
    title: "Check what the auditor cites",
    why: sentence`Only ${rateAt(at)} of ${countedAt(`${at}/n`, grounded.n, "citation")} ${byCount(grounded.n, "is", "are")} in a rule or precedent that applied: where it cites something else, its verdict rests on nothing.`,
    link: linkTo("decisions with a citation that was not found", "review", [], { reason: "ungrounded_citation" }),
  };
}

/** What the workspace lacks; each step enables a part of the report. */
function setupActions(page: ReportPage): FirstAction[] {
  const { report } = page;
  const { verdicts, attempted } = report.counts;
  if (verdicts === 0) return attempted === 0 ? [firstAudit()] : [];
  // An audits file has no workspace to calibrate or to gate.
  const inWorkspace = report.run.run_id !== null;
  const saysWhatThereIs = inWorkspace && !isOfCohort(report);
  return [
    ...(report.gate || liveDay(report.run) || !saysWhatThereIs || !somePass(page) ? [] : [gate(report)]),
    ...(saysWhatThereIs && lacksCalibration(report) ? [calibrate()] : []),
    ...(report.agreement.n_labelled > 0 ? [] : [label(inWorkspace)]),
  ];
}

/** Whether a gate would let a community pass; an active gate that passes none automates nothing. */
function somePass(page: ReportPage): boolean {
  const { cohorts, limits, mode } = page.gate_input;
  if (!cohorts.some((cohort) => isEligible(cohort, limits))) return false;
  return passGate(cohorts, limits, { ...gateOptions(page), mode }).includes(true);
}

/** Verdicts without probabilities have nothing to calibrate. */
function lacksCalibration({ calibration, defensibility_index_soft: probabilities }: Report): boolean {
  return probabilities.estimate !== null && (!calibration || calibration.method === "paper");
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
    title: "Activate a gate",
    why: sentence`No active gate rests on ${byCount(verdicts, "this", "these")} ${countedAt("/report/counts/verdicts", verdicts, "verdict")}, so nothing says which communities may be automated.`,
    link: linkTo("what other limits would automate", "automation"),
    command: "defensible gate apply",
  };
}

function calibrate(): FirstAction {
  return {
    id: "calibrate",
    title: "Calibrate the auditor's probabilities",
    why: sentence`No calibration that gives probabilities fits this run, so the probabilities of single decisions order them and are no probabilities to act on.`,
    link: linkTo("what calibration shows", "trust", ["calibration"]),
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

import type { ReportPage } from "../../../measures/report-page.js";
import type { FindingAction, FirstAction } from "./action.js";
import { findingActions, ruleActions } from "./findings.js";
import { setupActions, trustActions } from "./trust.js";

export const MOST_ACTIONS = 6;

/**
 * What to do first about what a report says, in order: what keeps its numbers from being trusted, then what it found, by the number of decisions
 * concerned, then what the workspace lacks. One place is kept for the rule with most open verdicts, since a rule is what a policy lead can
 * change, and one for what is lacking, so that a long list of findings does not hide that there is no gate.
 */
export function firstActions(page: ReportPage): FirstAction[] {
  const trust = trustActions(page.report);
  const lacking = setupActions(page.report);
  const room = MOST_ACTIONS - trust.length - Math.min(1, lacking.length);
  const [rule, ...otherRules] = ruleActions(page);
  const others = [...otherRules, ...findingActions(page)].sort(byDecisions);
  const findings = [...(rule ? [rule] : []), ...others.slice(0, rule ? room - 1 : room)].sort(byDecisions);
  const actions = [...trust, ...findings, ...lacking].slice(0, MOST_ACTIONS);
  // A page without single decisions has no list to look at, and a file of audits no workspace for a command to work in.
  const listed = page.decisions_of === null ? actions.map(withoutList) : actions;
  return page.report.run.run_id === null ? listed.map(({ command, ...action }) => action) : listed;
}

function withoutList({ link, ...action }: FirstAction): FirstAction {
  return link && link.view !== "decision" ? { ...action, link } : action;
}

function byDecisions(first: FindingAction, second: FindingAction): number {
  return second.decisions - first.decisions;
}

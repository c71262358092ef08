import type { Estimate } from "../../../core/estimate.js";
import { finding, type PlacedRule, type RuleFinding } from "./finding.js";

/** How a run used a rule. */
export interface RuleUse {
  cited: number;
  /** Share of the decisions citing it that are defensible both ways. */
  open: Estimate;
  /** Verdicts of the communities that the rule holds in. */
  verdicts: number;
}

/** Below this many verdicts a rule that nobody cited says nothing. */
const ENOUGH_VERDICTS = 30;
/** Below this many decisions that cite a rule, how many of them are open says nothing about the rule. */
const ENOUGH_CITING = 10;

/** What a run says of a rule: never cited, or leaving too many decisions open. */
export function useFindings(placed: PlacedRule, use: RuleUse, greatestOpen: number): RuleFinding[] {
  if (use.cited === 0) {
    if (use.verdicts < ENOUGH_VERDICTS) return [];
    return [
      finding(placed, {
        check: "never_cited",
        severity: "note",
        message: `none of ${use.verdicts} audits cites it`,
        remedy: "Ask whether it is needed; a rule for rare harm may well stay.",
      }),
    ];
  }
  if (use.open.estimate === null || use.open.n < ENOUGH_CITING || use.open.lower <= greatestOpen) return [];
  return [
    finding(placed, {
      check: "often_open",
      severity: "warning",
      message: `${use.open.k} of ${use.open.n} decisions citing it are open (${percent(use.open.lower)}–${percent(use.open.upper)} %)`,
      remedy: "Read those decisions, and say in `detail` which way they go.",
    }),
  ];
}

function percent(share: number): string {
  return (share * 100).toFixed(0);
}

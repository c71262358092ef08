import type { Estimate } from "../../domain/estimate.js";
import type { Report } from "../../domain/report.js";
import { filterDecisions, NO_FILTERS } from "../decision-list.js";
import { type Judged, judgedOf } from "../judged.js";
import { plural, whole } from "../numbers.js";
import type { PageDecision, ReportPage } from "../report-page.js";
import { byOpenBothWays, openBothWays } from "../rule-points.js";
import { named, numberAt, sentence } from "../sentence.js";
import { type FirstAction, linkTo } from "./action.js";

/** Fewer open verdicts than this under one rule are chance. */
export const FEWEST_OPEN = 5;
/** Fewer indefensible verdicts than this in one community are chance. */
export const FEWEST_INDEFENSIBLE = 5;

const count = (estimate: Estimate): number => (estimate.estimate === null ? 0 : (estimate.k ?? 0));

/** What the verdicts ask for, rules apart. */
export function findingActions(page: ReportPage): FirstAction[] {
  return [lookAtCommunity(page.report), reviewErrors(page), writeNorm(page), reviewAgreed(page)].filter(
    (action) => action !== null,
  );
}

/** The two rules with most verdicts that are open both ways: contradictions are the decider's, not the rule's. */
export function ruleActions({ rules }: Report): FirstAction[] {
  return rules
    .map((rule, place) => ({ rule, place, open: openBothWays(rule) }))
    .filter(({ open }) => open >= FEWEST_OPEN)
    .sort((first, second) => byOpenBothWays(first.rule, second.rule))
    .slice(0, 2)
    .map(({ rule, place, open }) => {
      const at = `/report/rules/${place}/ambiguity_pure`;
      const platform = rule.scope === "platform";
      const name = `${named(rule.rule_id)}${rule.title ? ` (${named(rule.title)})` : ""}`;
      const owner = platform ? "the platform" : named(rule.community ?? "a community");
      return {
        id: `rule-${place}`,
        title: platform ? `Revise rule ${name} of the platform` : `Clarify rule ${name} of ${owner}`,
        why: sentence`Of ${numberAt(`${at}/n`, "whole")} verdicts that cite it, ${numberAt(`${at}/k`, "whole")} could have gone either way: the rule carries both outcomes.`,
        decisions: open,
        link: linkTo("the rule and its decisions", "rules", [
          rule.scope,
          platform ? "-" : (rule.community ?? ""),
          rule.rule_id,
        ]),
      };
    });
}

function lookAtCommunity({ communities }: Report): FirstAction | null {
  const [worst] = communities
    .map((one, place) => ({ one, place, bad: one.counts.verdicts - count(one.defensibility_index) }))
    .sort((first, second) => second.bad - first.bad || first.one.counts.verdicts - second.one.counts.verdicts);
  if (!worst || worst.bad < FEWEST_INDEFENSIBLE || communities.length < 2) return null;
  const at = `/report/communities/${worst.place}`;
  return {
    id: "community",
    title: `Look into ${named(worst.one.community)}`,
    why: sentence`No community has more indefensible decisions: its DI is ${numberAt(`${at}/defensibility_index/estimate`)} over ${numberAt(`${at}/counts/verdicts`, "whole")} verdicts, which leaves ${plural(worst.bad, "decision")} that no rule carries.`,
    decisions: worst.bad,
    link: linkTo("the community", "community", [worst.one.community]),
  };
}

function reviewErrors({ report: { root_causes: causes }, decisions }: ReportPage): FirstAction | null {
  return decisionsAction(decisions, {
    id: "decider-errors",
    title: "Correct the decider where people and rules are both against it",
    decisions: count(causes.model_error),
    why: sentence`In ${numberAt("/report/root_causes/model_error/k", "whole")} of ${numberAt("/report/root_causes/model_error/n", "whole")} disagreements with people no rule carries what the decider did.`,
    query: { agreement: "disagrees", level: "3" },
    confirms: ({ level }) => level === 3,
  });
}

function writeNorm({ report: { root_causes: causes }, decisions }: ReportPage): FirstAction | null {
  return decisionsAction(decisions, {
    id: "unwritten-norms",
    title: "Write down what people enforce, or stop enforcing it",
    decisions: count(causes.implicit_norm),
    why: sentence`In ${numberAt("/report/root_causes/implicit_norm/k", "whole")} of ${numberAt("/report/root_causes/implicit_norm/n", "whole")} disagreements the rules carry the decider's decision alone: people followed something that is not written.`,
    query: { agreement: "disagrees", level: "defensible", inverse: "no" },
    confirms: ({ level, inverse }) => level < 3 && inverse === false,
  });
}

function reviewAgreed({ report: { trap }, decisions }: ReportPage): FirstAction | null {
  const at = "/report/trap/accurate_but_indefensible/joint";
  return decisionsAction(decisions, {
    id: "agreed-indefensible",
    title: "Review decisions that everybody agrees on and no rule carries",
    decisions: count(trap.accurate_but_indefensible.joint),
    why: sentence`They are ${numberAt(`${at}/k`, "whole")} of ${numberAt(`${at}/n`, "whole")} labelled decisions, and every measure of agreement counts them as successes.`,
    query: { agreement: "agrees", level: "3" },
    confirms: ({ level }) => level === 3,
  });
}

interface DecisionsAction extends Omit<FirstAction, "link" | "command"> {
  query: Readonly<Record<string, string>>;
  /** Whether a judgement by gold or people bears the auditor out. */
  confirms: (judged: Judged) => boolean;
}

function decisionsAction(listed: readonly PageDecision[], of: DecisionsAction): FirstAction | null {
  const { query, confirms, ...action } = of;
  if (action.decisions === 0) return null;
  const found = filterDecisions(listed, { ...NO_FILTERS, ...query }, false);
  const judged = found.map(judgedOf).filter((one) => one !== null);
  const why =
    judged.length === 0
      ? action.why
      : sentence`${action.why} ${judged.every(({ by }) => by === "gold") ? "Gold" : "People's own judgement"}, known of ${whole(judged.length)} of them, confirms ${whole(judged.filter(confirms).length)}.`;
  return { ...action, why, link: linkTo("these decisions", "decision", [], query) };
}

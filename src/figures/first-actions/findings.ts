import type { Estimate } from "../../domain/estimate.js";
import type { Report } from "../../domain/report.js";
import { plural } from "../numbers.js";
import { named, numberAt, type Sentence, sentence } from "../sentence.js";
import { type FirstAction, linkTo } from "./action.js";

/** Fewer open verdicts than this under one rule are chance. */
export const FEWEST_OPEN = 5;
/** Fewer indefensible verdicts than this in one community are chance. */
export const FEWEST_INDEFENSIBLE = 5;

const count = (estimate: Estimate): number => (estimate.estimate === null ? 0 : (estimate.k ?? 0));

/** What the verdicts ask for, rules apart. */
export function findingActions(report: Report): FirstAction[] {
  return [lookAtCommunity(report), reviewErrors(report), writeNorm(report), reviewAgreed(report)].filter(
    (action) => action !== null,
  );
}

/** The two rules with most verdicts that are open both ways: contradictions are the decider's, not the rule's. */
export function ruleActions({ rules }: Report): FirstAction[] {
  return rules
    .map((rule, place) => ({ rule, place, open: count(rule.ambiguity_pure) }))
    .filter(({ open }) => open >= FEWEST_OPEN)
    .sort((first, second) => second.open - first.open || first.rule.cited - second.rule.cited)
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
    why: sentence`It has more indefensible decisions than any other community: its DI is ${numberAt(`${at}/defensibility_index/estimate`)} over ${numberAt(`${at}/counts/verdicts`, "whole")} verdicts, which leaves ${plural(worst.bad, "decision")} that no rule carries.`,
    decisions: worst.bad,
    link: linkTo("the community", "community", [worst.one.community]),
  };
}

function reviewErrors({ root_causes: causes }: Report): FirstAction | null {
  return decisionsAction({
    id: "decider-errors",
    title: "Correct the decider where people and rules are both against it",
    decisions: count(causes.model_error),
    why: sentence`In ${numberAt("/report/root_causes/model_error/k", "whole")} of ${numberAt("/report/root_causes/model_error/n", "whole")} disagreements with people no rule carries what the decider did.`,
    query: { agreement: "disagrees", level: "3" },
  });
}

function writeNorm({ root_causes: causes }: Report): FirstAction | null {
  return decisionsAction({
    id: "unwritten-norms",
    title: "Write down what people enforce, or stop enforcing it",
    decisions: count(causes.implicit_norm),
    why: sentence`In ${numberAt("/report/root_causes/implicit_norm/k", "whole")} of ${numberAt("/report/root_causes/implicit_norm/n", "whole")} disagreements the rules carry the decider's decision alone: people followed something that is not written.`,
    query: { reason: "disagreement_defensible", inverse: "no" },
  });
}

function reviewAgreed({ trap }: Report): FirstAction | null {
  const at = "/report/trap/accurate_but_indefensible/joint";
  return decisionsAction({
    id: "agreed-indefensible",
    title: "Review decisions that everybody agrees on and no rule carries",
    decisions: count(trap.accurate_but_indefensible.joint),
    why: sentence`They are ${numberAt(`${at}/k`, "whole")} of ${numberAt(`${at}/n`, "whole")} labelled decisions, and every measure of agreement counts them as successes.`,
    query: { agreement: "agrees", level: "3" },
  });
}

function decisionsAction(of: {
  id: string;
  title: string;
  decisions: number;
  why: Sentence;
  query: Readonly<Record<string, string>>;
}): FirstAction | null {
  const { query, ...action } = of;
  if (action.decisions === 0) return null;
  return { ...action, link: linkTo("these decisions", "decision", [], query) };
}

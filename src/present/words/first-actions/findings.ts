import { countOf, type Estimate } from "../../../core/estimate.js";
import type { Report, ReportAgainst } from "../../../core/results/report.js";
import { labelsAlike } from "../../../measures/metrics/tally.js";
import type { PageDecision, ReportPage } from "../../../measures/report-page.js";
import { byOpenBothWays, openBothWays, type ReportRule } from "../../figures/rule-ambiguity.js";
import { filterDecisions, NO_FILTERS, ruleFilter } from "../decision-list.js";
import { type Judged, judgedOf } from "../decision-signal.js";
import { byCount, plural, whole } from "../numbers.js";
import { rulePlace } from "../rule-texts.js";
import { countedAt, named, numberAt, type Piece, type Sentence, sentence } from "../sentence.js";

/** Where an action is done or looked at: a view, its subject, and filters. */
export interface ActionLink {
  view: string;
  about: readonly string[];
  query: Readonly<Record<string, string>>;
  /** Link text: what the reader finds there. */
  text: string;
}

/** A recommended action. */
export interface FirstAction {
  id: string;
  /** An imperative of a few words. */
  title: string;
  /** Why, with the number behind it. */
  why: Sentence;
  link?: ActionLink;
  /** A command that does it. */
  command?: string;
}

/** A finding of a report: ordered by the decisions concerned. */
export interface FindingAction extends FirstAction {
  decisions: number;
}

export function linkTo(
  text: string,
  view: string,
  about: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): ActionLink {
  return { text, view, about, query };
}

/** Fewer open verdicts than this under one rule may be chance. */
const FEWEST_OPEN = 5;
/** Fewer indefensible verdicts than this in one community may be chance. */
const FEWEST_INDEFENSIBLE = 5;

/** Actions that follow from the verdicts, except on rules. */
export function findingActions(page: ReportPage): FindingAction[] {
  const { report } = page;
  return [lookAtCommunity(report), reviewErrors(page), writeNorm(page), reviewAgreed(page), findOpenRules(page)].filter(
    (action) => action !== null,
  );
}

/**
 * The two rules with the most verdicts open both ways; contradictions are the decider's fault, not the rule's. Where moderators decide these verdicts
 * alike, the auditor must be checked before the rule.
 */
export function ruleActions(page: ReportPage): FindingAction[] {
  return page.report.rules
    .map((rule, place) => ({ rule, place, open: openBothWays(rule) }))
    .filter(({ open }) => open >= FEWEST_OPEN)
    .sort((first, second) => byOpenBothWays(first.rule, second.rule))
    .slice(0, 2)
    .map(({ rule, place, open }) => {
      const at = `/report/rules/${place}/ambiguity_pure`;
      const platform = rule.scope === "platform";
      const name = `${named(rule.rule_id)}${rule.title ? ` (${named(rule.title)})` : ""}`;
      const owner = platform ? "the platform" : named(rule.community ?? "a community");
      const people = labelsAlike(rule.open_labels);
      const found = sentence`Of ${numberAt(`${at}/n`, "whole")} verdicts that cite it, ${numberAt(`${at}/k`, "whole")} could have gone either way`;
      const about = { decisions: open, link: linkTo("the rule and its decisions", "rules", rulePlace(rule)) };
      if (people) {
        return {
          ...about,
          id: `auditor-${place}`,
          title: `Check the auditor on rule ${name} of ${owner}`,
          why: sentence`${found}, but people decided ${people.alike} of the ${people.labels} labelled ones alike: the auditor may be unsure where the rule is clear.${confirmedOpen(page, rule, open)}`,
        };
      }
      return {
        ...about,
        id: `rule-${place}`,
        title: platform ? `Revise rule ${name} of the platform` : `Clarify rule ${name} of ${owner}`,
        why: sentence`${found}: the rule supports both outcomes.${confirmedOpen(page, rule, open)}`,
      };
    });
}

/** How many decisions that cite a rule and are open both ways are also open by the reference annotations, under this rule if they name one. */
function confirmedOpen(page: ReportPage, { scope, community, rule_id }: ReportRule, open: number): Sentence {
  return confirmedSentence(page, {
    decisions: open,
    query: { rule: ruleFilter(scope, community, rule_id), level: "defensible", inverse: "yes" },
    confirms: (judged, { gold }) => isOpen(judged) && (!gold?.rule_ids.length || gold.rule_ids.includes(rule_id)),
    says: (count) => sentence`call ${count} open under this rule`,
  });
}

function lookAtCommunity({ communities }: Report): FindingAction | null {
  const [worst] = communities
    .map((one, place) => ({ one, place, bad: one.counts.verdicts - countOf(one.defensibility_index) }))
    .sort((first, second) => second.bad - first.bad || first.one.counts.verdicts - second.one.counts.verdicts);
  if (!worst || worst.bad < FEWEST_INDEFENSIBLE || communities.length < 2) return null;
  const at = `/report/communities/${worst.place}`;
  return {
    id: "community",
    title: `Look into ${named(worst.one.community)}`,
    why: sentence`No community has more indefensible decisions: its Defensibility Index is ${numberAt(`${at}/defensibility_index/estimate`)} over ${numberAt(`${at}/counts/verdicts`, "whole")} verdicts, which leaves ${plural(worst.bad, "decision")} that no rule supports.`,
    decisions: worst.bad,
    link: linkTo("the community", "automation", ["community", worst.one.community]),
  };
}

function reviewErrors(page: ReportPage): FindingAction | null {
  const { model_error: errors } = page.report.root_causes;
  return decisionsAction(page, {
    id: "decider-errors",
    title: "Correct the decider where people and rules are both against it",
    decisions: countOf(errors),
    why: sentence`${inDisagreements("model_error", errors)} with people no rule supports what the decider did.`,
    query: { agreement: "disagrees", level: "3" },
    confirms: ({ level }) => level === 3,
    counted: "model_error",
  });
}

function writeNorm(page: ReportPage): FindingAction | null {
  const { implicit_norm: norms } = page.report.root_causes;
  return decisionsAction(page, {
    id: "unwritten-norms",
    title: "Write down unwritten norms, or drop them",
    decisions: countOf(norms),
    why: sentence`${inDisagreements("implicit_norm", norms)} the rules support the decider's decision alone: people followed something that is not written.`,
    query: { agreement: "disagrees", level: "defensible", inverse: "no" },
    confirms: ({ level, inverse }) => level < 3 && inverse === false,
    counted: "implicit_norm",
  });
}

/** "In 12 of 17 disagreements". */
function inDisagreements(cause: string, { n }: Estimate): Sentence {
  const at = `/report/root_causes/${cause}`;
  return n === 1
    ? sentence`In the one disagreement`
    : sentence`In ${numberAt(`${at}/k`, "whole")} of ${numberAt(`${at}/n`, "whole")} disagreements`;
}

function reviewAgreed(page: ReportPage): FindingAction | null {
  const at = "/report/trap/accurate_but_indefensible/joint";
  const { joint } = page.report.trap.accurate_but_indefensible;
  const decisions = countOf(joint);
  const share =
    joint.n === 1
      ? sentence`It is the only labelled decision`
      : sentence`${byCount(decisions, "It is", "They are")} ${numberAt(`${at}/k`, "whole")} of ${numberAt(`${at}/n`, "whole")} labelled decisions`;
  return decisionsAction(page, {
    id: "agreed-indefensible",
    title: "Review agreements that no rule supports",
    decisions,
    why: sentence`${share}, and every measure of agreement counts ${byCount(decisions, "it as a success", "them as successes")}.`,
    query: { agreement: "agrees", level: "3" },
    confirms: ({ level }) => level === 3,
    counted: "agreed_indefensible",
  });
}

/** For reports with too many decisions open both ways, but no rule cited by enough of them to be named. */
function findOpenRules(page: ReportPage): FindingAction | null {
  const { targets, ambiguity } = page.report;
  const decisions = countOf(ambiguity.pure);
  if (targets.ambiguity_index.status !== "not_met" || decisions < FEWEST_OPEN) return null;
  if (page.report.rules.some((rule) => openBothWays(rule) >= FEWEST_OPEN)) return null;
  const at = "/report/ambiguity/pure";
  return decisionsAction(page, {
    id: "open-both-ways",
    title: "Find out which rules leave decisions open",
    decisions,
    why: sentence`${numberAt(`${at}/k`, "whole")} of ${countedAt(`${at}/n`, ambiguity.pure.n, "verdict")} could have gone either way, and no single rule has ${FEWEST_OPEN} of them.`,
    query: { level: "defensible", inverse: "yes" },
    confirms: isOpen,
  });
}

/** Reference annotations or people also find decision and opposite defensible. */
function isOpen({ level, inverse }: Judged): boolean {
  return level < 3 && inverse === true;
}

interface DecisionsAction extends Omit<FindingAction, "link" | "command">, ToConfirm {}

function decisionsAction(page: ReportPage, of: DecisionsAction): FindingAction | null {
  const { query, confirms, counted, says, ...action } = of;
  if (action.decisions === 0) return null;
  const why = sentence`${action.why}${confirmedSentence(page, of)}`;
  return { ...action, why, link: linkTo("these decisions", "review", [], query) };
}

/** The decisions that an action is about, and what confirms the auditor on them. */
interface ToConfirm {
  /** Their number in the whole report. */
  decisions: number;
  /** The filters that find them in the list of decisions. */
  query: Readonly<Record<string, string>>;
  /** Whether a judgement by reference annotations or people confirms the auditor. */
  confirms: (judged: Judged, decision: PageDecision) => boolean;
  /** The report's own count, if it has one. */
  counted?: keyof NonNullable<ReportAgainst["confirmed"]>;
  /** The verb for a confirming source; default "confirms". */
  says?: (confirmed: Piece) => Sentence;
}

/**
 * How many of an action's decisions reference annotations or people confirm, as a sentence to append. Uses the report's count if there is one, else
 * the listed decisions if all those concerned are listed: a page's list is not a representative sample of a run. Empty otherwise.
 */
function confirmedSentence(page: ReportPage, of: ToConfirm): Sentence {
  const { against } = page.report;
  const known = of.counted && against?.confirmed?.[of.counted];
  if (known && known.estimate !== null && (against.target === "gold" || against.target === "human")) {
    const at = `/report/against/confirmed/${of.counted}`;
    const by = against.target === "gold" ? "Reference annotations" : "People's judgements";
    return confirmation(of, by, {
      n: known.n,
      k: known.k ?? 0,
      shownN: numberAt(`${at}/n`, "whole"),
      shownK: numberAt(`${at}/k`, "whole"),
    });
  }
  const found = filterDecisions(page.decisions, { ...NO_FILTERS, ...of.query });
  const judged = found.flatMap((decision) => {
    const one = judgedOf(decision);
    return one ? [{ by: one.by, isConfirmed: of.confirms(one, decision) }] : [];
  });
  if (found.length !== of.decisions || judged.length === 0) return [];
  const k = judged.filter(({ isConfirmed }) => isConfirmed).length;
  const by = judged.every((one) => one.by === "gold") ? "Reference annotations" : "People's judgements";
  return confirmation(of, by, { n: judged.length, k, shownN: whole(judged.length), shownK: whole(k) });
}

function confirmation(
  { decisions, says = (count) => sentence`confirm ${count}` }: ToConfirm,
  by: string,
  { n, k, shownN, shownK }: { n: number; k: number; shownN: Piece; shownK: Piece },
): Sentence {
  // If most are not confirmed, acting on the number alone means acting on the auditor's errors.
  const warning = 2 * k < n ? `: look at ${byCount(decisions, "it", "them")} before acting` : "";
  if (decisions === 1 && n === 1) return sentence` ${by} ${k === 1 ? "confirm" : "do not confirm"} it.`;
  return sentence` ${by}, known for ${shownN} of them, ${says(shownK)}${warning}.`;
}

import type { Estimate } from "../../core/estimate.js";
import { DUAL_CLASSES, LARGE_AMBIGUITY, NO_VOID } from "../../measures/metrics/paired/dual-audit.js";
import { clusterToShow, FEW_CLUSTERS } from "../../measures/metrics/target.js";
import {
  type Block,
  clusterText,
  type Document,
  independentText,
  noteBlocks,
  rateRow,
  table,
  wideText,
} from "../../present/document/document.js";
import { DUAL_WORDS } from "../../present/words/experiments/experiment-words.js";
import { countText, percent, plural, rateText, whole } from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";
import type { Dual, DualCase, DualGroup } from "./result.js";

export interface DualDocumentOptions {
  /** Contradictions shown, of each kind. Default 10. */
  rows?: number;
}

/** A dual audit in words: what the rules settle, and what the inverse check is worth. */
export function dualDocument(dual: Dual, { rows = 10 }: DualDocumentOptions = {}): Document {
  const { source, counts } = dual;
  return {
    title: "Dual audit",
    subtitle: `${printable(source.name, 60)}${source.auditor ? ` · auditor ${printable(source.auditor, 40)}` : ""} · ${plural(counts.paired, "decision")} audited with their opposites`,
    blocks: [
      ...headline(dual),
      ...classes(dual),
      ...byAction(dual),
      ...inverseCheck(dual),
      ...corrected(dual),
      ...contradictions(dual, rows),
      ...noteBlocks(dual.warnings),
    ],
  };
}

function headline({ all, justification_prone, corrected: rate }: Dual): Block[] {
  const { ambiguous, determinate, model_error, void: uncovered } = all;
  const blocks: Block[] = [
    ...(rate ? correctedHeadline(rate) : []),
    {
      kind: "headline",
      value: rateText(ambiguous),
      label: `of the decisions${rate ? " audited with their opposites" : ""} could have gone either way (AI_dual)`,
      under: `95 % interval ${independentText(ambiguous)}${overCommunities(ambiguous)} · the rules settle ${rateText(determinate)} as decided, contradict ${rateText(model_error)}, and cover ${rateText(uncovered)} not at all.`,
    },
  ];
  if (justification_prone) {
    blocks.push({
      kind: "text",
      text: `The auditor may be one that justifies whatever it is shown: at least ${percent(LARGE_AMBIGUITY, 0)} of the decisions are defensible either way, and at most ${percent(NO_VOID, 0)} are covered by no rule. Try it on violations that nobody would dispute: it should find no second outcome there.`,
    });
  }
  return blocks;
}

/** What --correct was asked for; undefined: why it cannot be had. */
function correctedHeadline({ run_id, prediction_powered: rate, audited }: NonNullable<Dual["corrected"]>): Block[] {
  const run = `run ${printable(run_id, 40)}`;
  if (rate.estimate === null) return [{ kind: "text", text: `AI_dual of ${run} cannot be given: ${rate.reason}.` }];
  return [
    {
      kind: "headline",
      value: rateText(rate),
      label: `of all decisions of ${run} could have gone either way, corrected`,
      under: `95 % interval ${independentText(rate)}${overCommunities(rate)} · by its inverse check alone, ${rateText(audited)} of them. Prediction-powered, from the decisions below.`,
    },
  ];
}

function classes({ all }: Dual): Block[] {
  return [
    { kind: "heading", text: "What the two audits say together" },
    table(
      ["", ">share", "95 % interval", "by community", ">decisions"],
      [
        ...DUAL_CLASSES.map((name) => rateRow(DUAL_WORDS[name], all[name])),
        rateRow("DI of the decisions", all.defensibility_index),
        rateRow("DI of their opposites", all.opposite_defensibility_index),
      ],
    ),
    { kind: "text", text: `${identityText(all)}${oneCommunity(all.ambiguous)}` },
  ];
}

function overCommunities(estimate: Estimate): string {
  return clusterToShow(estimate) ? `, with communities as wholes ${clusterText(estimate)}` : "";
}

/** Why the column "by community" is empty. */
function oneCommunity(estimate: Estimate): string {
  return estimate.estimate !== null && !clusterToShow(estimate)
    ? ` A dash under "by community" means that there are fewer than ${FEW_CLUSTERS} communities, or that they are all alike, so that nothing can be said of how communities differ.`
    : "";
}

/** DI(ŷ) + DI(¬ŷ) = 1 + AI_dual − void, in numbers. */
function identityText({ defensibility_index: own, opposite_defensibility_index: other, ...all }: DualGroup): string {
  const { ambiguous, void: uncovered } = all;
  if (own.estimate === null || other.estimate === null || ambiguous.estimate === null || uncovered.estimate === null)
    return "";
  const number = (value: number) => value.toFixed(3);
  return `The two defensibility indices add up to 1 + AI_dual − void: ${number(own.estimate)} + ${number(other.estimate)} = 1 + ${number(ambiguous.estimate)} − ${number(uncovered.estimate)}. Where the rules settle everything they add up to 1.`;
}

function byAction({ by_action, by_human, actions }: Dual): Block[] {
  const groups: [string, DualGroup][] = [
    [actions.positive, by_action.positive],
    [actions.negative, by_action.negative],
    ...(by_human
      ? ([
          ["human label agrees", by_human.agreed],
          ["human label is the opposite", by_human.overruled],
        ] satisfies [string, DualGroup][])
      : []),
  ];
  return [
    { kind: "heading", text: "By action and human label" },
    table(
      ["decisions", ">n", ">ambiguous", "95 % interval", ">determinate", ">error", ">void"],
      groups.map(([name, group]) => [
        printable(name, 40),
        whole(group.n),
        rateText(group.ambiguous),
        wideText(group.ambiguous),
        rateText(group.determinate),
        rateText(group.model_error),
        rateText(group.void),
      ]),
    ),
  ];
}

function inverseCheck({ all, by_action, actions, inverse_auroc }: Dual): Block[] {
  const row = (label: string, { sensitivity, specificity, agreement }: DualGroup["inverse_check"]) => [
    label,
    rateText(sensitivity),
    wideText(sensitivity),
    countText(sensitivity),
    rateText(specificity),
    wideText(specificity),
    countText(specificity),
    rateText(agreement),
  ];
  const auroc =
    inverse_auroc.estimate === null
      ? `The probability of Yes could not be judged: ${inverse_auroc.reason}.`
      : `The probability of Yes ranks a defensible opposite above another one in ${percent(inverse_auroc.estimate)} of all such pairs (AUROC, 95 % interval ${wideText(inverse_auroc)}; 50 % would be chance).`;
  return [
    { kind: "heading", text: "What the one-token inverse check is worth" },
    table(
      ["inverse check", ">finds", "95 % interval", ">of", ">turns down", "95 % interval", ">of", ">agrees"],
      [
        row("all decisions", all.inverse_check),
        row("defensible ones", all.inverse_check_defensible),
        row(printable(actions.positive, 30), by_action.positive.inverse_check),
        row(printable(actions.negative, 30), by_action.negative.inverse_check),
        row("opposite's check", all.opposite_inverse_check),
      ],
    ),
    {
      kind: "text",
      text: `Finds (sensitivity): share of the defensible opposites to which the check said Yes. Turns down (specificity): share of the others to which it said No. Intervals take communities as wholes where there are several. ${auroc} By that check AI is ${rateText(all.ambiguity_index)}, ${rateText(all.ambiguity_pure)} without the decisions that are indefensible themselves; by auditing the opposite it is ${rateText(all.ambiguous)}. Both come from the same auditor: the dual audit shows whether the check does what it stands for, not whether the auditor is right.`,
    },
  ];
}

function corrected({ corrected: rate }: Dual): Block[] {
  if (!rate) return [];
  return [
    { kind: "heading", text: "The whole run, corrected" },
    table(
      [`AI of run ${printable(rate.run_id, 40)}`, ">rate", "95 % interval", "by community"],
      [
        ["by the inverse check, defensible decisions", ...rateRow("", rate.audited).slice(1, 4)],
        ["corrected: prediction-powered", ...rateRow("", rate.prediction_powered).slice(1, 4)],
        ["corrected: Rogan–Gladen", ...rateRow("", rate.rogan_gladen).slice(1, 4)],
      ],
    ),
    {
      kind: "text",
      text: `${plural(rate.labels, "decision")} of the run have a dual audit; what the check gets wrong there is taken to be what it gets wrong elsewhere. That holds if they were drawn at random (--sample). Rogan–Gladen has no interval with communities as wholes: its method takes decisions as independent.${oneCommunity(rate.prediction_powered)}${rate.warnings.map((warning) => ` ${warning}.`).join("")}`,
    },
  ];
}

function contradictions({ contradictions: { missed, false_alarms, cases } }: Dual, rows: number): Block[] {
  const heading: Block = { kind: "heading", text: "Where check and audit contradict each other" };
  if (missed + false_alarms === 0) return [heading, { kind: "text", text: "Nowhere." }];
  const part = (kind: DualCase["kind"], count: number, words: string): Block[] => {
    if (count === 0) return [{ kind: "text", text: `${words}: none.` }];
    const shown = cases.filter((one) => one.kind === kind).slice(0, rows);
    const known = shown.some(({ own }) => own.inverse_yes_prob !== null);
    const order = known ? `by p(Yes), the ${kind === "missed" ? "lowest" : "highest"} first` : "by id";
    const part = count > shown.length ? `, ${shown.length} of them here` : "";
    return [
      { kind: "text", text: `${words}: ${plural(count, "decision")}${part}, ${order}.` },
      table(
        ["decision", "community", "action", ">level", ">p(Yes)", "rests on", "opposite: level", "rests on"],
        shown.map(caseRow),
      ),
    ];
  };
  return [
    heading,
    ...part("missed", missed, "The check says No, and the opposite is defensible"),
    ...part("false_alarm", false_alarms, "The check says Yes, and the opposite is not defensible"),
    ...againstProbability(cases),
  ];
}

/** An answer that its own probability speaks against looks like a mistake of ours, unless it is explained. */
function againstProbability(cases: readonly DualCase[]): Block[] {
  const against = ({ own: { inverse, inverse_yes_prob: yes } }: DualCase) =>
    yes !== null && (inverse ? yes < 0.5 : yes > 0.5);
  if (!cases.some(against)) return [];
  return [
    {
      kind: "text",
      text: "The check is the token that was written, p(Yes) the probability of Yes at that place. At a temperature above 0 tokens are drawn, so that a Yes may stand at a p(Yes) below 0.50, and a No above it: such answers are the least sure of all.",
    },
  ];
}

function caseRow({ decision_id, community, own, opposite }: DualCase): string[] {
  return [
    printable(decision_id, 30),
    printable(community, 24),
    printable(own.action, 16),
    `${own.level}`,
    own.inverse_yes_prob === null ? "–" : own.inverse_yes_prob.toFixed(2),
    printable(own.rule_id ?? "–", 20),
    `${opposite.level}`,
    printable(opposite.rule_id ?? "–", 20),
  ];
}

import type { Estimate } from "../../../core/estimate.js";
import type {
  ArmCounts,
  ArmStep,
  PairedChange,
  RuleReference,
  Transitions,
} from "../../../core/results/paired-change.js";
import { clusterToShow, FEW_CLUSTERS } from "../../../measures/metrics/target.js";
import { type Block, table } from "../../../present/document/document.js";
import {
  pCell,
  percent,
  plural,
  pointsInterval,
  pointsText,
  pText,
  rateText,
  whole,
  wideInterval,
} from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";

const FOLLOWED = [
  ["defensibility_index", "DI"],
  ["ambiguity_index", "AI"],
  ["ambiguity_pure", "AI_pure"],
  ["level_1", "level 1"],
  ["level_3", "level 3"],
] as const;

/** The changes of one step, a row each, and in words why a cell is empty. */
export function changeTable({ changes, from, to }: ArmStep, counts: ArmCounts): Block[] {
  const by = isFew(counts)
    ? null
    : { community: ">by community", thread: ">by thread", decision: null }[counts.clusters.unit];
  const missing = missingText(changes, counts);
  return [
    table(
      ["", `>${from}`, `>${to}`, ">change", "95 % interval", ...(by ? [by] : []), ">lost", ">gained", ">mid-p"],
      FOLLOWED.map(([name, label]) => {
        const { a, b, difference, only_a, only_b, mcnemar } = changes[name];
        return [
          label,
          rateText(a),
          rateText(b),
          pointsText(difference),
          difference.estimate === null ? difference.reason : pointsInterval(difference),
          ...(by ? [pointsInterval(clusterToShow(difference))] : []),
          whole(only_a),
          whole(only_b),
          pCell(mcnemar.mid_p),
        ];
      }),
    ),
    ...(missing === "" ? [] : [{ kind: "text" as const, text: missing }]),
  ];
}

/** Why a dash stands where an interval or a p-value would. */
function missingText(changes: ArmStep["changes"], counts: ArmCounts): string {
  const { unit } = counts.clusters;
  const labels = (lacks: (change: PairedChange) => boolean) =>
    FOLLOWED.filter(([name]) => lacks(changes[name])).map(([, label]) => label);
  const untested = labels(({ mcnemar }) => mcnemar.mid_p === null);
  const alone = labels(({ difference }) => difference.estimate !== null && !clusterToShow(difference));
  const plain = unit === "thread" ? "thread" : "community";
  const many = unit === "thread" ? "threads" : "communities";
  const sentences: string[] = [];
  if (untested.length > 0) {
    sentences.push(`No p for ${untested.join(", ")}: no decision changed, so there is nothing to test.`);
  }
  if (unit !== "decision" && !isFew(counts) && alone.length > 0) {
    sentences.push(
      `No interval by ${plain} for ${alone.join(", ")}: every ${plain} changed by the same share, so the spread of ${many} says nothing of chance.`,
    );
  }
  return sentences.join(" ");
}

/** Whether communities or threads are too few to say anything of others. */
function isFew({ clusters }: ArmCounts): boolean {
  return clusters.unit !== "decision" && clusters.n < FEW_CLUSTERS;
}

/** How the intervals are to be read. */
export function intervalNote(counts: ArmCounts): string {
  const { clusters } = counts;
  const over = isFew(counts)
    ? `It speaks of the ${clusters.unit === "thread" ? plural(clusters.n, "thread") : plural(clusters.n, "community", "communities")} compared alone: with fewer than ${FEW_CLUSTERS} nothing can be said of others. `
    : clusters.unit === "community"
      ? `By community: the 95 % interval as a t interval over ${plural(clusters.n, "community", "communities")}, the one to trust where decisions of a community resemble each other. `
      : clusters.unit === "thread"
        ? `By thread: the 95 % interval as a t interval over ${plural(clusters.n, "thread")}, the one to trust where decisions of a thread resemble each other. `
        : "";
  return `Lost, gained: decisions that count before only, after only. Interval: Tango's, of paired decisions that are independent of each other. ${over}p: McNemar's mid-p, whether as many decisions changed one way as the other; it takes decisions as independent.`;
}

/** A 3 × 3 table from level to level. */
export function transitionTable({ transitions: { table: levels }, from, to }: ArmStep): Block {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const columns = levels.map((_, j) => sum(levels.map((row) => row[j]!)));
  return table(
    [`${from} ↓  ${to} →`, ">level 1", ">level 2", ">level 3", ">all"],
    [
      ...levels.map((row, i) => [`level ${i + 1}`, ...row.map(whole), whole(sum(row))]),
      ["all", ...columns.map(whole), whole(sum(columns))],
    ],
  );
}

/** The conversions in a sentence. */
export function conversionText({ l2_to_l1: up, l1_to_l2: down }: Transitions): string {
  const of = (estimate: Estimate, words: string) =>
    estimate.estimate === null ? "" : ` (${percent(estimate.estimate)} of those at ${words} before)`;
  return `From level 2 to level 1: ${whole(up.n)}${of(up.of_level_2, "level 2")}; from level 1 to level 2: ${whole(down.n)}${of(down.of_level_1, "level 1")}.`;
}

/** The interval of a change to rely on, in percentage points. */
export function changeInterval(difference: Estimate): string {
  return pointsInterval(wideInterval(difference) ?? undefined);
}

/** Whether chance explains a change, for independent decisions and for communities or threads as wholes. */
export function certainty({
  difference,
  only_a,
  only_b,
}: Pick<PairedChange, "difference" | "only_a" | "only_b">): string {
  if (difference.estimate === null) return difference.reason;
  if (only_a + only_b === 0) return "no decision changed";
  if (only_a === only_b) return `as many decisions changed one way as the other (${whole(only_a)} each)`;
  const excludesZero = ({ lower, upper }: { lower: number; upper: number }) => lower > 0 || upper < 0;
  const cluster = clusterToShow(difference);
  if (excludesZero(difference)) {
    if (!cluster) return "more than chance explains, if decisions are independent of each other";
    if (excludesZero(cluster)) return "more than chance explains";
    return "more than chance explains if decisions are independent of each other, but not if those that belong together go together";
  }
  return "within what chance explains";
}

/** What was compared, what was left out, and what that could hide. */
export function coverageBlocks(counts: ArmCounts, hidden: readonly { label: string; change: PairedChange }[]): Block[] {
  const left = counts.decisions - counts.paired;
  const blocks: Block[] = [{ kind: "heading", text: "What was compared" }];
  const all = `${plural(counts.decisions, "decision")} of ${plural(counts.communities, "community", "communities")}`;
  if (left === 0) return [...blocks, { kind: "text", text: `${all}; every one has a verdict in every arm.` }];
  const reasons = [
    ...(counts.different_action > 0
      ? [`${whole(counts.different_action)} of them because the arms name different actions`]
      : []),
    ...(counts.no_rules > 0 ? [`${whole(counts.no_rules)} because an arm has no rule for them`] : []),
  ];
  const action = reasons.map((reason) => `, ${reason}`).join("");
  const lacking = left - counts.different_action - counts.no_rules;
  return [
    ...blocks,
    {
      kind: "text",
      text: `${all}; ${whole(counts.paired)} have a verdict in every arm, ${whole(left)} are left out${action}.`,
    },
    table(
      ["arm", ">verdicts", ">unscored", ">errors", ">no rules", ">not audited"],
      counts.arms.map(({ arm, verdicts, unscored, errors, no_rules, absent }) => [
        quiet(arm || "(none)"),
        whole(verdicts),
        whole(unscored),
        whole(errors),
        whole(no_rules),
        whole(absent),
      ]),
    ),
    ...(lacking === 0
      ? []
      : [
          {
            kind: "text" as const,
            text: `If all that lack a verdict had gone one way or the other, the change would be, at the worst: ${hidden.map(({ label, change: { difference } }) => `${label} ${difference.estimate === null ? "undefined" : pointsInterval(difference.worst_case)} pp`).join("; ")}.`,
          },
        ]),
  ];
}

/** McNemar's p in a sentence. */
export function testText({ mcnemar: { mid_p } }: Pick<PairedChange, "mcnemar">): string {
  return mid_p === null ? "no decision changed, so there is nothing to test" : `McNemar ${pText(mid_p)}`;
}

/** A change in points for a column whose head has the unit. */
export function pointsCell(estimate: Estimate): string {
  return pointsText(estimate).replace(/ pp$/, "");
}

/** Warnings as sentences, after what was found. */
export function warningBlocks(warnings: readonly string[]): Block[] {
  const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  return warnings.length === 0 ? [] : [{ kind: "text", as: "note", text: `Note: ${warnings.map(sentence).join(" ")}` }];
}

/**
 * Other people's text in a document that may become a comment on a pull request: printable, and without calling anybody. A zero-width
 * space behind @ keeps a rule's title from notifying whoever is named in it.
 */
export function quiet(text: string, maxLength = 60): string {
  return printable(text, maxLength).replace(/@(?=[\p{L}\p{N}_-])/gu, "@\u200b");
}

/** "platform", or the community's name. */
export function ownerName({ community }: Pick<RuleReference, "community">): string {
  return community === null ? "platform" : quiet(community, 30);
}

/** Id and title of a rule. */
export function ruleName({ rule_id, title }: Pick<RuleReference, "rule_id" | "title">, maxLength = 48): string {
  return quiet(title === null ? rule_id : `${rule_id} ${title}`, maxLength);
}

import type { ArmCounts, ArmSource, ArmStep, PairedChange, RuleReference } from "../../../core/results/compare.js";
import { clusterToShow, FEW_CLUSTERS } from "../../../measures/metrics/indices.js";
import { type Block, boundsAt, type Text, table } from "../../../present/document/document.js";
import { plural } from "../../../present/words/numbers.js";
import { countedAt, estAt, numberAt, type Piece, type Sentence, sentence } from "../../../present/words/sentence.js";
import { printable } from "../../../text/printable.js";
import type { DiffWords } from "../diff/result.js";

/** Beyond this many cells the middle of the two texts counts as replaced: a larger table would take seconds and a gigabyte. */
const MOST_CELLS = 4_000_000;

/** The changes in a text, word by word: the longest common sequence of words stays, the rest is removed or added. */
export function wordDiff(before: string, after: string): DiffWords[] {
  const a = words(before);
  const b = words(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const parts: DiffWords[] = [];
  const add = (op: DiffWords["op"], some: readonly string[]) => {
    if (some.length === 0) return;
    const last = parts.at(-1);
    if (last?.op === op) last.text += ` ${some.join(" ")}`;
    else parts.push({ op, text: some.join(" ") });
  };
  add("same", a.slice(0, start));
  middle(a.slice(start, a.length - end), b.slice(start, b.length - end), add);
  add("same", a.slice(a.length - end));
  return parts;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function middle(
  a: readonly string[],
  b: readonly string[],
  add: (op: DiffWords["op"], some: readonly string[]) => void,
): void {
  const width = b.length + 1;
  if ((a.length + 1) * width > MOST_CELLS) {
    add("removed", a);
    add("added", b);
    return;
  }
  // common[i · width + j]: length of the longest common sequence of a from i on and b from j on.
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add("same", [a[i]!]);
      i++;
      j++;
    } else if (j === b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      add("removed", [a[i++]!]);
    } else add("added", [b[j++]!]);
  }
}

/** The value of an estimate, without its interval. */
export const rateAt = (at: string) => estAt(at, "percent", "value");
export const wholeAt = (at: string) => numberAt(at, "whole");
/** A change in percentage points, with its interval. */
export const pointsAt = (at: string) => estAt(at, "points");

export const INDEX_NAMES = {
  defensibility_index: "defensibility",
  ambiguity_index: "ambiguity",
  ambiguity_pure: "pure ambiguity",
} as const;

const FOLLOWED = { ...INDEX_NAMES, level_1: "level 1", level_3: "level 3" } as const;

/** The changes of one step, one row each, and why cells are empty. `at`: pointer to the step. */
export function changeTable({ changes, from, to }: ArmStep, at: string, counts: ArmCounts): Block[] {
  const names = Object.keys(FOLLOWED) as (keyof typeof FOLLOWED)[];
  const labels = (lacks: (change: PairedChange) => boolean) =>
    names.filter((name) => lacks(changes[name])).map((name) => FOLLOWED[name]);
  const untested = labels(({ mcnemar }) => mcnemar.mid_p === null);
  const alone = labels(({ difference }) => difference.estimate !== null && !clusterToShow(difference));
  const missing = [
    ...(untested.length > 0 ? [`No p for ${untested.join(", ")}: no decision changed.`] : []),
    ...(counts.clusters.unit !== "decision" && !isFew(counts) && alone.length > 0
      ? [
          `For ${alone.join(", ")} every ${counts.clusters.unit} changed by the same share, so the interval takes decisions as independent.`,
        ]
      : []),
  ];
  return [
    table(
      ["", `>${from}`, `>${to}`, ">change", ">lost", ">gained", ">mid-p"],
      names.map((name): Text[] => {
        const row = `${at}/changes/${name}`;
        return [
          FOLLOWED[name],
          rateAt(`${row}/a`),
          rateAt(`${row}/b`),
          pointsAt(`${row}/difference`),
          wholeAt(`${row}/only_a`),
          wholeAt(`${row}/only_b`),
          numberAt(`${row}/mcnemar/mid_p`, "probability"),
        ];
      }),
    ),
    { kind: "text", text: [...missing, intervalNote(counts)].join(" ") },
  ];
}

/** Whether there are too few communities or threads to generalise. */
function isFew({ clusters }: ArmCounts): boolean {
  return clusters.unit !== "decision" && clusters.n < FEW_CLUSTERS;
}

/** How to read the intervals. */
export function intervalNote(counts: ArmCounts): string {
  const { unit, n } = counts.clusters;
  const groups = unit === "thread" ? plural(n, "thread") : plural(n, "community", "communities");
  const over = isFew(counts)
    ? `Tango's, for the ${groups} compared alone: with fewer than ${FEW_CLUSTERS} nothing can be said about others`
    : unit === "decision"
      ? "Tango's, of independent pairs"
      : `the wider of Tango's, of independent pairs, and a t interval over ${groups}`;
  return `Lost, gained: decisions that count before only, after only. 95% interval: ${over}. Mid-p: McNemar's test of independent pairs.`;
}

export function transitionBlocks({ transitions, from, to }: ArmStep, at: string): Block[] {
  const place = `${at}/transitions`;
  const share = (of: string, level: number, defined: boolean) =>
    defined ? sentence` (${rateAt(`${place}/${of}`)} of those at level ${level} before)` : [];
  const up = share("l2_to_l1/of_level_2", 2, transitions.l2_to_l1.of_level_2.estimate !== null);
  const down = share("l1_to_l2/of_level_1", 1, transitions.l1_to_l2.of_level_1.estimate !== null);
  return [
    table(
      [`${from} ↓  ${to} →`, ">level 1", ">level 2", ">level 3"],
      [0, 1, 2].map((row): Text[] => [
        `level ${row + 1}`,
        ...[0, 1, 2].map((column) => wholeAt(`${place}/table/${row}/${column}`)),
      ]),
    ),
    {
      kind: "text",
      text: sentence`${estAt(`${place}/changed`)} of the decisions changed level: ${wholeAt(`${place}/less_severe`)} for the better, ${wholeAt(`${place}/more_severe`)} for the worse. From level 2 to level 1: ${wholeAt(`${place}/l2_to_l1/n`)}${up}; from level 1 to level 2: ${wholeAt(`${place}/l1_to_l2/n`)}${down}.`,
    },
  ];
}

/** Whether a change is statistically significant, for independent decisions and for communities or threads as wholes. */
export function certainty({
  difference,
  only_a,
  only_b,
}: Pick<PairedChange, "difference" | "only_a" | "only_b">): string {
  if (difference.estimate === null) return difference.reason;
  if (only_a + only_b === 0) return "no decision changed";
  if (only_a === only_b) return "as many decisions changed one way as the other";
  const excludesZero = ({ lower, upper }: { lower: number; upper: number }) => lower > 0 || upper < 0;
  const cluster = clusterToShow(difference);
  if (!excludesZero(difference)) return "not statistically significant";
  if (cluster && excludesZero(cluster)) return "statistically significant";
  return "statistically significant only if decisions are independent of each other";
}

/** "80.0% before, 84.0% after; 95% interval +1.0 pp to +7.0 pp, statistically significant." */
export function beforeAfter(change: PairedChange, at: string): Sentence {
  return sentence`${rateAt(`${at}/a`)} before, ${rateAt(`${at}/b`)} after; 95% interval ${boundsAt(`${at}/difference`, change.difference)}; ${certainty(change)}.`;
}

/** What was compared, what was left out, and what that could hide. `at`: pointer to the counts. */
export function coverageBlocks(
  counts: ArmCounts,
  at: string,
  hidden: readonly { label: string; change: PairedChange; at: string }[],
): Block[] {
  const heading: Block = { kind: "heading", text: "What was compared" };
  const left = counts.decisions - counts.paired;
  const all = sentence`${countedAt(`${at}/decisions`, counts.decisions, "decision")} of ${countedAt(`${at}/communities`, counts.communities, "community", "communities")}`;
  if (left === 0) return [heading, { kind: "text", text: sentence`${all}; every one has a verdict in every arm.` }];
  const action =
    counts.different_action > 0
      ? sentence` For ${wholeAt(`${at}/different_action`)} the arms name different actions.`
      : [];
  const noRules = counts.no_rules > 0 ? sentence` For ${wholeAt(`${at}/no_rules`)} an arm has no rule.` : [];
  const lacking = left - counts.different_action - counts.no_rules;
  const columns = ["verdicts", "unscored", "errors", "no_rules", "absent"] as const;
  return [
    heading,
    {
      kind: "text",
      text: sentence`${all}; ${wholeAt(`${at}/paired`)} have a verdict in every arm, the others are left out.${action}${noRules}`,
    },
    table(
      ["arm", ">verdicts", ">unscored", ">errors", ">no rules", ">not audited"],
      counts.arms.map(({ arm }, row): Text[] => [
        quiet(arm || "(none)"),
        ...columns.map((name) => wholeAt(`${at}/arms/${row}/${name}`)),
      ]),
    ),
    ...(lacking === 0
      ? []
      : [
          {
            kind: "text" as const,
            text: [
              "If all that lack a verdict had gone one way or the other, the change would be between",
              ...hidden.flatMap(({ label, change: { difference }, at: place }, row) => [
                row > 0 ? "; " : " ",
                ...(difference.estimate !== null && difference.worst_case
                  ? boundsAt(`${place}/difference/worst_case`)
                  : ["undefined"]),
                ` (${label})`,
              ]),
              ".",
            ],
          },
        ]),
  ];
}

/** McNemar's p of a change of level 3 in a sentence. `at`: pointer to the change. */
export function testText({ mcnemar: { mid_p } }: Pick<PairedChange, "mcnemar">, at: string): Sentence {
  if (mid_p === null) return ["no decision became or stopped being indefensible, so there is nothing to test"];
  // Keeps a line from breaking before the number.
  return sentence`McNemar p\u00a0${mid_p < 0.001 ? "" : "=\u00a0"}${numberAt(`${at}/mcnemar/mid_p`, "probability")}`;
}

/**
 * Other people's text in a document that may become a comment on a pull request: printable, and without mentions. A zero-width space after
 * @ keeps a rule's title from notifying the person it names.
 */
export function quiet(text: string, maxLength = 60): string {
  return printable(text, maxLength).replace(/@(?=[\p{L}\p{N}_-])/gu, "@\u200b");
}

/** " · auditor NAME" after the name of what was audited. */
export function sourceName({ name, auditor }: ArmSource): string {
  return `${quiet(name)}${auditor ? ` · auditor ${quiet(auditor)}` : ""}`;
}

/** "platform", or the community's name. */
export function ownerName({ community }: Pick<RuleReference, "community">): string {
  return community === null ? "platform" : quiet(community, 30);
}

/** Id and title of a rule, linked to its page. */
export function ruleName({ scope, community, rule_id, title }: RuleReference): Piece {
  const text = quiet(title === null ? rule_id : `${rule_id} ${title}`, 48);
  return { to: ["rules", scope, community ?? "-", rule_id], text };
}

/** The number of rules that too few decisions cite, in a sentence; empty if there are no such rules. */
export function tooFewText(rules: readonly unknown[], least: number): string {
  const few = rules.length;
  if (few === 0) return "";
  return ` ${plural(few, "rule is", "rules are")} cited by fewer than ${least} decisions: too few for rates.`;
}

/** The number of rows not shown in a table. */
export function moreText(all: number, rows: number, one: string, many = `${one}s`): string {
  return all > rows ? ` ${plural(all - rows, one, many)} more with --rows or --json.` : "";
}

import { type Block, type Document, table } from "../../../present/document/document.js";
import { gateChangeSentences, openChangeText } from "../../../present/words/gate-change.js";
import { percent, plural, pointsText, rateText, whole } from "../../../present/words/numbers.js";
import { sentenceText } from "../../../present/words/sentence.js";
import type { LeftOut } from "../../../store/files/rule-files.js";
import { printable } from "../../../text/printable.js";
import type { DiffEffect, MovedDecision, RulesDiff } from "../diff/result.js";
import { splitText } from "../diff-checks.js";
import {
  certainty,
  changeInterval,
  changeTable,
  conversionText,
  coverageBlocks,
  intervalNote,
  ownerName,
  pointsCell,
  quiet,
  testText,
  transitionTable,
  warningBlocks,
} from "./change-blocks.js";
import { changeBlocks, changedRules, effectRules } from "./diff-blocks.js";

export interface DiffDocumentOptions {
  /** Rules and decisions shown. Default 15. */
  rows?: number;
}

const TITLES: Record<RulesDiff["what"], string> = {
  rules: "What this change of the rules does",
  precedents: "What this change of the precedents does",
  rules_and_precedents: "What this change of rules and precedents does",
  precedents_off: "What is lost without precedents",
};

/** A rewrite and what it does to past decisions, to be read in a terminal or as a comment on a pull request. */
export function diffDocument(diff: RulesDiff, options: DiffDocumentOptions = {}): Document {
  const { effect } = diff;
  const rows = options.rows ?? 15;
  const of = effect
    ? `${plural(effect.counts.paired, "past decision")}${effect.source.auditor ? `, audited by ${quiet(effect.source.auditor)}` : ""}`
    : "nothing was audited";
  return {
    title: TITLES[diff.what],
    subtitle: `${quiet(diff.old)} → ${quiet(diff.new)} · ${of}`,
    blocks: [
      ...checks(diff),
      ...missingSets(diff.changes),
      ...(effect ? [...headline(effect), openBlock(effect)] : [unchanged(diff)]),
      ...gateBlocks(diff),
      ...warningBlocks(diff.warnings),
      ...changeBlocks(diff, rows),
      ...(effect ? effectBlocks(effect, rows) : []),
    ],
  };
}

/** Rule sets that the new side lacks: often a folder with only the files that were edited. */
export function missingSetsText(changes: RulesDiff["changes"]): string | null {
  const removed = changes?.sets?.removed ?? [];
  if (removed.length === 0) return null;
  const names = removed.slice(0, 8).map((community) => ownerName({ community }));
  const more = removed.length - names.length;
  return `${plural(removed.length, "rule set is", "rule sets are")} missing from NEW and ${removed.length === 1 ? "counts" : "count"} as removed: ${names.join(", ")}${more > 0 ? ` and ${whole(more)} more` : ""}. To compare only what NEW holds with the workspace's own rules, name NEW alone.`;
}

const MOST_PASSAGES = 5;

/** Names the passages of pages that are in no rule: what they say plays no part in the comparison. */
export function leftOutLines(left: readonly LeftOut[]): string[] {
  return [...new Set(left.map(({ file }) => file))].flatMap((file) => {
    const own = left.filter((one) => one.file === file);
    const more = own.length - MOST_PASSAGES;
    return [
      `${printable(file)}: ${plural(own.length, "passage is", "passages are")} in no rule and left out:`,
      ...own.slice(0, MOST_PASSAGES).map(({ line, text }) => `  line ${line}: ${printable(text.trim(), 80)}`),
      ...(more > 0 ? [`  and ${whole(more)} more; \`defensible rules draft\` lists them`] : []),
    ];
  });
}

function missingSets(changes: RulesDiff["changes"]): Block[] {
  const text = missingSetsText(changes);
  return text === null ? [] : [{ kind: "text", text }];
}

function unchanged({ tier, changes }: RulesDiff): Block {
  const owners = changes?.communities;
  if (owners === null || (owners !== undefined && owners.length > 0)) {
    const names = owners
      ? ` (${owners
          .slice(0, 8)
          .map((community) => ownerName({ community }))
          .join(", ")}${owners.length > 8 ? " …" : ""})`
      : "";
    return {
      kind: "text",
      text: `No past decision falls under what was changed${names}, so none can come out otherwise.`,
    };
  }
  const at = tier ? ` at tier ${quiet(tier)}` : "";
  return { kind: "text", text: `Nothing that the auditor reads${at} differs, so no decision can come out otherwise.` };
}

function checks({ checks: { results } }: RulesDiff): Block[] {
  if (results.length === 0) return [];
  const failed = results.filter((one) => !one.holds).length;
  return [
    {
      kind: "text",
      text:
        failed === 0
          ? "Every limit holds."
          : `${failed} of ${plural(results.length, "limit")} ${failed === 1 ? "does" : "do"} not hold.`,
    },
    table(
      ["check", "~found"],
      results.map(({ holds, text }) => [holds ? "holds" : "FAILS", text]),
    ),
  ];
}

function headline(effect: DiffEffect): Block[] {
  const { step, new_indefensible: worse, no_longer_indefensible: better } = effect;
  const { defensibility_index: di, ambiguity_index: ai, level_3 } = step.changes;
  const changed = ai.only_a + ai.only_b + effect.opened_pure.n + effect.overturned.n > 0;
  const parts = `New: ${plural(effect.opened_pure.n, "decision")} that can go either way, ${whole(effect.overturned.n)} settled the other way; ${whole(effect.settled.n)} stop being ambiguous. On balance ${splitText(effect)}.`;
  return [
    {
      kind: "headline",
      value: whole(worse.n),
      label: `of ${plural(effect.counts.paired, "decision")} become indefensible`,
      under: `${whole(better.n)} stop being so; ${testText(level_3)}. Indefensible before: ${whole(effect.arms[0]!.indefensible)}, after: ${whole(effect.arms[1]!.indefensible)}.${peopleText(worse)}`,
    },
    {
      kind: "headline",
      value: pointsText(ai.difference),
      label: "Ambiguity Index",
      under: `${rateText(ai.a)} before, ${rateText(ai.b)} after · 95 % interval ${changeInterval(ai.difference)} pp · ${certainty(ai)}.${changed ? ` ${parts}` : ""}`,
    },
    {
      kind: "headline",
      value: pointsText(di.difference),
      label: "Defensibility Index",
      under: `${rateText(di.a)} before, ${rateText(di.b)} after · 95 % interval ${changeInterval(di.difference)} pp · ${certainty(di)}.`,
    },
  ];
}

/** Decisions that can go either way, apart from those that the Ambiguity Index counts because only their opposite holds. */
function openBlock(effect: DiffEffect): Block {
  return { kind: "text", text: `Open decisions ${openChangeText(effect)}.` };
}

/** Which communities the gate would let through, and what that saves. */
function gateBlocks({ gate }: RulesDiff): Block[] {
  if (!gate) return [];
  const text = gateChangeSentences(gate, "").map((one) => sentenceText(gate, one));
  return [{ kind: "text", text: `Gate: ${text.join(" ")}` }];
}

/** Whether people decided as the decisions do that the new text no longer supports: then the text departs from practice. */
function peopleText({ labelled = 0, people_same = 0 }: DiffEffect["new_indefensible"]): string {
  if (labelled === 0) return "";
  return ` People made the same decision in ${whole(people_same)} of ${whole(labelled)} that become so and have a human label${2 * people_same > labelled ? ": there the new text departs from practice" : ""}.`;
}

function effectBlocks(effect: DiffEffect, rows: number): Block[] {
  const { step, counts } = effect;
  const some = Math.min(rows, 10);
  return [
    ...changedRules(effect, rows),
    ...moved("Decisions that become indefensible", effect.new_indefensible, rows),
    ...moved("Decisions that are settled the other way", effect.overturned, some),
    ...(effect.overturned.n === 0 ? [] : [{ kind: "text" as const, text: OVERTURNED }]),
    ...moved("Decisions that can now go either way", effect.opened_pure, some),
    ...moved("Decisions that stop being ambiguous", effect.settled, some),
    { kind: "heading", text: "Before and after" },
    ...changeTable(step, counts),
    { kind: "text", text: intervalNote(counts) },
    ...byDecision(effect),
    ...effectRules(effect, rows),
    ...communities(effect, rows),
    { kind: "heading", text: "From level to level" },
    transitionTable(step),
    { kind: "text", text: conversionText(step.transitions) },
    ...coverageBlocks(counts, [
      { label: "DI", change: step.changes.defensibility_index },
      { label: "AI", change: step.changes.ambiguity_index },
    ]),
  ];
}

const OVERTURNED =
  "Settled the other way: level 3, and the opposite is what the new text gives. AI counts these as ambiguous; AI_pure counts only decisions that can go either way.";

function moved(title: string, { n, listed }: DiffEffect["settled"], rows: number): Block[] {
  if (n === 0) return [{ kind: "text", text: `${title}: none.` }];
  const shown = listed.slice(0, rows);
  const verdict = (level: number, inverse: boolean) =>
    `level ${level}${inverse ? (level === 3 ? ", opposite holds" : ", open") : ""}`;
  const cited = ({ cited_before: a, cited_after: b }: MovedDecision) =>
    a === b ? quiet(a ?? "–", 24) : `${quiet(a ?? "–", 24)} → ${quiet(b ?? "–", 24)}`;
  return [
    { kind: "heading", text: title },
    table(
      ["decision", "community", "action", "before", "after", "rule cited"],
      shown.map((one) => [
        quiet(one.decision_id, 40),
        quiet(one.community, 30),
        quiet(one.decision, 20),
        verdict(one.level_before, one.inverse_before),
        verdict(one.level_after, one.inverse_after),
        cited(one),
      ]),
    ),
    ...(n > shown.length
      ? [
          {
            kind: "text" as const,
            text: `${plural(n - shown.length, "decision")} more with --rows or --json${listed.length < n ? " and --listed" : ""}.`,
          },
        ]
      : []),
  ];
}

function byDecision({ by_decision }: DiffEffect): Block[] {
  const all = Object.entries(by_decision);
  const some = all.filter(([, { transitions }]) => transitions.n > 0);
  const none = all.filter(([, { transitions }]) => transitions.n === 0).map(([action]) => quiet(action, 30));
  return [
    table(
      ["decision", ">n", ">ΔDI, pp", "95 % interval", ">ΔAI, pp", "95 % interval", ">new L3", ">AI lost"],
      some.map(([action, { changes, transitions }]) => [
        quiet(action, 30),
        whole(transitions.n),
        pointsCell(changes.defensibility_index.difference),
        changeInterval(changes.defensibility_index.difference),
        pointsCell(changes.ambiguity_index.difference),
        changeInterval(changes.ambiguity_index.difference),
        whole(changes.level_3.only_b),
        whole(changes.ambiguity_index.only_a),
      ]),
    ),
    {
      kind: "text",
      text: `New L3: decisions that become indefensible. AI lost: decisions that stop being ambiguous.${none.length > 0 ? ` No decision is ${none.join(" or ")}.` : ""}`,
    },
  ];
}

function communities({ communities: all }: DiffEffect, rows: number): Block[] {
  if (all.length < 2) return [];
  return [
    { kind: "heading", text: "By community" },
    table(
      ["community", ">n", ">ΔDI, pp", "95 % interval", ">ΔAI, pp", "95 % interval", ">new L3"],
      all
        .slice(0, rows)
        .map(({ community, n, new_indefensible, defensibility, ambiguity }) => [
          quiet(community, 30),
          whole(n),
          pointsCell(defensibility.difference),
          changeInterval(defensibility.difference),
          pointsCell(ambiguity.difference),
          changeInterval(ambiguity.difference),
          `${whole(new_indefensible)}${n > 0 ? ` (${percent(new_indefensible / n)})` : ""}`,
        ]),
    ),
    ...(all.length > rows
      ? [
          {
            kind: "text" as const,
            text: `${plural(all.length - rows, "community", "communities")} more with --rows or --json.`,
          },
        ]
      : []),
  ];
}

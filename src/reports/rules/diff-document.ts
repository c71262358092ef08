import type { DiffEffect, MovedDecision, RulesDiff } from "../../domain/rules-diff.js";
import { type Block, type Document, table } from "../document.js";
import { percent, plural, pointsText, pText, rateText, whole } from "../numbers.js";
import {
  certainty,
  changeInterval,
  changeTable,
  conversionText,
  coverageBlocks,
  intervalNote,
  transitionTable,
  warningBlocks,
} from "./change-blocks.js";
import { effectRules } from "./diff-rules.js";
import { changeBlocks } from "./diff-texts.js";
import { quiet } from "./names.js";

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
      ...warningBlocks(diff.warnings),
      ...(effect ? headline(effect) : [unchanged(diff)]),
      ...changeBlocks(diff, rows),
      ...(effect ? effectBlocks(effect, rows) : []),
    ],
  };
}

function unchanged({ tier }: RulesDiff): Block {
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

function headline({
  step: { changes },
  new_indefensible: worse,
  no_longer_indefensible: better,
  ...effect
}: DiffEffect): Block[] {
  const { defensibility_index: di, ambiguity_index: ai, level_3 } = changes;
  return [
    {
      kind: "headline",
      value: whole(worse.n),
      label: `of ${plural(effect.counts.paired, "decision")} become indefensible`,
      under: `${whole(better.n)} stop being so; McNemar ${pText(level_3.mcnemar.mid_p)}. Indefensible before: ${whole(effect.arms[0]!.indefensible)}, after: ${whole(effect.arms[1]!.indefensible)}.`,
    },
    {
      kind: "headline",
      value: pointsText(ai.difference),
      label: "Ambiguity Index",
      under: `${rateText(ai.a)} before, ${rateText(ai.b)} after · 95 % interval ${changeInterval(ai.difference)} pp · ${certainty(ai)}. ${plural(effect.settled.n, "decision is", "decisions are")} settled, ${whole(effect.opened.n)} opened.`,
    },
    {
      kind: "headline",
      value: pointsText(di.difference),
      label: "Defensibility Index",
      under: `${rateText(di.a)} before, ${rateText(di.b)} after · 95 % interval ${changeInterval(di.difference)} pp · ${certainty(di)}.`,
    },
  ];
}

function effectBlocks(effect: DiffEffect, rows: number): Block[] {
  const { step, counts, new_indefensible: worse, settled } = effect;
  return [
    ...moved("Decisions that become indefensible", worse, rows),
    ...moved("Decisions that are settled", settled, Math.min(rows, 10)),
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

function moved(title: string, { n, listed }: DiffEffect["settled"], rows: number): Block[] {
  if (n === 0)
    return [
      { kind: "heading", text: title },
      { kind: "text", text: "None." },
    ];
  const shown = listed.slice(0, rows);
  const verdict = (level: number, inverse: boolean) => `level ${level}${inverse ? ", open" : ""}`;
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
            text: `${plural(n - shown.length, "decision")} more${listed.length < n ? "" : " in the JSON"}.`,
          },
        ]
      : []),
  ];
}

function byDecision({ by_decision }: DiffEffect): Block[] {
  return [
    table(
      ["decision", ">n", ">ΔDI", "95 % interval", ">ΔAI", "95 % interval", ">become indefensible", ">settled"],
      Object.entries(by_decision).map(([action, { changes, transitions }]) => [
        quiet(action, 30),
        whole(transitions.n),
        pointsText(changes.defensibility_index.difference),
        changeInterval(changes.defensibility_index.difference),
        pointsText(changes.ambiguity_index.difference),
        changeInterval(changes.ambiguity_index.difference),
        whole(changes.level_3.only_b),
        whole(changes.ambiguity_index.only_a),
      ]),
    ),
  ];
}

function communities({ communities: all }: DiffEffect, rows: number): Block[] {
  if (all.length < 2) return [];
  return [
    { kind: "heading", text: "By community" },
    table(
      ["community", ">n", ">ΔDI", "95 % interval", ">ΔAI", "95 % interval", ">become indefensible"],
      all
        .slice(0, rows)
        .map(({ community, n, new_indefensible, defensibility, ambiguity }) => [
          quiet(community, 30),
          whole(n),
          pointsText(defensibility.difference),
          changeInterval(defensibility.difference),
          pointsText(ambiguity.difference),
          changeInterval(ambiguity.difference),
          `${whole(new_indefensible)}${n > 0 ? ` (${percent(new_indefensible / n)})` : ""}`,
        ]),
    ),
    ...(all.length > rows
      ? [{ kind: "text" as const, text: `${plural(all.length - rows, "community", "communities")} more in the JSON.` }]
      : []),
  ];
}

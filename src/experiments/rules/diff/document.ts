import {
  type Block,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../../present/document/document.js";
import { byCount, plural, whole } from "../../../present/words/numbers.js";
import { gateChangeSentences } from "../../../present/words/rule-texts.js";
import { countedAt, estAt, pointerPart, type Sentence, sentence } from "../../../present/words/sentence.js";
import { printable } from "../../../text/printable.js";
import {
  beforeAfter,
  changeTable,
  coverageBlocks,
  moreText,
  ownerName,
  pointsAt,
  quiet,
  testText,
  transitionBlocks,
  wholeAt,
} from "../document/change-blocks.js";
import { changeBlocks, changedRules, effectRules } from "../document/diff-blocks.js";
import type { DiffEffect, MovedDecision, RulesDiff } from "./result.js";

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

const STEP = "/effect/step";

/** A rewrite and its effect on past decisions, to be read in a terminal, a browser or a comment on a pull request. */
export function diffDocument(diff: RulesDiff, { rows = 15 }: DiffDocumentOptions = {}): Document {
  const { effect, gate } = diff;
  const of = effect
    ? `${plural(effect.counts.paired, "past decision")}${effect.source.auditor ? `, audited by ${quiet(effect.source.auditor)}` : ""}`
    : "nothing was audited";
  const missing = missingSetsText(diff.changes);
  return {
    title: TITLES[diff.what],
    subtitle: `${quiet(diff.old)} → ${quiet(diff.new)} · ${of}`,
    data: diff,
    blocks: [
      ...checks(diff),
      ...(missing === null ? [] : [{ kind: "text" as const, text: missing }]),
      ...(effect ? headline(effect) : [unchanged(diff)]),
      ...(gate
        ? [
            {
              kind: "text" as const,
              text: ["Gate:", ...gateChangeSentences(gate, "/gate").flatMap((one) => [" ", ...one])],
            },
          ]
        : []),
      ...noteBlocks(diff.warnings.map((text) => quiet(text, 600))),
      { kind: "figure", id: "diff-indices" },
      ...changeBlocks(diff, rows),
      ...(effect ? effectBlocks(effect, rows) : []),
    ],
  };
}

/** Rule sets missing from the new side, often because the folder contains only edited files. */
export function missingSetsText(changes: RulesDiff["changes"]): string | null {
  const removed = changes?.sets?.removed ?? [];
  if (removed.length === 0) return null;
  const names = removed.slice(0, 8).map((community) => ownerName({ community }));
  const more = removed.length - names.length;
  return `${plural(removed.length, "rule set is", "rule sets are")} missing from NEW and ${removed.length === 1 ? "counts" : "count"} as removed: ${names.join(", ")}${more > 0 ? ` and ${whole(more)} more` : ""}. To compare only what NEW holds with the workspace's own rules, name NEW alone.`;
}

const MOST_PASSAGES = 5;

/** Names the passages of pages that belong to no rule and so are not compared. */
export function leftOutLines(left: readonly { file: string; line: number; text: string }[]): string[] {
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

function unchanged({ tier, changes }: RulesDiff): Block {
  const owners = changes?.communities;
  if (owners === null || (owners !== undefined && owners.length > 0)) {
    const names = owners?.slice(0, 8).map((community) => ownerName({ community })) ?? [];
    const list = owners ? ` (${names.join(", ")}${owners.length > 8 ? " …" : ""})` : "";
    return {
      kind: "text",
      text: `No past decision falls under what was changed${list}, so none can come out otherwise.`,
    };
  }
  const at = tier ? ` at tier ${quiet(tier)}` : "";
  return { kind: "text", text: `Nothing that the auditor reads${at} differs, so no decision can come out otherwise.` };
}

function checks({ checks: { results } }: RulesDiff): Block[] {
  if (results.length === 0) return [];
  const failed = results.filter((one) => !one.holds).length;
  const of = `${failed} of ${plural(results.length, "limit")} ${failed === 1 ? "does" : "do"} not hold.`;
  return [
    { kind: "text", as: "lead", text: failed === 0 ? "Every limit holds." : of },
    table(
      ["check", "~found"],
      results.map(({ holds, text }) => [holds ? "holds" : "FAILS", quiet(text, 300)]),
    ),
  ];
}

function headline(effect: DiffEffect): Block[] {
  const { defensibility_index: di, ambiguity_index: ai, level_3 } = effect.step.changes;
  const changes = `${STEP}/changes`;
  const moved = ai.only_a + ai.only_b + effect.overturned.n > 0;
  const count = (name: string) => wholeAt(`/effect/${name}/n`);
  const parts = moved
    ? sentence` New: ${count("opened")}${openedText(effect)}; ${count("settled")} ${byCount(effect.settled.n, "stops", "stop")} being ambiguous.${openBefore(effect, " more", " and now only the opposite holds.")}`
    : [];
  const open = (arm: number) =>
    sentence`${estAt(`/effect/arms/${arm}/ambiguity_pure`, "percent", "counts")} (${estAt(`/effect/arms/${arm}/ambiguity_pure`, "rounded", "value")})`;
  return [
    {
      kind: "headline",
      value: count("new_indefensible"),
      label: sentence`of ${countedAt("/effect/counts/paired", effect.counts.paired, "decision")} become indefensible`,
      under: sentence`${count("no_longer_indefensible")} stop being so; ${testText(level_3, `${changes}/level_3`)}. Indefensible before: ${wholeAt("/effect/arms/0/indefensible")}, after: ${wholeAt("/effect/arms/1/indefensible")}.${peopleText(effect)}`,
    },
    {
      kind: "headline",
      value: estAt(`${changes}/ambiguity_index/difference`, "points", "value"),
      label: "Ambiguity Index",
      under: sentence`${beforeAfter(ai, `${changes}/ambiguity_index`)}${parts} Open both ways: ${open(0)} before, ${open(1)} after.`,
    },
    {
      kind: "headline",
      value: estAt(`${changes}/defensibility_index/difference`, "points", "value"),
      label: "Defensibility Index",
      under: beforeAfter(di, `${changes}/defensibility_index`),
    },
  ];
}

const PARTS = "/effect/opened_parts";

/** The kinds of newly ambiguous decisions. Older results lack these parts. */
function openedText({ opened_parts: parts, opened: { n } }: DiffEffect): Sentence {
  if (!parts || n === 0) return [];
  return sentence` (${wholeAt(`${PARTS}/either_way`)} can go either way, ${wholeAt(`${PARTS}/other_way`)} settled the other way)`;
}

/** Overturned decisions that were already ambiguous: they are not new ambiguity. */
function openBefore({ opened_parts: parts }: DiffEffect, more: string, end: string): Sentence {
  if (!parts?.open_before) return [];
  return sentence` ${wholeAt(`${PARTS}/open_before`)}${more} ${byCount(parts.open_before, "was", "were")} open before${end}`;
}

/** Whether people made the same decisions as those that the new text no longer supports: then the text departs from practice. */
function peopleText({ new_indefensible: { labelled = 0, people_same = 0 } }: DiffEffect): Sentence {
  if (labelled === 0) return [];
  const at = "/effect/new_indefensible";
  return sentence` People made the same decision in ${wholeAt(`${at}/people_same`)} of ${wholeAt(`${at}/labelled`)} that become so and have a human label${2 * people_same > labelled ? ": there the new text departs from practice" : ""}.`;
}

function effectBlocks(effect: DiffEffect, rows: number): Block[] {
  const { step, counts } = effect;
  const some = rows > 15 ? rows : Math.min(rows, 10);
  const hidden = { defensibility_index: "defensibility", ambiguity_index: "ambiguity" } as const;
  return [
    ...changedRules(effect, rows),
    ...moved("Decisions that become indefensible", effect.new_indefensible, rows),
    // They are part of the list above, which shows them as "level 3, opposite holds".
    ...(effect.overturned.n > 0
      ? [
          {
            kind: "text" as const,
            text: sentence`${countedAt("/effect/overturned/n", effect.overturned.n, "decision")} ${byCount(effect.overturned.n, "is", "are")} settled the other way: now only the opposite holds.${openBefore(effect, " of them", ".")}`,
          },
        ]
      : []),
    ...moved("Decisions that can now go either way", effect.opened_pure, some),
    ...moved("Decisions that stop being ambiguous", effect.settled, some),
    { kind: "heading", text: "Before and after" },
    ...changeTable(step, STEP, counts),
    ...byDecision(effect),
    ...effectRules(effect, rows),
    ...communities(effect, rows),
    { kind: "heading", text: "From level to level" },
    { kind: "figure", id: "diff-transitions" },
    ...transitionBlocks(step, STEP),
    ...coverageBlocks(
      counts,
      "/effect/counts",
      (["defensibility_index", "ambiguity_index"] as const).map((name) => ({
        label: hidden[name],
        change: step.changes[name],
        at: `${STEP}/changes/${name}`,
      })),
    ),
  ];
}

function moved(title: string, { n, listed }: DiffEffect["settled"], rows: number): Block[] {
  if (n === 0) return [];
  const verdict = (level: number, inverse: boolean) =>
    `level ${level}${inverse ? (level === 3 ? ", opposite holds" : ", open") : ""}`;
  const cited = ({ cited_before: a, cited_after: b }: MovedDecision) =>
    a === b ? quiet(a ?? "–", 24) : `${quiet(a ?? "–", 24)} → ${quiet(b ?? "–", 24)}`;
  const more = moreText(n, Math.min(rows, listed.length), "decision").trim();
  return [
    { kind: "heading", text: title },
    table(
      ["decision", "community", "action", "before", "after", "rule cited"],
      listed
        .slice(0, rows)
        .map((one): Text[] => [
          { to: ["review", one.decision_id], text: quiet(one.decision_id, 40) },
          quiet(one.community, 30),
          quiet(one.decision, 20),
          verdict(one.level_before, one.inverse_before),
          verdict(one.level_after, one.inverse_after),
          cited(one),
        ]),
    ),
    ...(more ? [{ kind: "text" as const, text: `${more}${listed.length < n ? " --listed lists more." : ""}` }] : []),
  ];
}

const CHANGE_COLUMNS = [">n", ">defensibility", ">ambiguity", ">new level 3"];

function byDecision({ by_decision }: DiffEffect): Block[] {
  const some = Object.keys(by_decision).filter((action) => by_decision[action]!.transitions.n > 0);
  return [
    table(
      ["decision", ...CHANGE_COLUMNS],
      some.map((action): Text[] => {
        const at = `/effect/by_decision/${pointerPart(action)}`;
        return [
          quiet(action, 30),
          wholeAt(`${at}/transitions/n`),
          pointsAt(`${at}/changes/defensibility_index/difference`),
          pointsAt(`${at}/changes/ambiguity_index/difference`),
          wholeAt(`${at}/changes/level_3/only_b`),
        ];
      }),
      "Changes by decision",
    ),
  ];
}

function communities({ communities: all }: DiffEffect, rows: number): Block[] {
  if (all.length < 2) return [];
  const more = moreText(all.length, rows, "community", "communities").trim();
  return [
    { kind: "heading", text: "By community" },
    table(
      ["community", ...CHANGE_COLUMNS],
      all.slice(0, rows).map(({ community }, row): Text[] => {
        const at = `/effect/communities/${row}`;
        return [
          quiet(community, 30),
          wholeAt(`${at}/n`),
          pointsAt(`${at}/defensibility/difference`),
          pointsAt(`${at}/ambiguity/difference`),
          wholeAt(`${at}/new_indefensible`),
        ];
      }),
    ),
    ...(more ? [{ kind: "text" as const, text: more }] : []),
  ];
}

export default {
  kind: "diff",
  view: "rules",
  id: "rewrite",
  place: 3,
  tab: "Rewrite",
  heading: "What a rewrite does to past decisions",
  purpose: "It audits past decisions under the rules as they are and under a rewrite, and shows which change.",
  command: "defensible rules diff NEW_RULES",
  document: (result) => diffDocument(result, { rows: Number.POSITIVE_INFINITY }),
} satisfies Screen<"diff">;

import type { Estimate } from "../../../core/estimate.js";
import { type Block, type Document, table } from "../../../present/document/document.js";
import { decimal, percent, plural, pointsText, rateText, whole, wideInterval } from "../../../present/words/numbers.js";
import type { TierGroup, Tiers } from "../tiers/result.js";
import {
  certainty,
  changeInterval,
  changeTable,
  conversionText,
  coverageBlocks,
  intervalNote,
  pointsCell,
  quiet,
  testText,
  transitionTable,
  warningBlocks,
} from "./change-blocks.js";
import { tierRules } from "./tier-rules.js";

export interface TiersDocumentOptions {
  /** Rules shown. Default 15. */
  rows?: number;
  /** Rules by the citation under the finest or the coarsest text. Default finest. */
  citedUnder?: "finest" | "coarsest";
}

/** What more detailed rules do to the same decisions, in words and tables. */
export function tiersDocument(tiers: Tiers, options: TiersDocumentOptions = {}): Document {
  const whole_ = tiers.steps.at(-1)!;
  const { source, counts } = tiers;
  return {
    title: "Rule specificity",
    subtitle: `${quiet(source.name)}${source.auditor ? ` · auditor ${quiet(source.auditor)}` : ""} · ${plural(counts.paired, "decision")}, each audited under ${tiers.tiers.map(({ tier }) => tier).join(", ")}`,
    blocks: [
      ...headline(tiers),
      ...warningBlocks(tiers.warnings),
      ...ladder(tiers),
      ...decisionTypes(tiers),
      { kind: "heading", text: `From ${whole_.from} to ${whole_.to}` },
      ...changeTable(whole_, counts),
      { kind: "text", text: intervalNote(counts) },
      ...transitions(tiers),
      ...underspecified(tiers),
      ...texts(tiers),
      ...tierRules(tiers, options),
      ...coverageBlocks(counts, [
        { label: "AI", change: whole_.changes.ambiguity_index },
        { label: "level 3", change: whole_.changes.level_3 },
      ]),
    ],
  };
}

function headline({ steps, tiers }: Tiers): Block[] {
  const step = steps.at(-1)!;
  const { ambiguity_index: ai, level_3 } = step.changes;
  const [first, last] = [tiers[0]!, tiers.at(-1)!];
  const near = (one: typeof first) => (one.defensibility_index.estimate ?? 0) >= 0.9;
  return [
    {
      kind: "headline",
      value: pointsText(ai.difference),
      label: `Ambiguity Index, ${step.from} to ${step.to}`,
      under: `${tiers.map((one) => `${rateText(one.ambiguity_index)} under ${one.tier}`).join(", ")} · 95 % interval ${changeInterval(ai.difference)} pp · ${certainty(ai)}. ${whole(ai.only_a)} decisions were open under ${step.from} only, ${whole(ai.only_b)} under ${step.to} only.`,
    },
    {
      kind: "headline",
      value: `${whole(first.indefensible)} → ${whole(last.indefensible)}`,
      label: `indefensible decisions, ${step.from} to ${step.to}${ratioText(first.indefensible, last.indefensible)}`,
      under: `${whole(level_3.only_a)} stopped being indefensible, ${whole(level_3.only_b)} became so; ${testText(level_3)}. DI ${rateText(first.defensibility_index)} to ${rateText(last.defensibility_index)}${near(first) && near(last) ? ": near 100 % a small change of DI can be a large one of what is left" : ""}.`,
    },
  ];
}

/** ", a quarter fewer" in numbers. */
function ratioText(before: number, after: number): string {
  if (before === 0 || before === after) return "";
  const ratio = after / before;
  return ratio > 2
    ? ` (${ratio.toFixed(1)} times as many)`
    : ` (${percent(Math.abs(1 - ratio))} ${ratio < 1 ? "fewer" : "more"})`;
}

function ladder(tiers: Tiers): Block[] {
  const first = tiers.tiers[0]!.tier;
  return [
    { kind: "heading", text: "The ladder of tiers" },
    ladderTable(tiers),
    { kind: "text", text: `ΔDI, ΔAI: change from ${first}, in percentage points; the interval is that of ΔAI.` },
  ];
}

/** The paper's table. */
function ladderTable(group: TierGroup): Block {
  const first = group.tiers[0]!.tier;
  return table(
    ["rule text", ">DI", ">AI", ">AI_pure", ">level 1", ">indefensible", ">ΔDI, pp", ">ΔAI, pp", "95 % interval"],
    group.tiers.map((one, i) => {
      const step = i === 0 ? undefined : group.steps.find(({ from, to }) => from === first && to === one.tier);
      return [
        one.tier,
        rateText(one.defensibility_index),
        rateText(one.ambiguity_index),
        rateText(one.ambiguity_pure),
        rateText(one.levels["1"]),
        whole(one.indefensible),
        step ? pointsCell(step.changes.defensibility_index.difference) : "",
        step ? pointsCell(step.changes.ambiguity_index.difference) : "",
        step ? changeInterval(step.changes.ambiguity_index.difference) : "",
      ];
    }),
  );
}

function decisionTypes({ by_decision }: Tiers): Block[] {
  return [
    { kind: "heading", text: "By decision" },
    ...Object.entries(by_decision).flatMap(([action, group]): Block[] =>
      group.n === 0
        ? [{ kind: "text", text: `${quiet(action)}: no decision.` }]
        : [{ kind: "text", text: `${quiet(action)}, ${plural(group.n, "decision")}:` }, ladderTable(group)],
    ),
  ];
}

function transitions({ steps }: Tiers): Block[] {
  return [
    { kind: "heading", text: "From level to level" },
    ...steps.flatMap((step): Block[] => [
      transitionTable(step),
      { kind: "text", text: conversionText(step.transitions) },
    ]),
  ];
}

function underspecified({ underspecification: all, underspecification_pure: pure, tiers }: Tiers): Block[] {
  const [first, last] = [tiers[0]!.tier, tiers.at(-1)!.tier];
  const row = (label: string, name: keyof typeof all) => [
    label,
    signed(all[name]),
    rate(all[name]),
    signed(pure[name]),
    rate(pure[name]),
  ];
  return [
    { kind: "heading", text: "What the missing text leaves open" },
    table(
      ["", ">AI", "95 % interval", ">AI_pure", "95 % interval"],
      [
        row(`gross: open under ${first}, settled under ${last}`, "gross"),
        row(`reversals: open under ${last} only`, "reversals"),
        row("net: gross − reversals", "net"),
        row(`residual: open under ${last}`, "residual"),
      ],
    ),
    {
      kind: "text",
      text: "The net figure is what the paper calls community-level underspecification (AI_C); the share of decisions that longer rules settle is the gross one. AI also counts decisions that are indefensible and whose opposite is right; AI_pure does not.",
    },
  ];
}

function signed(estimate: Estimate): string {
  return estimate.estimate === null ? "–" : `${decimal(100 * estimate.estimate, 1)} %`;
}

function rate(estimate: Estimate): string {
  if (estimate.estimate === null) return estimate.reason;
  const { lower, upper } = wideInterval(estimate)!;
  return `${decimal(100 * lower, 1)} to ${decimal(100 * upper, 1)} %`;
}

function texts({ text }: Tiers): Block[] {
  const heading: Block = { kind: "heading", text: "Where the text really differs" };
  if (!text.known) return [heading, { kind: "text", text: `Not known: ${quiet(text.reason, 300)}.` }];
  const cell = (group: (typeof text.steps)[number]["same"]) =>
    group.n === 0 ? "no decision" : `${pointsText(group.changes.ambiguity_index.difference)} (n ${whole(group.n)})`;
  return [
    heading,
    table(
      ["step", ">more text", ">more text of its own", ">same text", ">communities alike"],
      text.steps.map((step) => [
        `${step.from} to ${step.to}`,
        cell(step.differs),
        cell(step.own_differs),
        cell(step.same),
        whole(step.communities_same),
      ]),
    ),
    {
      kind: "text",
      text: `ΔAI among decisions of which some rule has more text in the finer tier, a rule of the community's own has, and no rule has: there nothing was changed, so what moves is the auditor's own variation. Communities alike: those whose own rules are word for word the same in both tiers${withoutRules(text.steps)}.`,
    },
  ];
}

function withoutRules(steps: readonly { communities_without_rules: number }[]): string {
  const most = Math.max(0, ...steps.map((step) => step.communities_without_rules));
  return most === 0 ? "" : `; ${plural(most, "community has", "communities have")} no rules of their own`;
}

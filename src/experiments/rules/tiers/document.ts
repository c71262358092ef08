import {
  type Block,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../../present/document/document.js";
import { plural } from "../../../present/words/numbers.js";
import { tierText, tierWithCode } from "../../../present/words/rule-texts.js";
import { estAt, numberAt, pointerPart, type Sentence, sentence } from "../../../present/words/sentence.js";
import {
  certainty,
  changeTable,
  coverageBlocks,
  INDEX_NAMES,
  moreText,
  ownerName,
  pointsAt,
  quiet,
  rateAt,
  ruleName,
  sourceName,
  testText,
  tooFewText,
  transitionBlocks,
  wholeAt,
} from "../document/change-blocks.js";
import type { TierGroup, Tiers } from "./result.js";

export interface TiersDocumentOptions {
  /** Rules shown. Default 15. */
  rows?: number;
  /** Group rules by the citation under the finest or the coarsest text. Default finest. */
  citedUnder?: "finest" | "coarsest";
}

export function tiersDocument(tiers: Tiers, options: TiersDocumentOptions = {}): Document {
  const last = tiers.steps.length - 1;
  const { counts } = tiers;
  const step = tiers.steps[last]!;
  const changes = `/steps/${last}/changes`;
  return {
    title: "Does more rule text settle more decisions?",
    subtitle: `${sourceName(tiers.source)} · ${plural(counts.paired, "decision")}, each audited under ${tiers.tiers.map(({ tier }) => tier).join(", ")}`,
    data: tiers,
    blocks: [
      ...headline(tiers),
      ...noteBlocks(tiers.warnings.map((text) => quiet(text, 600))),
      { kind: "figure", id: "tiers-ladder" },
      ladderTable(tiers, "", `Changes are from ${tierText(tiers.tiers[0]!.tier)}`),
      { kind: "heading", text: "By decision" },
      ...Object.entries(tiers.by_decision).map(([action, group]): Block => {
        if (group.n === 0) return { kind: "text", text: `${quiet(action)}: no decision.` };
        return ladderTable(
          group,
          `/by_decision/${pointerPart(action)}`,
          `${quiet(action)}, ${plural(group.n, "decision")}`,
        );
      }),
      { kind: "heading", text: `From ${tierText(step.from)} to ${tierText(step.to)}` },
      ...changeTable(step, `/steps/${last}`, counts),
      { kind: "heading", text: "From level to level" },
      { kind: "figure", id: "tiers-transitions" },
      ...tiers.steps.flatMap((one, place) => transitionBlocks(one, `/steps/${place}`)),
      ...underspecified(tiers),
      ...texts(tiers),
      ...ruleBlocks(tiers, options),
      ...coverageBlocks(counts, "/counts", [
        { label: "ambiguity", change: step.changes.ambiguity_index, at: `${changes}/ambiguity_index` },
        { label: "level 3", change: step.changes.level_3, at: `${changes}/level_3` },
      ]),
    ],
  };
}

function headline({ steps, tiers }: Tiers): Block[] {
  const step = steps.at(-1)!;
  const [from, to] = [tierText(step.from), tierText(step.to)];
  const { ambiguity_index: ambiguity, level_3 } = step.changes;
  const at = `/steps/${steps.length - 1}/changes`;
  const last = tiers.length - 1;
  const near = [tiers[0]!, tiers[last]!].every((one) => (one.defensibility_index.estimate ?? 0) >= 0.9);
  return [
    {
      kind: "headline",
      value: estAt(`${at}/ambiguity_index/difference`, "points", "value"),
      label: `Ambiguity Index, ${from} to ${to}`,
      under: sentence`${tiers.flatMap(({ tier }, place): Sentence => [place > 0 ? ", " : "", rateAt(`/tiers/${place}/ambiguity_index`), ` with ${tierText(tier)}`])}; ${certainty(ambiguity)}. ${wholeAt(`${at}/ambiguity_index/only_a`)} decisions were open with ${from} only, ${wholeAt(`${at}/ambiguity_index/only_b`)} with ${to} only.`,
    },
    {
      kind: "headline",
      value: sentence`${wholeAt("/tiers/0/indefensible")} → ${wholeAt(`/tiers/${last}/indefensible`)}`,
      label: `indefensible decisions, ${from} to ${to}`,
      under: sentence`${wholeAt(`${at}/level_3/only_a`)} stopped being indefensible, ${wholeAt(`${at}/level_3/only_b`)} became so; ${testText(level_3, `${at}/level_3`)}. Defensibility Index ${rateAt("/tiers/0/defensibility_index")} to ${rateAt(`/tiers/${last}/defensibility_index`)}${near ? ": near 100% a small change of the index can be a large one of what is left" : ""}.`,
    },
  ];
}

/** The paper's table. */
function ladderTable(group: TierGroup, at: string, caption: string): Block {
  const first = group.tiers[0]!.tier;
  return table(
    ["rule text", ">defensible", ">ambiguous", ">pure", ">indefensible", ">change of ambiguity"],
    group.tiers.map(({ tier }, row): Text[] => {
      const step = group.steps.findIndex(({ from, to }) => from === first && to === tier);
      return [
        tierWithCode(tier),
        ...Object.keys(INDEX_NAMES).map((name) => rateAt(`${at}/tiers/${row}/${name}`)),
        wholeAt(`${at}/tiers/${row}/indefensible`),
        row === 0 || step < 0 ? "" : pointsAt(`${at}/steps/${step}/changes/ambiguity_index/difference`),
      ];
    }),
    caption,
  );
}

function underspecified({ tiers }: Tiers): Block[] {
  const [first, last] = [tierText(tiers[0]!.tier), tierText(tiers.at(-1)!.tier)];
  const row = (label: string, name: string): Text[] => [
    label,
    ...["underspecification", "underspecification_pure"].map((of) =>
      name === "net" ? pointsAt(`/${of}/${name}`) : estAt(`/${of}/${name}`),
    ),
  ];
  return [
    { kind: "heading", text: "What the missing text leaves open" },
    table(
      ["~", ">ambiguity", ">pure ambiguity"],
      [
        row(`gross: open with ${first}, settled with ${last}`, "gross"),
        row(`reversals: open with ${last} only`, "reversals"),
        row("net: gross less reversals", "net"),
        row(`residual: open with ${last}`, "residual"),
      ],
    ),
    {
      kind: "text",
      text: "The net figure is what the paper calls community-level underspecification (AI_C); the share of decisions that longer rules settle is the gross one. Ambiguity also counts indefensible decisions whose opposite is right; pure ambiguity does not.",
    },
  ];
}

function texts({ text }: Tiers): Block[] {
  const heading: Block = { kind: "heading", text: "Where the text really differs" };
  if (!text.known) return [heading, { kind: "empty", why: `Not known: ${quiet(text.reason, 300)}.` }];
  const most = Math.max(0, ...text.steps.map((step) => step.communities_without_rules));
  const bare = most === 0 ? "" : `; ${plural(most, "community has", "communities have")} no rules of their own`;
  return [
    heading,
    table(
      ["step", ">more text", ">more text of its own", ">same text", ">communities alike"],
      text.steps.map((step, row): Text[] => [
        `${step.from} to ${step.to}`,
        ...(["differs", "own_differs", "same"] as const).map((name): Text => {
          if (step[name].n === 0) return "no decision";
          const at = `/text/steps/${row}/${name}`;
          return sentence`${estAt(`${at}/changes/ambiguity_index/difference`, "points", "value")} (n ${wholeAt(`${at}/n`)})`;
        }),
        wholeAt(`/text/steps/${row}/communities_same`),
      ]),
    ),
    {
      kind: "text",
      text: `Change of ambiguity among decisions for which some rule has more text in the finer tier, for which a rule of the community's own has, and for which no rule has: what moves there is the auditor's own variation. Communities alike: those whose own rules are word for word the same in both tiers${bare}.`,
    },
  ];
}

function ruleBlocks({ rules: all, tiers }: Tiers, { citedUnder = "finest", rows = 15 }: TiersDocumentOptions): Block[] {
  const key = citedUnder === "finest" ? "by_finest" : "by_coarsest";
  const { rules, too_few } = all[key];
  const few = tooFewText(too_few, all.min_decisions);
  const heading: Block = { kind: "heading", text: "Which rule gains from which text" };
  if (rules.length === 0) {
    return [heading, { kind: "empty", why: few.trim() || "The audits do not say which rules they cite." }];
  }
  const under = tierText((citedUnder === "finest" ? tiers.at(-1)! : tiers[0]!).tier);
  const shown = rules.slice(0, rows);
  const steps = shown[0]!.gains.length > 1 ? shown[0]!.gains.map(({ to }) => to) : [];
  const bare = shown.some(({ gains }) => gains.some((one) => one.text_differs === false));
  return [
    heading,
    { kind: "figure", id: "tiers-rule-gain" },
    table(
      ["rule", "of", ">n", ...steps.map((to) => `>${to}`), ">gain", ">adj. p"],
      shown.map((rule, row): Text[] => {
        const at = `/rules/${key}/rules/${row}`;
        return [
          ruleName(rule),
          ownerName(rule),
          wholeAt(`${at}/n`),
          ...steps.map(
            (_, step) =>
              sentence`${estAt(`${at}/gains/${step}/gain`, "points", "value")}${rule.gains[step]!.text_differs === false ? " *" : ""}`,
          ),
          pointsAt(`${at}/gain`),
          numberAt(`${at}/adjusted_p`, "probability"),
        ];
      }),
    ),
    {
      kind: "text",
      text: `Decisions by the rule they cite with ${under}. Gain: how far ambiguity falls, most first${steps.length > 0 ? `, and the part of each tier (${steps.join(", ")})` : ""}.${bare ? " *: the tier adds no text to this rule." : ""}${moreText(rules.length, rows, "rule")}${few} Adjusted p: McNemar's mid-p after Holm's correction for the number of rules; a dash where no decision changed.`,
    },
  ];
}

export default {
  kind: "tiers",
  view: "rules",
  id: "wording",
  place: 1,
  tab: "More text",
  heading: "Does more rule text settle more decisions?",
  purpose:
    "It audits the same decisions under titles alone, with descriptions and with all of the rules' text, and shows what each text settles.",
  command: "defensible rules tiers",
  document: (result) => tiersDocument(result, { rows: Number.POSITIVE_INFINITY }),
} satisfies Screen<"tiers">;

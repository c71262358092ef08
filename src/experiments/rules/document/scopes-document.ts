import type { Estimate } from "../../../core/estimate.js";
import { type Block, type Document, table } from "../../../present/document/document.js";
import { ABLATION_WORDS } from "../../../present/words/experiments/experiment-words.js";
import {
  decimal,
  intervalText,
  percent,
  plural,
  rateText,
  whole,
  wideInterval,
} from "../../../present/words/numbers.js";
import { ABLATION_CLASSES, type Ablation, type Scopes } from "../scopes/result.js";
import {
  changeTable,
  coverageBlocks,
  intervalNote,
  ownerName,
  quiet,
  ruleName,
  warningBlocks,
} from "./change-blocks.js";

export interface ScopesDocumentOptions {
  /** Rules shown. Default 15. */
  rows?: number;
}

const ARM_NAMES = ["all rules", "platform alone", "community alone"];

/** What the rules of the platform and of the community each do, in words and tables. */
export function scopesDocument(scopes: Scopes, options: ScopesDocumentOptions = {}): Document {
  const { source, counts, steps } = scopes;
  return {
    title: "Scopes of rules",
    subtitle: `${quiet(source.name)}${source.auditor ? ` · auditor ${quiet(source.auditor)}` : ""} · ${plural(counts.paired, "decision")}, each audited under all rules, the platform's alone and the community's alone`,
    blocks: [
      ...headline(scopes),
      ...warningBlocks(scopes.warnings),
      ...arms(scopes),
      ...classes(scopes),
      ...byDecision(scopes),
      ...agreement(scopes),
      ...steps.flatMap((step, i): Block[] => [
        { kind: "heading", text: i === 0 ? "What the community's rules add" : "What the platform's rules add" },
        ...changeTable(step, counts),
      ]),
      { kind: "text", text: intervalNote(counts) },
      ...rules(scopes, options.rows ?? 15),
      ...coverageBlocks(
        counts,
        steps.map((step) => ({ label: `AI, ${step.from} to ${step.to}`, change: step.changes.ambiguity_index })),
      ),
    ],
  };
}

function headline({ ambiguity, with_both }: Scopes): Block[] {
  const { classes: of } = ambiguity;
  const missing = with_both ? with_both.without_community_rules + with_both.without_platform_rules : 0;
  return [
    {
      kind: "headline",
      value: rateText(ambiguity.both),
      label: "Ambiguity Index under all rules",
      under: `Of all decisions ${rateText(of.platform)} are open under all rules and under the platform's alone, but not under the community's alone; ${rateText(of.community)} the other way round; ${rateText(of.either)} are open whichever of the two the auditor reads, alone or together; ${rateText(of.together)} only where it reads both. The community's rules settle ${rateText(ambiguity.ended_by_community)} that the platform's alone leave open, the platform's rules ${rateText(ambiguity.ended_by_platform)} that the community's alone leave open.`,
    },
    ...(missing > 0
      ? [
          {
            kind: "text" as const,
            text: `${whole(with_both!.without_community_rules)} decisions are of communities without rules of their own, ${whole(with_both!.without_platform_rules)} have no platform rules: an arm without rules shows the auditor nothing. Where both have rules (${plural(with_both!.n, "decision")}): AI ${rateText(with_both!.ambiguity.both)}, of which platform ${rateText(with_both!.ambiguity.classes.platform)}, community ${rateText(with_both!.ambiguity.classes.community)}, either ${rateText(with_both!.ambiguity.classes.either)}, together ${rateText(with_both!.ambiguity.classes.together)}.`,
          },
        ]
      : []),
  ];
}

function arms({ arms: all }: Scopes): Block[] {
  return [
    { kind: "heading", text: "Under each scope" },
    table(
      ["rules shown", ">DI", ">AI", ">AI_pure", ">level 1", ">level 2", ">indefensible"],
      all.map((one, i) => [
        ARM_NAMES[i]!,
        rateText(one.defensibility_index),
        rateText(one.ambiguity_index),
        rateText(one.ambiguity_pure),
        rateText(one.levels["1"]),
        rateText(one.levels["2"]),
        whole(one.indefensible),
      ]),
    ),
    {
      kind: "text",
      text: "Precedents are shown in every arm. A decision that rests on a rule which is not shown is indefensible there, and its opposite often defensible: AI under one scope alone counts that too, AI_pure does not.",
    },
  ];
}

/** The split under each way of counting. */
function classes({ ambiguity, ambiguity_pure, defensibility }: Scopes): Block[] {
  const row = (label: string, of: (ablation: Ablation) => Estimate) => [
    label,
    ...[ambiguity, ambiguity_pure, defensibility].flatMap((one) => {
      const estimate = of(one);
      return [rateText(estimate), estimate.estimate === null ? "" : intervalText(wideInterval(estimate))];
    }),
  ];
  return [
    { kind: "heading", text: "What it rests on, by ablation" },
    table(
      ["holds under all rules, and under …", ">AI", "interval", ">AI_pure", "interval", ">DI", "interval"],
      [
        ...ABLATION_CLASSES.map((name) => row(ABLATION_WORDS[name], ({ classes: split }) => split[name])),
        row("all four: under all rules", ({ both }) => both),
        row("ended by the community's rules", (one) => one.ended_by_community),
        row("ended by the platform's rules", (one) => one.ended_by_platform),
      ],
    ),
    {
      kind: "text",
      text: "The four classes do not overlap and add up to the index under all rules. Under DI the classes say which rules a decision can be derived from. Ended: holds under one scope alone, and no more with the other scope's rules beside it.",
    },
  ];
}

function byDecision({ by_decision }: Scopes): Block[] {
  return [
    { kind: "heading", text: "By decision" },
    table(
      ["decision", ">n", ">AI", ">platform", ">community", ">either", ">together"],
      Object.entries(by_decision).map(([action, { n, ambiguity }]) => [
        quiet(action, 30),
        whole(n),
        rateText(ambiguity.both),
        ...ABLATION_CLASSES.map((name) => rateText(ambiguity.classes[name])),
      ]),
    ),
  ];
}

function agreement({ agreement: { table: rows, attributed, agree, kappa }, ambiguity }: Scopes): Block[] {
  const all = (name: "platform" | "community" | "mixed" | "none" | "unknown") =>
    whole(rows.reduce((sum, row) => sum + row[name], 0));
  const told =
    agree.estimate === null
      ? `Agreement is undefined: ${agree.reason}.`
      : `Of ${plural(agree.n, "decision")} that both give to one scope, ${percent(agree.estimate)} (${intervalText(agree)}) are given to the same one; Cohen's κ ${kappa.estimate === null ? `undefined (${kappa.reason})` : decimal(kappa.estimate)}.`;
  return [
    { kind: "heading", text: "Citation against ablation" },
    table(
      ["by ablation ↓  by citation →", ">platform", ">community", ">mixed", ">none", ">not said"],
      [
        ...rows.map((row) => [
          row.class,
          ...[row.platform, row.community, row.mixed, row.none, row.unknown].map(whole),
        ]),
        ["all", all("platform"), all("community"), all("mixed"), all("none"), all("unknown")],
      ],
    ),
    {
      kind: "text",
      text: `By citation, as a report has it: AI_G ${rateText(attributed.platform)}, AI_C ${rateText(attributed.community)}, mixed ${rateText(attributed.mixed)}, none ${rateText(attributed.none)}. By ablation: AI_G ${rateText(ambiguity.classes.platform)}, AI_C ${rateText(ambiguity.classes.community)}. ${told} A citation says what the auditor pointed at; the ablation says what changes when that text is taken away.`,
    },
  ];
}

function rules({ rules: { cited: told, too_few, min_decisions } }: Scopes, rows: number): Block[] {
  const few = too_few.length;
  const heading: Block = { kind: "heading", text: "By cited rule" };
  const fewText =
    few > 0
      ? `${plural(few, "rule is", "rules are")} cited by fewer than ${min_decisions} decisions: too few to say.`
      : "";
  if (told.length + few === 0) return [heading, { kind: "text", text: "The audits do not say which rules they cite." }];
  if (told.length === 0) return [heading, { kind: "text", text: fewText }];
  const more = told.length - Math.min(rows, told.length);
  return [
    heading,
    table(
      ["rule", "of", ">n", ">AI", "interval", ">platform", ">community", ">either", ">together"],
      told
        .slice(0, rows)
        .map((rule) => [
          ruleName(rule),
          ownerName(rule),
          whole(rule.n),
          rateText(rule.ambiguity),
          rule.ambiguity.estimate === null ? "" : intervalText(rule.ambiguity),
          ...ABLATION_CLASSES.map((name) => whole(rule.classes[name])),
        ]),
    ),
    {
      kind: "text",
      text: `Decisions by the rule they cite under all rules, most ambiguous first; the last four columns count the ambiguous ones by class.${more > 0 ? ` ${plural(more, "rule")} more with --rows or --json.` : ""} ${fewText}`.trim(),
    },
  ];
}

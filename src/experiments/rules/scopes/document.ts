import {
  type Block,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../../present/document/document.js";
import { ABLATION_WORDS } from "../../../present/words/experiment-words.js";
import { plural } from "../../../present/words/numbers.js";
import { countedAt, estAt, pointerPart, type Sentence, sentence } from "../../../present/words/sentence.js";
import {
  changeTable,
  coverageBlocks,
  INDEX_NAMES,
  moreText,
  ownerName,
  quiet,
  rateAt,
  ruleName,
  sourceName,
  tooFewText,
  wholeAt,
} from "../document/change-blocks.js";
import type { AblationClass, Scopes } from "./result.js";

export interface ScopesDocumentOptions {
  /** Rules shown. Default 15. */
  rows?: number;
}

const CLASSES = Object.keys(ABLATION_WORDS) as AblationClass[];
const ARM_NAMES = ["all rules", "platform alone", "community alone"];

export function scopesDocument(scopes: Scopes, options: ScopesDocumentOptions = {}): Document {
  const { counts, steps } = scopes;
  return {
    title: "Whose rules leave decisions open: the platform's or the community's?",
    subtitle: `${sourceName(scopes.source)} · ${plural(counts.paired, "decision")}, each audited under all rules, the platform's alone and the community's alone`,
    data: scopes,
    blocks: [
      ...headline(scopes),
      ...noteBlocks(scopes.warnings.map((text) => quiet(text, 600))),
      { kind: "figure", id: "scopes-classes" },
      ...classes(),
      ...arms(scopes),
      ...byDecision(scopes),
      ...agreement(scopes),
      ...steps.flatMap((step, place): Block[] => [
        { kind: "heading", text: place === 0 ? "What the community's rules add" : "What the platform's rules add" },
        ...changeTable(step, `/steps/${place}`, counts),
      ]),
      ...ruleBlocks(scopes, options.rows ?? 15),
      ...coverageBlocks(
        counts,
        "/counts",
        steps.map((step, place) => ({
          label: `ambiguity, ${step.from} to ${step.to}`,
          change: step.changes.ambiguity_index,
          at: `/steps/${place}/changes/ambiguity_index`,
        })),
      ),
    ],
  };
}

function classList(at: string): Sentence {
  return sentence`platform ${rateAt(`${at}/platform`)}, community ${rateAt(`${at}/community`)}, either ${rateAt(`${at}/either`)}, together ${rateAt(`${at}/together`)}`;
}

function headline({ with_both }: Scopes): Block[] {
  const of = "/ambiguity/classes";
  const missing = with_both ? with_both.without_community_rules + with_both.without_platform_rules : 0;
  return [
    {
      kind: "headline",
      value: rateAt("/ambiguity/both"),
      label: "Ambiguity Index under all rules",
      under: sentence`${rateAt(`${of}/platform`)} of the decisions are open under the platform's rules alone too, ${rateAt(`${of}/community`)} under the community's alone too, ${rateAt(`${of}/either`)} under each alone, ${rateAt(`${of}/together`)} only where the auditor reads both. The community's rules settle ${rateAt("/ambiguity/ended_by_community")} that the platform's alone leave open, the platform's rules ${rateAt("/ambiguity/ended_by_platform")} that the community's alone leave open.`,
    },
    ...(missing > 0
      ? [
          {
            kind: "text" as const,
            text: sentence`${wholeAt("/with_both/without_community_rules")} decisions are of communities without rules of their own, ${wholeAt("/with_both/without_platform_rules")} have no platform rules: an arm without rules shows the auditor nothing. Where both have rules (${countedAt("/with_both/n", with_both!.n, "decision")}), ${rateAt("/with_both/ambiguity/both")} are ambiguous: ${classList("/with_both/ambiguity/classes")}.`,
          },
        ]
      : []),
  ];
}

/** The split under each way of counting. */
function classes(): Block[] {
  const row = (label: string, field: string): Text[] => [
    label,
    ...["ambiguity", "ambiguity_pure", "defensibility"].map((of) => estAt(`/${of}/${field}`)),
  ];
  return [
    table(
      ["~holds under all rules, and under …", ">ambiguity", ">pure ambiguity", ">defensibility"],
      [
        ...CLASSES.map((name) => row(ABLATION_WORDS[name], `classes/${name}`)),
        row("all four: under all rules", "both"),
        row("ended by the community's rules", "ended_by_community"),
        row("ended by the platform's rules", "ended_by_platform"),
      ],
      "What it rests on, by ablation",
    ),
    {
      kind: "text",
      text: "The four classes do not overlap and add up to the index under all rules. Ended: holds under one scope alone, but not together with the other scope's rules.",
    },
  ];
}

function arms({ arms: all }: Scopes): Block[] {
  return [
    { kind: "heading", text: "Under each scope" },
    { kind: "figure", id: "scopes-indices" },
    table(
      ["rules shown", ">defensible", ">ambiguous", ">pure", ">level 1", ">level 2", ">indefensible"],
      all.map((_, row): Text[] => [
        ARM_NAMES[row]!,
        ...[...Object.keys(INDEX_NAMES), "levels/1", "levels/2"].map((name) => rateAt(`/arms/${row}/${name}`)),
        wholeAt(`/arms/${row}/indefensible`),
      ]),
    ),
    {
      kind: "text",
      text: "Precedents are shown in every arm. A decision that rests on a rule which is not shown is indefensible there, and its opposite often defensible: ambiguity under one scope alone counts that too, pure ambiguity does not.",
    },
  ];
}

function byDecision({ by_decision }: Scopes): Block[] {
  const some = Object.keys(by_decision).filter((action) => by_decision[action]!.n > 0);
  return [
    { kind: "heading", text: "By decision" },
    table(
      ["decision", ">n", ">ambiguous", ">platform", ">community", ">either", ">together"],
      some.map((action): Text[] => {
        const at = `/by_decision/${pointerPart(action)}`;
        return [
          quiet(action, 30),
          wholeAt(`${at}/n`),
          rateAt(`${at}/ambiguity/both`),
          ...CLASSES.map((name) => rateAt(`${at}/ambiguity/classes/${name}`)),
        ];
      }),
    ),
  ];
}

function agreement({ agreement: { table: rows, agree, kappa } }: Scopes): Block[] {
  const cited = ["platform", "community", "mixed", "none", "unknown"];
  const both =
    agree.estimate === null
      ? [`Agreement is undefined: ${agree.reason}.`]
      : sentence`Of the decisions that both give to one scope, ${estAt("/agreement/agree", "percent", "all")} are given to the same one; Cohen's κ ${kappa.estimate === null ? `undefined (${kappa.reason})` : estAt("/agreement/kappa", "decimal")}.`;
  const by = (name: string) => rateAt(`/agreement/attributed/${name}`);
  return [
    { kind: "heading", text: "Citation against ablation" },
    { kind: "figure", id: "scopes-agreement" },
    table(
      ["by ablation ↓  by citation →", ">platform", ">community", ">mixed", ">none", ">not said"],
      rows.map((row, place): Text[] => [
        row.class,
        ...cited.map((name) => wholeAt(`/agreement/table/${place}/${name}`)),
      ]),
    ),
    {
      kind: "text",
      text: sentence`By citation, as a report has it: platform ${by("platform")}, community ${by("community")}, mixed ${by("mixed")}, none ${by("none")}. ${both} A citation says what the auditor pointed at; the ablation says what changes without that text.`,
    },
  ];
}

function ruleBlocks({ rules: { cited, too_few, min_decisions } }: Scopes, rows: number): Block[] {
  const heading: Block = { kind: "heading", text: "By cited rule" };
  const few = tooFewText(too_few, min_decisions);
  if (cited.length === 0) {
    return [heading, { kind: "empty", why: few.trim() || "The audits do not say which rules they cite." }];
  }
  return [
    heading,
    table(
      ["rule", "of", ">n", ">ambiguous", ">platform", ">community", ">either", ">together"],
      cited.slice(0, rows).map((rule, row): Text[] => {
        const at = `/rules/cited/${row}`;
        return [
          ruleName(rule),
          ownerName(rule),
          wholeAt(`${at}/n`),
          estAt(`${at}/ambiguity`),
          ...CLASSES.map((name) => wholeAt(`${at}/classes/${name}`)),
        ];
      }),
    ),
    {
      kind: "text",
      text: `Decisions by the rule they cite under all rules, most ambiguous first; the last four columns count the ambiguous ones by class.${moreText(cited.length, rows, "rule")}${few}`,
    },
  ];
}

export default {
  kind: "scopes",
  view: "rules",
  id: "scopes",
  place: 2,
  tab: "Platform or community",
  heading: "Whose rules leave decisions open?",
  purpose:
    "It audits the same decisions under the platform's rules alone and the community's alone, and shows what ambiguity rests on.",
  command: "defensible rules scopes",
  document: (result) => scopesDocument(result, { rows: Number.POSITIVE_INFINITY }),
} satisfies Screen<"scopes">;

import type { GateReport, GateReportCommunity } from "../../measures/gate/gate-report.js";
import { SLICE_MEASURES } from "../../measures/gate/slices.js";
import { printable } from "../../text/printable.js";
import { type Block, type Document, type Text, table } from "../document/document.js";
import { limitsText } from "../figures/gate-modes.js";
import { realisedSection } from "../report/trust-document.js";
import { byCount, plural, whole } from "../words/numbers.js";
import { countedAt, estAt, numberAt, rateAt, type Sentence, sentence } from "../words/sentence.js";
import { gateName } from "../words/words.js";
import {
  bindingSection,
  byPeople,
  communitiesSection,
  harmBlocks,
  largestFirst,
  nextSteps,
  suspensionText,
} from "./communities-document.js";
import { frontierSection, scenariosSection, scoreFrontierSection } from "./frontier-document.js";
import { selectiveSection } from "./score-document.js";
import {
  activeBlocks,
  ambiguityWord,
  cohortWord,
  conclusionBlocks,
  count,
  judgeSection,
  names,
  onlyAlarmed,
  share,
  statesSection,
  verdictSection,
} from "./verdict-document.js";
import { watchSection } from "./watch-document.js";

interface GateDocumentOptions {
  /** Rows shown of long tables. Default: 15 with all sections, else 5. */
  rows?: number;
  /** All sections, instead of only what passes and what to do next. Default true. */
  verbose?: boolean;
}

/** The gate in words: its result and the next steps; then which communities pass and why, and the effect of other limits. */
export function gateDocument(report: GateReport, options: GateDocumentOptions = {}): Document {
  const { verbose = true, rows = verbose ? 15 : 5 } = options;
  const passing = report.fleet.counts.passing_communities > 0;
  if (!verbose && !passing && options.rows === undefined) return nothingPasses(report, rows);
  return {
    title: "Governance gate",
    subtitle: subtitle(report),
    data: report,
    blocks: [
      ...verdictSection(report, verbose),
      ...watchSection(report, rows),
      ...realisedSection(report.realised_risk, rows),
      ...(verbose
        ? [
            ...statesSection(report),
            ...communitiesSection(report, rows),
            ...scenariosSection(report),
            ...frontierSection(report),
            ...bindingSection(report),
          ]
        : [...harmBlocks(report, report.harm, rows), ...nextSteps(report, rows)]),
      ...holdoutSection(report),
      ...(verbose || passing ? selectiveSection(report, rows, verbose) : []),
      ...(verbose ? [...scoreFrontierSection(report), ...judgeSection(report, rows)] : []),
      ...slicesSection(report, rows),
      ...(verbose ? [] : [MORE]),
    ],
  };
}

/** One screen: nothing passes; why, the most frequent reason first; and the next step (with few communities, one for each reason). */
function nothingPasses(report: GateReport, rows: number): Document {
  const { many } = cohortWord(report);
  const groups = blockedBy(report);
  const few = report.communities.length <= FEW;
  const steps = few ? groups : groups.slice(0, 1);
  const others = report.communities.length - steps.length;
  return {
    title: "Governance gate",
    subtitle: subtitle(report),
    data: report,
    blocks: [
      ...conclusionBlocks(report),
      ...(groups.length > 0 ? [(few ? communityTable : reasonTable)(report, groups), ...byPeople(report)] : []),
      ...steps.map((group) => ({ kind: "text" as const, text: nextStep(group) })),
      ...activeBlocks(report, false),
      ...watchSection(report, rows),
      ...realisedSection(report.realised_risk, rows),
      ...harmBlocks(report, report.harm, rows),
      ...holdoutSection(report),
      ...slicesSection(report, rows),
      {
        kind: "text",
        text: `--rows ${Math.max(15, report.communities.length)} lists ${others > 0 ? `the next steps of all ${whole(report.communities.length)} ${many}` : many}, --verbose shows every section.`,
      },
    ],
  };
}

const MORE: Block = {
  kind: "text",
  text: "--verbose shows the three gates side by side, their evidence, other limits, what keeps communities out, and people's labels.",
};

function subtitle(report: GateReport): string {
  const { run, evidence, fleet } = report;
  const { one, many } = cohortWord(report);
  const parts = [run.run_id ? `run ${run.run_id}` : printable(run.source ?? "audits file")];
  if (run.status === "open") parts.push("not finished");
  if (evidence.auditor) parts.push(`auditor ${printable(evidence.auditor, 60)}`);
  if (evidence.tier) parts.push(`tier ${printable(evidence.tier, 20)}`);
  if (report.by.length > 1 || report.by[0] !== "community") parts.push(`by ${report.by.join(" × ")}`);
  parts.push(`${gateName(report.mode)} (mode ${report.mode})`, limitsText(report.thresholds, report.variable));
  parts.push(`${plural(fleet.counts.decisions, "verdict")} in ${plural(fleet.counts.communities, one, many)}`);
  return parts.join(" · ");
}

/** How the communities chosen on one part of the decisions perform on the other. */
export function holdoutSection({ holdout }: Pick<GateReport, "holdout">): Block[] {
  if (!holdout) return [];
  const at = "/holdout";
  const heading: Block = { kind: "heading", text: "Held-out certificate" };
  const where = sentence`${numberAt(`${at}/share`, "limit")} of the decisions${holdout.by_thread ? ", whole threads," : ""} were held out (seed ${holdout.seed})`;
  if (holdout.reason) {
    return [heading, { kind: "text", text: sentence`${where}. There is no certificate: ${holdout.reason}.` }];
  }
  const { chosen, thread_cap: cap } = holdout;
  const clustered =
    holdout.upper_clustered === null
      ? []
      : sentence` (${numberAt(`${at}/upper_clustered`, "risk")} for other communities like ${byCount(chosen, "it", "them")}, ${holdout.clustered_method ?? ""})`;
  const unseen =
    holdout.chosen_unseen === 0
      ? []
      : sentence` ${numberAt(`${at}/chosen_unseen`, "whole")} of the chosen have no held-out verdict.`;
  return [
    heading,
    {
      kind: "text",
      text: sentence`${where}; ${countedAt(`${at}/chosen`, chosen, "community was", "communities were")} chosen on the rest by the ${gateName(holdout.mode)}. On the held-out decisions ${byCount(chosen, "it covers", "they cover")} ${rateAt(`${at}/coverage`)}, and with ${share(1 - holdout.delta, 0)} confidence at most ${numberAt(`${at}/upper`, "risk")} of what ${byCount(chosen, "it automates", "they automate")} is indefensible${cap === null ? "" : `, counting at most ${plural(cap, "decision")} of a thread`}${clustered}.${unseen}`,
    },
    table<Text>(
      ["", ">indefensible"],
      [
        ["on the decisions they were chosen by", estAt(`${at}/in_sample`, "risk", "all")],
        ["on the held-out decisions", estAt(`${at}/realised`, "risk", "all")],
        ["difference: what choosing on the same decisions would have hidden", numberAt(`${at}/optimism`, "points")],
      ],
    ),
  ];
}

/** Rates by language, tag or any other property, with a warning where automation affects one value more. */
export function slicesSection({ slices }: Pick<GateReport, "slices">, rows: number): Block[] {
  if (!slices) return [];
  const blocks: Block[] = [
    { kind: "heading", text: "Slices" },
    { kind: "text", text: slicesText(slices) },
  ];
  for (const warning of new Set(slices.warnings.slice(0, rows).map(({ text }) => text))) {
    blocks.push({ kind: "text", text: `Warning: ${printable(warning, 300)}` });
  }
  const tests: Block[] = [];
  const placed = slices.rows.map((row, i) => ({ row, at: `/slices/rows/${i}` }));
  for (const slice of new Set(slices.rows.map((row) => row.slice))) {
    const members = placed.filter(({ row }) => row.slice === slice);
    const shown = members.slice(0, rows);
    const name = printable(slice, 30);
    blocks.push(
      table<Text>(
        [name, ">n", ">DI", ">automated", ">automated L3"],
        shown.map(({ row, at }) => [
          printable(row.value, 40),
          numberAt(`${at}/n`, "whole"),
          estAt(`${at}/di`),
          estAt(`${at}/automation_rate`, "percent", "value"),
          estAt(`${at}/automated_indefensible_rate`, "percent", "value"),
        ]),
      ),
    );
    if (shown.some(({ row }) => row.tests.indefensible.p !== null)) {
      tests.push(
        table<Text>(
          [`${name}, adjusted p`, ">indefensible", ">automated", ">both"],
          shown.map(({ row, at }) => [
            printable(row.value, 40),
            ...SLICE_MEASURES.map((measure) => numberAt(`${at}/tests/${measure}/adjusted_p`, "probability")),
          ]),
        ),
      );
    }
    if (members.length > shown.length) {
      blocks.push({ kind: "text", text: `${plural(members.length - shown.length, "value")} more in the JSON.` });
    }
  }
  if (tests.length > 0) {
    const note =
      "Each value is compared with all others of its property on three measures; of two values both comparisons are the same one and count once. Both: automated and indefensible, of all decisions. Adjusted p: the smaller, the less a difference looks like chance.";
    blocks.push({ kind: "heading", text: "Slices, adjusted p" }, { kind: "text", text: note }, ...tests);
  }
  return blocks;
}

function slicesText({ warnings, alpha, tests, note }: NonNullable<GateReport["slices"]>): Sentence {
  const found =
    warnings.length > 0
      ? `${plural(warnings.length, "difference is", "differences are")} more than chance would give`
      : "No difference is more than chance would give";
  return sentence`${found} at ${+(100 * alpha).toPrecision(3)}%, after correction for ${countedAt("/slices/tests", tests, "test")} (Holm). ${note} Intervals are the wider of that over communities and that of independent decisions. Automated: in communities that pass the gate; automated L3: indefensible, of the automated decisions of the value.`;
}

/** Up to this many communities are shown one by one. */
const FEW = 5;

function communityTable(report: GateReport, groups: readonly Blocked[]): Block {
  return table(
    [cohortWord(report).one, ">verdicts", ">DI", ">amb.", "blocked by"],
    groups.flatMap(({ reason, rows }) =>
      rows.map((row) => [
        printable(row.community, 40),
        count(row.n),
        share(row.di),
        share(row[report.variable]),
        reason,
      ]),
    ),
  );
}

function reasonTable(report: GateReport, groups: readonly Blocked[]): Block {
  return table(
    ["blocked by", `>${cohortWord(report).many}`, ">verdicts", "~the largest"],
    groups.map(({ reason, rows }) => [
      reason,
      whole(rows.length),
      whole(rows.reduce((sum, row) => sum + row.n, 0)),
      names(
        rows.map(({ community }) => community),
        1,
      ),
    ]),
  );
}

interface Blocked {
  reason: string;
  /** Largest first. */
  rows: GateReportCommunity[];
}

function blockedBy(report: GateReport): Blocked[] {
  const groups = new Map<string, GateReportCommunity[]>();
  const alarmed = onlyAlarmed(report);
  for (const { row } of largestFirst(report)) {
    const reason = row.suspended && !alarmed.has(row.community) ? "suspended after an alarm" : reasonOf(row, report);
    groups.set(reason, [...(groups.get(reason) ?? []), row]);
  }
  return [...groups]
    .map(([reason, rows]) => ({ reason, rows }))
    .sort((a, b) => b.rows.length - a.rows.length || b.rows[0]!.n - a.rows[0]!.n);
}

function reasonOf(row: GateReportCommunity, report: GateReport): string {
  const ambiguity = `${ambiguityWord(report)} too high`;
  if (row.state === "insufficient") return `fewer than ${whole(report.thresholds.min_decisions)} verdicts`;
  if (row.binding === "di") return "DI too low";
  if (row.binding === "ai") return ambiguity;
  if (row.binding === "both") return `DI too low, ${ambiguity}`;
  if (row.harm && !row.harm.passes[report.mode]) return "harm too high, or not certain";
  return "within limits, not certain";
}

/** The fix for the most frequent reason, in the largest community that it blocks. */
function nextStep({ rows: [row] }: Blocked): string {
  const { community, n, suspended, advice } = row!;
  const text = suspended ? suspensionText(suspended.reason) : advice.text;
  return `Next, in ${printable(community, 40)} (${plural(n, "verdict")}): ${printable(text, 400)}`;
}

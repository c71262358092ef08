import type { Estimate } from "../../core/estimate.js";
import type { GateReport, SelectionReport } from "../../measures/gate/gate-report.js";
import type { SelectiveResult } from "../../measures/gate/selective/selective-result.js";
import { SLICE_MEASURES } from "../../measures/gate/slices.js";
import { printable } from "../../text/printable.js";
import { type Block, type Document, table } from "../document/document.js";
import { limitsText } from "../figures/page-gate.js";
import { realisedSection } from "../report/realised.js";
import { TARGET_WORDS } from "../words/calibration-words.js";
import { gateName } from "../words/gate-change.js";
import { decimal, intervalText, pCell, plural, rateText } from "../words/numbers.js";
import { bindingSection, communitiesSection, nextSteps } from "./communities.js";
import { frontierSection, scenariosSection, scoreFrontierSection } from "./frontier.js";
import { cohortWord, count, judgeSection, share, statesSection, verdictSection } from "./verdict.js";
import { watchSection } from "./watch.js";

export interface GateDocumentOptions {
  /** Rows shown of long tables. Default: 5, of all sections 15. */
  rows?: number;
  /** All sections, instead of what passes and what to do next. Default true. */
  verbose?: boolean;
}

/** The gate in words: what it says and what to do next; then who passes and why, and what other limits would do. */
export function gateDocument(report: GateReport, options: GateDocumentOptions = {}): Document {
  const { verbose = true, rows = verbose ? 15 : 5 } = options;
  const passing = report.fleet.counts.passing_communities > 0;
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
        : nextSteps(report, rows)),
      ...holdoutSection(report),
      ...(verbose || passing ? selectiveSection(report, rows) : []),
      ...(verbose ? [...scoreFrontierSection(report), ...judgeSection(report, rows)] : []),
      ...slicesSection(report, rows),
      ...(verbose ? [] : [MORE]),
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

/** What the communities chosen on one part of the decisions do on the other. */
function holdoutSection({ holdout }: GateReport): Block[] {
  if (!holdout) return [];
  const { realised, in_sample: before } = holdout;
  const where = `${share(holdout.share, 0)} of the decisions${holdout.by_thread ? ", whole threads," : ""} were held out (seed ${holdout.seed})`;
  const blocks: Block[] = [{ kind: "heading", text: "Held-out certificate" }];
  if (holdout.reason) {
    return [...blocks, { kind: "text", text: `${where}. There is no certificate: ${holdout.reason}.` }];
  }
  return [
    ...blocks,
    table(
      ["", ">indefensible", ">of", ">rate", "95 % interval"],
      [
        ["chosen on", ...rateCells(before)],
        ["held out", ...rateCells(realised)],
      ],
    ),
    {
      kind: "text",
      text: `${where}; ${plural(holdout.chosen, "community was", "communities were")} chosen on the rest by the ${gateName(holdout.mode)}. On the held-out decisions they cover ${rateText(holdout.coverage)}, and with ${share(1 - holdout.delta, 0)} confidence at most ${share(holdout.upper, 2)} of what they automate is indefensible${holdout.thread_cap === null ? "" : `, counting at most ${plural(holdout.thread_cap, "decision")} of a thread`}${holdout.upper_clustered === null ? "" : ` (${share(holdout.upper_clustered, 2)} for other communities like them, ${holdout.clustered_method})`}. ${optimism(holdout.optimism)}${holdout.chosen_unseen > 0 ? ` ${count(holdout.chosen_unseen)} of the chosen have no held-out verdict.` : ""}`,
    },
  ];
}

function rateCells(estimate: NonNullable<GateReport["holdout"]>["realised"]): string[] {
  if (estimate.estimate === null) return ["–", "–", "–", estimate.reason];
  return [count(estimate.k), count(estimate.n), rateText(estimate), intervalText(estimate)];
}

function optimism(value: number | null): string {
  if (value === null) return "";
  const points = `${Math.abs(100 * value).toFixed(1)} percentage points`;
  return value > 0
    ? `Judged on the decisions they were chosen by, they would have looked ${points} better.`
    : `They do no worse here than where they were chosen (${points} better).`;
}

/** Rates by language, tag or any other property, with a warning where automation falls harder on one value. */
function slicesSection({ slices, mode }: GateReport, rows: number): Block[] {
  if (!slices) return [];
  const blocks: Block[] = [{ kind: "heading", text: "Slices" }];
  for (const slice of new Set(slices.rows.map((row) => row.slice))) {
    const members = slices.rows.filter((row) => row.slice === slice);
    const shown = members.slice(0, rows);
    blocks.push(
      table(
        [printable(slice, 30), ">n", ">DI", "95 % interval", ">automated", ">automated L3"],
        shown.map((row) => [
          printable(row.value, 40),
          count(row.n),
          rateText(row.di),
          intervalText(row.di.estimate === null ? undefined : row.di),
          rateText(row.automation_rate),
          rateText(row.automated_indefensible_rate),
        ]),
      ),
    );
    if (shown.some((row) => row.tests.indefensible.p !== null)) {
      blocks.push(
        table(
          ["adjusted p", ">indefensible", ">automated", ">both"],
          shown.map((row) => [
            printable(row.value, 40),
            ...SLICE_MEASURES.map((measure) => pCell(row.tests[measure].adjusted_p)),
          ]),
        ),
      );
    }
    if (members.length > shown.length) {
      blocks.push({ kind: "text", text: `${plural(members.length - shown.length, "value")} more in the JSON.` });
    }
  }
  for (const warning of new Set(slices.warnings.slice(0, rows).map(({ text }) => text))) {
    blocks.push({ kind: "text", text: `Warning: ${printable(warning, 300)}` });
  }
  const found =
    slices.warnings.length > 0
      ? `${plural(slices.warnings.length, "difference is", "differences are")} more than chance would give`
      : "No difference is more than chance would give";
  blocks.push({
    kind: "text",
    text: `Automated: in communities that pass the ${gateName(mode)}; automated L3: automated and indefensible, of all decisions of the value. Each value is compared with all others of its property on three measures; of two values both comparisons are the same one and count once. p is adjusted for these ${plural(slices.tests, "test")} (Holm): the smaller, the less a difference looks like chance. ${found} at ${+(100 * slices.alpha).toPrecision(3)} %. ${slices.note}`,
  });
  return blocks;
}

/** Automation inside the communities that pass, by score. */
function selectiveSection(report: GateReport, rows: number): Block[] {
  const { selective, selection } = report;
  if (!selective || !selection || report.fleet.counts.eligible_communities === 0) return [];
  const { pooled, by_community } = selection.thresholds;
  const heading: Block = { kind: "heading", text: "Automating by score inside the communities that pass" };
  if (report.fleet.counts.passing_communities === 0) {
    const text = `No community passes the ${gateName(report.mode)}, so there is nothing to automate by score.`;
    return [heading, { kind: "text", text }];
  }
  if (selection.split?.chosen === 0) {
    const text = `Nobody passes on the half of the decisions that chooses communities for thresholds (at least ${plural(selection.split.min_decisions, "decision")} each there), so nothing is automated by score. More decisions help.`;
    return [heading, { kind: "text", text }];
  }
  if (selective.n === 0) {
    const text =
      "None of their verdicts has a score (no probabilities, or no labels), so nothing can be automated by one.";
    return [heading, { kind: "text", text }];
  }
  const name =
    selective.score === "p_calibrated" ? `calibrated probability (${selective.calibration_id})` : "raw 1 − p(L3)";
  const own = Object.entries(by_community).sort((a, b) => b[1].scored - a[1].scored);
  const shown = own.slice(0, Math.max(3, Math.floor(rows / 2)));
  const results: [string, SelectiveResult][] = [
    ...(needsPooled(own.length, pooled)
      ? [[own.length > 0 ? "the others together" : "all together", pooled] as [string, SelectiveResult]]
      : []),
    ...shown.map(([key, result]): [string, SelectiveResult] => [printable(key, 40), result]),
  ];
  return [
    heading,
    {
      kind: "text",
      text: `By the ${name}, ${count(selection.automated)} of ${plural(selection.rows_in_all, "decision")} reach a threshold that keeps the share of indefensible ones at ${share(selective.risk)} or below: ${selective.promise ?? `at ${share(1 - selective.delta, 0)} confidence`}.`,
    },
    { kind: "text", text: basis(selection, report) },
    table(
      ["threshold for", ">score ≥", ">automated", ">of", ">L3", ">at most"],
      results.map(([label, result]) => line(label, result)),
    ),
    ...reasons(results),
    ...(own.length > shown.length
      ? [
          {
            kind: "text" as const,
            text: `${plural(own.length - shown.length, "community", "communities")} more with a threshold of their own in the JSON.`,
          },
        ]
      : []),
    { kind: "text", text: quality(report) },
    ...selection.notes.map((text) => ({ kind: "text" as const, text })),
  ];
}

/** On which decisions, by whose word, and against which limit. */
function basis({ labels, rows, rows_in_all, split }: SelectionReport, { risk, thresholds }: GateReport): string {
  const source = labels.source ? ` (${printable(labels.source, 60)})` : "";
  const which = split
    ? `${plural(rows, "decision")} that had no part in choosing the communities${labels.kind === "self" ? "" : " and have one"}`
    : rows < rows_in_all
      ? `only the ${plural(rows, "decision")} of ${count(rows_in_all)} in these communities that have one`
      : `all ${plural(rows, "decision")} of these communities`;
  const follows = Math.abs(risk - (1 - thresholds.di)) < 1e-9;
  const limit = follows
    ? `The limit of ${share(risk)} follows from DI ≥ ${share(thresholds.di, 0)}; --risk sets another.`
    : `The limit of ${share(risk)} was set by itself (--risk, or gate.risk in defensible.yaml).`;
  return `What counts as indefensible here is said by ${TARGET_WORDS[labels.kind].name}${source}, on ${which}. ${splitText(split)}${limit}`;
}

function splitText(split: SelectionReport["split"]): string {
  if (!split) return "";
  const { chosen, withheld, min_decisions, by_thread } = split;
  const half = `${plural(chosen, "community", "communities")} ${chosen === 1 ? "was" : "were"} chosen on the other half (a hash of the ${by_thread ? "thread" : "decision"} says which; at least ${plural(min_decisions, "decision")} each). `;
  if (withheld === 0) return half;
  const who = `${plural(withheld, "community", "communities")} that ${withheld === 1 ? "passes" : "pass"} on all decisions`;
  return `${half}${who} but not there ${withheld === 1 ? "has" : "have"} no threshold: all their decisions go to review. `;
}

function needsPooled(own: number, pooled: SelectiveResult): boolean {
  return own === 0 || pooled.scored > 0;
}

function line(name: string, result: SelectiveResult): string[] {
  const { threshold, risk, coverage } = result;
  return [
    name,
    threshold === null ? "none" : decimal(threshold, 3),
    threshold === null ? "0" : count(risk.n),
    count(coverage.n),
    threshold === null ? "–" : count(risk.k),
    threshold === null ? "–" : share(risk.upper),
  ];
}

/** Why there is no threshold, each reason once. */
function reasons(results: readonly (readonly [string, SelectiveResult])[]): Block[] {
  const about = new Map<string, string[]>();
  for (const [name, { reason }] of results) if (reason) about.set(reason, [...(about.get(reason) ?? []), name]);
  return [...about].map(([reason, names]) => ({
    kind: "text",
    text: `No threshold for ${names.join(", ")}: ${printable(reason, 200)}.`,
  }));
}

function quality({ selection }: GateReport): string {
  const { aurc, coverage_at_risk } = selection!;
  const covered = coverage_at_risk
    .map(
      ({ risk, empirical, certified }) =>
        `${share(risk, 0)}: ${rate(empirical.coverage)} as seen, ${certified.threshold === null ? "no threshold certified" : `${rate(certified.coverage)} certified`}`,
    )
    .join("; ");
  const area =
    aurc.aurc === null
      ? ""
      : ` How well the score puts good decisions first: on average ${share(aurc.aurc, 2)} indefensible among those automated, over all thresholds (area under the risk–coverage curve; ${share(aurc.best, 2)} for the best possible order, ${share(aurc.random, 2)} for chance).`;
  return `Share of the decisions that could be automated at a risk of ${covered}.${area}`;
}

function rate(estimate: Estimate): string {
  return share(estimate.estimate);
}

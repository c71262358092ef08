import type { GateReport } from "../../measures/gate/gate-report.js";
import { SLICE_MEASURES } from "../../measures/gate/slices.js";
import { printable } from "../../text/printable.js";
import { type Block, type Document, table } from "../document/document.js";
import { limitsText } from "../figures/page-gate.js";
import { realisedSection } from "../report/breakdowns.js";
import { intervalText, pCell, plural, rateText } from "../words/numbers.js";
import { bindingSection, communitiesSection } from "./communities.js";
import { frontierSection, scenariosSection, scoreFrontierSection } from "./frontier.js";
import { selectiveSection } from "./selective.js";
import { cohortWord, count, judgeSection, share, statesSection, verdictSection } from "./verdict.js";
import { watchSection } from "./watch.js";

/** The gate in words: what it says, then who passes and why, then what other limits would do. */
export function gateDocument(report: GateReport, options: { rows?: number } = {}): Document {
  const rows = options.rows ?? 15;
  return {
    title: "Governance gate",
    subtitle: subtitle(report),
    blocks: [
      ...verdictSection(report),
      ...watchSection(report, rows),
      ...realisedSection(report.realised_risk, rows),
      ...statesSection(report),
      ...communitiesSection(report, rows),
      ...scenariosSection(report),
      ...frontierSection(report),
      ...bindingSection(report),
      ...holdoutSection(report),
      ...selectiveSection(report, rows),
      ...scoreFrontierSection(report),
      ...judgeSection(report, rows),
      ...slicesSection(report, rows),
    ],
  };
}

function subtitle(report: GateReport): string {
  const { run, evidence, fleet } = report;
  const { one, many } = cohortWord(report);
  const parts = [run.run_id ? `run ${run.run_id}` : printable(run.source ?? "audits file")];
  if (run.status === "open") parts.push("not finished");
  if (evidence.auditor) parts.push(`auditor ${printable(evidence.auditor, 60)}`);
  if (evidence.tier) parts.push(`tier ${printable(evidence.tier, 20)}`);
  if (report.by.length > 1 || report.by[0] !== "community") parts.push(`by ${report.by.join(" × ")}`);
  parts.push(`mode ${report.mode}`, limitsText(report.thresholds, report.variable));
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
      text: `${where}; ${plural(holdout.chosen, "community was", "communities were")} chosen on the rest in mode ${holdout.mode}. On the held-out decisions they cover ${rateText(holdout.coverage)}, and with ${share(1 - holdout.delta, 0)} confidence at most ${share(holdout.upper, 2)} of what they automate is indefensible${holdout.thread_cap === null ? "" : `, counting at most ${plural(holdout.thread_cap, "decision")} of a thread`}${holdout.upper_clustered === null ? "" : ` (${share(holdout.upper_clustered, 2)} for other communities like them, ${holdout.clustered_method})`}. ${optimism(holdout.optimism)}${holdout.chosen_unseen > 0 ? ` ${count(holdout.chosen_unseen)} of the chosen have no held-out verdict.` : ""}`,
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
    text: `Automated: in communities that pass in mode ${mode}; automated L3: automated and indefensible, of all decisions of the value. Each value is compared with all others of its property on three measures; of two values both comparisons are the same one and count once. p is adjusted for these ${plural(slices.tests, "test")} (Holm): the smaller, the less a difference looks like chance. ${found} at ${+(100 * slices.alpha).toPrecision(3)} %. ${slices.note}`,
  });
  return blocks;
}

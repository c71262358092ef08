import type { BatchLine, Notice, ScoreProblem } from "../../app/notices.js";
import type { Usage } from "../../core/records/audit.js";
import type { RunCounts } from "../../core/records/manifest.js";
import type { RouteReason } from "../../core/records/route.js";
import type { FlipControl, RealisedRate, RealisedRisk } from "../../core/results/realised-risk.js";
import { ROUTE_SENTENCES } from "../../measures/gate/route/reasons.js";
import { FIRST_LABELS } from "../../measures/metrics/label-sample.js";
import { printable } from "../../text/printable.js";
import { percent, plural, whole } from "./numbers.js";
import { gateName, modeText } from "./words.js";

/** A notice in a sentence. */
export function noticeText(notice: Notice): string {
  switch (notice.code) {
    case "remark":
      return notice.text;
    case "platform_rules_only": {
      const { communities } = notice;
      const words =
        communities.length === 1
          ? "community has no rules of its own and is"
          : "communities have no rules of their own and are";
      return `${communities.length} ${words} audited against the platform's alone: ${some(communities)}`;
    }
    case "no_rules":
      return `${notice.decisions} of ${notice.of} decisions ${notice.decisions === 1 ? "is" : "are"} under no rule at all and not audited (unscored: no_rules): ${some(notice.communities)}`;
    case "no_stated_reasons":
      return "Stated reasons: nothing to audit. No restriction states a rule that exists, or this auditor has no answer for them.";
    case "weights_of_unknown_audits":
      return "pds_weights.json does not say which auditor its weights were fitted for: S is computed with them, and audits are flagged uncalibrated. Calibrating with method paper fits them to a run.";
    case "weights_of_other_audits":
      return `The weights of S in pds_weights.json belong to other audits (${notice.differences.join("; ")}): S gets equal weights, and audits are flagged uncalibrated. Calibrating with method paper fits them to this auditor once it has audited.`;
    case "same_family":
      return `${notice.decisions} of ${notice.of} decisions were made by a model of the auditor's family: it may share their mistakes. Their records are flagged same_family.`;
    case "line_in_no_rule":
      return `rules: line ${notice.line} is in no rule (${notice.reason})`;
    default:
      return routeNotice(notice);
  }
}

function routeNotice(notice: Exclude<Notice, { code: "remark" }>): string {
  switch (notice.code) {
    case "gates_closed":
      return `The gates are closed since ${notice.since}: ${notice.reason}. Everything goes to review; \`defensible gate open\` opens them.`;
    case "gates_open_again":
      return "The gates are open again.";
    case "suspensions_lost":
      return `${notice.message}. Everything goes to review. ${notice.remedy}`;
    case "no_gate":
      return `No gate is active, so everything goes to review. ${notice.next === "labels" ? LABELS_FIRST : "`defensible gate` shows one, `defensible gate apply` activates it."}`;
    case "no_score":
      return `No calibrated score: ${problemText(notice.problem)}. ${notice.next === "labels" ? LABELS_FIRST : calibrateFirst(notice.run)}`;
    case "nothing_passes":
      return `No community passes the ${gateName(notice.mode)} (mode ${notice.mode}), so everything goes to review. \`defensible gate\` shows why.`;
    case "nothing_certified":
      return `Proven gate (mode certified): the active gate is ${modeText(notice.gateMode)} and proves no community, so everything goes to review. Activate one with \`defensible gate apply --mode certified\`.`;
    case "other_mode":
      return `The ${gateName(notice.mode)} (mode ${notice.mode}): thresholds were set on what passes the ${gateName(notice.gateMode)}, and hold for that.`;
    case "no_sampling_key":
      return "The gate has no sampling key: which decisions the random share takes differs from call to call.";
    default:
      return "Raw gate (mode paper): every decision of a community that passes is automated, without a score and whatever its own audit says, as in the paper. Nothing is promised, neither about a community nor about a decision. The kill switch, suspensions, rules that are never automated, unseen media, flags and appeals hold.";
  }
}

/** Without labels no score can be calibrated, and each command that lacks a calibration would name the next. */
const LABELS_FIRST = `${FIRST_LABELS} Then \`defensible calibrate\` and \`defensible gate apply\`.`;

function calibrateFirst(run: string | null): string {
  if (run === null) return "`defensible calibrate` makes a calibration; then `defensible gate apply`.";
  return `\`defensible calibrate --run ${run}\` makes a calibration; then \`defensible gate apply --run ${run}\`.`;
}

function problemText(problem: ScoreProblem): string {
  switch (problem.code) {
    case "none_named":
      return "the gate names no calibration";
    case "other_calibration":
      return `calibration ${problem.calibration} is not the one that the gate's threshold was set on`;
    case "no_content_hash":
      return `calibration ${problem.calibration} has no content_hash, so it cannot be known whether it was changed`;
    case "no_probability":
      return `calibration ${problem.calibration} gives S, which is no probability`;
    default:
      return problem.message;
  }
}

/** A few names of a list, short enough for a line. */
function some(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => (name.length > 40 ? `${name.slice(0, 39)}…` : name));
  return `${shown.join(", ")}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ""}`;
}

export function batchText(line: BatchLine): string {
  switch (line.code) {
    case "receipts_missing":
      return `part ${line.part}: receipts may be missing; repeating \`audit\` looks for it`;
    case "collected":
      return `${line.id}: collected, ${line.items} questions, sent ${line.submittedAt}`;
    case "sent":
      return `${line.id}: sent ${line.submittedAt}, ${line.items} questions`;
    default: {
      const { state, done, failed, message } = line.status;
      return `${line.id}: ${state}, ${done} of ${line.items} answered, ${failed} failed${message ? `; ${message}` : ""}`;
    }
  }
}

/** Counts of the steps of a day: import, audit, route, log. */
export interface DayCounts {
  file: string;
  accepted: number;
  duplicates: number;
  rejected: number;
  run: string;
  audit: Pick<RunCounts, "verdicts" | "unscored" | "errors">;
  usage: Readonly<Usage> | null;
  route: RouteCounts;
}

/** Four lines, one per step. */
export function daySummaryText(day: DayCounts, { shadow, log }: { shadow: boolean; log: string }): string {
  const { accepted, duplicates, rejected, run, audit, usage, route } = day;
  const rejects = rejected > 0 ? `, ${whole(rejected)} rejected and not routed` : "";
  const outcomes = [
    plural(audit.verdicts, "verdict"),
    ...(audit.unscored > 0 ? [`${whole(audit.unscored)} unscored`] : []),
    ...(audit.errors > 0 ? [plural(audit.errors, "error")] : []),
  ];
  const cost = usage?.cost_usd ? `, $${usage.cost_usd.toFixed(2)}` : "";
  const automated = shadow
    ? `${whole(route.wouldAutomate)} would have been automated; in shadow all ${whole(route.decisions)} go to review`
    : `${whole(route.automated)} automated, ${whole(route.decisions - route.automated)} to review`;
  const sampled = route.sampled > 0 ? `, ${whole(route.sampled)} of these at random` : "";
  return [
    `${printable(day.file, 200)}: ${plural(route.decisions, "decision")}`,
    `  1 import  ${whole(accepted)} new, ${whole(duplicates)} already there${rejects}`,
    `  2 audit   ${outcomes.join(", ")}${cost} (run ${run})`,
    `  3 route   ${automated}${sampled}`,
    ...reasonLines(route).map((line) => `          ${line}`),
    `  4 log     ${log}`,
  ].join("\n");
}

/** For days whose steps ended early. */
export const STOPPED_AT_AUDIT =
  "Stopped at step 2 of 4 (audit): the decisions are imported, nothing was routed. Repeat the command to go on.";

const REASONS = {
  no_reviews: "no reviews drawn",
  no_levels: "no level given",
  no_answers: "no answers",
  reviews_open: "reviews open",
} as const satisfies Record<NonNullable<RealisedRate["reason"]>, string>;

export function realisedReason(reason: RealisedRate["reason"]): string {
  return reason === undefined ? "undefined" : REASONS[reason];
}

/** Why a bound for any number of looks is missing; "" if none is missing. */
export function anytimeNote({ risk, overturned, cells }: RealisedRisk): string {
  const rates = [risk, overturned, ...cells.map((cell) => cell.risk)];
  if (rates.every(({ upper, n, missing, open }) => upper.anytime !== null || n + missing + open === 0)) return "";
  return "No bound for any number of looks (–): the first thread of the row is still open. A thread closes 7 days after its first review was drawn, once its reviews are in or overdue.";
}

/** The conclusion, and how many decisions it covers. */
export function realisedSentence(realised: RealisedRisk): string {
  const { frame, drawn, risk, delta, limit, left_out } = realised;
  const unseen =
    left_out.share_zero > 0
      ? ` ${plural(left_out.share_zero, "more decision was", "more decisions were")} routed with a review share of 0 and could not be drawn: their risk is unknown.`
      : "";
  const could = unseen && " and could be drawn";
  const design = `Of ${plural(frame, "decision")} that would have been automated${could}, ${plural(drawn, "decision was", "decisions were")} drawn at random for review.${unseen}`;
  if (risk.estimate === null) return `${design} The realised risk is not known yet: ${realisedReason(risk.reason)}.`;
  const bound =
    risk.upper.once === null
      ? ", without a bound so far"
      : `, and with ${percent(1 - delta, 0)} confidence at most ${percent(risk.upper.once)} of the ${whole(frame)} are`;
  const verdict = limit === null || risk.upper.once === null ? "" : verdictOf(risk, risk.upper.once, limit);
  return `${design} Reviewers found ${risk.k} of ${risk.n} indefensible (${percent(risk.estimate)})${bound}.${verdict}`;
}

function verdictOf({ estimate }: RealisedRate, upper: number, limit: number): string {
  if (upper <= limit) return ` That is within the limit of ${percent(limit)}.`;
  if (estimate !== null && estimate > limit) return ` That is above the limit of ${percent(limit)}.`;
  return ` Whether it is within the limit of ${percent(limit)} is not shown yet.`;
}

/** What each warning of the flip control means, for terminal and page. */
export const FLIP_WARNING_WORDS: Record<FlipControl["warnings"][number], string> = {
  not_told_apart:
    "The auditor distinguishes fewer than half of the decisions from their opposites. Its index says little about these decisions: use a stronger auditor before acting on it.",
  self_contradiction:
    "In more than 10% of the decisions the auditor says that the opposite does not follow from the rules, and finds it defensible when asked. Do not rely on its Ambiguity Index; `defensible experiment dual` measures ambiguity directly.",
};

/** What the drop alone does not show. */
export const DROP_CAVEAT =
  "A small drop alone does not show a weak auditor: if the decider tosses coins, a perfect auditor shows no drop either.";

interface RouteCounts {
  decisions: number;
  automated: number;
  wouldAutomate: number;
  sampled: number;
  countOf(reason: RouteReason): number;
}

/** A summary as lines, with the count of every reason. A decision may have several. */
export function routeSummaryText(summary: RouteCounts, shadow: boolean): string {
  const review = summary.decisions - summary.automated;
  const share = summary.sampled > 0 ? `, ${whole(summary.sampled)} of these at random` : "";
  const first = shadow
    ? `${plural(summary.decisions, "decision")} in shadow: ${whole(summary.wouldAutomate)} would have been automated${summary.sampled > 0 ? `, ${whole(summary.sampled)} more drawn at random for review` : ""}; nothing was.`
    : `${plural(summary.decisions, "decision")}: ${whole(summary.automated)} automated, ${whole(review)} to review${share}.`;
  return [first, ...reasonLines(summary)].join("\n");
}

/** Every reason with its count. */
function reasonLines(summary: RouteCounts): string[] {
  // The sentences are in the order of the reasons; importing the list of reasons would load the schemas at startup.
  const present = (Object.keys(ROUTE_SENTENCES) as RouteReason[]).filter((reason) => summary.countOf(reason) > 0);
  const width = whole(summary.decisions).length;
  const longest = Math.max(0, ...present.map((reason) => reason.length));
  return present.map(
    (reason) =>
      `  ${whole(summary.countOf(reason)).padStart(width)}  ${reason.padEnd(longest)}  ${ROUTE_SENTENCES[reason]}`,
  );
}

/** Hints when nothing was automated. `joined`: the audits were looked up. */
export function routeHints(summary: RouteCounts, joined: boolean): string[] {
  const hints: string[] = [];
  if (summary.decisions > 0 && summary.countOf("bad_decision") === summary.decisions) {
    hints.push(
      "No line is a decision. Expected is JSONL: one object a line, as docs/formats.md has it and `defensible export --what decisions` writes it.",
    );
  }
  if (summary.countOf("no_audit") > 0 && !joined) {
    hints.push("Audits are looked for under `audit` of each decision; --run ID or --audits FILE finds them elsewhere.");
  }
  return hints;
}

/** What the auditor is measured against, as a heading and as a source. Labels of defensibility are raters'; human_label is the moderator's. */
export function againstWords(target: string): { title: string; by: string } {
  if (target === "human") return { title: "human ratings", by: "raters" };
  if (target === "gold") return { title: "reference annotations", by: "reference annotations" };
  const name = printable(target, 40);
  return { title: name, by: name };
}

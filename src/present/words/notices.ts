import type { BatchLine, Notice, ScoreProblem } from "../../app/notices.js";
import { FIRST_LABELS } from "../../measures/metrics/label-sample.js";
import { gateName, modeText } from "./gate-change.js";

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
      return `No calibrated score: ${problemText(notice.problem)}. ${notice.next === "labels" ? LABELS_FIRST : "`defensible calibrate` makes a calibration."}`;
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

/** Without labels nothing calibrates a score, and each command that lacks one would name the next. */
const LABELS_FIRST = `${FIRST_LABELS} Then \`defensible calibrate\` and \`defensible gate apply\`.`;

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

/** Some names of a list, short enough for a line. */
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

import type { Applied, GateNote, GateRefusal, GateWords, Obstacle } from "../../app/notices.js";
import { InputError } from "../../core/errors.js";
import type { GateSettings } from "../../measures/gate/gate-report.js";
import { FIRST_LABELS, flagsInWords, labelNotes } from "../../measures/metrics/label-sample.js";
import type { Closure, GateInForce } from "../../store/records/suspensions.js";
import { printable } from "../../text/printable.js";
import { formatNumber, percent, plural, whole } from "../words/numbers.js";
import { smallRunText } from "../words/vocabulary.js";
import { modeText } from "../words/words.js";
import { watchNotes } from "./watch-document.js";

/** The command that activates a gate; `run`: the run to name. */
type ApplyingCommand = (run?: string) => string;

/** The words that a gate writes into its report and history. */
export function gateWords(
  command: ApplyingCommand = (run) => ["defensible gate apply", ...(run ? ["--run", run] : [])].join(" "),
): GateWords {
  return {
    note: noteText,
    applied: (applied) => appliedText(applied, command),
    suspendedByOtherKeys: (names, { asked, before }) => [
      `gate --by ${asked.join(",")}: ${names.slice(0, 5).join(", ")} ${names.length === 1 ? "is" : "are"} suspended in a gate by ${before.join(",")}`,
      "Wait until they are certified again, or lift the suspension with `defensible gate reinstate NAME --reason TEXT`.",
    ],
    unreadableGate: (problem, replaced) =>
      `${problem}: ${replaced ? "this gate replaces it" : "the next gate that is applied replaces it"}; suspensions stay as they are.`,
    certifiedAgain: ({ n, indefensible }) =>
      `Certified again by ${n} decisions, all younger than the alarm: ${indefensible} indefensible.`,
    noLongerSuspended: (community, reason) => `${community} is no longer suspended. ${reason}`,
    alarm: ({ which, statistic, threshold }, limit) =>
      `Alarm: more ${which} decisions than the limit of ${percent(limit)} allows (e-detector ${statistic.toFixed(1)}, alarm at ${threshold.toFixed(1)}).`,
    alarmRemedy: (which) => {
      const show = which === "indefensible" ? "defensible show --level 3" : "defensible report";
      const fix = which === "indefensible" ? "fix the decider or the rules" : "clarify the rule that leaves them open";
      return `See what is new with \`${show}\`, ${fix}, then audit new decisions.`;
    },
    reinstated: ({ n, indefensible, ambiguous }) =>
      `Certified again by ${n} decisions since the alarm: ${Math.round(indefensible)} indefensible, ${Math.round(ambiguous)} ambiguous.`,
    reset: ({ from, to }) => `version changed from ${from} to ${to}`,
    reviewAlarm: ({ bad, threads, log_statistic, log_threshold }, limit) =>
      `Alarm by reviews: reviewers found indefensible decisions in ${whole(bad)} of ${plural(threads, "reviewed thread")}, more than the limit of ${percent(limit)} allows among automated decisions (e-detector ${log_statistic.toFixed(1)}, alarm at ${log_threshold.toFixed(1)}).`,
    reviewRemedy: () =>
      "Calibrate on the new labels and make a new gate; then lift the suspension with `defensible gate reinstate NAME --reason TEXT`.",
    reviewPromise: (limit, threads) =>
      `while the realised risk of every community is within ${percent(limit)}, at least ${whole(threads)} reviewed threads per community pass on average before the first false alarm in the fleet`,
    watchNotes,
  };
}

function noteText(note: GateNote): string {
  switch (note.code) {
    case "span": {
      const { window_days, since, from, to, runs } = note.span;
      const what =
        window_days === null
          ? `all decisions since ${since}`
          : `decisions of the last ${plural(window_days, "day")} (${from.slice(0, 10)} to ${to.slice(0, 10)})`;
      const promise = window_days === null ? "" : " A certificate needs a fixed start instead of a sliding window.";
      return `The gate rests on ${what}, the newest audit of each, over ${plural(runs.length, "run")}.${promise}`;
    }
    case "threads_open":
      return `Certified mode leaves out ${plural(note.verdicts, "verdict")} of threads that are still open: a thread is closed ${note.days} days after its first decision.`;
    case "threads_late":
      return `Certified mode leaves out ${plural(note.verdicts, "verdict")} that came after the thread was closed (${note.days} days after its first decision).`;
    case "independence_assumed":
      return `${plural(note.communities, "community has", "communities have")} no thread_id: there the certified promise assumes that decisions are independent.`;
    case "labels_certify_nothing":
      return `Certified mode also asks people's labels to prove that the true indefensible rate is within the limit. These labels certify nothing: ${flagsInWords(note.flags)}.`;
    case "labels_needed":
      return `Certified mode also asks people's labels to prove that the true indefensible rate is within the limit, adjusted for the number of communities and for looks as its other tests are: ${note.enough} of ${note.of} have the ${note.least} labels it takes.`;
    case "labels_drawn":
      return labelNotes(note.labels)
        .map((one) => `${one[0]!.toUpperCase()}${one.slice(1)}.`)
        .join(" ");
    case "no_calibration":
      return `There is no calibration for such audits, so the raw 1 − p(L3) is the score, and \`defensible route\` automates nothing by it. ${note.labelled ? "`defensible calibrate` makes one from the labels." : `${FIRST_LABELS} Then \`defensible calibrate\`.`}`;
    case "not_calibrated":
      return `The calibration failed its check: predicted and observed rates differ by ${formatNumber(note.error, "apart")}, and chance explains at most ${formatNumber(note.limit, "apart")}. The score orders decisions and is no probability; no threshold rests on its being one.`;
    case "labels_flagged":
      return `The promise supposes that the labels are a random sample of these decisions, which they are not known to be: ${flagsInWords(note.flags)}.`;
    case "look_again":
      return `this auditor and prompt were looked at ${note.earlier === 1 ? "once" : `${note.earlier} times`} before with other data, so only tests that hold for repeated looks are used`;
    default:
      return PLAIN_NOTES[note.code];
  }
}

const PLAIN_NOTES = {
  circular:
    "The losses are the auditor's own level 3, which the same answer gave as the score: this is about the auditor's consistency, not about the truth. Labels by people make it mean something.",
  fitted_on_this_run:
    "The calibration was fitted on this run, so its scores have seen the decisions that certify the thresholds: the risk on new decisions may be higher. A gate on another run avoids this.",
  unequal_chances:
    "The labels were drawn with unequal chances: thresholds, coverage and the risk–coverage curve weight them as they were drawn.",
  set_together:
    "By rule or language, thresholds are set on all communities together, and communities are not chosen apart from them.",
  look_asked_for: "tested for one look or repeated looks as --look says",
  look_at_a_file: "a file has no history, so this counts as the only look",
  look_first: "a gate is computed again as decisions arrive, so only tests that hold for repeated looks are used",
} as const;

/** The flag of each setting. */
export const SETTING_FLAGS: Partial<Record<keyof GateSettings, string>> = {
  mode: "--mode",
  di: "--di",
  ai: "--ai",
  min_decisions: "--min",
  variable: "--variable",
  by: "--by",
  adjust: "--adjust",
  delta: "--delta",
  q: "--q",
  risk: "--risk",
  judge_error: "--judge-error",
  thread_cap: "--thread-cap",
  harm: "--harm",
  window_days: "--window",
  since: "--since",
};

/** An obstacle in a few words, for a note. */
function obstacleText(obstacle: Obstacle): string {
  switch (obstacle.code) {
    case "other_settings": {
      const flags = obstacle.settings.map((name) => SETTING_FLAGS[name]);
      const whose = obstacle.than === "gate_in_force" ? "those of the active gate" : "the workspace's own";
      return `${flags.join(", ")} ${flags.length === 1 ? "is" : "are"} not ${whose}`;
    }
    case "mode_paper":
      return "the raw gate (mode paper) promises nothing";
    case "calibration_named":
      return "--calibration chose the score";
    case "labels_named":
      return "--labels named another file";
    case "look_once":
      return "--look once takes no account of earlier looks";
    case "experiment":
      return `the run was made for experiment ${obstacle.kind}`;
    case "audited_otherwise":
      return `the run's ${obstacle.setting} is ${obstacle.value}, and the workspace's is ${obstacle.configured}`;
    case "not_newest":
      return `run ${obstacle.run} is not the newest`;
    case "not_finished":
      return "the run is not finished";
    case "selection":
      return "the run covers a selection of the decisions";
    case "run_damaged":
      return `run ${obstacle.run}, whose manifest cannot be read, may be newer`;
    case "newer_run":
      return `run ${obstacle.run} is newer`;
    case "other_keys":
      return "communities are suspended in a gate by other keys";
  }
}

function appliedText(applied: Applied, command: ApplyingCommand): string {
  const { current } = applied;
  switch (applied.status) {
    case "in_force":
      return inForceText(applied);
    case "watched":
      return `A watch replaces no gate: it suspends and reinstates in the active gate, and ${following(current)}.`;
    case "what_if": {
      const small = applied.reasons.find((reason) => reason.code === "selection");
      return `This was only a look; ${following(current)}. \`${command(small?.run)}\` activates this one.${noted(applied.reasons)}`;
    }
    case "not_recorded":
      return applied.problem === null
        ? `Dry run: nothing was recorded; ${following(current)}.`
        : `Nothing was recorded (${applied.problem}), so this look does not count and ${following(current)}.`;
  }
}

/** Obstacles to activating a gate, noted after the outcome; they did not cause it. */
function noted(obstacles: readonly Obstacle[]): string {
  return obstacles.length > 0 ? ` Note: ${obstacles.map(obstacleText).join("; ")}.` : "";
}

function idOf(current: GateInForce): string {
  return current.gate.gate_id ?? "without an id";
}

function following(current: GateInForce | null): string {
  if (!current) return "no gate is active";
  return `\`defensible route\` keeps following gate ${idOf(current)} (${modeText(current.gate.mode)}, since ${current.in_force_since})`;
}

function inForceText({ gateId, current, obstacles }: Extract<Applied, { status: "in_force" }>): string {
  if (current && current.gate.gate_id === gateId) {
    return `\`defensible route\` follows this gate: it is active since ${current.in_force_since}, and nothing has changed.`;
  }
  const before = current
    ? `It replaces gate ${idOf(current)} (${modeText(current.gate.mode)}, ${current.gate.fleet.passing} passing)`
    : "It is the first";
  return `This gate is now active: \`defensible route\` follows it. ${before}.${noted(obstacles)}`;
}

/** After the kill switch. `before`: the closure that was already in place. */
export function closedText(before: Closure | null): string {
  return `Every gate is closed: \`defensible route\` automates nothing until \`defensible gate open\`.${before ? ` They were closed already, since ${closureText(before)}.` : ""}`;
}

export function openedText(before: Closure | null): string {
  return before
    ? `The gates are open again: \`defensible route\` follows the active gate. They had been closed since ${closureText(before)}.`
    : "The gates were not closed; nothing was changed.";
}

function closureText({ since, reason }: Closure): string {
  return `${printable(since, 40)} (${printable(reason)})`;
}

export function reinstatedText(community: string, before: { since: string; reason: string }): string {
  return `${printable(community, 60)} is no longer suspended (it was since ${printable(before.since, 40)}: ${printable(before.reason, 300)}). The active gate decides again whether it is automated, and the watch starts anew there.`;
}

/** A refusal in the terms of `defensible gate`. */
export function gateRefusal(why: GateRefusal): InputError {
  const [message, remedy] = refusalWords(why);
  return new InputError(why.code, message, remedy);
}

function refusalWords(why: GateRefusal): [message: string, remedy: string] {
  switch (why.code) {
    case "not_suspended":
      return [
        `gate reinstate: "${why.community}" is not suspended`,
        why.suspended.length === 0
          ? "No community is; `defensible gate history` shows what happened."
          : `Suspended are: ${why.suspended.slice(0, 20).join(", ")}.`,
      ];
    case "other_keys":
      return [
        `gate watch --by ${why.asked.join(",")}: the active gate is by ${why.inForce.join(",")}`,
        "Leave out --by, or activate a gate by these keys first (`defensible gate apply --by …`).",
      ];
    case "foreign_calibration":
      return [
        why.mismatches
          ? `calibration ${why.calibration_id} does not fit this run: ${why.mismatches.join("; ")}`
          : `calibration ${why.calibration_id} fits the weights of S, which is no probability`,
        "Calibrate on audits like these: `defensible calibrate --method auto`.",
      ];
    case "no_labels": {
      const flag = why.file === null ? "--judge-error" : `--labels ${why.file}`;
      return why.sample
        ? [
            `${flag}: ${labelNotes(why.sample).join("; ")}`,
            "`defensible humans sample` draws cases of this run to rate.",
          ]
        : [
            `${flag}: no verdict of these audits has a label of defensibility by a person`,
            `${FIRST_LABELS} Labels of your own (docs/formats.md, Label) are imported with \`defensible import labels.jsonl --as labels\` or named with --labels.`,
          ];
    }
    case "no_such_field":
      return [
        `--slices ${why.slice}: no decision has such a field`,
        "Name fields of the decisions as they were imported, with dots into objects: language,tags,kind,region,content.lang.",
      ];
    case "no_decisions":
      return [
        `--slices ${why.slice}: is a field of decisions, which an audits file does not have`,
        "With --audits the only slice is language; import the decisions into a workspace for others.",
      ];
    case "gate_span":
      return ["window and since: got both", "Give a rolling window or a fixed start, not both."];
    case "window_certified":
      return [
        "window: not with the proven gate (mode certified); a sliding window drops old evidence, and repeated looks at it pass 9 to 13% of failing communities in a year instead of 5%",
        "Use --since DATE, a fixed start from which evidence adds up, or --mode shrunk.",
      ];
    case "open_run":
      return [
        `run ${why.run}: not finished, so it cannot be joined with others`,
        "Repeat `defensible audit` to finish it.",
      ];
    case "small_run":
      return [
        `gate apply: ${smallRunText(why)}`,
        `Add --run ${why.fuller.run_id}, or --run ${why.run.run_id} to activate the gate of the selection.`,
      ];
    case "gate_since": {
      const future = why.problem === "in_the_future";
      const problem = future ? "in the future" : "not a time, or a day that the calendar does not have";
      return [`since: ${problem}; got "${why.since}"`, "Give a past date such as 2026-01-31."];
    }
  }
}

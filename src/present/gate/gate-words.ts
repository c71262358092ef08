import type { Applied, GateWords, Obstacle } from "../../app/gate/gate-words.js";
import type { GateSettings } from "../../measures/gate/gate-report.js";
import type { GateInForce } from "../../store/records/active-gate.js";
import { percent, plural, whole } from "../words/numbers.js";
import { watchNotes } from "./watch.js";

/** What a gate writes into its report and its history. `command`: what puts a what-if in force, as it is typed. */
export function gateWords(
  command: (reasons: readonly Obstacle[]) => string = () => "defensible gate --apply",
): GateWords {
  return {
    applied: (applied) => appliedText(applied, command),
    suspendedByOtherKeys: (names, { asked, before }) => [
      `gate --by ${asked.join(",")}: ${names.slice(0, 5).join(", ")} ${names.length === 1 ? "is" : "are"} suspended in a gate by ${before.join(",")}`,
      "Wait until they are certified again, or lift the suspension with `defensible gate --reinstate NAME --reason TEXT`.",
    ],
    unreadableGate: (problem) => `${problem}: a gate that comes into force replaces it; suspensions stay as they are.`,
    certifiedAgain: ({ n, indefensible }) =>
      `Certified again by ${n} decisions, all younger than the alarm: ${indefensible} indefensible.`,
    noLongerSuspended: (community, reason) => `${community} is no longer suspended. ${reason}`,
    alarm: ({ which, detector, statistic, threshold }, limit) => {
      const name = detector === "cusum" ? "CUSUM" : "e-detector";
      return `Alarm: more ${which} decisions than the limit of ${percent(limit)} allows (${name} ${statistic.toFixed(1)}, alarm at ${threshold.toFixed(1)}).`;
    },
    alarmRemedy: (which) => {
      const show = which === "indefensible" ? "defensible show --level 3" : "defensible report";
      const mend = which === "indefensible" ? "mend decider or rules" : "clarify the rule that leaves them open";
      return `See what is new with \`${show}\`, ${mend}, then audit new decisions.`;
    },
    reinstated: ({ n, indefensible, ambiguous }) =>
      `Certified again by ${n} decisions since the alarm: ${Math.round(indefensible)} indefensible, ${Math.round(ambiguous)} ambiguous.`,
    reset: ({ from, to }) => `version changed from ${from} to ${to}`,
    reviewAlarm: ({ bad, threads, log_statistic, log_threshold }, limit) =>
      `Alarm by reviews: reviewers found indefensible decisions in ${whole(bad)} of ${plural(threads, "reviewed thread")}, more than the limit of ${percent(limit)} allows among automated decisions (e-detector ${log_statistic.toFixed(1)}, alarm at ${log_threshold.toFixed(1)}).`,
    reviewRemedy: () =>
      "Calibrate on the new labels and make a new gate; then lift the suspension with `defensible gate --reinstate NAME --reason TEXT`.",
    reviewPromise: (limit, threads) =>
      `while the realised risk of every community is within ${percent(limit)}, at least ${whole(threads)} reviewed threads per community pass on average before the first false alarm in the fleet`,
    watchNotes,
  };
}

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
  window_days: "--window",
  since: "--since",
};

/** A few words, for a sentence with "because" or "although". */
function obstacleText(obstacle: Obstacle): string {
  switch (obstacle.code) {
    case "other_settings": {
      const flags = obstacle.settings.map((name) => SETTING_FLAGS[name]);
      const whose = obstacle.than === "gate_in_force" ? "those of the gate in force" : "the workspace's own";
      return `${flags.join(", ")} ${flags.length === 1 ? "is" : "are"} not ${whose}`;
    }
    case "mode_paper":
      return "mode paper promises nothing";
    case "calibration_named":
      return "--calibration chose the score";
    case "labels_named":
      return "--labels named another file";
    case "look_once":
      return "--look once takes no account of earlier looks";
    case "experiment":
      return `the run was made for experiment ${obstacle.kind}`;
    case "audited_otherwise":
      return `the run was audited with ${obstacle.setting} ${obstacle.value}, not ${obstacle.configured} as the workspace says`;
    case "not_newest":
      return `run ${obstacle.run} is not the newest`;
    case "not_finished":
      return "the run is not finished";
    case "selection":
      return "the run covers a selection of the decisions";
    case "run_damaged":
      return `run ${obstacle.run}, whose manifest cannot be read, may be newer`;
    case "newer_run":
      return `run ${obstacle.run} has come meanwhile`;
    case "applied":
      return `gate ${idOf(obstacle.gate)} was put in force with --apply and stands until another --apply`;
    case "other_keys":
      return "communities are suspended in a gate by other keys";
    case "check":
      return "--check changes nothing";
  }
}

function appliedText(applied: Applied, command: (reasons: readonly Obstacle[]) => string): string {
  const { current } = applied;
  switch (applied.status) {
    case "in_force":
      return inForceText(applied);
    case "watched":
      return `A watch replaces no gate: it suspends and reinstates in the gate in force, and ${following(current)}.`;
    case "what_if":
      return `This is a what-if, because ${applied.reasons.map(obstacleText).join(" and ")}; ${following(current)}. \`${command(applied.reasons)}\` puts it in force.`;
    case "not_recorded":
      return applied.problem === null
        ? `Dry run: nothing was recorded; ${following(current)}.`
        : `Nothing was recorded (${applied.problem}), so this look does not count and ${following(current)}.`;
  }
}

function idOf(current: GateInForce): string {
  return current.gate.gate_id ?? "without an id";
}

function following(current: GateInForce | null): string {
  if (!current) return "no gate is in force";
  return `\`defensible route\` keeps following gate ${idOf(current)} (mode ${current.gate.mode}, since ${current.in_force_since})`;
}

function inForceText({ gateId, current, obstacles, apply }: Extract<Applied, { status: "in_force" }>): string {
  if (current && current.gate.gate_id === gateId) {
    return `\`defensible route\` follows this gate: it is in force since ${current.in_force_since}${(apply ? obstacles.length > 0 : current.applied) ? " by --apply" : ""}, and nothing has changed.`;
  }
  const although = obstacles.length > 0 ? `, although ${obstacles.map(obstacleText).join(" and ")}` : "";
  const stands = apply && obstacles.length > 0 ? " Only another --apply replaces it." : "";
  const before = current
    ? `before it was gate ${idOf(current)} in mode ${current.gate.mode}, with ${current.gate.fleet.passing} passing`
    : "it is the first";
  return `This gate is now in force for \`defensible route\`${apply && obstacles.length > 0 ? " by --apply" : ""}${although}; ${before}.${stands}`;
}

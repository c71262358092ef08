import { auditFormat } from "../../app/find-audits.js";
import type { GateChoices } from "../../app/gate/gate-settings.js";
import { applyGate, type EvaluateRequest, evaluateGate, gateOfFile, watchGate } from "../../app/gate/gate-use-cases.js";
import {
  actingGate,
  closeEveryGate,
  gateHistory,
  openEveryGate,
  reinstateCommunity,
} from "../../app/gate/kill-switch.js";
import { worded } from "../../app/notices.js";
import { writeFileAtomic } from "../../io/files.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { junitXml } from "../../present/document/render.js";
import { checkError, checkGate, checkLines, gateCases, parseRequirement } from "../../present/gate/gate-check.js";
import { gateDocument } from "../../present/gate/gate-document.js";
import { closedText, gateRefusal, gateWords, openedText, reinstatedText } from "../../present/gate/gate-words.js";
import { historyDocument } from "../../present/gate/history.js";
import { fileGate } from "../../store/files/stores.js";
import type { GateStore } from "../../store/ports.js";
import { sealed } from "../../store/records/suspensions.js";
import { printable } from "../../text/printable.js";
import { labelsFile } from "../calibrate/request.js";
import { workspaceFolder } from "../options.js";
import { outputWidth, print, printJson, say } from "../output.js";
import { printPage } from "../page.js";
import { personOf } from "../person.js";
import { saySmallRun, storesOf } from "../serve/stores.js";
import { checkFlags } from "./flags.js";
import type { GateFlags } from "./options.js";

export async function gateAction(flags: GateFlags): Promise<void> {
  checkFlags(flags);
  for (const requirement of flags.require ?? []) parseRequirement(requirement);
  await worded(gateRefusal, () => act(flags));
}

async function act(flags: GateFlags): Promise<void> {
  const { audits, run: runs, dryRun = false } = flags;
  const who = { actor: personOf(flags), reason: flags.reason?.trim() };
  if (audits) {
    const source = { path: audits, format: auditFormat(audits), own: false };
    return finish(await gateOfFile(source, flags.actions, requestOf(flags)), flags);
  }
  // The kill switch needs only the folder: an error in the settings must not prevent it.
  if (flags.close !== undefined && flags.database === undefined)
    return close(actingGate(fileGate(await workspaceFolder(flags)), who), flags.close, flags);
  const stores = await storesOf(flags);
  const context = { ...stores, gate: actingGate(stores.gate, who) };
  if (flags.close !== undefined) return close(context.gate, flags.close, flags);
  if (flags.open) return open(context.gate, flags);
  if (flags.reinstate !== undefined) return reinstate(context.gate, flags.reinstate, flags);
  if (flags.history) return history(context.gate, flags);
  const request = { ...requestOf(flags), runs, dryRun };
  if (flags.apply || flags.watch) return finish(await (flags.apply ? applyGate : watchGate)(context, request), flags);
  const report = await evaluateGate(context, request);
  if (!runs && !report.span) await saySmallRun(context, report.run.run_id!);
  finish(report, flags);
}

async function close(gate: GateStore, reason: string, flags: GateFlags): Promise<void> {
  const now = { since: new Date().toISOString(), reason: reason.trim() };
  const { closed, before, problem } = await closeEveryGate(gate, now);
  if (problem !== null) say(`The history does not have it: ${printable(problem, 300)}.`);
  if (!printJson({ closed, before }, flags)) print(closedText(before));
}

async function open(gate: GateStore, flags: GateFlags): Promise<void> {
  const { closed, before } = await openEveryGate(gate, new Date().toISOString());
  if (!printJson({ closed, before }, flags)) print(openedText(before));
}

async function reinstate(gate: GateStore, community: string, flags: GateFlags): Promise<void> {
  const [at, reason] = [new Date().toISOString(), flags.reason!.trim()];
  const before = await reinstateCommunity(gate, { community, at, reason });
  if (!printJson({ reinstated: community, at, reason, before }, flags)) print(reinstatedText(community, before));
}

async function history(store: GateStore, flags: GateFlags): Promise<void> {
  const { closed, events, gate } = await gateHistory(store);
  const taken = printJson({ format: 1, closed, events }, flags);
  const size = { rows: flags.rows ?? 15, width: outputWidth() };
  printPage(() => historyDocument(events, { closed, gate }, size), flags, taken);
}

function requestOf(flags: GateFlags): EvaluateRequest {
  const { look, holdout, seed, calibration, slices = [], watch = false } = flags;
  return {
    choices: flags,
    look,
    labels: labelsFile(flags) ?? undefined,
    holdout: holdout === undefined ? null : { share: holdout === true ? 0.5 : holdout, seed },
    slices,
    calibration,
    watch,
    now: new Date().toISOString(),
    words: gateWords((run) => applyingCommand(flags, run)),
  };
}

/** Flags that determine a gate. The type requires every choice, so that a new one cannot be missing from the suggested `apply` command. */
const COMPUTED_FROM: Record<keyof GateChoices | "run" | "look" | "calibration" | "labels", true> = {
  run: true,
  window: true,
  since: true,
  mode: true,
  di: true,
  ai: true,
  min: true,
  variable: true,
  by: true,
  adjust: true,
  look: true,
  delta: true,
  threadCap: true,
  q: true,
  risk: true,
  harm: true,
  calibration: true,
  labels: true,
  judgeError: true,
};

/** The command that activates this gate, with the same flags. */
function applyingCommand(flags: GateFlags, run?: string): string {
  const chosen = Object.keys(COMPUTED_FROM).flatMap((name) => {
    const value: unknown = name === "run" ? (run ?? flags.run) : flags[name as keyof GateFlags];
    if (value === undefined || value === false) return [];
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [flag] : [flag, printable(String(value), 200)];
  });
  return ["defensible gate apply", ...chosen].join(" ");
}

/** Prints the gate, then the result of the checks. */
function finish(report: GateReport, flags: GateFlags): void {
  const checked = flags.check || flags.junit ? checkGate(report, flags.require ?? ["all"]) : null;
  const result = checked ? { ...report, checks: checked } : report;
  const taken = printJson(flags.json || flags.jsonFile ? sealed(result) : result, flags);
  printPage((size) => gateDocument(report, flags.judgeError ? { ...size, verbose: true } : size), flags, taken);
  if (checked && flags.junit) {
    writeFileAtomic(flags.junit, junitXml("defensible gate", gateCases(report, checked)));
    say(`Wrote ${printable(flags.junit)}`);
  }
  if (!checked || !flags.check) return;
  for (const line of checkLines(checked)) say(line);
  const failed = checkError(checked);
  if (failed) throw failed;
}

import { auditFormat } from "../../app/audit/audit-format.js";
import { type Checked, checkGate, gateCases, parseRequirement } from "../../app/gate/gate-check.js";
import { fileGate, type GateRequest, runGate } from "../../app/gate/gate-run.js";
import { chooseRun } from "../../app/gate/gate-runs.js";
import { gateSettings, settingsInForce } from "../../app/gate/gate-settings.js";
import { realisedRisk } from "../../app/outcomes/realised-risk.js";
import { watchReviews } from "../../app/outcomes/watch-reviews.js";
import { CheckFailedError, InputError } from "../../core/errors.js";
import { writeFileAtomic } from "../../io/files.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { junitXml } from "../../present/document/junit.js";
import { gateDocument } from "../../present/gate/gate-document.js";
import { plural } from "../../present/words/numbers.js";
import { damagedSince, ordinaryRuns, refuseDamaged } from "../../store/choose-run.js";
import { readGateInForce } from "../../store/files/gate-store.js";
import { readClosure } from "../../store/files/gate-switch.js";
import { fileContext, fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { AuditSource } from "../../store/ports.js";
import { sealed } from "../../store/records/active-gate.js";
import { printable } from "../../text/printable.js";
import type { GateFlags } from "../commands/gate.js";
import { workspaceFolder, workspaceOf } from "../options.js";
import { printJson, say } from "../output.js";
import { printPage } from "../page.js";
import { close, history, open, reinstate } from "./acts.js";
import { applyGate } from "./apply.js";
import { checkFlags } from "./flags.js";
import { departures } from "./settings.js";
import { type WatchOutcome, watchFile, watchWorkspace } from "./watch.js";

export async function gateAction(flags: GateFlags): Promise<void> {
  checkFlags(flags);
  for (const requirement of flags.require ?? []) parseRequirement(requirement);
  if (flags.audits) return finish(await gateOfFile(flags.audits, flags), flags);
  // The kill switch needs the folder alone: a mistake in the settings must not keep it open.
  if (flags.close !== undefined) return close(await workspaceFolder(flags), flags.close, flags);
  const workspace = await workspaceOf(flags);
  if (flags.open) return open(workspace, flags);
  if (flags.reinstate !== undefined) return reinstate(workspace, flags.reinstate, flags);
  if (flags.history) return history(workspace, flags);
  return finish(await gateOfWorkspace(workspace, flags), flags);
}

async function gateOfFile(path: string, flags: GateFlags): Promise<GateReport> {
  const source: AuditSource = { path, format: auditFormat(path), own: false };
  const request = requestOf(flags, gateSettings(flags), 1);
  const report = await fileGate(source, flags.actions, request);
  if (flags.watch) {
    report.watch = (await watchFile(source, flags.actions, report, request.settings)).report;
    for (const event of report.watch.events) {
      const found = report.communities.find((one) => one.community === event.community);
      if (!found || event.type === "reset" || event.type === "above") continue;
      found.suspended = event.type === "suspended" ? { since: event.at ?? request.now, reason: event.text } : null;
    }
  }
  return report;
}

async function gateOfWorkspace(workspace: Workspace, flags: GateFlags): Promise<GateReport> {
  const ledger = fileStores(workspace).runs;
  for (const run of flags.run ?? []) await ledger.manifest(run);
  // A watch guards the gate in force, so it keeps to that gate's limits and to audits like those it rests on.
  const guarded = flags.watch ? (readGateInForce(workspace)?.gate ?? null) : null;
  if (guarded) refuseOtherKeys(flags, guarded.by ?? ["community"]);
  const runs = await ledger.list();
  if (runs.every((run) => run.experiment)) await refuseDamaged(ledger);
  const { manifest, obstacles: ofRun } = chooseRun(runs, workspace.config, guarded, flags.run?.at(-1));
  // The gate of an older run must not come into force as that of the newest.
  if (!flags.run) await refuseDamaged(ledger, manifest);
  for (const run of await damagedSince(ledger, manifest)) {
    ofRun.push(`run ${run}, whose manifest cannot be read, may be newer`);
  }
  const base = guarded ? settingsInForce(guarded) : workspace.config.gate;
  const request = requestOf(flags, gateSettings(flags, base), workspace.config.seed);
  const { settings, now } = request;
  const { report, first, lookedBefore } = await runGate(workspace, manifest, request);
  report.closed = readClosure(workspace);
  report.realised_risk = await realisedRisk(fileContext(workspace, () => new Date(now)));
  const other = departures(settings, base);
  const whose = guarded ? "those of the gate in force" : "the workspace's own";
  const obstacles = [
    ...(other.length > 0 ? [`${other.join(", ")} ${other.length === 1 ? "is" : "are"} not ${whose}`] : []),
    ...(other.includes("--mode") && settings.mode === "paper" ? ["mode paper promises nothing"] : []),
    ...(flags.calibration ? ["--calibration chose the score"] : []),
    ...(flags.labels ? ["--labels named another file"] : []),
    ...(flags.look === "once" && lookedBefore ? ["--look once takes no account of earlier looks"] : []),
    ...ofRun,
  ];
  await applyGate(workspace, report, {
    settings,
    obstacles,
    late: async () => {
      const [newest] = await ordinaryRuns(ledger);
      const newer = !flags.run && !guarded && newest?.status === "sealed" && newest.created_at > manifest.created_at;
      return newer ? [`run ${newest.run_id} has come meanwhile`] : [];
    },
    otherLimits: guarded !== null && other.length > 0,
    command: applyingCommand(flags, other),
    apply: flags.apply ?? false,
    check: flags.check ?? false,
    dryRun: flags.dryRun ?? false,
    now,
    first,
    watch: flags.watch
      ? async () => withReviews(await watchWorkspace(workspace, ledger, report, settings, flags.run), workspace, now)
      : null,
  });
  return report;
}

/** The command that puts this gate in force: the same flags and --apply. */
function applyingCommand(flags: GateFlags, departures: readonly string[]): string {
  const values: Record<string, unknown> = { ...flags, "judge-error": flags.judgeError };
  const chosen = [...departures, "--run", "--calibration", "--labels", "--look"].flatMap((flag) => {
    const value = values[flag.slice(2)];
    if (value === undefined || value === false) return [];
    return value === true ? [flag] : [flag, printable(String(value), 200)];
  });
  return ["defensible gate", ...chosen, "--apply"].join(" ");
}

/** The watch of verdicts with that of random reviews. What reviewers closed, verdicts of the auditor do not open. */
async function withReviews(watched: WatchOutcome, workspace: Workspace, now: string): Promise<WatchOutcome> {
  const gate = readGateInForce(workspace)?.gate;
  const found = gate
    ? await watchReviews(
        fileContext(workspace, () => new Date(now)),
        gate,
      )
    : null;
  const closed = new Set([
    ...(gate?.communities ?? []).filter((one) => one.suspended?.by === "reviews").map((one) => one.community),
    ...(found?.events ?? []).map(({ community }) => community),
  ]);
  const own = watched.report.events.filter((event) => event.type === "reset" || !closed.has(event.community));
  const events = [...own, ...(found?.events ?? [])];
  return { ...watched, report: { ...watched.report, events, reviews: found?.watch ?? null } };
}

/** Alarms about other cohorts than those of the gate in force could suspend nothing. */
function refuseOtherKeys(flags: GateFlags, by: readonly string[]): void {
  if (!flags.by || flags.by.join() === by.join()) return;
  throw new InputError(
    "other_keys",
    `--watch --by ${flags.by.join(",")}: the gate in force is by ${by.join(",")}`,
    "Leave out --by, or put a gate by these keys in force first (`defensible gate --by … --apply`).",
  );
}

function requestOf(flags: GateFlags, settings: GateRequest["settings"], seed: number): GateRequest {
  const { look, labels, holdout, calibration } = flags;
  return {
    settings,
    look,
    labels,
    holdout: holdout === undefined ? null : { share: holdout === true ? 0.5 : holdout, seed: flags.seed ?? seed },
    slices: flags.slices ?? [],
    calibration,
    watch: flags.watch ?? false,
    now: new Date().toISOString(),
  };
}

/** Prints the gate, then what was asked to hold. */
function finish(report: GateReport, flags: GateFlags): void {
  const checked = flags.check || flags.junit ? checkGate(report, flags.require ?? ["all"]) : null;
  const result = checked ? { ...report, checks: checked } : report;
  const taken = printJson(flags.json || flags.jsonFile ? sealed(result) : result, flags);
  printPage(() => gateDocument(report, { rows: flags.rows }), flags, taken);
  if (checked && flags.junit) {
    writeFileAtomic(flags.junit, junitXml("defensible gate", gateCases(report, checked)));
    say(`Wrote ${printable(flags.junit)}`);
  }
  if (checked && flags.check) tellChecks(checked);
}

function tellChecks(checked: readonly Checked[]): void {
  const failures = checked.flatMap(({ requirement, failures: list }) =>
    list.map((failure) => `${requirement}: ${failure}`),
  );
  for (const failure of failures) say(`does not hold: ${printable(failure, 300)}`);
  if (failures.length === 0) {
    say(`All that was required holds: ${printable(checked.map((one) => one.requirement).join(", "), 300)}.`);
    return;
  }
  throw new CheckFailedError(
    "gate_check",
    `gate: ${plural(failures.length, "thing")} that ${failures.length === 1 ? "was" : "were"} required ${failures.length === 1 ? "does" : "do"} not hold`,
    "The list above says what; docs/gate.md says what each requirement asks for.",
  );
}

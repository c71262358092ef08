import { CheckFailedError, InputError } from "../errors.js";
import { FileLedger } from "../ledger/file-ledger.js";
import { writeFileAtomic } from "../ledger/files.js";
import type { AuditSource } from "../ledger/ledger.js";
import { type Checked, checkGate, gateCases, parseRequirement } from "../reports/gate-check.js";
import { gateDocument } from "../reports/gate-document.js";
import type { GateReport } from "../reports/gate-report.js";
import { junitXml } from "../reports/junit.js";
import { plural } from "../reports/numbers.js";
import { printable } from "../reports/printable.js";
import { closeGates, type GateEvent, openGates, readClosure, readGateHistory } from "../workspace/gate-store.js";
import type { Workspace } from "../workspace/workspace.js";
import { auditFormat } from "./audit-format.js";
import { checkFlags, type GateFlags } from "./commands/gate.js";
import { applyGate } from "./gate-apply.js";
import { historyDocument } from "./gate-history.js";
import { fileGate, type GateRequest, runGate } from "./gate-run.js";
import { departures, gateSettings } from "./gate-settings.js";
import { watchFile, watchWorkspace } from "./gate-watch.js";
import { workspaceOf } from "./options.js";
import { print, printJson, say } from "./output.js";
import { printPage } from "./page.js";

export async function gateAction(flags: GateFlags): Promise<void> {
  checkFlags(flags);
  for (const requirement of flags.require ?? []) parseRequirement(requirement);
  if (flags.audits) return finish(await gateOfFile(flags.audits, flags), flags);
  const workspace = await workspaceOf(flags);
  if (flags.close !== undefined) return close(workspace, flags.close, flags);
  if (flags.open) return open(workspace, flags);
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
  const config = workspace.config.gate;
  const ledger = new FileLedger(workspace.paths.runs);
  const newest = (await ledger.list())[0];
  if (!newest) throw new InputError("no_runs", "runs: the workspace has none", "Run `defensible audit` first.");
  const named = flags.run?.at(-1);
  const manifest = named ? await ledger.manifest(named) : newest;
  for (const run of flags.run ?? []) await ledger.manifest(run);
  const request = requestOf(flags, gateSettings(flags, config), workspace.config.seed);
  const { settings, now } = request;
  const { report, first, lookedBefore } = await runGate(workspace, manifest, request);
  report.closed = readClosure(workspace);
  const other = departures(settings, config);
  const obstacles = [
    ...(other.length > 0 ? [`${other.join(", ")} ${other.length === 1 ? "is" : "are"} not the workspace's own`] : []),
    ...(flags.calibration ? ["--calibration chose the score"] : []),
    ...(flags.labels ? ["--labels named another file"] : []),
    ...(flags.look === "once" && lookedBefore ? ["--look once takes no account of earlier looks"] : []),
    ...(manifest.run_id === newest.run_id ? [] : [`run ${manifest.run_id} is not the newest`]),
    ...(manifest.status === "sealed" ? [] : ["the run is not finished"]),
  ];
  await applyGate(workspace, report, {
    settings,
    obstacles,
    apply: flags.apply ?? false,
    dryRun: flags.dryRun ?? false,
    now,
    first,
    watch: flags.watch ? () => watchWorkspace(workspace, ledger, report, settings, flags.run) : null,
  });
  return report;
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
  const taken = printJson(checked ? { ...report, checks: checked } : report, flags);
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

async function close(workspace: Workspace, reason: string, flags: GateFlags): Promise<void> {
  const before = readClosure(workspace);
  const closure = { since: new Date().toISOString(), reason: reason.trim() };
  await closeGates(workspace, closure);
  if (printJson({ closed: closure, before }, flags)) return;
  print(
    `Every gate is closed: \`defensible route\` automates nothing until \`defensible gate --open\`.${before ? ` (They were closed already, since ${printable(before.since, 40)}: ${printable(before.reason)}.)` : ""}`,
  );
}

async function open(workspace: Workspace, flags: GateFlags): Promise<void> {
  const before = readClosure(workspace);
  if (before) await openGates(workspace, new Date().toISOString());
  if (printJson({ closed: null, before }, flags)) return;
  print(
    before
      ? `The gates may open again: \`defensible route\` follows the gate in force. They were closed since ${printable(before.since, 40)}: ${printable(before.reason)}.`
      : "The gates were not closed; nothing was changed.",
  );
}

async function history(workspace: Workspace, flags: GateFlags): Promise<void> {
  const events: GateEvent[] = [];
  for await (const event of readGateHistory(workspace)) events.push(event);
  const closed = readClosure(workspace);
  const taken = printJson({ format: 1, closed, events }, flags);
  printPage(() => historyDocument(events, closed, flags.rows), flags, taken);
}

import { auditFormat } from "../../app/audit/audit-format.js";
import { type EvaluateRequest, gateOfFile, gateOfWorkspace } from "../../app/gate/workspace-gate.js";
import { CheckFailedError, InputError } from "../../core/errors.js";
import { writeFileAtomic } from "../../io/files.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { junitXml } from "../../present/document/junit.js";
import { type Checked, checkGate, gateCases, parseRequirement } from "../../present/gate/gate-check.js";
import { gateDocument } from "../../present/gate/gate-document.js";
import { gateWords } from "../../present/gate/gate-words.js";
import { plural } from "../../present/words/numbers.js";
import { fileContext, fileGate } from "../../store/files/stores.js";
import { sealed } from "../../store/records/active-gate.js";
import { printable } from "../../text/printable.js";
import { labelsFile } from "../calibrate/request.js";
import type { GateFlags } from "../commands/gate.js";
import { workspaceFolder, workspaceOf } from "../options.js";
import { printJson, say } from "../output.js";
import { printPage } from "../page.js";
import { close, history, open, reinstate } from "./acts.js";
import { checkFlags } from "./flags.js";

export async function gateAction(flags: GateFlags): Promise<void> {
  checkFlags(flags);
  for (const requirement of flags.require ?? []) parseRequirement(requirement);
  const { audits, run: runs, apply = false, check = false, dryRun = false } = flags;
  if (audits) {
    const source = { path: audits, format: auditFormat(audits), own: false };
    return finish(await gateOfFile(source, flags.actions, requestOf(flags)), flags);
  }
  // The kill switch needs the folder alone: a mistake in the settings must not keep it open.
  if (flags.close !== undefined) return close(fileGate(await workspaceFolder(flags)), flags.close, flags);
  const context = fileContext(await workspaceOf(flags));
  const { gate } = context;
  if (flags.open) return open(gate, flags);
  if (flags.reinstate !== undefined) return reinstate(gate, flags.reinstate, flags);
  if (flags.history) return history(gate, flags);
  const guarded = flags.watch ? (await gate.active())?.gate : undefined;
  if (guarded) refuseOtherKeys(flags, guarded.by ?? ["community"]);
  return finish(await gateOfWorkspace(context, { ...requestOf(flags), runs, apply, check, dryRun }), flags);
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
    words: gateWords(() => applyingCommand(flags)),
  };
}

/** Flags that a gate is computed from. */
const COMPUTED_FROM = [
  "run",
  "window",
  "since",
  "mode",
  "di",
  "ai",
  "min",
  "variable",
  "by",
  "adjust",
  "look",
  "delta",
  "threadCap",
  "q",
  "risk",
  "calibration",
  "labels",
  "judgeError",
] as const satisfies readonly (keyof GateFlags)[];

/** The command that puts this gate in force: the same flags and --apply. */
function applyingCommand(flags: GateFlags): string {
  const chosen = COMPUTED_FROM.flatMap((name) => {
    const value: unknown = flags[name];
    if (value === undefined || value === false) return [];
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [flag] : [flag, printable(String(value), 200)];
  });
  return ["defensible gate", ...chosen, "--apply"].join(" ");
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

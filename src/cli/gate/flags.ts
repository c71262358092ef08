import { InvalidArgumentError } from "commander";
import { inOrder } from "../../app/gate/gate-settings.js";
import { InputError } from "../../core/errors.js";
import { GATE_KEYS, type GateKey } from "../../core/gate.js";
import { parseShare } from "../../core/text-checks.js";
import type { GateFlags } from "./options.js";

/** Flags of every subcommand: where to read from and how to print. */
const EVERYWHERE = ["workspace", "database", "json", "jsonFile", "md", "mdFile", "rows", "audits"];

/** Checks which flags require or exclude each other. */
export function checkFlags(flags: GateFlags): void {
  checkAlone(flags);
  if (flags.close !== undefined && flags.close.trim() === "") {
    wrong("no_reason", "gate close: the reason is empty", 'Say why: `gate close "wrong rules went live"`.');
  }
  if (flags.reinstate !== undefined && !flags.reason?.trim()) {
    const remedy = 'Say why: `gate reinstate boats --reason "the alarm was about a test run"`. The history keeps it.';
    wrong("no_reason", "gate reinstate: there is no --reason", remedy);
  }
  if (flags.reason !== undefined && flags.reinstate === undefined && !flags.apply && !flags.open) {
    wrong(
      "needs_reinstate",
      "--reason: requires `gate reinstate`, `gate apply` or `gate open`",
      "Name the community: `gate reinstate boats --reason …`.",
    );
  }
  conflict(flags.apply && flags.dryRun, "--apply and --dry-run", "Give one of them.");
  conflict(
    flags.apply && flags.watch,
    "--apply and --watch",
    "A watch never replaces the active gate: apply first, then watch.",
  );
  conflict(
    flags.apply && flags.check,
    "--apply and --check",
    "A check never changes the active gate: check first, then apply.",
  );
  if (flags.require && !flags.check && !flags.junit) {
    wrong("needs_check", "--require: requires `gate check`", "Write `defensible gate check --require …`.");
  }
  if (flags.audits) checkFileFlags(flags);
  else checkRunFlags(flags);
}

function checkRunFlags(flags: GateFlags): void {
  if (flags.actions) wrong("needs_audits", "--actions: requires --audits", "A run knows its own actions.");
  if ((flags.run?.length ?? 0) > 1 && !flags.watch) {
    wrong("several_runs", "--run: got several", "A gate is computed from one run; several need --watch.");
  }
}

/** Switches, reinstatement and history compute no gate, so a flag for computing one, above all --dry-run, would only seem to take effect. */
function checkAlone(flags: GateFlags): void {
  const alone = (["close", "open", "reinstate", "history"] as const).filter(
    (name) => flags[name] !== undefined && flags[name] !== false,
  );
  if (alone.length > 1) conflict(true, alone.map((name) => `--${name}`).join(" and "), "Give one of them.");
  const [name] = alone;
  if (name === undefined) return;
  const allowed = new Set<string>([
    ...EVERYWHERE,
    name,
    "person",
    ...(name === "reinstate" || name === "open" ? ["reason"] : []),
  ]);
  const other = Object.entries(flags).find(
    ([key, value]) => value !== undefined && value !== false && !allowed.has(key),
  );
  if (!other) return;
  const flag = `--${other[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  conflict(true, `--${name} and ${flag}`, `Leave out ${flag}: --${name} is done at once, or not at all.`);
}

function checkFileFlags(flags: GateFlags): void {
  const workspaceFlags: [unknown, string][] = [
    [flags.run, "--run"],
    [flags.window, "--window"],
    [flags.harm, "--harm"],
    [flags.since, "--since"],
    [flags.calibration, "--calibration"],
    [flags.apply, "--apply"],
    [flags.history, "--history"],
    [flags.close, "--close"],
    [flags.open, "--open"],
    [flags.reinstate, "--reinstate"],
  ];
  for (const [given, name] of workspaceFlags) {
    if (given !== undefined) {
      wrong("needs_workspace", `${name}: needs a workspace; got --audits`, `Leave out ${name}, or --audits.`);
    }
  }
}

function conflict(both: unknown, what: string, remedy: string): void {
  if (both) wrong("flags_conflict", `${what}: got both`, remedy);
}

function wrong(code: string, message: string, remedy: string): never {
  throw new InputError(code, message, remedy);
}

/** A limit or an error rate. 0 and 1 are refused, because they leave nothing to decide. */
export function rate(text: string): number {
  const value = parseShare(text);
  if (!(value > 0 && value < 1)) {
    throw new InvalidArgumentError("expected a share above 0 and below 1, such as 0.05 or 5%.");
  }
  return value;
}

export function positive(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value > 0 && value < Infinity)) throw new InvalidArgumentError("expected a number above 0, such as 0.2.");
  return value;
}

/** A number of days, such as `30d`. */
export function days(text: string): number {
  const found = /^(\d{1,4})d?$/.exec(text.trim());
  const value = found ? Number(found[1]) : 0;
  if (value < 1 || value > 3660) throw new InvalidArgumentError("expected a number of days, such as 30d.");
  return value;
}

export function sliceNames(text: string): string[] {
  const names = [...new Set(text.split(",").map((name) => name.trim()))];
  if (names.some((name) => !/^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/u.test(name))) {
    throw new InvalidArgumentError("expected names of fields: language,tags,kind,region.");
  }
  return names;
}

/** Keys such as `community,decision`. */
export function gateKeys(text: string): GateKey[] {
  const keys = text.split(",").map((part) => part.trim());
  const unknown = keys.filter((key) => !(GATE_KEYS as readonly string[]).includes(key));
  if (unknown.length > 0 || new Set(keys).size < keys.length) {
    throw new InvalidArgumentError(`expected one or more of ${GATE_KEYS.join(", ")}, each once.`);
  }
  return inOrder(keys);
}

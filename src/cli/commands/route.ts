import { closeSync, createReadStream, openSync, statSync, writeSync } from "node:fs";
import { Readable } from "node:stream";
import { Command, Option } from "commander";
import { GATE_MODES, type GateMode } from "../../domain/gate.js";
import { DefensibleError, InputError } from "../../errors.js";
import { FileLedger } from "../../ledger/file-ledger.js";
import { fileError } from "../../ledger/files.js";
import { printable } from "../../reports/printable.js";
import { gatePaths } from "../../workspace/gate-store.js";
import { RouteLog } from "../../workspace/route-log.js";
import type { Workspace } from "../../workspace/workspace.js";
import { auditFormat } from "../audit-format.js";
import { EXIT } from "../exit-code.js";
import { type CommonOptions, examples, number, withCommonOptions, workspaceOf } from "../options.js";
import { say } from "../output.js";
import { type AuditLookup, openAuditLookup } from "../route-audits.js";
import { inputLines } from "../route-lines.js";
import { LiveState } from "../route-live.js";
import { routeLines } from "../route-stream.js";
import { RouteSummary } from "../route-summary.js";

interface RouteOptions extends CommonOptions {
  decision?: string;
  audits?: string;
  run?: string;
  gate?: string;
  calibration?: string;
  mode?: GateMode;
  reviewShare?: number;
  shadow?: boolean;
  force?: boolean;
  log?: string;
}

export function routeCommand(): Command {
  return withCommonOptions(new Command("route"))
    .description("decide which decisions may be automated and which go to a person, by the gate in force")
    .argument("[file]", "decisions, JSONL, each with its audit under `audit` (default, or `-`: standard input)")
    .option("--decision <json>", "one decision as JSON, instead of a file")
    .option("--audits <file>", "find the audits by decision id in this file (JSONL, CSV or Parquet)")
    .option("--run <id>", "find the audits by decision id in a run of the workspace")
    .option("--gate <file>", "follow the gate in this file instead of the one in force")
    .option("--calibration <id>", "score with this calibration (default: the one the gate's threshold was set on)")
    .addOption(new Option("--mode <mode>", "what a community must pass (default: the gate's mode)").choices(GATE_MODES))
    .option(
      "--review-share <x>",
      "share of what could be automated that goes to review at random (default: the gate's, else 0.02)",
      number(0, 1),
    )
    .option("--shadow", "route without effect: everything goes to review, `would_route` says what would have happened")
    .option("--force", "let a score count that does not rest on a calibration for such audits; the route says so")
    .option("--log <file>", "where each routing is logged (default: gate/routes.jsonl in the workspace)")
    .addHelpText(
      "after",
      `
Prints one JSON line a decision, in the order of the input: where it goes, why, and the versions that applied.
Whatever is unknown, missing or malformed goes to review. docs/route.md explains every reason.
${examples(
  "defensible route decisions.jsonl --run 20261115T044530Z-2121 --shadow",
  "defensible route audited.jsonl > routes.jsonl",
  "my-stream | defensible route | my-queue",
  `defensible route --run ID --decision '{"id":"d1","community":"plants","content":"…","decision":"remove"}'`,
)}`,
    )
    .action(route);
}

async function route(file: string | undefined, options: RouteOptions): Promise<void> {
  refuseContradictions(file, options);
  const workspace = await workspaceOf(options);
  const shadow = options.shadow === true;
  const live = new LiveState(workspace, {
    ...options,
    shadow,
    force: options.force === true,
    say: (message) => say(printable(message, 1000)),
  });
  // Everything that can be wrong is found before the first answer.
  live.current();
  const lookup = await lookupOf(workspace, options);
  const input = inputOf(file, options);
  const output = outputOf(options);
  const log = new RouteLog(options.log ?? gatePaths(workspace).routes);
  const summary = new RouteSummary();
  const stop = new AbortController();
  const onSignal = () => {
    stop.abort();
    input.destroy();
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    await routeLines(inputLines(input), { live, log, lookup, write: output.write, summary, signal: stop.signal });
  } catch (cause) {
    // A stream that was left in the middle says so; that was the wish.
    if (!stop.signal.aborted || cause instanceof DefensibleError) throw cause;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    output.close();
    lookup?.close();
    await log.close();
  }
  say(summary.text(shadow));
  hint(summary, options);
  say(`Logged in ${printable(log.path)}.`);
  if (stop.signal.aborted) {
    say("Interrupted: what was answered is logged, the rest was not read.");
    process.exitCode = EXIT.interrupted;
  }
}

function refuseContradictions(file: string | undefined, options: RouteOptions): void {
  if (file !== undefined && options.decision !== undefined) {
    throw new InputError("two_inputs", "route: got a file and --decision, expected one of them", "Leave out one.");
  }
  if (options.audits !== undefined && options.run !== undefined) {
    throw new InputError("two_audits", "route: got --audits and --run, expected one of them", "Leave out one.");
  }
}

async function lookupOf(workspace: Workspace, options: RouteOptions): Promise<AuditLookup | null> {
  if (options.audits !== undefined) {
    return openAuditLookup({ path: options.audits, format: auditFormat(options.audits), own: false });
  }
  if (options.run === undefined) return null;
  const ledger = new FileLedger(workspace.paths.runs);
  const { run_id } = await ledger.manifest(options.run);
  return openAuditLookup(ledger.source(run_id));
}

/** With looking up, a batch is a query: large ones are worth it. */
const CHUNK_BYTES = 1 << 18;
const LOOKUP_CHUNK_BYTES = 1 << 20;

function inputOf(file: string | undefined, options: RouteOptions): Readable {
  if (options.decision !== undefined) {
    // JSON may be spread over lines; inside its texts there are none.
    return Readable.from([Buffer.from(options.decision.replace(/[\r\n]+/g, " "))]);
  }
  if (file === undefined || file === "-") {
    if (process.stdin.isTTY) say("Reading decisions from the keyboard, one JSON object a line; Ctrl-D ends.");
    return process.stdin;
  }
  try {
    const highWaterMark = options.audits || options.run ? LOOKUP_CHUNK_BYTES : CHUNK_BYTES;
    if (statSync(file).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return createReadStream(file, { fd: openSync(file, "r"), highWaterMark });
  } catch (cause) {
    throw fileError(cause, file);
  }
}

interface Output {
  write: (lines: string) => Promise<void> | void;
  close: () => void;
}

/** Answers go to standard output, or with `--json=FILE` into a file. */
function outputOf({ jsonFile }: RouteOptions): Output {
  if (jsonFile === undefined) {
    const write = (lines: string) => {
      if (process.stdout.write(lines)) return;
      return new Promise<void>((resolve) => process.stdout.once("drain", resolve));
    };
    return { write, close: () => {} };
  }
  try {
    const target = openSync(jsonFile, "w");
    const write = (lines: string) => {
      const bytes = Buffer.from(lines);
      for (let written = 0; written < bytes.length; ) written += writeSync(target, bytes, written);
    };
    return { write, close: () => closeSync(target) };
  } catch (cause) {
    throw fileError(cause, jsonFile);
  }
}

function hint(summary: RouteSummary, options: RouteOptions): void {
  if (summary.countOf("no_audit") > 0 && !options.audits && !options.run) {
    say("Audits are looked for under `audit` of each decision; --run ID or --audits FILE finds them elsewhere.");
  }
  if (summary.decisions > 0 && summary.countOf("missing_calibration") === summary.decisions && !options.calibration) {
    say("Nothing can be automated without a calibrated score: `defensible calibrate`, then `defensible gate`.");
  }
}

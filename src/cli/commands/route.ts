import { Command, Option } from "commander";
import { openAuditLookup } from "../../analysis/audit-lookup.js";
import { auditFormat } from "../../app/audit/audit-request.js";
import { LiveState } from "../../app/route/live.js";
import { inputLines, RouteSummary, routeLines, type StreamTools } from "../../app/route/stream.js";
import { DefensibleError } from "../../core/errors.js";
import { GATE_MODES, type GateMode } from "../../core/gate.js";
import { routeHints, routeSummaryText } from "../../present/words/outcome-words.js";
import { chosenRun } from "../../store/choose-run.js";
import { RouteLog } from "../../store/files/route-log.js";
import type { AuditSource, RunStore } from "../../store/ports.js";
import { printable } from "../../text/printable.js";
import { EXIT } from "../exit-code.js";
import { type CommonOptions, contextOf, examples, share, withCommonOptions } from "../options.js";
import { withOutFormats } from "../out-files.js";
import { say } from "../output.js";
import { gateFile, openInput, openOutput, type RouteInput, refuseContradictions } from "../route/io.js";
import { RouteProgress } from "../route/progress.js";

/** Where audits are looked up, a batch is a query: large ones are worth it. */
const CHUNK_BYTES = 1 << 18;
const JOINED_CHUNK_BYTES = 1 << 20;

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
  return withOutFormats(withCommonOptions(new Command("route")), { ".jsonl": "jsonFile" })
    .argument("[file]", "decisions, JSONL, each with its audit under `audit` (default, or `-`: standard input)")
    .option("--decision <json>", "one decision as JSON, instead of a file")
    .option("--audits <file>", "find the audits by decision id in this file (JSONL, CSV or Parquet)")
    .option("--run <id>", "find the audits by decision id in a run of the workspace; `newest` is the newest one")
    .option("--gate <file>", "follow the gate in this file instead of the one in force")
    .option("--calibration <id>", "score with this calibration (default: the one the gate's threshold was set on)")
    .addOption(
      new Option(
        "--mode <mode>",
        "what a community must pass (default: the gate's mode); paper: and then no score",
      ).choices(GATE_MODES),
    )
    .option(
      "--review-share <x>",
      "share of what could be automated that goes to review at random (default: the gate's, else 0.02)",
      share(0, 1),
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
  "defensible route today.jsonl --run newest --shadow",
  "defensible route decisions.jsonl --run 20261115T044530Z-2121",
  "defensible route audited.jsonl --out routes.jsonl",
  "my-stream | defensible route | my-queue",
  `defensible route --run ID --decision '{"id":"d1","community":"plants","content":"…","decision":"remove"}'`,
)}`,
    )
    .action(route);
}

async function route(file: string | undefined, options: RouteOptions): Promise<void> {
  refuseContradictions(file, options);
  const context = await contextOf(options);
  const joined = options.audits !== undefined || options.run !== undefined;
  const input = openInput(file, options.decision, joined ? JOINED_CHUNK_BYTES : CHUNK_BYTES);
  const progress = new RouteProgress(input.bytes);
  const live = new LiveState(context, {
    ...options,
    gate: options.gate === undefined ? undefined : gateFile(options.gate),
    shadow: options.shadow === true,
    force: options.force === true,
    say: (message) => {
      progress.clear();
      say(printable(message, 1000));
    },
  });
  // Everything that can be wrong is found before the first answer.
  await live.current();
  const source = await auditSource(context.runs, options);
  const lookup = source && (await openAuditLookup(source));
  try {
    const log = options.log === undefined ? context.routes.openLog() : new RouteLog(options.log);
    const summary = new RouteSummary();
    const interrupted = await follow(input, { live, log, lookup, summary, now: () => new Date() }, progress, options);
    say(routeSummaryText(summary, options.shadow === true));
    const given = { joined, calibration: Boolean(options.calibration) };
    for (const hint of routeHints(summary, given)) say(hint);
    say(`Logged in ${printable(log.path)}.`);
    if (!interrupted) return;
    say("Interrupted: what was answered is logged, the rest was not read.");
    process.exitCode = EXIT.interrupted;
  } finally {
    lookup?.close();
  }
}

/** Routes until the input ends or somebody stops it; returns whether somebody did. */
async function follow(
  input: RouteInput,
  tools: Omit<StreamTools, "write" | "signal" | "progress">,
  progress: RouteProgress,
  options: RouteOptions,
): Promise<boolean> {
  const stop = new AbortController();
  const onSignal = () => {
    stop.abort();
    input.stop();
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    const output = openOutput(options.jsonFile);
    try {
      await routeLines(inputLines(input.chunks), {
        ...tools,
        write: output.write,
        signal: stop.signal,
        progress: (decisions, bytes) => progress.update(decisions, bytes),
      });
    } finally {
      output.close();
    }
  } catch (cause) {
    // A stream that was left in its middle complains; leaving it was the wish.
    if (!stop.signal.aborted || cause instanceof DefensibleError) throw cause;
  } finally {
    progress.clear();
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    await tools.log.close();
  }
  return stop.signal.aborted;
}

async function auditSource(runs: RunStore, { audits, run }: RouteOptions): Promise<AuditSource | null> {
  if (audits !== undefined) return { path: audits, format: auditFormat(audits), own: false };
  if (run === undefined) return null;
  const manifest = await chosenRun(runs, run);
  return runs.snapshot(manifest.run_id);
}

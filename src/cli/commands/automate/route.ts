import { Command, Option } from "commander";
import { openAuditLookup } from "../../../analysis/audit-lookup.js";
import { LiveState } from "../../../app/route/live.js";
import { RouteSummary } from "../../../app/route/stream.js";
import { GATE_MODES, type GateMode } from "../../../core/gate.js";
import { daySummaryText, noticeText, routeHints, routeSummaryText } from "../../../present/words/route-words.js";
import type { Context } from "../../../store/context.js";
import { routeLogAt } from "../../../store/files/stores.js";
import { printable } from "../../../text/printable.js";
import { EXIT } from "../../exit-code.js";
import { type CommonOptions, examples, number, share } from "../../options.js";
import { withOutFormats } from "../../out-files.js";
import { say } from "../../output.js";
import { RouteProgress } from "../../progress.js";
import type { Day, DayFlags } from "../../route/day.js";
import { auditSource, follow, refuseContradictions, withImportFlags } from "../../route/flags.js";
import { checkOutput, gateFile, openInput } from "../../route/io.js";
import { storesOf, withStores } from "../../serve/stores.js";

/** With an audit lookup, each batch is one query, so larger batches pay off. */
const CHUNK_BYTES = 1 << 18;
const JOINED_CHUNK_BYTES = 1 << 20;

interface RouteOptions extends CommonOptions, DayFlags {
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
  audit?: boolean;
}

export function routeCommand(): Command {
  const command = withOutFormats(withStores(new Command("route")), { ".jsonl": "jsonFile" });
  return withImportFlags(command)
    .argument("[file]", "decisions, JSONL, each with its audit under `audit` (default, or `-`: standard input)")
    .option("--audit", "import FILE (JSONL, CSV or Parquet), audit its decisions, route them, and print one summary")
    .option(
      "--profile <name>",
      "with --audit: saved mapping of columns, as in `import --profile`; the other import flags work too",
    )
    .option("--max-cost <usd>", "with --audit: stop before the audit costs more than this", number(0, 1e9))
    .option("--decision <json>", "one decision as JSON, instead of a file")
    .option("--audits <file>", "look up audits by decision id in this file (JSONL, CSV or Parquet)")
    .option("--run <id>", "look up audits by decision id in a run of the workspace; `newest` is the newest one")
    .option("--gate <file>", "follow the gate in this file instead of the active one")
    .option("--calibration <id>", "score with this calibration (default: the one that set the gate's threshold)")
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
    .option("--force", "accept a score that has no calibration for such audits; the route says so")
    .option("--log <file>", "where each routing is logged (default: gate/routes.jsonl in the workspace)")
    .addHelpText(
      "after",
      `
Prints one JSON line per decision, in the order of the input: where it goes, why, and the versions that applied.
Whatever is unknown, missing or malformed goes to review. docs/route.md explains every reason.
${examples(
  "defensible route today.csv --audit",
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
  const context = await storesOf(options);
  if (!options.audit) return routeInput(context, null, file, options);
  checkOutput(options.jsonFile);
  const { importAndAudit } = await import("../../route/day.js");
  const day = await importAndAudit(context, file!, options);
  if (day) await routeInput(context, day, file, { ...options, run: day.run });
}

async function routeInput(
  context: Context,
  day: Day | null,
  file: string | undefined,
  options: RouteOptions,
): Promise<void> {
  const joined = options.audits !== undefined || options.run !== undefined;
  const input = day?.input ?? openInput(file, options.decision, joined ? JOINED_CHUNK_BYTES : CHUNK_BYTES);
  const progress = new RouteProgress(input.bytes);
  const live = new LiveState(context, {
    ...options,
    contested: day?.contested,
    gate: options.gate === undefined ? undefined : gateFile(options.gate),
    shadow: options.shadow === true,
    force: options.force === true,
    notice: (notice) => {
      progress.clear();
      say(printable(noticeText(notice), 1000));
    },
  });
  // Find every error before the first answer.
  await live.current();
  const source = await auditSource(context.runs, options);
  const lookup = source && (await openAuditLookup(source));
  try {
    const log = options.log === undefined ? context.routes.openLog() : routeLogAt(options.log);
    const summary = new RouteSummary();
    const tools = { live, log, lookup, summary, now: () => new Date() };
    const interrupted = await follow(input, tools, progress, options.jsonFile);
    const shadow = options.shadow === true;
    if (day) say(daySummaryText({ ...day.counts, route: summary }, { shadow, log: printable(log.path) }));
    else say(routeSummaryText(summary, shadow));
    for (const hint of routeHints(summary, joined)) say(hint);
    if (!day) say(`Logged in ${printable(log.path)}.`);
    if (!interrupted) return;
    say("Interrupted: what was answered is logged, the rest was not read.");
    process.exitCode = EXIT.interrupted;
  } finally {
    lookup?.close();
  }
}

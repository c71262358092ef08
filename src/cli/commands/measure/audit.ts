import { Command } from "commander";
import type { AuditResult } from "../../../app/audit/run-audit.js";
import { RunHalted } from "../../../audit/calls/budget.js";
import { MOST_ALTERNATIVES } from "../../../core/records/actions.js";
import { auditSentence, auditSummary, estimateText } from "../../../present/audit/run-words.js";
import { type AuditFlags, withAuditOptions } from "../../audit/options.js";
import { auditSession } from "../../audit/session.js";
import { EXIT } from "../../exit-code.js";
import { keepRawOption } from "../../model-options.js";
import { examples, integer } from "../../options.js";
import { print, printJson, say } from "../../output.js";
import { storesOf, withStores } from "../../serve/stores.js";

/** Enough to expose an auditor that notices nothing: with 25 of 50 told apart, the interval's upper end is 64%. */
export const DEFAULT_FLIP = 50;

interface AuditOptions extends AuditFlags {
  replicates: number;
  batch?: boolean;
  keepRaw?: boolean;
  humans?: boolean;
  flip?: number;
  alternatives?: number;
  statedReasons?: boolean;
  run?: string;
}

export function auditCommand(): Command {
  return withAuditOptions(withStores(new Command("audit")))
    .option("--replicates <k>", "audits of each decision; reports use the first", integer(1, 100_000), 1)
    .option("--batch", "use the provider's batch service, for half the price; repeat to collect the answers")
    .addOption(keepRawOption())
    .option("--humans", "where a human label differs, audit the human's decision too")
    .option(
      "--flip <n>",
      "also audit the opposite of n random decisions as a control; n, all or 0 (default: 50)",
      countOrAll,
    )
    .option(
      "--alternatives <n>",
      "also audit 0, 1 or 2 nearest alternatives of each decision; requires more than two actions",
      integer(0, MOST_ALTERNATIVES),
    )
    .option("--stated-reasons", "also audit restrictions by their stated rules alone")
    .option("--run <id>", "continue this run")
    .addHelpText(
      "after",
      examples(
        "defensible audit",
        "defensible audit --tier title --communities ask-anything film-club",
        "defensible audit --auditor openai:gpt-4.1-mini --max-cost 5 --dry-run",
      ),
    )
    .action(audit);
}

export function countOrAll(text: string): number {
  return text === "all" ? Number.POSITIVE_INFINITY : integer(0, 1_000_000)(text);
}

async function audit(options: AuditOptions): Promise<void> {
  const context = await storesOf(options);
  const started = performance.now();
  let result: AuditResult;
  try {
    result = await auditSession(context, options, {
      replicates: options.replicates,
      humans: options.humans ?? false,
      batch: options.batch ?? false,
      keepRaw: options.keepRaw ?? false,
      flip: options.flip ?? context.config.flip ?? DEFAULT_FLIP,
      alternatives: options.alternatives ?? context.config.alternatives ?? 0,
      statedReasons: options.statedReasons ?? false,
      runId: options.run,
    });
  } catch (cause) {
    if (!(cause instanceof RunHalted) || cause.reason !== null) throw cause;
    say("Stopped before the first question. Nothing was done.");
    process.exitCode = EXIT.interrupted;
    return;
  }
  const jsonOnly = printJson(auditSummary(result), options);
  if (!jsonOnly && result.status === "planned" && result.estimate)
    print(estimateText(result.estimate, options.maxCost));
  if (!jsonOnly) print(auditSentence(result, performance.now() - started));
  if (result.reason) throw result.reason;
  const finished = result.status === "sealed" || result.status === "done";
  if (result.status === "stopped") process.exitCode = EXIT.interrupted;
  else if (finished && (result.counts.errors > 0 || (result.flip?.errors ?? 0) > 0 || result.counts.verdicts === 0)) {
    process.exitCode = EXIT.someErrors;
  }
}

import { Command, Option } from "commander";
import { runAudit } from "../../audit/run-audit.js";
import { createAuditor } from "../../auditors/create-auditor.js";
import { SIGNAL_MODES, type SignalMode } from "../../domain/audit.js";
import { TIERS, type Tier } from "../../domain/rule-set.js";
import { TEMPLATES, type Template } from "../../domain/trace.js";
import { InputError } from "../../errors.js";
import { keepHeapSmall } from "../../ledger/memory.js";
import { plural } from "../../reports/numbers.js";
import { printable } from "../../reports/printable.js";
import { hasTornTail, TORN_REMEDY } from "../../workspace/torn-tail.js";
import { EXIT } from "../exit-code.js";
import { type CommonOptions, collect, examples, integer, number, withCommonOptions, workspaceOf } from "../options.js";
import { print, printJson, say } from "../output.js";
import { Progress } from "../progress.js";

interface AuditOptions extends CommonOptions {
  auditor?: string;
  signal: SignalMode;
  template?: Template;
  tier?: Tier;
  temperature?: number;
  replicates: number;
  concurrency: number;
  communities?: string[];
  filter?: string[];
  cohort?: string;
  limit?: number;
  sample?: number;
  seed?: number;
  humans?: boolean;
  retryErrors?: boolean;
  dryRun?: boolean;
  run?: string;
  new?: boolean;
}

export function auditCommand(): Command {
  return withCommonOptions(new Command("audit"))
    .description(
      "audit decisions: can each be derived from its rules? Repeating the command continues an unfinished run",
    )
    .option("--auditor <name>", "who audits (default: the workspace's, `baseline`)")
    .addOption(new Option("--signal <mode>", "where probabilities come from").choices(SIGNAL_MODES).default("logprobs"))
    .addOption(
      new Option("--template <name>", "form of the reasoning trace (default: the workspace's)").choices(TEMPLATES),
    )
    .addOption(
      new Option("--tier <tier>", "how much of each rule the auditor reads (default: the workspace's)").choices(TIERS),
    )
    .option("--temperature <t>", "sampling temperature (default: the workspace's)", number(0, 2))
    .option("--replicates <k>", "audits of each decision; reports use the first", integer(1, 100_000), 1)
    .option("--concurrency <n>", "calls in flight, for an auditor behind a server", integer(1, 1024), 16)
    .option("--communities <names...>", "only these communities")
    .option("--filter <condition>", "only decisions with FIELD=VALUE or FIELD!=VALUE; may be repeated", collect)
    .option("--cohort <name>", "only the decisions of a cohort")
    .option("--limit <n>", "only the first n decisions", integer(1))
    .option("--sample <n>", "a random sample of n decisions", integer(1))
    .option("--seed <s>", "seed of the sample and of the auditor (default: the workspace's)", integer(0))
    .option("--humans", "where a human label differs, audit the human's decision too")
    .option("--retry-errors", "audit again what ended in an error")
    .option("--dry-run", "say what would be done, and stop")
    .option("--run <id>", "continue this run")
    .option("--new", "start another run even if there is one with these settings")
    .addHelpText(
      "after",
      examples(
        "defensible audit",
        "defensible audit --tier title --communities ask-anything film-club",
        "defensible audit --humans --new",
      ),
    )
    .action(audit);
}

async function audit(options: AuditOptions): Promise<void> {
  keepHeapSmall();
  const workspace = await workspaceOf(options);
  if (hasTornTail(workspace.paths.decisions)) say(`${printable(workspace.paths.decisions)}: ${TORN_REMEDY}`);
  const auditor = await createAuditor(options.auditor ?? workspace.config.auditor);
  if (!auditor.signals.includes(options.signal)) {
    throw new InputError(
      "unsupported_signal",
      `signal: ${auditor.name} cannot give "${options.signal}"`,
      `It can give: ${auditor.signals.join(", ")}.`,
    );
  }
  const seed = options.seed ?? workspace.config.seed;
  const interrupt = interruptible();
  const progress = new Progress();
  const started = performance.now();
  try {
    const result = await runAudit(workspace, {
      auditor,
      template: options.template ?? workspace.config.template,
      tier: options.tier ?? workspace.config.tier,
      temperature: options.temperature ?? workspace.config.temperature,
      signal: options.signal,
      replicates: options.replicates,
      humans: options.humans ?? false,
      seed,
      selection: {
        cohort: options.cohort,
        communities: options.communities,
        filters: options.filter,
        sample: options.sample ? { size: options.sample, seed } : undefined,
        limit: options.limit,
      },
      concurrency: options.concurrency,
      retryErrors: options.retryErrors ?? false,
      fresh: options.new ?? false,
      runId: options.run,
      dryRun: options.dryRun ?? false,
      stopped: interrupt.requested,
      progress: (done, planned) => progress.update(done, planned),
    });
    progress.finish();
    if (result.communitiesWithoutRules.length > 0) {
      const names = result.communitiesWithoutRules.slice(0, 5).map((name) => printable(name, 40));
      const more = result.communitiesWithoutRules.length - names.length;
      say(
        `${plural(result.communitiesWithoutRules.length, "community has no rules of its own and is", "communities have no rules of their own and are")} audited against the platform's alone: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
      );
    }
    const jsonOnly = printJson(summary(result), options);
    if (!jsonOnly) print(sentence(result, performance.now() - started));
    if (result.status === "stopped") process.exitCode = EXIT.interrupted;
    else if (result.counts.errors > 0 && result.status !== "planned") process.exitCode = EXIT.someErrors;
  } finally {
    interrupt.release();
    await auditor.close?.();
  }
}

type Result = Awaited<ReturnType<typeof runAudit>>;

function summary(result: Result) {
  return {
    status: result.status,
    run_id: result.runId,
    continued: result.continued,
    counts: result.counts,
    communities_without_rules: result.communitiesWithoutRules,
  };
}

function sentence({ status, runId, continued, counts }: Result, ms: number): string {
  const outcome = `${plural(counts.verdicts, "verdict")}, ${counts.unscored} unscored, ${plural(counts.errors, "error")}`;
  if (status === "planned") {
    const done = counts.verdicts + counts.unscored + counts.errors;
    const run = runId ? `; run ${runId} has ${done.toLocaleString("en")} of them` : "";
    return `${plural(counts.planned, "audit")} planned${run}. Nothing was done.`;
  }
  if (status === "done") return `Run ${runId} is complete: ${outcome}. Nothing was left to do; --new starts another.`;
  if (status === "stopped") {
    const done = counts.verdicts + counts.unscored + counts.errors;
    return `Stopped: run ${runId} has ${done.toLocaleString("en")} of ${plural(counts.planned, "audit")}. Repeat the command to continue.`;
  }
  const speed = `${(ms / 1000).toFixed(1)} s`;
  return `${continued ? "Continued and finished" : "Finished"} run ${runId}: ${outcome}, in ${speed}. \`defensible report\` shows what they say.`;
}

/** Ctrl-C ends the run after what is in hand; a second one leaves at once. */
function interruptible(): { requested: () => boolean; release: () => void } {
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(EXIT.interrupted);
    asked = true;
    say("\nStopping; what is done is kept. Press Ctrl-C again to leave at once.");
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    requested: () => asked,
    release: () => {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}

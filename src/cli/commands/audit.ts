import { Command, Option } from "commander";
import { runAudit } from "../../audit/run-audit.js";
import { AUDITOR_FORMS } from "../../auditors/create-auditor.js";
import { SIGNAL_MODES, type SignalMode } from "../../domain/audit.js";
import { TIERS, type Tier } from "../../domain/rule-set.js";
import { TEMPLATES, type Template } from "../../domain/trace.js";
import { keepHeapSmall } from "../../ledger/memory.js";
import { plural } from "../../reports/numbers.js";
import { printable } from "../../reports/printable.js";
import { hasTornTail, TORN_REMEDY } from "../../workspace/torn-tail.js";
import { estimateText } from "../estimate-text.js";
import { EXIT } from "../exit-code.js";
import { interruptible } from "../interrupt.js";
import { auditorFrom, type ModelOptions, publicAddress, withModelOptions } from "../model-options.js";
import { type CommonOptions, collect, examples, integer, number, withCommonOptions, workspaceOf } from "../options.js";
import { print, printJson, say } from "../output.js";
import { Progress, spentText } from "../progress.js";
import { type ScrubOptions, scrubFrom, withScrubOptions } from "../scrub-options.js";

interface AuditOptions extends CommonOptions, ModelOptions, ScrubOptions {
  auditor?: string;
  signal: SignalMode;
  template?: Template;
  tier?: Tier;
  temperature?: number;
  replicates: number;
  samples: number;
  concurrency: number;
  maxCost?: number;
  batch?: boolean;
  keepRaw?: boolean;
  cache: boolean;
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
  return withScrubOptions(withModelOptions(withCommonOptions(new Command("audit"))))
    .description(
      "audit decisions: can each be derived from its rules? Repeating the command continues an unfinished run",
    )
    .option("--auditor <name>", `who audits: ${AUDITOR_FORMS.join(", ")} (default: the workspace's)`)
    .addOption(
      new Option(
        "--signal <mode>",
        "where probabilities come from: the tokens' own, frequencies over --samples draws, or none",
      )
        .choices(SIGNAL_MODES)
        .default("logprobs"),
    )
    .option("--samples <k>", "draws of each audit, with --signal sampling", integer(2, 1000), 10)
    .addOption(
      new Option("--template <name>", "form of the reasoning trace (default: the workspace's)").choices(TEMPLATES),
    )
    .addOption(
      new Option("--tier <tier>", "how much of each rule the auditor reads (default: the workspace's)").choices(TIERS),
    )
    .option("--temperature <t>", "sampling temperature (default: the workspace's)", number(0, 2))
    .option("--replicates <k>", "audits of each decision; reports use the first", integer(1, 100_000), 1)
    .option("--concurrency <n>", "most calls in flight; how many there are adapts to the server", integer(1, 1024), 64)
    .option("--max-cost <usd>", "stop before the run has cost more than this", number(0, 1e9))
    .option(
      "--batch",
      "send the questions to the provider's batch service, for half the price; repeat to collect the answers",
    )
    .option("--keep-raw", "keep every answer with all its probabilities in the run's folder, for replay:<file>")
    .option("--no-cache", "ask again even where the same request was answered before")
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
        "defensible audit --auditor openai:gpt-4.1-mini --dry-run",
        "defensible audit --auditor openai-compatible:llama3.1 --base-url http://127.0.0.1:11434/v1 --max-cost 5",
      ),
    )
    .action(audit);
}

async function audit(options: AuditOptions): Promise<void> {
  keepHeapSmall();
  const workspace = await workspaceOf(options);
  if (hasTornTail(workspace.paths.decisions)) say(`${printable(workspace.paths.decisions)}: ${TORN_REMEDY}`);
  const scrub = await scrubFrom(options);
  const auditor = await auditorFrom(options.auditor ?? workspace.config.auditor, options, workspace.config);
  const endpoint = options.baseUrl ?? workspace.config.base_url ?? null;
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
      samples: options.samples,
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
      maxCost: options.maxCost ?? null,
      batch: options.batch ?? false,
      keepRaw: options.keepRaw ?? false,
      cache: options.cache,
      scrub,
      endpoint: endpoint ? publicAddress(endpoint) : null,
      contextTokens: options.context ?? workspace.config.context_tokens ?? null,
      stop: interrupt.signal,
      progress: (done, planned, usage) => progress.update(done, planned, usage),
      estimated: (estimate) => say(estimateText(estimate)),
      notice: (sentence) => {
        progress.clear();
        say(printable(sentence, 1000));
      },
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
    if (!jsonOnly && result.status === "planned" && result.estimate) print(estimateText(result.estimate));
    if (!jsonOnly) print(sentence(result, performance.now() - started));
    if (result.reason) throw result.reason;
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
    ...(result.reason ? { reason: { code: result.reason.code, message: result.reason.message } } : {}),
    ...(result.batch ? { batch: result.batch } : {}),
    ...(result.estimate ? { estimate: result.estimate } : {}),
    ...(result.usage && result.usage.input_tokens > 0 ? { usage: result.usage } : {}),
  };
}

function sentence({ status, runId, continued, counts, usage, batch }: Result, ms: number): string {
  const outcome = `${plural(counts.verdicts, "verdict")}, ${counts.unscored} unscored, ${plural(counts.errors, "error")}`;
  if (status === "planned") {
    const done = counts.verdicts + counts.unscored + counts.errors;
    const run = runId ? `; run ${runId} has ${done.toLocaleString("en")} of them` : "";
    return `${plural(counts.planned, "audit")} planned${run}. Nothing was done.`;
  }
  if (status === "waiting") {
    const sent = batch!.submitted > 0 ? `${plural(batch!.submitted, "question")} sent; ` : "";
    const states = batch!.states.map((state) => `\n  ${printable(state, 300)}`).join("");
    return `Run ${runId}: ${sent}${plural(batch!.waiting, "answer")} to come from the batch service.${states}\n\`defensible runs show ${runId}\` follows it; repeat the command to collect.`;
  }
  if (status === "done") return `Run ${runId} is complete: ${outcome}. Nothing was left to do; --new starts another.`;
  if (status === "stopped") {
    const done = counts.verdicts + counts.unscored + counts.errors;
    return `Stopped: run ${runId} has ${done.toLocaleString("en")} of ${plural(counts.planned, "audit")}. Repeat the command to continue.`;
  }
  const paid = usage && usage.input_tokens > 0 ? ` (${spentText(usage)})` : "";
  const speed = `${(ms / 1000).toFixed(1)} s${paid}`;
  return `${continued ? "Continued and finished" : "Finished"} run ${runId}: ${outcome}, in ${speed}. \`defensible report\` shows what they say.`;
}

import { Command, Option } from "commander";
import { RunHalted } from "../../audit/calls/run-halted.js";
import { runAudit } from "../../audit/run-audit.js";
import type { Auditor, GivenSettings } from "../../auditors/auditor.js";
import { AUDITOR_FORMS } from "../../auditors/create-auditor.js";
import { SIGNAL_MODES, type SignalMode } from "../../domain/audit.js";
import { TIERS, type Tier } from "../../domain/rule-set.js";
import { TEMPLATES, type Template } from "../../domain/trace.js";
import { InputError } from "../../errors.js";
import { keepHeapSmall } from "../../ledger/memory.js";
import { plural } from "../../reports/numbers.js";
import { printable } from "../../reports/printable.js";
import { hasTornTail, TORN_REMEDY } from "../../workspace/torn-tail.js";
import { estimateText } from "../estimate-text.js";
import { EXIT } from "../exit-code.js";
import { interruptible } from "../interrupt.js";
import { auditorFrom, endpointOf, type ModelOptions, withModelOptions } from "../model-options.js";
import { type CommonOptions, collect, examples, integer, number, withCommonOptions, workspaceOf } from "../options.js";
import { print, printJson, say } from "../output.js";
import { Progress, spentText } from "../progress.js";
import { type ScrubOptions, scrubFrom, withScrubOptions } from "../scrub-options.js";

interface AuditOptions extends CommonOptions, ModelOptions, ScrubOptions {
  auditor?: string;
  signal?: SignalMode;
  template?: Template;
  tier?: Tier;
  temperature?: number;
  replicates: number;
  samples?: number;
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
        "where probabilities come from: the tokens' own (default), frequencies over --samples draws, or none",
      ).choices(SIGNAL_MODES),
    )
    .option("--samples <k>", "draws of each audit, with --signal sampling (default: 10)", integer(2, 1000))
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
        "defensible audit --auditor openai:gpt-4.1-mini --max-cost 5 --dry-run",
        "defensible audit --auditor openai-compatible:llama3.1 --base-url http://127.0.0.1:11434/v1",
      ),
    )
    .action(audit);
}

async function audit(options: AuditOptions): Promise<void> {
  keepHeapSmall();
  const workspace = await workspaceOf(options);
  if (hasTornTail(workspace.paths.decisions)) say(`${printable(workspace.paths.decisions)}: ${TORN_REMEDY}`);
  const scrub = await scrubFrom(options);
  const name = options.auditor ?? workspace.config.auditor;
  const auditor = await auditorFrom(name, options, workspace.config, options.dryRun);
  const seed = options.seed ?? workspace.config.seed;
  const interrupt = interruptible();
  const progress = new Progress();
  const started = performance.now();
  try {
    const result = await runAudit(workspace, {
      auditor,
      template: setting("template", options.template, auditor, workspace.config.template),
      tier: setting("tier", options.tier, auditor, workspace.config.tier),
      temperature: setting("temperature", options.temperature, auditor, workspace.config.temperature),
      signal: setting("signal", options.signal, auditor, "logprobs"),
      samples: setting("samples", options.samples, auditor, 10),
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
      endpoint: endpointOf(name, options, workspace.config),
      contextTokens: options.context ?? workspace.config.context_tokens ?? null,
      stop: interrupt.signal,
      progress: (done, planned, usage) => progress.update(done, planned, usage),
      estimated: (estimate) => say(estimateText(estimate, options.maxCost)),
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
    if (!jsonOnly && result.status === "planned" && result.estimate)
      print(estimateText(result.estimate, options.maxCost));
    if (!jsonOnly) print(sentence(result, performance.now() - started));
    if (result.reason) throw result.reason;
    const finished = result.status === "sealed" || result.status === "done";
    if (result.status === "stopped") process.exitCode = EXIT.interrupted;
    else if (finished && (result.counts.errors > 0 || result.counts.verdicts === 0)) {
      process.exitCode = EXIT.someErrors;
    }
  } catch (cause) {
    if (!(cause instanceof RunHalted) || cause.reason !== null) throw cause;
    progress.finish();
    say("Stopped before the first question. Nothing was done.");
    process.exitCode = EXIT.interrupted;
  } finally {
    interrupt.release();
    await auditor.close?.();
  }
}

/** The flag, else what kept answers were given under, else the default. Answers cannot be given other settings afterwards. */
function setting<K extends keyof GivenSettings>(
  name: K,
  flag: GivenSettings[K],
  auditor: Auditor,
  otherwise: NonNullable<GivenSettings[K]>,
): NonNullable<GivenSettings[K]> {
  const given = auditor.given?.[name];
  if (flag !== undefined && given !== undefined && flag !== given) {
    throw new InputError(
      "other_settings",
      `${name}: got ${flag}, but the answers of ${auditor.name} were given with ${given}`,
      `Leave out --${name}: a replay has the settings of its answers.`,
    );
  }
  return (flag ?? given ?? otherwise) as NonNullable<GivenSettings[K]>;
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
    ...(result.remarks.cached > 0 ? { cached: result.remarks.cached } : {}),
    ...(result.usage?.input_tokens ? { usage: result.usage } : {}),
  };
}

function sentence(result: Result, ms: number): string {
  const { status, runId, continued, counts, usage, batch, estimate } = result;
  const done = counts.verdicts + counts.unscored + counts.errors;
  const outcome = `${plural(counts.verdicts, "verdict")}, ${counts.unscored} unscored, ${plural(counts.errors, "error")}`;
  if (status === "planned") {
    const run = runId ? `; run ${runId} has ${done.toLocaleString("en")} of them` : "";
    return `${plural(counts.planned, "audit")} planned${run}. Nothing was done.`;
  }
  if (status === "waiting") {
    const sent = batch!.submitted > 0 ? `${plural(batch!.submitted, "question")} sent; ` : "";
    const states = batch!.states.map((state) => `\n  ${printable(state, 300)}`).join("");
    return `Run ${runId}: ${sent}${plural(batch!.waiting, "answer")} to come from the batch service.${states}\n\`defensible runs show ${runId}\` follows it; repeat the command to collect.`;
  }
  if (status === "done") {
    return `Run ${runId} is complete: ${outcome}. Nothing was left to do; --new starts another.${retryHint(result)}`;
  }
  if (status === "stopped") {
    const next = result.reason ? "" : " Repeat the command to continue.";
    return `Stopped: run ${runId} has ${done.toLocaleString("en")} of ${plural(counts.planned, "audit")}.${next}`;
  }
  const cached = result.remarks.cached > 0 ? `, ${result.remarks.cached} from the cache (--no-cache asks anew)` : "";
  const paid = usage?.input_tokens ? ` (${spentText(usage)}${cached})` : cached;
  const speed = `${(ms / 1000).toFixed(1)} s${estimate ? paid : ""}`;
  return `${continued ? "Continued and finished" : "Finished"} run ${runId}: ${outcome}, in ${speed}. \`defensible report\` shows what they say.${retryHint(result)}`;
}

/** Why audits have no verdict, and what can be done about errors. */
function retryHint({ remarks, counts }: Result): string {
  const { commonest } = remarks;
  const why = commonest
    ? `\nWithout a verdict: ${commonest.count} × ${commonest.code}, for instance: ${printable(commonest.message, 300)}`
    : "";
  return `${why}${counts.errors > 0 ? `\n--retry-errors audits again what ended in an error.` : ""}`;
}

import { existsSync } from "node:fs";
import { Command, Option } from "commander";
import { auditorFrom, giveUpMsOf, type ModelSettings } from "../../app/audit/configured-auditor.js";
import { proposalTarget } from "../../app/audit/decide/proposal-target.js";
import { type ProposalFlips, readFlips } from "../../app/audit/decide/read-flips.js";
import { type DecideResult, runDecide } from "../../app/audit/decide/run-decide.js";
import { AUDITOR_FORMS } from "../../auditors/create-auditor.js";
import { InputError } from "../../core/errors.js";
import { TIERS, type Tier } from "../../core/records/rule-set.js";
import { flipsDocument } from "../../experiments/dual/flips-document.js";
import { plural } from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";
import { ALLOW_UNUSED_RULES } from "../audit/options.js";
import { estimateText } from "../estimate-text.js";
import { EXIT } from "../exit-code.js";
import { interruptible } from "../interrupt.js";
import {
  type CommonOptions,
  collect,
  examples,
  integer,
  number,
  withCommonOptions,
  withModelOptions,
  workspaceOf,
} from "../options.js";
import { print, printDocument, printJson, say } from "../output.js";
import { Progress, ProposalProgress, spentText } from "../progress.js";
import { type ScrubOptions, scrubFrom, withScrubOptions } from "../scrub-options.js";

interface DecideOptions extends CommonOptions, ModelSettings, ScrubOptions {
  decider: string;
  out?: string;
  into?: string;
  tier?: Tier;
  temperature: number;
  replicates: number;
  concurrency: number;
  maxCost?: number;
  dryRun?: boolean;
  allowUnusedRules?: boolean;
  communities?: string[];
  filter?: string[];
  limit?: number;
  sample?: number;
  seed?: number;
}

export function decideCommand(): Command {
  return withScrubOptions(withModelOptions(withCommonOptions(new Command("decide"))))
    .requiredOption("--decider <name>", `who decides: ${AUDITOR_FORMS.join(", ")}`)
    .option("--into <dir>", "a new workspace with these rules and precedents and the proposed decisions")
    .option("--out <file>", "only the proposed decisions, as JSONL; what is in the file already is kept")
    .addOption(new Option("--tier <tier>", "how much of each rule is read (default: the workspace's)").choices(TIERS))
    .option("--temperature <t>", "sampling temperature", number(0, 2), 0)
    .option(
      "--replicates <k>",
      "propose each decision so often and say how often the action changes; the first one is the decision",
      integer(1, 10_000),
      1,
    )
    .option("--concurrency <n>", "most calls in flight; how many there are adapts to the server", integer(1, 1024), 64)
    .option("--max-cost <usd>", "stop before this command has cost more than this", number(0, 1e9))
    .option("--dry-run", "say what would be done, and stop")
    .option("--communities <names...>", "only these communities")
    .option("--filter <condition>", "only decisions with FIELD=VALUE or FIELD!=VALUE; may be repeated", collect)
    .option("--allow-unused-rules", ALLOW_UNUSED_RULES)
    .option("--limit <n>", "only the first n decisions", integer(1))
    .option("--sample <n>", "a random sample of n decisions", integer(1))
    .option("--seed <s>", "seed of the sample and of the decider (default: the workspace's)", integer(0))
    .addHelpText(
      "after",
      examples(
        "defensible decide --decider baseline --into ../proposed",
        "defensible decide --decider openai:gpt-4.1-mini --out proposed.jsonl --limit 100 --dry-run",
        "defensible decide --decider openai:gpt-4.1-mini --temperature 0.7 --replicates 20 --out often.jsonl",
      ),
    )
    .action(decide);
}

async function decide(options: DecideOptions): Promise<void> {
  if (/^(replay|answers):/.test(options.decider)) {
    throw new InputError(
      "no_decider",
      "decider: kept answers are audits, not decisions",
      "Name a model, or `baseline`.",
    );
  }
  const workspace = await workspaceOf(options);
  const target = proposalTarget(options, workspace, options.decider);
  const scrub = await scrubFrom(options);
  const decider = await auditorFrom(options.decider, options, workspace.config, options.dryRun, workspace.root);
  const seed = options.seed ?? workspace.config.seed;
  if (options.replicates > 1 && options.temperature === 0) {
    say(
      "At temperature 0 a model repeats itself as far as its server lets it; --temperature sets the one it is used at.",
    );
  }
  const interrupt = interruptible();
  const progress = new ProposalProgress();
  const refusals = new Progress();
  try {
    const result = await runDecide(workspace, {
      decider,
      selection: {
        communities: options.communities,
        filters: options.filter,
        sample: options.sample ? { size: options.sample, seed } : undefined,
        limit: options.limit,
      },
      tier: options.tier ?? workspace.config.tier,
      temperature: options.temperature,
      replicates: options.replicates,
      seed,
      concurrency: options.concurrency,
      allowUnusedRules: options.allowUnusedRules ?? false,
      scrub,
      maxCost: options.maxCost ?? null,
      dryRun: options.dryRun ?? false,
      target,
      stop: interrupt.signal,
      estimated: (estimate) => say(estimateText(estimate)),
      giveUpMs: giveUpMsOf(workspace.config),
      refused: (waiting) => refusals.refused(waiting),
      progress: (soFar) => progress.update(soFar),
    });
    progress.finish();
    const flips = options.replicates > 1 && existsSync(target.file) ? await readFlips(target.file) : null;
    report(result, options, { out: target.file, priceKnown: decider.price !== null, flips });
  } finally {
    interrupt.release();
    await decider.close?.();
  }
}

interface Facts {
  out: string;
  priceKnown: boolean;
  /** null: each decision was proposed once. */
  flips: ProposalFlips | null;
}

function report(result: DecideResult, options: DecideOptions, facts: Facts): void {
  const { failures, reason, stopped, usage, estimate, ...counts } = result;
  const { first, commonest } = failures;
  const json = {
    ...counts,
    failed: failures.count,
    first_failure: first,
    commonest_failure: commonest,
    stopped,
    reason: reason ? { code: reason.code, message: reason.message } : null,
    dry_run: options.dryRun ?? false,
    estimate,
    usage: { ...usage, cost_usd: facts.priceKnown ? usage.cost_usd : null },
    out: facts.out,
    ...(facts.flips ? { replicates: options.replicates, flips: facts.flips } : {}),
  };
  if (first && commonest) {
    say(`${plural(failures.count, "decision")} got no proposal; the first: ${printable(first, 300)}`);
    if (failures.count > 1) {
      say(`The commonest reason (${commonest.count} of ${failures.count}): ${printable(commonest.reason, 300)}`);
    }
  }
  if (!printJson(json, options)) {
    for (const line of summary(result, options, facts)) print(line);
    if (facts.flips && !options.dryRun) printDocument(flipsDocument(facts.flips, options.decider));
  }
  if (reason) throw reason;
  if (stopped) process.exitCode = EXIT.interrupted;
  else if (failures.count > 0) process.exitCode = EXIT.someErrors;
}

function summary(
  { planned, before, proposed, changed, stopped, usage, estimate }: DecideResult,
  { decider, into, dryRun }: DecideOptions,
  { out, priceKnown }: Facts,
): string[] {
  const earlier = before > 0 ? ` (${before} were there)` : "";
  if (dryRun) {
    const todo = `${plural(planned - before, "decision")} to be proposed${earlier}. Nothing was done.`;
    return estimate ? [estimateText(estimate), todo] : [todo];
  }
  const used = usage.input_tokens > 0 ? [`Used: ${spentText(usage)}${priceKnown ? "" : ", cost unknown"}.`] : [];
  if (stopped) {
    const share = `${before + proposed} of ${plural(planned, "decision")} ${planned === 1 ? "has" : "have"}`;
    return [`Stopped: ${share} a proposal. Repeat the command to continue.`, ...used];
  }
  const by = printable(decider, 80);
  return [
    `${plural(proposed, "decision")} proposed by ${by}${earlier}, ${changed} unlike the one before; in ${printable(out, 300)}.`,
    ...used,
    ...(into ? [`\`defensible audit --workspace ${printable(into, 200)}\` audits them.`] : []),
  ];
}

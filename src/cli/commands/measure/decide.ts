import { Command, Option } from "commander";
import { otherDecider, readFlips } from "../../../app/audit/decide/decide-tools.js";
import { type DecideResult, runDecide } from "../../../app/audit/decide/run-decide.js";
import { auditorFrom, giveUpMsOf, type ModelSettings } from "../../../auditors/create-auditor.js";
import { InputError } from "../../../core/errors.js";
import { TIERS, type Tier } from "../../../core/records/rule-set.js";
import { flipsDocument } from "../../../experiments/dual/document.js";
import {
  type DecideFacts,
  decideLines,
  decideSummary,
  estimateText,
  failureLines,
} from "../../../present/audit/run-words.js";
import { fileContext } from "../../../store/files/stores.js";
import { ALLOW_UNUSED_RULES, selectionFrom } from "../../audit/options.js";
import { proposalFile } from "../../audit/proposal-file.js";
import { EXIT } from "../../exit-code.js";
import { interruptible } from "../../interrupt.js";
import {
  concurrencyOption,
  type ScrubOptions,
  scrubFrom,
  temperatureOption,
  withModelOptions,
  withScrubOptions,
} from "../../model-options.js";
import {
  type CommonOptions,
  collect,
  examples,
  integer,
  number,
  withCommonOptions,
  workspaceOf,
} from "../../options.js";
import { print, printDocument, printJson, say } from "../../output.js";
import { Progress, ProposalProgress } from "../../progress.js";

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
    .requiredOption("--decider <name>", "the model that decides, such as openai:gpt-4.1-mini")
    .option("--into <dir>", "a new workspace with these rules and precedents and the proposed decisions")
    .option("--out <file>", "only the proposed decisions, as JSONL; what is in the file already is kept")
    .addOption(new Option("--tier <tier>", "how much of each rule is read (default: the workspace's)").choices(TIERS))
    .addOption(temperatureOption("0").default(0))
    .option(
      "--replicates <k>",
      "propose each decision so often and say how often the action changes; the first one is the decision",
      integer(1, 10_000),
      1,
    )
    .addOption(concurrencyOption())
    .option("--max-cost <usd>", "stop before this command has cost more than this", number(0, 1e9))
    .option("--dry-run", "show what would be done, and stop")
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
    const remedy = "Name a model, or `baseline`.";
    throw new InputError("no_decider", "decider: kept answers are audits, not decisions", remedy);
  }
  const workspace = await workspaceOf(options);
  const target = proposalFile(options, workspace, (file) => otherDecider(file, "another decider", options.decider));
  const scrub = await scrubFrom(options);
  const decider = await auditorFrom(options.decider, options, workspace.config, options.dryRun, workspace.root);
  const seed = options.seed ?? workspace.config.seed;
  if (options.replicates > 1 && options.temperature === 0) {
    say("At temperature 0 a model repeats itself as far as its server lets it. Use --temperature to set another.");
  }
  const interrupt = interruptible();
  const progress = new ProposalProgress();
  const refusals = new Progress();
  try {
    const result = await runDecide(fileContext(workspace), {
      decider,
      selection: selectionFrom(options, seed),
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
    progress.clear();
    const flips = options.replicates > 1 ? await readFlips(target.lines()) : null;
    const { into, dryRun = false, replicates } = options;
    const priceKnown = decider.price !== null;
    const facts = { decider: options.decider, out: target.name, into, dryRun, priceKnown, replicates, flips };
    report(result, facts, options);
  } finally {
    interrupt.release();
    await decider.close?.();
  }
}

function report(result: DecideResult, facts: DecideFacts, options: DecideOptions): void {
  for (const line of failureLines(result)) say(line);
  if (!printJson(decideSummary(result, facts), options)) {
    for (const line of decideLines(result, facts)) print(line);
    if (facts.flips && !facts.dryRun) printDocument(flipsDocument(facts.flips, facts.decider));
  }
  if (result.reason) throw result.reason;
  if (result.stopped) process.exitCode = EXIT.interrupted;
  else if (result.failures.count > 0) process.exitCode = EXIT.someErrors;
}

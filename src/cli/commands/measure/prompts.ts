import { Command } from "commander";
import { worded } from "../../../app/notices.js";
import { tierArm } from "../../../audit/arms.js";
import { RunHalted } from "../../../audit/calls/budget.js";
import { InputError } from "../../../core/errors.js";
import { MOST_ALTERNATIVES } from "../../../core/records/actions.js";
import { readTiers, type Tier } from "../../../core/records/rule-set.js";
import { type ExperimentAudits, refusalWords } from "../../../experiments/audits.js";
import { diffAudits } from "../../../experiments/rules/run-diff.js";
import { auditSummary } from "../../../present/audit/run-words.js";
import type { FileContext } from "../../../store/files/stores.js";
import { type AuditFlags, type QuestionFlags, selectionFrom, withQuestionOptions } from "../../audit/options.js";
import { auditSession, type OwnRequest } from "../../audit/session.js";
import { EXIT } from "../../exit-code.js";
import { withModelHelp } from "../../model-options.js";
import { contextOf, examples, integer, readBy, withCommonOptions } from "../../options.js";
import { printJson, say } from "../../output.js";
import { countOrAll, DEFAULT_FLIP } from "./audit.js";

interface PromptsOptions extends QuestionFlags {
  out: string;
  answers?: string;
  context?: number;
  replicates: number;
  humans?: boolean;
  flip?: number;
  alternatives?: number;
  statedReasons?: boolean;
  tiers?: Tier[];
  rules?: string;
}

export function promptsCommand(): Command {
  return withModelHelp(withQuestionOptions(withCommonOptions(new Command("prompts"))))
    .requiredOption("--out <file>", "write the prompts to this file, one JSON object a line")
    .option("--answers <file>", "leave out what this file of answers has an answer to")
    .option("--context <tokens>", "tokens of prompt and answer together (default: 128000)", integer(512))
    .option("--replicates <k>", "audits of each decision", integer(1, 100_000), 1)
    .option("--humans", "where a human label differs, ask about the human's decision too")
    .option(
      "--flip <n>",
      "also ask about the opposite of n random decisions, as `audit` does; all, or 0 for none (default: the workspace's, or 50)",
      countOrAll,
    )
    .option(
      "--alternatives <n>",
      "also ask about so many of each decision's nearest alternatives: 0, 1 or 2 (default: the workspace's, or 0); needs more than two actions",
      integer(0, MOST_ALTERNATIVES),
    )
    .option("--stated-reasons", "also ask about restrictions by their stated rules")
    .option("--tiers <list>", "ask under each of these tiers, as `rules tiers` does", readBy(readTiers))
    .option("--rules <new>", "ask under the workspace's rules and under these, as `rules diff NEW` does")
    .addHelpText(
      "after",
      `${examples(
        "defensible prompts --out prompts.jsonl",
        "defensible prompts --sample 200 --signal none --out prompts.jsonl",
        "defensible prompts --answers answers.jsonl --out still-open.jsonl",
        "defensible prompts --rules new-rules.yaml --out prompts.jsonl",
        "defensible audit --auditor answers:answers.jsonl --signal none",
      )}
No model is asked. Other commands that audit write their questions with --prompts FILE. docs/answers.md explains both files.
`,
    )
    .action(prompts);
}

async function prompts(options: PromptsOptions): Promise<void> {
  const context = await contextOf(options);
  const { out, answers, tiers, rules, replicates } = options;
  if (tiers && rules) throw new InputError("two_comparisons", "--tiers and --rules: got both, expected one");
  if (tiers && options.tier) {
    throw new InputError("tier_is_varied", "--tier: cannot be used with --tiers", "Leave out one of the two.");
  }
  const flags: AuditFlags = {
    ...options,
    ...{ prompts: out, concurrency: 1, cache: false, dryRun: true },
    auditor: answers === undefined ? "baseline" : `answers:${answers}`,
  };
  let own: OwnRequest;
  if (tiers) own = { replicates, experiment: "tiers", arms: tiers.map(tierArm) };
  else if (rules) {
    const { arms, selection } = await differing(context, rules, options);
    own = { replicates, experiment: "diff", arms, selection };
  } else {
    const flip = options.flip ?? context.config.flip ?? DEFAULT_FLIP;
    const alternatives = options.alternatives ?? context.config.alternatives ?? 0;
    const { humans = false, statedReasons = false } = options;
    own = { replicates, humans, flip, alternatives, statedReasons };
  }
  try {
    const result = await auditSession(context, flags, own);
    printJson(auditSummary(result).prompts, options);
  } catch (cause) {
    if (!(cause instanceof RunHalted) || cause.reason !== null) throw cause;
    say("Stopped. Nothing was written.");
    process.exitCode = EXIT.interrupted;
  }
}

async function differing(context: FileContext, rules: string, options: PromptsOptions): Promise<ExperimentAudits> {
  const selection = selectionFrom(options, options.seed ?? context.config.seed);
  const compared = { old: null, new: rules };
  const wanted = await worded(refusalWords, () => diffAudits(context, compared, { tier: options.tier, selection }));
  if (wanted) return wanted;
  throw new InputError(
    "nothing_differs",
    "--rules: nothing that the auditor reads differs",
    "There is nothing to ask.",
  );
}

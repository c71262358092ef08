import { Command } from "commander";
import { type Arm, tierArm } from "../../audit/arms.js";
import { RunHalted } from "../../audit/calls/run-halted.js";
import { InputError } from "../../core/errors.js";
import type { Tier } from "../../core/records/rule-set.js";
import { type AuditFlags, type QuestionFlags, withQuestionOptions } from "../audit/options.js";
import { auditSession, type OwnRequest } from "../audit/session.js";
import { auditSummary } from "../audit/words.js";
import { EXIT } from "../exit-code.js";
import { examples, integer, withCommonOptions, workspaceOf } from "../options.js";
import { printJson, say } from "../output.js";
import { onlyDiffering, subjectOf } from "../rules-diff-subject.js";
import { countOrAll, DEFAULT_FLIP } from "./audit.js";
import { tierList } from "./rules-tiers.js";

interface PromptsOptions extends QuestionFlags {
  out: string;
  answers?: string;
  context?: number;
  replicates: number;
  humans?: boolean;
  flip?: number;
  tiers?: Tier[];
  rules?: string;
}

export function promptsCommand(): Command {
  return withQuestionOptions(withCommonOptions(new Command("prompts")))
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
    .option("--tiers <list>", "ask under each of these tiers, as `rules tiers` does", tierList)
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
  const workspace = await workspaceOf(options);
  const { out, answers, tiers, rules, replicates } = options;
  if (tiers && rules) throw new InputError("two_comparisons", "--tiers and --rules: got both, expected one");
  if (tiers && options.tier) {
    throw new InputError("tier_is_varied", "--tier: does not go with --tiers", "Leave out one of the two.");
  }
  let flags: AuditFlags = {
    ...options,
    ...{ prompts: out, concurrency: 1, cache: false, dryRun: true },
    auditor: answers === undefined ? "baseline" : `answers:${answers}`,
  };
  let own: OwnRequest;
  if (tiers) own = { replicates, experiment: "tiers", arms: tiers.map(tierArm) };
  else if (rules) {
    const subject = await subjectOf(workspace, rules, undefined, options);
    flags = onlyDiffering(flags, subject);
    own = { replicates, experiment: "diff", arms: bothSides(subject.arms) };
  } else {
    const flip = options.flip ?? workspace.config.flip ?? DEFAULT_FLIP;
    own = { replicates, humans: options.humans ?? false, flip };
  }
  try {
    const result = await auditSession(workspace, flags, own);
    printJson(auditSummary(result).prompts, options);
  } catch (cause) {
    if (!(cause instanceof RunHalted) || cause.reason !== null) throw cause;
    say("Stopped. Nothing was written.");
    process.exitCode = EXIT.interrupted;
  }
}

function bothSides(arms: readonly Arm[] | null): readonly Arm[] {
  if (arms) return arms;
  throw new InputError(
    "nothing_differs",
    "--rules: nothing that the auditor reads differs",
    "There is nothing to ask.",
  );
}

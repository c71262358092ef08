import { type Command, Option } from "commander";
import type { Selection } from "../../app/audit/audit-request.js";
import type { ModelSettings } from "../../auditors/create-auditor.js";
import { InputError } from "../../core/errors.js";
import type { MissingMode, SignalMode, Template } from "../../core/records/audit.js";
import { TIERS, type Tier } from "../../core/records/rule-set.js";
import {
  concurrencyOption,
  missingOption,
  noCacheOption,
  type ScrubOptions,
  withModelOptions,
  withScrubOptions,
  withSignalOptions,
} from "../model-options.js";
import { type CommonOptions, collect, integer, number } from "../options.js";

/** Flags for the question and the selection of decisions. */
export interface QuestionFlags extends CommonOptions, ScrubOptions {
  signal?: SignalMode;
  template?: Template;
  tier?: Tier;
  temperature?: number;
  samples?: number;
  communities?: string[];
  filter?: string[];
  cohort?: string;
  limit?: number;
  sample?: number;
  seed?: number;
  allowUnusedRules?: boolean;
}

export interface AuditFlags extends QuestionFlags, ModelSettings {
  auditor?: string;
  missing?: MissingMode;
  concurrency: number;
  maxCost?: number;
  cache: boolean;
  retryErrors?: boolean;
  dryRun?: boolean;
  /** File to write the questions to, instead of asking them. */
  prompts?: string;
  new?: boolean;
}

export const ALLOW_UNUSED_RULES = "continue although some rules belong to communities without decisions";

/** Adds the flags of a command that audits: auditor, question and selection. */
export function withAuditOptions(command: Command): Command {
  return withQuestionOptions(
    withModelOptions(command).option(
      "--auditor <name>",
      "the model that audits, such as openai:gpt-4.1-mini (default: the workspace's)",
    ),
  )
    .addOption(missingOption())
    .addOption(concurrencyOption())
    .option("--max-cost <usd>", "stop before the run costs more than this", number(0, 1e9))
    .addOption(noCacheOption())
    .option("--retry-errors", "retry audits that ended in an error")
    .option("--dry-run", "show what would be done, and stop")
    .option("--verbose", "show technical notices about model and signals too")
    .option(
      "--prompts <file>",
      "write the questions to a file instead of asking them; with answers:<file>, the unanswered ones",
    )
    .option("--new", "start another run with the same settings");
}

/** Adds the flags for the question and the selection of decisions. */
export function withQuestionOptions(command: Command): Command {
  return withSignalOptions(withScrubOptions(command))
    .addOption(
      new Option("--tier <tier>", "how much of each rule the auditor reads (default: the workspace's)").choices(TIERS),
    )
    .option("--communities <names...>", "only these communities")
    .option("--filter <condition>", "only decisions with FIELD=VALUE or FIELD!=VALUE; may be repeated", collect)
    .option("--cohort <name>", "only the decisions of a cohort")
    .option("--limit <n>", "only the first n decisions", integer(1))
    .option("--sample <n>", "a random sample of n decisions", integer(1))
    .option("--allow-unused-rules", ALLOW_UNUSED_RULES)
    .option("--seed <s>", "seed of sample and auditor (default: the workspace's)", integer(0));
}

export function selectionFrom(
  flags: Pick<AuditFlags, "cohort" | "communities" | "filter" | "sample" | "limit">,
  seed: number,
): Selection {
  const { cohort, communities, filter: filters, sample: size, limit } = flags;
  return { cohort, communities, filters, sample: size ? { size, seed } : undefined, limit };
}

/** Flags that only make sense if audits are made. */
const AUDITING = [
  "auditor",
  "signal",
  "template",
  "tier",
  "temperature",
  "samples",
  "maxCost",
  "prompts",
  "communities",
  "filter",
  "cohort",
  "limit",
  "sample",
  "seed",
  "retryErrors",
  "dryRun",
  "new",
] as const satisfies readonly (keyof AuditFlags)[];

/** Refuses audit flags if no audits are made. `own`: flags that the analysis uses, too. */
export function refuseAuditing(flags: AuditFlags & { run?: unknown }, own: readonly string[] = []): void {
  for (const name of AUDITING) {
    if (own.includes(name) || flags[name] === undefined) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new InputError(
      "no_audits_made",
      `${flag}: cannot be used with ${flags.run === undefined ? "--audits" : "--run"}, which analyses audits that are there`,
      "Leave out one of the two.",
    );
  }
}

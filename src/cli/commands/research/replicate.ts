import { Command, InvalidArgumentError, Option } from "commander";
import { COHORT_ROLES, type CohortRole } from "../../../experiments/study/datasets.js";
import { REPLICATE_STEPS, type ReplicateStep } from "../../../experiments/study/result.js";
import { type AuditFlags, withAuditOptions } from "../../audit/options.js";
import { examples, integer, withCommonOptions } from "../../options.js";
import { type FigureOptions, type PageOptions, withFigureOption } from "../../page.js";

export type CohortFlag = `cohort${Capitalize<CohortRole>}`;

export interface ReplicateFlags extends AuditFlags, PageOptions, FigureOptions, Partial<Record<CohortFlag, string>> {
  preset?: "small" | "fleet" | "paper";
  out?: string;
  force?: boolean;
  quick?: boolean;
  only?: ReplicateStep[];
  skip?: ReplicateStep[];
  replicates?: number;
  cases?: number;
  worlds?: number;
  draws?: number;
}

export function replicateCommand(): Command {
  const command = withAuditOptions(withFigureOption(withCommonOptions(new Command("replicate"))))
    .addOption(
      new Option("--preset <name>", "make a simulated world first, in --out, or use the one that is there").choices([
        "paper",
        "fleet",
        "small",
      ]),
    )
    .option("--out <dir>", "folder of the simulated world (with --preset; alone: preset paper)")
    .option("--force", "with --preset: replace a simulated world of other settings, with its runs")
    .option("--quick", "little of everything, in seconds: to see how it reads, not for its numbers")
    .option("--only <steps>", `only these steps: ${REPLICATE_STEPS.join(",")}`, stepList)
    .option("--skip <steps>", "leave out these steps", stepList)
    .option(
      "--replicates <k>",
      "stability: audits of a case at a temperature (default 40; with --preset paper 1,000, as in the paper)",
      integer(2, 100_000),
    )
    .option("--cases <n>", "stability: cases, half Flippers and half Stable (default 100)", integer(2, 100_000))
    .option("--worlds <n>", "validate: simulated worlds (default 40)", integer(0, 100_000))
    .option("--draws <n>", "draws of each bootstrap (default 1,000)", integer(100, 1_000_000));
  for (const [role, name] of Object.entries(COHORT_ROLES)) {
    command.addOption(
      new Option(`--cohort-${role} <name>`, `cohort in the place of the paper's (default: ${name}, if it is there)`),
    );
  }
  return command
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp())
    .addHelpText(
      "after",
      `${examples(
        "defensible replicate --dry-run",
        "defensible replicate --auditor openai:gpt-4.1-mini --sample 500 --max-cost 20 --md=replication.md",
        "defensible replicate --only tiers,stability --cohort-tiers ask-anything",
        "defensible replicate --preset paper --out paper-world --figure-data figures",
        "defensible replicate --preset small --out try --quick",
      )}
Every step is a run that is continued when the command is repeated, and used again when it is complete. --sample, --limit, --communities and --filter
choose decisions within each cohort; without cohorts of the paper's names all decisions are used for each. docs/replicate.md explains every step.
`,
    )
    .action(async (flags: ReplicateFlags) => {
      const { replicate } = await import("../../replicate/action.js");
      await replicate(flags);
    });
}

function stepList(text: string): ReplicateStep[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(REPLICATE_STEPS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`expected some of ${REPLICATE_STEPS.join(",")}.`);
  return REPLICATE_STEPS.filter((step) => names.includes(step));
}

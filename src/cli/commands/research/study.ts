import { Command, InvalidArgumentError, Option } from "commander";
import { stepNames } from "../../../experiments/registry.js";
import { COHORT_ROLES, type CohortRole } from "../../../experiments/study/datasets.js";
import { type AuditFlags, withAuditOptions } from "../../audit/options.js";
import { examples, integer, withCommonOptions } from "../../options.js";
import { type FigureOptions, type PageOptions, withResultOptions } from "../../page.js";

export type CohortFlag = `cohort${Capitalize<CohortRole>}`;

export interface StudyFlags extends AuditFlags, PageOptions, FigureOptions, Partial<Record<CohortFlag, string>> {
  reference?: string;
  preset?: "small" | "fleet" | "paper";
  out?: string;
  force?: boolean;
  quick?: boolean;
  only?: string[];
  skip?: string[];
  replicates?: number;
  cases?: number;
  worlds?: number;
  draws?: number;
}

/** `study`; under its older name `replicate` the reference is the paper. */
export function studyCommand(name: "study" | "replicate"): Command {
  const command = withAuditOptions(withResultOptions(withCommonOptions(new Command(name))))
    .addOption(
      new Option(
        "--reference <study>",
        "compare every number with this study: its JSON file, or `paper` for the numbers that the paper prints",
      ).default(name === "replicate" ? "paper" : undefined),
    )
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
    .option("--only <steps>", `only these steps: ${stepNames().join(",")}`, stepList)
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
    .addHelpText(
      "after",
      `${examples(
        "defensible study --dry-run",
        "defensible study --auditor openai:gpt-4.1-mini --sample 500 --max-cost 20 --json=mini.json",
        "defensible study --auditor vertex:gemini-2.5-flash --sample 500 --reference mini.json --md=study.md",
        "defensible study --only tiers,stability --reference paper",
        "defensible study --preset paper --out paper-world --reference paper --figure-data figures",
      )}
Every step is a run that is continued when the command is repeated, and used again when it is complete. --sample, --limit, --communities and --filter
choose decisions within each cohort; without cohorts of the paper's names all decisions are used for each. docs/study.md explains every step.
`,
    )
    .action(async (flags: StudyFlags) => {
      const { study } = await import("../../experiment/study.js");
      await study(flags);
    });
}

function stepList(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  const known = stepNames();
  if (names.some((name) => !known.includes(name)))
    throw new InvalidArgumentError(`expected some of ${known.join(",")}.`);
  return known.filter((step) => names.includes(step));
}

import { Command } from "commander";
import { scopesDocument } from "../../experiments/rules/document/scopes-document.js";
import { runScopes } from "../../experiments/rules/run-arms.js";
import { type ArmFlags, armsFrom, withArmOptions } from "../experiment/flags.js";
import { examples, integer } from "../options.js";
import { showExperiment } from "../page.js";

interface ScopesFlags extends ArmFlags {
  minRule: number;
}

export function rulesScopesCommand(): Command {
  return withArmOptions(new Command("scopes"))
    .description(
      "audit the same decisions under all rules, the platform's alone and the community's alone: whose rules leave them open?",
    )
    .option("--min-rule <n>", "decisions that a rule's figures need at least", integer(1), 10)
    .addHelpText(
      "after",
      examples(
        "defensible rules scopes",
        "defensible rules scopes --sample 500 --seed 7 --auditor openai:gpt-4.1-mini --max-cost 5",
        "defensible rules scopes --run 20261115T101530Z-4f2a --json",
        "defensible rules scopes --audits audits.csv --md",
      ),
    )
    .action(scopes);
}

async function scopes(flags: ScopesFlags): Promise<void> {
  const made = await runScopes({ ...(await armsFrom(flags)), minDecisions: flags.minRule });
  if (made) showExperiment(made, flags, (result) => scopesDocument(result, { rows: flags.rows }));
}

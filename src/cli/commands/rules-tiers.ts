import { Command, InvalidArgumentError, Option } from "commander";
import { InputError } from "../../core/errors.js";
import { TIERS, type Tier } from "../../core/records/rule-set.js";
import { tiersDocument } from "../../experiments/rules/document/tiers-document.js";
import { runTiers } from "../../experiments/rules/run-arms.js";
import { type ArmFlags, armsFrom, withArmOptions } from "../experiment/flags.js";
import { examples, integer } from "../options.js";
import { showExperiment } from "../page.js";

interface TiersFlags extends ArmFlags {
  tiers: Tier[];
  citedUnder: "finest" | "coarsest";
  minRule: number;
}

export function rulesTiersCommand(): Command {
  return withArmOptions(new Command("tiers"))
    .description(
      "audit the same decisions under titles, titles with descriptions, and the full text: what does detail settle?",
    )
    .option("--tiers <list>", "tiers to compare, coarsest first", tierList, [...TIERS])
    .addOption(
      new Option("--cited-under <text>", "show rules by what is cited under the finest or the coarsest text")
        .choices(["finest", "coarsest"])
        .default("finest"),
    )
    .option("--min-rule <n>", "decisions that a rule's figures need at least", integer(1), 10)
    .addHelpText(
      "after",
      examples(
        "defensible rules tiers",
        "defensible rules tiers --communities ask-anything --auditor openai:gpt-4.1-mini --dry-run",
        "defensible rules tiers --run 20261115T101530Z-4f2a --md=tiers.md --figure-data figures",
        "defensible rules tiers --audits audits.parquet --json",
      ),
    )
    .action(compareTiers);
}

async function compareTiers(flags: TiersFlags): Promise<void> {
  if (flags.tier !== undefined) {
    throw new InputError("tier_is_varied", "--tier: the experiment sets it", "Choose tiers with --tiers.");
  }
  const { tiers, minRule: minDecisions, rows, citedUnder } = flags;
  const made = await runTiers({ ...(await armsFrom(flags)), tiers, minDecisions });
  if (made) showExperiment(made, flags, (result) => tiersDocument(result, { rows, citedUnder }));
}

export function tierList(text: string): Tier[] {
  const names = text.split(",").map((name) => name.trim());
  const chosen = TIERS.filter((tier) => names.includes(tier));
  if (chosen.length !== names.length || chosen.length < 2 || chosen.some((tier, i) => tier !== names[i])) {
    throw new InvalidArgumentError(`expected two or three of ${TIERS.join(",")}, in this order.`);
  }
  return chosen;
}

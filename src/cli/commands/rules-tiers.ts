import { Command, InvalidArgumentError, Option } from "commander";
import { tierArm } from "../../audit/arms.js";
import { InputError } from "../../core/errors.js";
import { TIERS, type Tier } from "../../core/records/rule-set.js";
import { buildTiers } from "../../experiments/rules/build-tiers.js";
import { tiersDocument } from "../../experiments/rules/document/tiers-document.js";
import {
  type ArmFlags,
  armAudits,
  armSource,
  keepResult,
  rulesShown,
  withArmOptions,
  withArmTable,
} from "../arm-audits.js";
import { auditForExperiment } from "../experiment-run.js";
import { writeFigureData } from "../figure-data.js";
import { examples, integer } from "../options.js";
import { printJson } from "../output.js";
import { printPage } from "../page.js";

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
    .action(tiers);
}

async function tiers(flags: TiersFlags): Promise<void> {
  if (flags.tier !== undefined) {
    throw new InputError("tier_is_varied", "--tier: the experiment sets it", "Choose tiers with --tiers.");
  }
  const audits = await armAudits("tiers", flags, (workspace) =>
    auditForExperiment(workspace, flags, { kind: "tiers", arms: flags.tiers.map(tierArm) }),
  );
  if (!audits) return;
  const result = await withArmTable(audits.place, (table) =>
    buildTiers(table, {
      source: armSource(audits.place),
      tiers: flags.tiers,
      rules: rulesShown(audits),
      minDecisions: flags.minRule,
    }),
  );
  keepResult(audits, result);
  writeFigureData(result.figures, flags);
  const document = () => tiersDocument(result, { rows: flags.rows, citedUnder: flags.citedUnder });
  printPage(document, flags, printJson(result, flags));
}

export function tierList(text: string): Tier[] {
  const names = text.split(",").map((name) => name.trim());
  const chosen = TIERS.filter((tier) => names.includes(tier));
  if (chosen.length !== names.length || chosen.length < 2 || chosen.some((tier, i) => tier !== names[i])) {
    throw new InvalidArgumentError(`expected two or three of ${TIERS.join(",")}, in this order.`);
  }
  return chosen;
}

import { Command } from "commander";
import { PLAIN_ARM, scopeArm } from "../../audit/arms.js";
import { buildScopes } from "../../experiments/rules/build-scopes.js";
import { scopesDocument } from "../../experiments/rules/document/scopes-document.js";
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
  const audits = await armAudits("scopes", flags, (workspace) =>
    auditForExperiment(workspace, flags, {
      kind: "scopes",
      arms: [PLAIN_ARM, scopeArm("platform"), scopeArm("community")],
    }),
  );
  if (!audits) return;
  const result = await withArmTable(audits.place, (table) =>
    buildScopes(table, { source: armSource(audits.place), rules: rulesShown(audits), minDecisions: flags.minRule }),
  );
  keepResult(audits, result);
  writeFigureData(result.figures, flags);
  printPage(() => scopesDocument(result, { rows: flags.rows }), flags, printJson(result, flags));
}

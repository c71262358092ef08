import { Command } from "commander";
import { examples } from "../../options.js";

/** What can be asked of rules; each is loaded when it is asked for. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  draft: async () => (await import("./draft.js")).rulesDraftCommand(),
  lint: async () => (await import("./lint.js")).rulesLintCommand(),
  tiers: async () => (await import("../../experiment/command.js")).experimentCommand("tiers"),
  scopes: async () => (await import("../../experiment/command.js")).experimentCommand("scopes"),
  diff: async () => (await import("./diff.js")).rulesDiffCommand(),
};

/** `rules draft | lint | tiers | scopes | diff`: what the rules' own text does to the decisions made under them. */
export async function rulesCommand(): Promise<Command> {
  const command = new Command("rules")
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText(
      "after",
      examples(
        "defensible rules draft guidelines.md --out rules.yaml",
        "defensible rules lint",
        "defensible rules tiers",
        "defensible rules scopes --communities ask-anything",
        "defensible rules diff new-rules.yaml --fail-on-new-indefensible 0",
      ),
    );
  for (const load of Object.values(COMMANDS)) command.addCommand(await load());
  return command;
}

import type { Command } from "commander";
import { commandsBelow, withSubcommands } from "../../experiment/command.js";
import { rulesDraftCommand } from "./draft.js";
import { rulesLintCommand } from "./lint.js";

/** `rules draft | lint`, and experiments with the rules' own text. */
export async function rulesCommand(): Promise<Command> {
  return withSubcommands(
    "rules",
    [rulesDraftCommand(), rulesLintCommand(), ...(await commandsBelow("rules"))],
    [
      "defensible rules draft guidelines.md --out rules.yaml",
      "defensible rules lint",
      "defensible rules tiers",
      "defensible rules scopes --communities ask-anything",
      "defensible rules diff new-rules.yaml --fail-on-new-indefensible 0",
    ],
  );
}

import { Command } from "commander";
import { EXPERIMENT_COMMANDS } from "../../../core/names.js";
import { EXPERIMENTS } from "../../../experiments/registry.js";
import { experimentCommand as commandOf } from "../../experiment/command.js";
import { examples } from "../../options.js";

/** `experiment NAME`: every experiment of the registry that has no command elsewhere. */
export async function experimentCommand(): Promise<Command> {
  const command = new Command("experiment")
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText(
      "after",
      examples(
        "defensible experiment gap --cohort random --cohort balanced",
        "defensible experiment signal --run RUN_ID --figure-data figures",
        "defensible experiment circularity",
        "defensible experiment dual --sample 200",
      ),
    );
  for (const [name, { load }] of Object.entries(EXPERIMENTS)) {
    const place = EXPERIMENT_COMMANDS[name] ?? `experiment ${name}`;
    if (load && place === `experiment ${name}`) command.addCommand(await commandOf(name));
  }
  return command;
}

import type { Command } from "commander";
import { commandsBelow, withSubcommands } from "../../experiment/command.js";

/** `experiment NAME`: every experiment of the registry that has no command elsewhere. */
export async function experimentCommand(): Promise<Command> {
  return withSubcommands("experiment", await commandsBelow("experiment"), [
    "defensible experiment gap --cohort random --cohort balanced",
    "defensible experiment signal --run RUN_ID --figure-data figures",
    "defensible experiment circularity",
    "defensible experiment dual --sample 200",
  ]);
}

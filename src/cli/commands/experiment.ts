import { Command } from "commander";
import { examples } from "../options.js";

/** Each is loaded when it is asked for. */
const EXPERIMENTS: Record<string, () => Promise<Command>> = {
  gap: async () => (await import("./experiment-gap.js")).experimentGapCommand(),
  signal: async () => (await import("./experiment-signal.js")).experimentSignalCommand(),
  circularity: async () => (await import("./experiment-circularity.js")).experimentCircularityCommand(),
  dual: async () => (await import("./experiment-dual.js")).experimentDualCommand(),
};

/** `experiment gap | signal | circularity | dual`: experiments that have no command of their own. */
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
  for (const load of Object.values(EXPERIMENTS)) command.addCommand(await load());
  return command;
}

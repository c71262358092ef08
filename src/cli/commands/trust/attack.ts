import { Command } from "commander";
import { examples } from "../../options.js";

/** `attack build | run`: can wrong decisions pass for defensible ones? Each is loaded when it is asked for. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  build: async () => (await import("./attack-build.js")).attackBuildCommand(),
  run: async () => (await import("./attack-run.js")).attackRunCommand(),
};

export async function attackCommand(): Promise<Command> {
  const command = new Command("attack")
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText(
      "after",
      examples("defensible attack build --out sg-bench.jsonl", "defensible attack run sg-bench.jsonl"),
    );
  for (const load of Object.values(COMMANDS)) command.addCommand(await load());
  return command;
}

import { CommanderError } from "commander";
import { DefensibleError } from "../core/errors.js";
import { fileError } from "../io/files.js";
import { printable } from "../text/printable.js";
import { EXIT, exitCodeOf } from "./exit-code.js";
import { splitFileFlags } from "./options.js";
import { joinFileFlags } from "./out-files.js";
import { print, printableLines, say } from "./output.js";
import { askedCommands, askedTopic, createProgram } from "./program.js";

/** Runs one command line. Whatever it ends in stands in `process.exitCode`, and a failure is told on stderr. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    const args = splitFileFlags([...argv]);
    const topic = await askedTopic(args);
    if (topic !== null) return print(topic);
    const program = await createProgram(askedCommands(args));
    await program.parseAsync(joinFileFlags(program, args), { from: "user" });
  } catch (cause) {
    if (cause instanceof CommanderError) process.exitCode = cause.exitCode === 0 ? EXIT.fine : EXIT.user;
    else tell(cause);
  }
}

function tell(cause: unknown): void {
  const told = fileError(cause, (cause as NodeJS.ErrnoException)?.path ?? "standard output");
  process.exitCode = exitCodeOf(told);
  if (told instanceof DefensibleError) {
    say(`error: ${printable(told.message, 2000)}`);
    if (told.remedy) say(printable(told.remedy, 2000));
  } else {
    say("internal error: this is a bug in defensible, please report it with the lines below");
    say(printableLines(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)));
  }
}

import { CommanderError } from "commander";
import { DefensibleError } from "../core/errors.js";
import { fileError } from "../io/files.js";
import { printable } from "../text/printable.js";
import { joinFileFlags, splitFileFlags } from "./arguments.js";
import { EXIT, exitCodeOf } from "./exit-code.js";
import { print, printableLines, say, setVerbose } from "./output.js";
import { askedCommands, askedTopic, createProgram } from "./program.js";

/** Runs one command line. Its end sets `process.exitCode`; a failure is reported on stderr. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    const args = splitFileFlags(takeVerbose(argv));
    const topic = await askedTopic(args);
    if (topic !== null) return print(topic);
    const program = await createProgram(askedCommands(args));
    await program.parseAsync(joinFileFlags(program, args), { from: "user" });
  } catch (cause) {
    if (cause instanceof CommanderError) process.exitCode = cause.exitCode === 0 ? EXIT.fine : EXIT.user;
    else tell(cause);
  }
}

/** `--verbose` is for every command, wherever it is written. */
function takeVerbose(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const isFlag = (arg: string, at: number) => arg === "--verbose" && (end < 0 || at < end);
  setVerbose(argv.some(isFlag));
  return argv.filter((arg, at) => !isFlag(arg, at));
}

/** What a remedy means on the command line, by the code of the error: use cases know no flags. */
const FLAGS: Readonly<Record<string, string>> = {
  unused_rules: "--allow-unused-rules",
  max_cost: "--max-cost, --limit",
  other_decider: "--into, --out",
  other_replicates: "--replicates",
  no_proposals: "--out",
  own_file: "--out",
  missing_mode: "--missing, --signal",
  needs_workspace: "--workspace",
};

function withFlags(code: string, remedy: string): string {
  const flags = FLAGS[code];
  return flags === undefined || remedy.includes("--") ? remedy : `${remedy} (${flags})`;
}

function tell(cause: unknown): void {
  const failure = fileError(cause, (cause as NodeJS.ErrnoException)?.path ?? "standard output");
  process.exitCode = exitCodeOf(failure);
  if (failure instanceof DefensibleError) {
    say(`error: ${printable(failure.message, 2000)}`);
    if (failure.remedy) say(printable(withFlags(failure.code, failure.remedy), 2000));
  } else {
    say("internal error: this is a bug in defensible, please report it with the lines below");
    say(printableLines(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)));
  }
}

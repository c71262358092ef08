import { extname } from "node:path";
import { type Command, CommanderError, type Option } from "commander";
import { DefensibleError, InputError } from "../core/errors.js";
import { nearestName } from "../core/text-checks.js";
import { fileError } from "../io/files.js";
import { printable } from "../text/printable.js";
import { EXIT, exitCodeOf } from "./exit-code.js";
import { beginOutput, print, printableLines, say } from "./output.js";
import { askedCommands, askedTopic, createProgram, noteWrittenFiles } from "./program.js";

/** Runs one command line. Sets `process.exitCode`; an error is reported on stderr. */
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
  await noteWrittenFiles();
}

/** `--verbose` works for every command, in any position. */
function takeVerbose(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const isFlag = (arg: string, at: number) => arg === "--verbose" && (end < 0 || at < end);
  beginOutput({ verbose: argv.some(isFlag) });
  return argv.filter((arg, at) => !isFlag(arg, at));
}

/** Library options named in remedies; on the command line each is a flag. */
const OPTIONS =
  /`(auditor|baseUrl|batch|concurrency|context|maxCost|samples|signal|temperature|template|tier|timeout)`/g;

/** The flags that a remedy refers to, by error code: use cases know no flags. */
const FLAGS: Readonly<Record<string, string>> = {
  unused_rules: "--allow-unused-rules",
  other_decider: "--into, --out",
  other_replicates: "--replicates",
  no_proposals: "--out",
  own_file: "--out",
  missing_mode: "--missing, --signal",
  needs_workspace: "--workspace",
  no_raw_answers: "--keep-raw",
  no_raw_file: "--keep-raw",
  not_raw: "--keep-raw",
};

function withFlags(code: string, given: string): string {
  const remedy = given.replace(OPTIONS, (_, name: string) => `--${name.replace(/[A-Z]/g, "-$&").toLowerCase()}`);
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

/** Turns `--json=FILE` and `--md=FILE` into flags with required values: an optional value would swallow a following argument. */
export function splitFileFlags(args: readonly string[]): string[] {
  return args.flatMap((arg) => {
    const match = /^--(json|md)=(.*)$/s.exec(arg);
    if (match && match[2]!.trim() === "") {
      const remedy = `Name one, or write --${match[1]} alone to have it on the terminal.`;
      throw new InputError("no_file", `${arg}: the name of the file is empty`, remedy);
    }
    return match ? [`--${match[1]}-file`, match[2]!] : [arg];
  });
}

/**
 * Reads `--json out.json` as `--json=out.json` if the file cannot be an argument: the command takes none, or has all of them. Never for a
 * command that takes any number of files.
 */
export function joinFileFlags(program: Command, args: readonly string[]): string[] {
  const { command, words, candidates, strange } = scan(program, args);
  // A word after an unknown flag may be meant as its value.
  if (command !== program && !strange) refuseUnknownSubcommand(command, words);
  const positional = words.length;
  const expected = command.registeredArguments;
  if (expected.some((argument) => argument.variadic) || positional < expected.length) return [...args];
  return args.flatMap((arg, i) => {
    if (candidates.has(i)) return [`${arg}-file`, args[i + 1]!];
    return candidates.has(i - 1) ? [] : [arg];
  });
}

/** The options of a command, or of its subcommands if it has none of its own. */
function optionsOf(command: Command): readonly Option[] {
  return command.options.length > 0 ? command.options : command.commands.flatMap((sub) => sub.options);
}

/** For a command with subcommands and no arguments of its own, a word can only be a subcommand. */
function refuseUnknownSubcommand(command: Command, [word]: readonly string[]): void {
  if (word === undefined || word === "help" || command.commands.length === 0 || command.registeredArguments.length > 0)
    return;
  const names = command.commands.map((one) => one.name());
  const meant = nearestName(word, names);
  throw new InputError(
    "unknown_command",
    `${command.name()}: there is no subcommand "${word}"`,
    meant === null ? `Subcommands: ${names.join(", ")}.` : `Did you mean \`${command.name()} ${meant}\`?`,
  );
}

/** The command, its arguments, and the positions where `--json` or `--md` precedes a file with that extension. */
function scan(program: Command, args: readonly string[]) {
  let command = program;
  const words: string[] = [];
  const candidates = new Set<number>();
  let strange = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const next = args[i + 1] ?? "";
    const option = optionsOf(command).find((one) => one.long === arg || one.short === arg);
    if (arg === "--") break;
    if (
      (arg === "--json" || arg === "--md") &&
      !next.startsWith("-") &&
      extname(next).toLowerCase() === `.${arg.slice(2)}`
    ) {
      candidates.add(i++);
    } else if (option?.required && !option.variadic) i++;
    else if (option?.variadic) while (args[i + 1] !== undefined && !args[i + 1]!.startsWith("-")) i++;
    else if (option?.optional && !next.startsWith("-")) i++;
    else if (!arg.startsWith("-")) {
      const sub = words.length === 0 ? command.commands.find((one) => one.name() === arg) : undefined;
      if (sub) command = sub;
      else words.push(arg);
    } else if (!option && !arg.includes("=")) strange = true;
  }
  return { command, words, candidates, strange };
}

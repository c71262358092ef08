import { extname } from "node:path";
import type { Command, Option } from "commander";
import { InputError } from "../core/errors.js";
import { nearestName } from "../core/nearest-name.js";

/** `--json=FILE` and `--md=FILE` become flags with a value of their own: an optional value would swallow a following argument. */
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
 * `--json out.json` is `--json=out.json` where the file cannot be meant as an argument: the command takes none, or has all of them. A command that
 * takes any number of files never reads it so.
 */
export function joinFileFlags(program: Command, args: readonly string[]): string[] {
  const { command, words, candidates } = scan(program, args);
  if (command !== program) refuseUnknownSubcommand(command, words);
  const positional = words.length;
  const expected = command.registeredArguments;
  if (expected.some((argument) => argument.variadic) || positional < expected.length) return [...args];
  return args.flatMap((arg, i) => {
    if (candidates.has(i)) return [`${arg}-file`, args[i + 1]!];
    return candidates.has(i - 1) ? [] : [arg];
  });
}

/** Those of a command, or of its subcommands where it only has a default one. */
function optionsOf(command: Command): readonly Option[] {
  return command.options.length > 0 ? command.options : command.commands.flatMap((sub) => sub.options);
}

/** A command with subcommands that takes no argument of its own: a word can only be a subcommand. */
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

/** The command that is meant, its arguments, and where `--json` or `--md` is before a file of that ending. */
function scan(program: Command, args: readonly string[]) {
  let command = program;
  const words: string[] = [];
  const candidates = new Set<number>();
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
    }
  }
  return { command, words, candidates };
}

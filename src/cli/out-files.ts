import { extname } from "node:path";
import { type Command, Option } from "commander";
import { InputError } from "../core/errors.js";
import { collect } from "./options.js";

/** Which hidden or older flag takes a file of each format. */
const FLAGS: Readonly<Record<string, string>> = {
  ".json": "jsonFile",
  ".md": "mdFile",
  ".html": "html",
  ".svg": "figureFiles",
  ".xml": "junit",
};

const formatsOf = new WeakMap<Command, Readonly<Record<string, string>>>();
/** The `--out` options that were added here. */
const added = new WeakSet<Option>();

/** For a command whose result is in another format than its flags say: the flag that takes a file of each ending. */
export function withOutFormats(command: Command, formats: Readonly<Record<string, string>>): Command {
  formatsOf.set(command, formats);
  return command;
}

/** Gives a command and its subcommands `--out FILE`, with the formats that each can write. One that has its own keeps it. */
export function addOutOption(command: Command): void {
  for (const sub of command.commands) addOutOption(sub);
  const endings = Object.keys(formatsFor(command));
  const own = ownOut(command);
  if (own?.flags.includes("<file>")) own.argParser(collect);
  if (own || endings.length === 0) return;
  const several = endings.length > 1 ? " (repeatable)" : "";
  const description = `write the result to a file, in the format of its ending: ${endings.join(", ")}${several}`;
  const out = new Option("--out <file>", description).argParser(collect);
  added.add(out);
  command.addOption(out);
}

function ownOut(command: Command): Option | undefined {
  return command.options.find((option) => option.long === "--out");
}

function formatsFor(command: Command): Readonly<Record<string, string>> {
  const given = formatsOf.get(command);
  if (given) return given;
  const names = new Set(command.options.map((option) => option.attributeName()));
  return Object.fromEntries(Object.entries(FLAGS).filter(([, name]) => names.has(name)));
}

/**
 * Before a command acts: its `--out` files become the values of the flags that write them. Where a command has an `--out` of its own, that is
 * the first one; the others are its result in another format.
 */
export function spreadOutFiles(command: Command): void {
  const files: unknown = command.getOptionValue("out");
  const option = ownOut(command);
  if (!Array.isArray(files) || !option) return;
  const formats = formatsFor(command);
  const isOwn = !added.has(option);
  // Markdown was never what such a file is in.
  const own = isOwn ? files.find((file) => endingOf(file) !== ".md" || !formats[".md"]) : undefined;
  if (isOwn && option.mandatory && own === undefined) {
    throw new InputError(
      "no_file",
      `--out: ${files.join(", ")} is the summary; the file itself is missing`,
      help(command),
    );
  }
  command.setOptionValue("out", own);
  for (const file of files) if (file !== own) assign(command, file, formats);
}

function assign(command: Command, file: string, formats: Readonly<Record<string, string>>): void {
  const ending = endingOf(file);
  const name = Object.hasOwn(formats, ending) ? formats[ending]! : null;
  if (name === null) {
    const got = ending === "" ? "has no ending that says the format" : `cannot be written as ${ending}`;
    const endings = Object.keys(formats).join(", ");
    throw new InputError("unknown_ending", `--out ${file}: ${got}`, `This command writes ${endings}.`);
  }
  if (name === "figureFiles") {
    const before = (command.getOptionValue(name) as string[] | undefined) ?? [];
    command.setOptionValueWithSource(name, [...before, file], "cli");
    return;
  }
  const before: unknown = command.getOptionValue(name);
  if (before !== undefined) {
    throw new InputError("two_files", `--out ${file}: ${String(before)} is to get the same`, "Name one of them.");
  }
  command.setOptionValueWithSource(name, file, "cli");
}

function endingOf(file: string): string {
  return extname(file).toLowerCase();
}

function help(command: Command): string {
  return `\`defensible ${command.parent?.name() === "defensible" ? "" : `${command.parent?.name()} `}${command.name()} --help\` shows how.`;
}

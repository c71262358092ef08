import { existsSync } from "node:fs";
import { extname, sep } from "node:path";
import { type Command, Option } from "commander";
import { InputError } from "../core/errors.js";
import { outputPlace } from "../io/files.js";
import { collect } from "./options.js";

/** The hidden or older flag that takes a file of each format. */
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

/** Sets the flags that take a file of each extension, for a command with other result formats than its flags suggest. */
export function withOutFormats(command: Command, formats: Readonly<Record<string, string>>): Command {
  formatsOf.set(command, formats);
  return command;
}

/** Adds `--out FILE` to a command and its subcommands, with the formats that each can write. A command's own `--out` stays. */
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
 * Before a command acts: passes its `--out` files on to the flags that write them. If the command has its own `--out`, the first file is for
 * that option, and the others are its result in another format.
 */
export function spreadOutFiles(command: Command): void {
  const files: unknown = command.getOptionValue("out");
  const option = ownOut(command);
  if (!Array.isArray(files) || !option) return;
  const formats = formatsFor(command);
  const isOwn = !added.has(option);
  // The command's own file is never Markdown.
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

/** Flags whose values are files or folders that a command writes. */
const WRITTEN = ["out", "jsonFile", "mdFile", "html", "junit", "figureFiles", "figures", "prompts"];

/**
 * Before a command acts: refuses to overwrite files of the workspace, or a file that the command reads. `rules draft` may write among the
 * rules, because it replaces nothing without `--force`.
 */
export async function refuseOwnOutputs(command: Command): Promise<void> {
  const options = command.optsWithGlobals<Record<string, unknown>>();
  const files = writtenBy(options);
  if (files.length === 0 || command.name() === "draft") return;
  const read = new Set(command.args.filter((arg) => existsSync(arg)).map((arg) => outputPlace(arg)));
  const own = await workspacePlaces(options.workspace);
  for (const file of files) {
    const path = outputPlace(file);
    if (read.has(path))
      throw new InputError("is_input", `${file}: is read by this command`, "Name another file to write.");
    if (own.some((one) => path === outputPlace(one) || path.startsWith(`${outputPlace(one)}${sep}`))) {
      throw new InputError("is_workspace_file", `${file}: belongs to the workspace's own files`, "Name another place.");
    }
  }
}

export function writtenBy(options: Record<string, unknown>): string[] {
  const files = WRITTEN.flatMap((name) => options[name] ?? []);
  return files.filter((file): file is string => typeof file === "string" && file !== "-");
}

/** Files and folders of the command's workspace; empty if it has none. */
async function workspacePlaces(dir: unknown): Promise<string[]> {
  const { findWorkspace, workspacePaths } = await import("../store/files/workspace.js");
  try {
    return Object.values(workspacePaths(typeof dir === "string" ? dir : findWorkspace()));
  } catch {
    return [];
  }
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

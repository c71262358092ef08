import { type Command, InvalidArgumentError, Option } from "commander";
import { InputError } from "../core/errors.js";
import { readActions } from "../core/records/actions.js";
import { meantPercent, parseShare } from "../core/text-checks.js";
import type { FileContext } from "../store/files/stores.js";
import type { Workspace } from "../store/files/workspace.js";

export interface CommonOptions {
  workspace?: string;
  database?: string | true;
  json?: boolean;
  jsonFile?: string;
}

/** Adds the flags of every command: its workspace and JSON output. */
export function withCommonOptions(command: Command): Command {
  return command
    .option("--workspace <dir>", "the workspace (default: the nearest folder upward with a defensible.yaml)")
    .option("--json", "print only the result, as JSON (--json=FILE writes it to a file instead)")
    .addOption(new Option("--json-file <file>").hideHelp());
}

/**
 * Flags between a command and its subcommand (`calibrate --json list`) apply to the subcommand, and are refused if it does not have them.
 * Without this they would be parsed and ignored. If a flag is given in both places, the last one wins.
 */
export function inheritFlags(command: Command): Command {
  return command.hook("preSubcommand", (parent, sub) => {
    for (const option of parent.options) {
      const name = option.attributeName();
      if (parent.getOptionValueSource(name) !== "cli") continue;
      const value: unknown = parent.getOptionValue(name);
      // `--no-decisions` and `--decisions` share a name; the value shows which was typed.
      if (option.negate !== (value === false)) continue;
      const flag = option.hidden ? option.long?.replace(/-file$/, "") : option.long;
      const own = sub.options.find((one) => one.attributeName() === name);
      if (!own) {
        throw new InputError(
          "not_with_subcommand",
          `${flag}: cannot be used with ${sub.name()}`,
          `\`defensible ${parent.name()} ${sub.name()} --help\` shows what does.`,
        );
      }
      sub.setOptionValueWithSource(name, checked(own, value), "cli");
    }
  });
}

/** Parses a number again by the subcommand's own rule, which may be stricter. */
function checked(option: Option, value: unknown): unknown {
  if (typeof value !== "number" || !option.parseArg) return value;
  try {
    return option.parseArg(String(value), undefined);
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError)) throw cause;
    throw new InputError("bad_flag", `${option.long}: got ${value}, ${cause.message}`);
  }
}

/** The workspace's folder, without reading its settings. */
export async function workspaceFolder(options: CommonOptions): Promise<Pick<Workspace, "root" | "paths">> {
  const { findWorkspace, workspaceAt } = await import("../store/files/workspace.js");
  return workspaceAt(options.workspace ?? findWorkspace());
}

/** Imported only here: a report on a file needs neither a workspace nor YAML. */
export async function workspaceOf(options: CommonOptions): Promise<Workspace> {
  const { findWorkspace, openWorkspace } = await import("../store/files/workspace.js");
  return openWorkspace(options.workspace ?? findWorkspace());
}

/** The stores of the workspace, for a use case. */
export async function contextOf(options: CommonOptions): Promise<FileContext> {
  const { fileContext } = await import("../store/files/stores.js");
  return fileContext(await workspaceOf(options));
}

export function integer(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max || text.trim() === "") {
      throw new InvalidArgumentError(`expected a whole number ${range(min, max)}.`);
    }
    return value;
  };
}

export function number(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isFinite(value) || value < min || value > max || text.trim() === "") {
      throw new InvalidArgumentError(`expected a number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** Parses a rate or a share, such as 0.05 or 5%. */
export function share(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = parseShare(text);
    if (value >= min && value <= max) return value;
    const meant = value > 1 && value <= 100 ? ` Did you mean ${value}%?` : "";
    throw new InvalidArgumentError(`expected a share from ${min} to ${max}, such as 0.05 or 5%.${meant}`);
  };
}

/** A minimum share: refuses `0.9%`, which is probably a mistake. */
export function least(parse: (text: string) => number): (text: string) => number {
  return (text) => {
    const meant = meantPercent(text);
    if (meant === null) return parse(text);
    throw new InvalidArgumentError(`did you mean ${meant}? To ask for so little, write ${parseShare(text)}.`);
  };
}

function range(min: number, max: number): string {
  return max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
}

/** Wraps a parser that throws a `RangeError` saying what it expected. */
export function readBy<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text);
    } catch (cause) {
      if (cause instanceof RangeError) throw new InvalidArgumentError(cause.message);
      throw cause;
    }
  };
}

/** Help text of `--actions`. */
export const ACTIONS_HELP =
  "the restricting one first; three or more: mildest first, with / before the first that restricts";

export const actions = readBy(readActions);

/** Collects the values of a repeatable flag. */
export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

export function examples(...lines: string[]): string {
  return `\nExample${lines.length > 1 ? "s" : ""}:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`;
}

import { Command } from "commander";
import { VERSION } from "../io/machine.js";
import { COMMANDS } from "./command-list.js";
import { addOutOption, refuseOwnOutputs, spreadOutFiles, writtenBy } from "./out-files.js";
import { printableLines } from "./output.js";

/** The running command. */
let acting: Command | null = null;

/** Commands whose output files contain no user text about decisions. */
const WITHOUT_TEXTS = ["route", "draft", "seal", "verify"];

/** Called before a command acts. */
function noteActing(command: Command): void {
  acting = command;
}

/** After a command, even if it failed: records the files it wrote in the workspace, so that an erasure finds them. */
export async function noteWrittenFiles(): Promise<void> {
  const command = acting;
  acting = null;
  if (command === null || WITHOUT_TEXTS.includes(command.name())) return;
  const options = command.optsWithGlobals<Record<string, unknown>>();
  const files = writtenBy(options);
  if (files.length === 0 || options.database !== undefined) return;
  const { findWorkspace, workspaceAt } = await import("../store/files/workspace.js");
  const { noteOutputs } = await import("../store/files/erasure/search-files.js");
  try {
    const workspace = workspaceAt(typeof options.workspace === "string" ? options.workspace : findWorkspace());
    await noteOutputs(workspace, files, { at: new Date().toISOString(), command: command.name() });
  } catch {
    // There is no workspace, or it is not writable: nothing can be recorded.
  }
}

/** Help pages that are not commands: `defensible help <topic>`. */
const HELP_TOPICS: Readonly<Record<string, { does: string; load: () => Promise<() => string> }>> = {
  models: {
    does: "flags of the model and its calls",
    load: async () => (await import("./help-models.js")).modelsHelp,
  },
};

/** The help page that the arguments request; null: none. */
export async function askedTopic(args: readonly string[]): Promise<string | null> {
  const [help, name = ""] = args;
  if (help !== "help" || !Object.hasOwn(HELP_TOPICS, name)) return null;
  return (await HELP_TOPICS[name]!.load())();
}

/** The program with its list of commands. Only the named ones are loaded; the others have just a name and a description. */
export async function createProgram(loaded: readonly string[]): Promise<Command> {
  const program = new Command("defensible")
    .description(
      "Can this decision be derived from the rules? Audits decisions made under written rules and reports how defensible they are, how ambiguous the rules are, and what agreement with human labels hides.",
    )
    .version(VERSION)
    .option("--verbose", "show every section and technical notices; works with every command")
    .enablePositionalOptions()
    .showHelpAfterError("(--help shows what there is)")
    .configureHelp({ subcommandTerm: (command) => command.name() });
  for (const [name, { group, does, hidden = false, load }] of Object.entries(COMMANDS)) {
    const command = loaded.includes(name) ? await load() : new Command(name);
    addOutOption(command);
    program.addCommand(command.description(does).helpGroup(`${group}:`), { hidden });
  }
  program.addHelpCommand(
    new Command("help").arguments("[command]").description(helpText()).helpOption(false).helpGroup("Help:"),
  );
  program.hook("preAction", (_, command) => {
    spreadOutFiles(command);
    noteActing(command);
    return refuseOwnOutputs(command);
  });
  throwInsteadOfExit(program);
  program.addHelpText(
    "after",
    `
Start here:
  $ defensible demo

Exit codes: 0 fine · 1 your input or environment · 2 a requirement failed · 3 some audits ended in errors · 130 interrupted
`,
  );
  return program;
}

/** The commands that the arguments run, or request help for. */
export function askedCommands(args: readonly string[]): string[] {
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  const name = first === "help" ? second : first;
  return name !== undefined && Object.hasOwn(COMMANDS, name) ? [name] : [];
}

function helpText(): string {
  const topics = Object.entries(HELP_TOPICS).map(([name, { does }]) => `\`help ${name}\`: ${does}`);
  return `help for a command; ${topics.join("; ")}`;
}

/**
 * Stops Commander from ending the process, so that the exit code is decided in one place. Its messages repeat flags, commands and values as typed,
 * which may move the cursor or change the window title; they are made printable.
 */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  command.configureOutput({ writeErr: (text) => process.stderr.write(printableLines(text)) });
  for (const sub of command.commands) throwInsteadOfExit(sub);
}

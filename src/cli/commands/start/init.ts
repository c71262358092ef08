import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "commander";
import { InputError } from "../../../core/errors.js";
import { type Actions, actionNames, actionSides } from "../../../core/records/actions.js";
import { fileError } from "../../../io/files.js";
import { packageFile } from "../../../io/machine.js";
import { createWorkspace } from "../../../store/files/workspace.js";
import { printable } from "../../../text/printable.js";
import { ACTIONS_HELP, actions, examples } from "../../options.js";
import { print, printJson } from "../../output.js";

/** Example workspaces in the package; the first is the default. */
const EXAMPLES = ["commons", "commons-hard"] as const;
type Example = (typeof EXAMPLES)[number];

interface InitOptions {
  example?: Example;
  actions?: Actions;
  json?: boolean;
  jsonFile?: string;
}

export function initCommand(): Command {
  return new Command("init")
    .argument("[dir]", "where", ".")
    .addOption(
      new Option(
        "--example [name]",
        "fill it with a sample platform: commons (12 communities, 892 decisions) or commons-hard (382 difficult ones, to test auditors)",
      )
        .choices(EXAMPLES)
        .preset("commons"),
    )
    .option("--actions <names>", `names of the actions (default: remove,approve): ${ACTIONS_HELP}`, actions)
    .option("--json", "print the result as JSON (--json=FILE writes it to a file instead)")
    .addOption(new Option("--json-file <file>").hideHelp())
    .addHelpText(
      "after",
      examples(
        "defensible init my-platform",
        "defensible init try --example",
        "defensible init loans --actions deny,grant",
        "defensible init forum --actions allow,label/limit,remove,ban",
      ),
    )
    .action(init);
}

function init(dir: string, options: InitOptions): void {
  if (options.example && options.actions) {
    throw new InputError(
      "example_actions",
      "--actions: the sample's actions are remove and approve",
      "Leave out one of the two flags.",
    );
  }
  const workspace = createWorkspace(dir, options.actions ? { actions: options.actions } : {});
  if (options.example) copyExample(options.example, workspace.root);
  if (
    printJson(
      { workspace: workspace.root, example: options.example ?? false, actions: workspace.config.actions },
      options,
    )
  )
    return;
  const here = dir === "." ? "" : `cd ${printable(dir)}\n  $ `;
  if (options.actions) print(actionsReading(options.actions));
  print(
    options.example
      ? `Made a workspace with the sample platform in ${printable(workspace.root)}. Next:\n  $ ${here}defensible audit\n  $ defensible report --against gold`
      : `Made a workspace in ${printable(workspace.root)}. Next:\n  $ ${here}defensible import guidelines.md decisions.csv\n  $ defensible audit\n  $ defensible report`,
  );
}

/** How the actions were read: two are ordered differently from three or more. */
function actionsReading(given: Actions): string {
  const { restricting, other } = actionSides(given);
  const list = (names: readonly string[]) => printable(names.join(", "), 300);
  return `Actions${given.all ? ", mildest first" : ""}: ${list(actionNames(given))}. Restricting: ${list(restricting)}. Not restricting: ${list(other)}.`;
}

/** Copies a sample platform into a folder. The copy is writable even if the installation is not. */
export function copyExample(name: Example, root: string): void {
  const example = fileURLToPath(packageFile(`examples/${name}`));
  if (!existsSync(example)) {
    throw new InputError("no_example", `example: ${name} is not in this installation`, "Install the package again.");
  }
  try {
    copyContents(example, root);
  } catch (cause) {
    throw fileError(cause, root);
  }
}

/** Copies contents without modes: those of a read-only installation would make the workspace read-only. */
function copyContents(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyContents(source, target);
    else writeFileSync(target, readFileSync(source));
  }
}

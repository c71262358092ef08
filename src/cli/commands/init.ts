import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "commander";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import { fileError } from "../../io/files.js";
import { packageFile } from "../../io/package-file.js";
import { createWorkspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { actions, examples } from "../options.js";
import { print, printJson } from "../output.js";

/** The sample platform, as it is shipped in the package. */
const EXAMPLE = fileURLToPath(packageFile("examples/commons"));
const EXAMPLE_PARTS = ["defensible.yaml", "rules", "precedents.jsonl", "decisions.jsonl", "README.md", "ANNOTATING.md"];

interface InitOptions {
  example?: boolean;
  actions?: Actions;
  json?: boolean;
  jsonFile?: string;
}

export function initCommand(): Command {
  return new Command("init")
    .argument("[dir]", "where", ".")
    .option("--example", "fill it with the sample platform (12 communities, 382 annotated decisions)")
    .option(
      "--actions <positive,negative>",
      "names of the two actions, the restricting one first (default: remove,approve)",
      actions,
    )
    .option("--json", "print the result as JSON (--json=FILE writes it to a file instead)")
    .addOption(new Option("--json-file <file>").hideHelp())
    .addHelpText(
      "after",
      examples(
        "defensible init my-platform",
        "defensible init try --example",
        "defensible init loans --actions deny,grant",
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
  if (options.example) copyExample(workspace.root);
  if (
    printJson(
      { workspace: workspace.root, example: options.example ?? false, actions: workspace.config.actions },
      options,
    )
  )
    return;
  const here = dir === "." ? "" : `cd ${printable(dir)}\n  $ `;
  print(
    options.example
      ? `Made a workspace with the sample platform in ${printable(workspace.root)}. Next:\n  $ ${here}defensible audit\n  $ defensible report --against gold`
      : `Made a workspace in ${printable(workspace.root)}. Next:\n  $ ${here}defensible import rules.yaml decisions.jsonl\n  $ defensible audit\n  $ defensible report`,
  );
}

function copyExample(root: string): void {
  if (!existsSync(EXAMPLE)) {
    throw new InputError(
      "no_example",
      "example: the sample platform is not in this installation",
      "Install the package again.",
    );
  }
  try {
    for (const part of EXAMPLE_PARTS.filter((name) => readdirSync(EXAMPLE).includes(name))) {
      cpSync(join(EXAMPLE, part), join(root, part), { recursive: true });
    }
  } catch (cause) {
    throw fileError(cause, root);
  }
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { worded } from "../../../app/refusal.js";
import { InputError } from "../../../core/errors.js";
import { TRUTH_FILE } from "../../../core/names.js";
import { refusalWords } from "../../../experiments/refusals.js";
import { runValidate, type ValidateRequest } from "../../../experiments/validate/run-validate.js";
import { validateDocument } from "../../../experiments/validate/validate-document.js";
import { type FileContext, fileContext } from "../../../store/files/stores.js";
import { findWorkspace, openWorkspace } from "../../../store/files/workspace.js";
import { type CommonOptions, examples, integer, number, share, withCommonOptions } from "../../options.js";
import { say } from "../../output.js";
import { type FigureOptions, type PageOptions, showExperiment, withResultOptions } from "../../page.js";
import { worldsProgress } from "../../progress.js";

interface ValidateFlags extends CommonOptions, PageOptions, FigureOptions, Omit<ValidateRequest, "progress"> {}

export function validateCommand(): Command {
  return withResultOptions(withCommonOptions(new Command("validate")))
    .addOption(
      new Option("--preset <name>", "worlds of this kind (default: the workspace's, else small)").choices([
        "small",
        "fleet",
        "paper",
      ]),
    )
    .option("--run <id>", "compare this run of the simulated workspace with its truth (default: the newest)")
    .option("--worlds <n>", "simulated worlds; 0: only the run", integer(0, 100_000), 40)
    .option("--communities <n>", "communities of each world", integer(2, 100_000), 40)
    .option("--decisions <n>", "decisions of each world", integer(10, 10_000_000), 2400)
    .option("--labels <n>", "true labels per world, to correct the auditor by", integer(30), 200)
    .option("--temperature <t>", "temperature of the simulated audits", number(0, 2), 0.2)
    .option("--noise <share>", "how much of its misreadings the simulated auditor has", share(0, 1))
    .option("--seed <s>", "seed of the first world; the others follow (default: 1)", integer(0))
    .addHelpText(
      "after",
      examples(
        "defensible validate --worlds 100",
        "defensible simulate world && cd world && defensible audit && defensible validate --worlds 0",
      ),
    )
    .action(validate);
}

async function validate(flags: ValidateFlags): Promise<void> {
  const context = simulatedWorkspace(flags);
  const request = { ...flags, progress: worldsProgress(flags.worlds) };
  const result = await worded(refusalWords, () => runValidate(context, request));
  await context?.experiments.keep(result);
  showExperiment({ result, kept: null }, flags, validateDocument);
}

/** The workspace, if it is a simulated one; null: no such workspace and no run named. */
function simulatedWorkspace({ workspace: named, run }: ValidateFlags): FileContext | null {
  let root: string;
  try {
    root = named ?? findWorkspace();
  } catch (cause) {
    if (run !== undefined || !(cause instanceof InputError)) throw cause;
    return null;
  }
  if (existsSync(join(root, TRUTH_FILE))) return fileContext(openWorkspace(root));
  if (named === undefined && run === undefined) {
    say("This workspace is no simulation, so its runs have no known truth; simulated worlds are used alone.");
    return null;
  }
  throw new InputError(
    "no_truth",
    `workspace: ${root} is no simulation; there is no ${TRUTH_FILE}`,
    "Make a world with `defensible simulate DIR`, and audit it there.",
  );
}

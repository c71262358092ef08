import { Command, Option } from "commander";
import { CALIBRATION_METHODS } from "../../../measures/calibration/fit/methods.js";
import { applyAction, compareAction, fitAction, listAction, showAction } from "../../calibrate/actions.js";
import { ACTIONS_HELP, actions, examples, inheritFlags, integer, share } from "../../options.js";
import { withMarkdown } from "../../output.js";
import { withStores } from "../../serve/stores.js";

const METHODS = ["auto", "paper", ...CALIBRATION_METHODS.filter((method) => method !== "raw")];

export function calibrateCommand(): Command {
  const command = withAudits(withMarkdown(withStores(new Command("calibrate"))))
    .addOption(
      new Option(
        "--method <method>",
        "auto chooses by cross-validation; paper fits the weights of S and writes pds_weights.json",
      )
        .choices(METHODS)
        .default("auto"),
    )
    .addOption(
      new Option(
        "--fit <optimiser>",
        "with --method paper: weights from the closed simplex (default), or from the paper's softmax",
      ).choices(["simplex", "softmax"]),
    )
    .addOption(
      new Option("--component <entropy>", "entropy in S: of the precedent weight or of the citation")
        .choices(["h_w", "h_kappa"])
        .default("h_w"),
    );
  return inheritFlags(withTargets(command))
    .option("--evaluate-on <run>", "evaluate on another run or an audits file, instead of by cross-validation")
    .option("--holdout <share>", "evaluate on this held-out share of the rows (whole communities)", share(0.01, 0.9))
    .option("--seed <n>", "seed of folds and simulated outcomes", integer(0), 1)
    .option("--draws <n>", "simulated outcomes behind null values and bands", integer(20, 100_000), 200)
    .option("--name <name>", "a name for the calibration")
    .option("--out <file>", "write the result (paper: the weights) here instead of into the workspace")
    .option("--force", "measure on audits of another auditor, template or signal mode")
    .option("--dry-run", "keep nothing")
    .addHelpText(
      "after",
      examples(
        "defensible calibrate",
        "defensible calibrate --method paper --component h_w",
        "defensible calibrate --target human --labels labels.csv --holdout 0.3",
        "defensible calibrate --target auditor:20261115T101530Z-4f2a",
        "defensible calibrate apply 20261115T120000Z-1a2b --out calibrated.parquet",
      ),
    )
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(applyCommand())
    .addCommand(compareCommand())
    .enablePositionalOptions()
    .action(fitAction);
}

function withAudits(command: Command, run = "the newest"): Command {
  return command
    .option("--run <id>", `which run (default: ${run})`)
    .option("--audits <file>", "an audits file (JSONL, CSV or Parquet) instead of a run")
    .option("--actions <names>", `with --audits: the actions, ${ACTIONS_HELP}`, actions);
}

function withTargets(command: Command): Command {
  return command
    .option(
      "--target <what>",
      "reference labels: human, gold, auditor[:RUN|FILE], replicates, self, or auto, the first with enough labels (default: auto; for paper: self)",
    )
    .option("--labels <file>", "labels of defensibility (JSONL, CSV or Parquet) instead of the workspace's");
}

function listCommand(): Command {
  return withStores(new Command("list")).description("every calibration, newest first").action(listAction);
}

function showCommand(): Command {
  return withMarkdown(withStores(new Command("show")))
    .description("one calibration, as it was printed")
    .argument("<calibration>", "its id, the beginning of it, or its name")
    .action(showAction);
}

function applyCommand(): Command {
  return withAudits(withStores(new Command("apply")), "the run it was fitted on")
    .description("write audits with their calibrated probability (p_calibrated, calibration_id)")
    .argument("<calibration>", "id, name, or a file written with --out")
    .requiredOption("--out <file>", "where; .jsonl, .csv or .parquet. A file that is there is replaced")
    .option("--shift-prior", "correct for another mix of levels in these audits, estimated from them")
    .option("--force", "apply it to audits of another auditor, template or signal mode; they are flagged")
    .addHelpText("after", examples("defensible calibrate apply 20261115T120000Z-1a2b --out calibrated.jsonl"))
    .action(applyAction);
}

function compareCommand(): Command {
  return withTargets(withMarkdown(withStores(new Command("compare"))))
    .description("two auditors calibrated to the same labels, side by side")
    .argument("<a>", "a calibration or a run")
    .argument("<b>", "another")
    .option("--seed <n>", "seed of folds and simulated outcomes", integer(0), 1)
    .option("--draws <n>", "simulated outcomes behind null values", integer(100, 100_000), 200)
    .addHelpText("after", examples("defensible calibrate compare 20261115T101530Z-4f2a 20261116T080000Z-99ab"))
    .action(compareAction);
}

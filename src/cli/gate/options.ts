import { type Command, Option } from "commander";
import type { GateChoices } from "../../app/gate/gate-settings.js";
import { GATE_MODES, GATE_VARIABLES } from "../../core/gate.js";
import type { Actions } from "../../core/records/actions.js";
import { GATE_ADJUSTMENTS, GATE_LOOKS, type GateLook } from "../../measures/gate/adjustment.js";
import { ACTIONS_HELP, actions, type CommonOptions, collect, integer, least } from "../options.js";
import { withMarkdown } from "../output.js";
import type { PageOptions } from "../page.js";
import { withStores } from "../serve/stores.js";
import { days, gateKeys, positive, rate, sliceNames } from "./flags.js";

export interface GateFlags extends CommonOptions, PageOptions, GateChoices {
  run?: string[];
  audits?: string;
  actions?: Actions;
  look?: GateLook;
  labels?: string;
  holdout?: true | number;
  seed?: number;
  calibration?: string;
  slices?: string[];
  watch?: boolean;
  check?: boolean;
  require?: string[];
  junit?: string;
  history?: boolean;
  apply?: boolean;
  dryRun?: boolean;
  close?: string;
  open?: boolean;
  reinstate?: string;
  reason?: string;
  person?: string;
  rows?: number;
}

/** Adds the flags for where to read from and how to print. */
export function withGatePage(command: Command): Command {
  return withMarkdown(withStores(command))
    .option("--rows <n>", "rows shown in long tables (default: 5, with --verbose 15)", integer(1))
    .option("--verbose", "show every section, and technical notices");
}

/** Adds the flags that determine a gate. */
export function withGateOptions(command: Command): Command {
  return withGatePage(command)
    .option("--run <id>", "which run (default: the newest)", collect)
    .option("--window <days>", "use the decisions of the last days, over several runs: 30d (not with certified)", days)
    .option("--since <date>", "use all decisions since a fixed date, over the runs of one auditor and prompt")
    .addOption(
      new Option(
        "--mode <mode>",
        "the gate: raw (paper), by observed rates; cautious (shrunk, the default), by empirical Bayes; proven (certified), by hypothesis tests",
      ).choices(GATE_MODES),
    )
    .option("--di <x>", "minimum Defensibility Index (default 0.9)", least(rate))
    .option("--ai <x>", "maximum Ambiguity Index (default 0.15)", rate)
    .option("--min <n>", "minimum number of verdicts per community (default 25)", integer(1))
    .addOption(
      new Option("--variable <which>", "limit the paper's Ambiguity Index, or pure ambiguity").choices(GATE_VARIABLES),
    )
    .option("--by <keys>", "groups: community, decision, rule, language, or several: community,decision", gateKeys)
    .addOption(
      new Option("--adjust <how>", "certified: multiple-comparison correction (default holm)").choices(
        GATE_ADJUSTMENTS,
      ),
    )
    .addOption(
      new Option(
        "--look <how>",
        "certified: one declared look, or any number (default: any number; once with --audits)",
      ).choices(GATE_LOOKS),
    )
    .option("--delta <x>", "certified: probability of a false pass (default 0.05)", rate)
    .option("--thread-cap <n>", "certified: maximum number of decisions counted per thread (default 5)", integer(1))
    .option("--q <x>", "shrunk: expected share of false passes (default 0.05)", rate)
    .option("--risk <x>", "maximum indefensible share among decisions automated by score (default 1 − DI)", rate)
    .option(
      "--harm <x>",
      "maximum expected harm of a decision, in the units of the workspace's weights (default: not limited)",
      positive,
    )
    .option("--calibration <id>", "score with this calibration (default: the newest that fits)")
    .option("--labels <file>", "human labels of defensibility (default: the workspace's)")
    .option("--judge-error", "certified: also bound the true indefensible rate by human labels");
}

/** Adds the flags for additional output; they do not affect the gate. */
export function withFindings(command: Command): Command {
  return command
    .option("--audits <file>", "gate an audits file (JSONL, CSV or Parquet) instead of a workspace")
    .option("--actions <names>", `with --audits: the actions, ${ACTIONS_HELP}`, actions)
    .option("--holdout [share]", "choose communities on one part, certify them on the other (default 0.5)", rate)
    .option("--seed <n>", "seed of the split (default: the workspace's)", integer(0))
    .option("--slices <fields>", "rates by language, tags, kind, region or any field of decisions", sliceNames);
}

export function dryRun(): Option {
  return new Option("--dry-run", "record nothing");
}

export function withRequirements(command: Command, hidden = false): Command {
  const require = new Option("--require <what>", "a requirement; may be given several times (see below)");
  const junit = new Option("--junit <file>", "write the check as JUnit XML, without content");
  return command.addOption(require.argParser(collect).hideHelp(hidden)).addOption(junit.hideHelp(hidden));
}

/** Adds spellings from before there were subcommands, with the same meaning. */
export function withOldSpellings(command: Command): Command {
  const old = ["--watch", "--check", "--history", "--apply", "--close <reason>", "--open", "--reinstate <community>"];
  for (const flags of [...old, "--reason <text>"]) command.addOption(new Option(flags).hideHelp());
  return withRequirements(command, true);
}

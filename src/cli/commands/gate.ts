import { Command, Option } from "commander";
import type { GateChoices } from "../../app/gate/gate-settings.js";
import { GATE_MODES, GATE_VARIABLES } from "../../core/gate.js";
import type { Actions } from "../../core/records/actions.js";
import { GATE_ADJUSTMENTS, GATE_LOOKS, type GateLook } from "../../measures/gate/adjustment.js";
import { REQUIREMENTS } from "../../present/gate/gate-check.js";
import { days, gateKeys, rate, sliceNames } from "../gate/flags.js";
import { actions, type CommonOptions, collect, examples, integer, withCommonOptions } from "../options.js";
import type { PageOptions } from "../page.js";

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
  rows: number;
}

export function gateCommand(): Command {
  return withCommonOptions(new Command("gate"))
    .option("--run <id>", "which run (default: the newest; with --watch, several may be given)", collect)
    .option(
      "--window <days>",
      "rest on the decisions of the last days, over several runs: 30d (not with certified)",
      days,
    )
    .option("--since <date>", "rest on all decisions since a fixed date, over the runs of one auditor and prompt")
    .option("--audits <file>", "gate an audits file (JSONL, CSV or Parquet) instead of a workspace")
    .option("--actions <positive,negative>", "with --audits: the two actions, the restricting one first", actions)
    .addOption(
      new Option("--mode <mode>", "paper: rates as seen; shrunk (default): empirical Bayes; certified: tests").choices(
        GATE_MODES,
      ),
    )
    .option("--di <x>", "least Defensibility Index (default 0.9)", rate)
    .option("--ai <x>", "greatest Ambiguity Index (default 0.15)", rate)
    .option("--min <n>", "fewest verdicts of a community (default 25)", integer(1))
    .addOption(
      new Option("--variable <which>", "limit the paper's AI, or pure ambiguity without contradictions").choices(
        GATE_VARIABLES,
      ),
    )
    .option(
      "--by <keys>",
      "gate cohorts by community, decision, rule, language, or several: community,decision",
      gateKeys,
    )
    .addOption(
      new Option("--adjust <how>", "certified: how the number of communities is paid for (default holm)").choices(
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
    .option(
      "--thread-cap <n>",
      "certified: count at most so many decisions of one thread; choose before seeing verdicts (default 5)",
      integer(1),
    )
    .option("--q <x>", "shrunk: expected share of false passes (default 0.05)", rate)
    .option("--risk <x>", "greatest indefensible share among decisions automated by score (default 1 − DI)", rate)
    .option("--calibration <id>", "score with this calibration (default: the newest that fits)")
    .option("--labels <file>", "people's labels of defensibility (default: those of the workspace)")
    .option("--judge-error", "certified: also ask for a bound of the true indefensible rate by people's labels")
    .option("--holdout [share]", "choose communities on one part, certify them on the other (default 0.5)", rate)
    .option("--seed <n>", "seed of the split (default: the workspace's)", integer(0))
    .option("--slices <fields>", "rates by language, tags, kind, region or any field of decisions", sliceNames)
    .option(
      "--watch",
      "go through the verdicts in time, suspend what drifts above a limit, reinstate what is certified again",
    )
    .option("--check", "end with exit code 2 and a list where something required does not hold; changes nothing")
    .option("--require <what>", "what --check asks for; may be given several times (see below)", collect)
    .option("--junit <file>", "write the check as JUnit XML, without content")
    .option("--history", "show the states of communities over time, and what else happened")
    .option("--apply", "put the gate in force although it is a what-if; only another --apply replaces it")
    .option("--dry-run", "record nothing and put nothing in force")
    .option("--close <reason>", "kill switch: close every gate at once")
    .option("--open", "open the gates again")
    .option("--reinstate <community>", "lift a suspension by hand, with --reason; the watch begins anew there")
    .option("--reason <text>", "why, for --reinstate; kept in the history")
    .option("--md", "print Markdown (--md=FILE writes it to a file)")
    .addOption(new Option("--md-file <file>").hideHelp())
    .option("--rows <n>", "rows shown of long tables", integer(1), 15)
    .addHelpText("after", help())
    .action(async (flags: GateFlags) => {
      const { gateAction } = await import("../gate/action.js");
      await gateAction(flags);
    });
}

function help(): string {
  const requirements = Object.entries(REQUIREMENTS).map(
    ([name, { argument, help: text }]) => `  ${(argument ? `${name}:${argument}` : name).padEnd(26)}${text}`,
  );
  return `
Requirements for --check:
${requirements.join("\n")}

A gate of the newest run comes into force for \`defensible route\` if run and gate have the settings of the workspace (defensible.yaml).
Anything else is a what-if, unless --apply is given, and a gate that was applied stands until another --apply. --check and --watch never
replace a gate; a watch keeps to the limits of the gate in force. docs/gate.md explains every number.
${examples(
  "defensible gate",
  "defensible gate --mode certified --holdout --slices language,tags",
  "defensible gate --check --require fleet --require pass-share:0.8 --junit gate.xml",
  "defensible gate --watch",
  'defensible gate --reinstate boats --reason "the alarm was about a test run"',
  'defensible gate --close "wrong rules went live"',
)}`;
}

import { Command, InvalidArgumentError, Option } from "commander";
import type { Actions } from "../../../core/records/actions.js";
import { TEMPLATES, type Template } from "../../../core/records/trace.js";
import type { AllocationOrder, FlipperRule, StopRule } from "../../../measures/stability/allocate.js";
import { type AuditFlags, withAuditOptions } from "../../audit/options.js";
import { ACTIONS_HELP, actions, collect, examples, integer, number, share, withCommonOptions } from "../../options.js";
import { type FigureOptions, type PageOptions, withResultOptions } from "../../page.js";

export interface StabilityFlags extends AuditFlags, PageOptions, FigureOptions {
  run?: string[];
  audits?: string[];
  actions?: Actions;
  replicates?: number;
  fixed?: boolean;
  sequential?: boolean;
  temperatures: number[];
  templates?: Template[];
  pilot?: number;
  pilotTemperature?: number;
  flippers?: FlipperRule;
  cases?: number;
  casesOf?: string;
  stop?: StopRule;
  alpha?: number;
  raoBlackwell?: boolean;
  budget?: number;
  budgetOrder?: AllocationOrder;
  draws: number;
  rows: number;
}

export function stabilityCommand(): Command {
  return withAuditOptions(withResultOptions(withCommonOptions(new Command("stability"))))
    .option("--replicates <k>", "audits of a case at a temperature, at most (default 300)", integer(1, 100_000))
    .option("--fixed", "exactly as many, instead of stopping where a case is settled")
    .option("--temperatures <list>", "temperatures to compare", temperatureList, [0.1, 0.3, 0.7, 1])
    .option(
      "--templates <list>",
      "also vary instructions and form of the trace: some of paper,guided,extended",
      templateList,
    )
    .option(
      "--pilot <k>",
      "audits of each candidate before, to tell Flippers from Stable (default 10; 0: none)",
      integer(0, 10_000),
    )
    .option("--pilot-temperature <t>", "temperature of the pilot (default: the lowest)", number(0, 2))
    .addOption(
      new Option(
        "--flippers <rule>",
        "what makes a Flipper: several levels (default), or both sides of level 3",
      ).choices(["level", "boundary"]),
    )
    .option(
      "--cases <n>",
      "cases to measure, half Flippers and half Stable, so an even number (default 100; with --cohort all)",
      integer(2),
    )
    .option("--cases-of <run>", "measure the cases of another run of this experiment, to compare auditors")
    .addOption(
      new Option("--stop <when>", "stop where the boundary is settled (default), or the class too").choices([
        "boundary",
        "class",
      ]),
    )
    .option(
      "--alpha <x>",
      "probability that a settled state is wrong (default 0.05: 53 audits with the same level settle a case)",
      share(1e-9, 0.5),
    )
    .option("--rao-blackwell", "let probabilities count instead of the levels drawn from them")
    .option("--budget <n>", "audits in all after the pilot; they go where they decide something", integer(1))
    .addOption(
      new Option(
        "--budget-order <how>",
        "a budget goes to the cases nearest to being settled (default), or the widest",
      ).choices(["nearest", "widest"]),
    )
    .option(
      "--run <id>",
      "analyse this run again, no model is asked; `newest`: the newest of this experiment; several: several auditors",
      collect,
    )
    .option("--audits <file>", "analyse an audits file with columns `replicate` and `temperature` or `arm`", collect)
    .option("--actions <names>", `with --audits: the actions, ${ACTIONS_HELP}`, actions)
    .option("--sequential", "with --run or --audits: say only what is settled, not the shares as they are")
    .option("--draws <n>", "draws of each bootstrap", integer(100, 1_000_000), 2000)
    .option("--rows <n>", "cases shown", integer(1), 12)
    .addHelpText(
      "after",
      examples(
        "defensible stability --cases 20 --temperatures 0.2,1 --dry-run",
        "defensible stability --cases 100 --auditor openai:gpt-4.1-mini --budget 20000 --max-cost 5",
        "defensible stability --replicates 1000 --fixed --auditor simulated:columns",
        "defensible stability --run 20261115T101530Z-4f2a --md=stability.md --figure-data figures",
        "defensible stability --audits replicates.parquet --pilot 10 --json",
      ),
    )
    .action(async (flags: StabilityFlags) => {
      const { stability } = await import("../../stability/action.js");
      await stability(flags);
    });
}

function temperatureList(text: string): number[] {
  const values = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (values.some((value) => !(value >= 0 && value <= 2)) || new Set(values).size !== values.length) {
    throw new InvalidArgumentError("expected different temperatures from 0 to 2, such as 0.1,0.3,0.7,1.0.");
  }
  return values.sort((a, b) => a - b);
}

function templateList(text: string): Template[] {
  const names = text.split(",").map((name) => name.trim());
  const chosen = TEMPLATES.filter((template) => names.includes(template));
  if (chosen.length !== names.length) throw new InvalidArgumentError(`expected some of ${TEMPLATES.join(",")}.`);
  return names as Template[];
}

import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { WorldWishes } from "../../../experiments/simulate/make-world.js";
import { whole } from "../../../present/words/numbers.js";
import { collect, examples, integer, share } from "../../options.js";
import type { JsonOptions } from "../../output.js";
import { type FigureOptions, type PageOptions, showExperiment, withResultOptions } from "../../page.js";
import { StatusLine } from "../../progress.js";

interface SimulateFlags extends WorldWishes, JsonOptions, PageOptions, FigureOptions {
  force?: boolean;
}

export function simulateCommand(): Command {
  return withResultOptions(new Command("simulate"))
    .argument("<dir>", "a new folder")
    .addOption(
      new Option(
        "--preset <name>",
        "small (12 communities, 600 decisions), fleet (4,565; 109,186) or paper (the paper's cohorts)",
      )
        .choices(["small", "fleet", "paper"])
        .default("small"),
    )
    .option("--seed <n>", "the same seed makes the same world, byte for byte", integer(0), 1)
    .option("--book <name>", "phrase book of all texts: harbour, meridian or alder")
    .option("--communities <n>", "communities (small, fleet)", integer(1, 10_000_000))
    .option("--decisions <n>", "decisions (small, fleet)", integer(1, 1_000_000_000))
    .option("--decider-error <rate>", "share of clear cases that the decider gets wrong", share(0, 1))
    .option("--implicit-norms <rate>", "share of permitted content that people remove by unwritten norms", share(0, 1))
    .option("--decider <id>", "the deciding model; `simulated-1` is of the simulated auditor's family")
    .option("--set <key=value>", "any other setting, as in cohorts.main.violating=0.4 (repeatable)", collect)
    .option("--force", "replace a simulation that is there, with its runs; nothing else is ever replaced")
    .option("--json", "print only the result, as JSON (--json=FILE writes it to a file instead)")
    .addOption(new Option("--json-file <file>").hideHelp())
    .addHelpText(
      "after",
      examples(
        "defensible simulate world && cd world && defensible audit && defensible report",
        "defensible simulate fleet --preset fleet --seed 7",
        "defensible simulate strict --decider-error 0.02 --set cohorts.main.violating=0.5",
      ),
    )
    .action(simulate);
}

async function simulate(dir: string, flags: SimulateFlags): Promise<void> {
  const { makeWorld, plannedDecisions } = await import("../../../experiments/simulate/make-world.js");
  const { simulationOf } = await import("../../../experiments/simulate/make-world.js");
  const { simulateDocument } = await import("../../../experiments/simulate/make-world.js");
  const simulation = simulationOf(flags);
  const options = { force: flags.force === true, progress: progress(plannedDecisions(simulation)) };
  const result = makeWorld(resolve(dir), simulation, options);
  showExperiment({ result, kept: null }, flags, () => simulateDocument(result, dir));
}

/** Only large worlds take long enough to print a line. */
function progress(planned: number): (done: number) => void {
  const line = new StatusLine(false);
  return (done) => {
    if (line.isDue()) line.write(`${whole(done)} of ${whole(planned)} decisions written`);
  };
}

import { Command, Option } from "commander";
import { InputError } from "../../core/errors.js";
import type { Experiment } from "../../core/results/experiment.js";
import type { Kept } from "../../experiments/audits.js";
import { EXPERIMENTS } from "../../experiments/registry.js";
import type { Slice, SliceOption, WantedAudits } from "../../experiments/slice.js";
import type { FileContext } from "../../store/files/stores.js";
import { selectionFrom } from "../audit/options.js";
import { collect, examples, integer, readBy, share } from "../options.js";
import { say } from "../output.js";
import { showExperiment } from "../page.js";
import {
  type ArmFlags,
  armsFrom,
  type ExperimentFlags,
  experimentPlaces,
  withAnalysisOptions,
  withArmOptions,
} from "./flags.js";

/** The command of an experiment, as its line in the registry and its folder describe it. */
export async function experimentCommand(name: string): Promise<Command> {
  const { does, load } = EXPERIMENTS[name]!;
  const slice = await load!();
  const named = new Command(name).description(does);
  const command = slice.audits === "there" ? withAnalysisOptions(named) : withArmOptions(named, slice.rows);
  for (const option of slice.options) command.addOption(optionOf(option));
  const more = slice.more === undefined ? "" : `${slice.more}\n`;
  return command
    .addHelpText("after", `${examples(...slice.examples)}${more}`)
    .action(async (flags: ExperimentFlags & ArmFlags) => {
      const made = await run(slice, flags);
      if (!made) return;
      showExperiment(made, flags, (result, size) => slice.document(result, { ...flags, ...size }));
    });
}

async function run(slice: Slice, flags: ExperimentFlags & ArmFlags): Promise<Kept<Experiment> | null> {
  if (slice.audits === "there") return slice.run({ ...(await experimentPlaces(flags)), say }, flags);
  const { sets } = slice;
  if (sets && flags[sets.flag] !== undefined) {
    throw new InputError(`${sets.flag}_is_varied`, `--${sets.flag}: the experiment sets it`, sets.instead);
  }
  const { context, from } = await armsFrom(flags);
  return slice.run({ context, from, settings: "make" in from ? settingsOf(context!, flags) : null }, flags);
}

/** Kept answers have settings of their own: they are looked at afterwards. */
function settingsOf({ config }: FileContext, flags: ArmFlags): WantedAudits["settings"] {
  const { auditor = config.auditor, tier = config.tier, template = config.template } = flags;
  if (/^(replay|answers):/.test(auditor)) return null;
  return { auditor, tier, template, selection: selectionFrom(flags, flags.seed ?? config.seed) };
}

function optionOf({ flag, does, is, choices, default: otherwise }: SliceOption): Option {
  const option = new Option(flag, does);
  if (choices) option.choices(choices);
  if (is === "several") option.argParser(collect);
  else if (typeof is === "function") option.argParser(readBy(is));
  else if (is) option.argParser("whole" in is ? integer(...is.whole) : share(...is.share));
  if (otherwise !== undefined) option.default(otherwise);
  return option;
}

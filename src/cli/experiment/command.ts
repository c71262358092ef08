import { Command, Option } from "commander";
import { worded } from "../../app/notices.js";
import { InputError } from "../../core/errors.js";
import type { Experiment } from "../../core/results/experiment.js";
import { type Kept, refusalWords } from "../../experiments/audits.js";
import { commandOf, EXPERIMENTS } from "../../experiments/registry.js";
import type { OwnCommand, Slice, SliceOptions, Tools, WantedAudits } from "../../experiments/slice.js";
import type { FileContext } from "../../store/files/stores.js";
import { selectionFrom, withAuditOptions } from "../audit/options.js";
import { withScrubOptions } from "../model-options.js";
import { collect, examples, integer, number, readBy, share, withCommonOptions } from "../options.js";
import { withMarkdown } from "../output.js";
import { showExperiment, withResultOptions } from "../page.js";
import { type Flags, toolsFrom } from "./audits.js";
import { type ArmFlags, armsFrom, experimentPlaces, withAnalysisOptions, withArmOptions } from "./flags.js";

/** The command of an experiment, described by its registry line and its folder. `older`: under its older name. */
export async function experimentCommand(experiment: string, older = false): Promise<Command> {
  const { does, load, older: former } = EXPERIMENTS[experiment]!;
  const slice = await load();
  const [first, second = first] = commandOf(experiment).split(" ") as [string, string?];
  if ("commands" in slice) {
    const subs = Object.entries(slice.commands).map(([name, one]) => commandFrom(name, one.does!, one));
    return withSubcommands(first, subs, slice.examples);
  }
  return older ? commandFrom(former!.name, former!.does, slice, former!.defaults) : commandFrom(second, does, slice);
}

/** Experiments that are subcommands of another command, such as `rules diff` of `rules`. */
export function commandsBelow(parent: string): Promise<Command[]> {
  const names = Object.keys(EXPERIMENTS).filter((name) => commandOf(name) === `${parent} ${name}`);
  return Promise.all(names.map((name) => experimentCommand(name)));
}

export function withSubcommands(name: string, subs: readonly Command[], shown: readonly string[] = []): Command {
  const command = new Command(name).enablePositionalOptions().helpCommand(false);
  if (shown.length > 0) command.addHelpText("after", examples(...shown));
  for (const sub of subs) command.addCommand(sub);
  return command;
}

function commandFrom(
  name: string,
  does: string,
  slice: Slice,
  defaults: Readonly<Record<string, unknown>> = {},
): Command {
  const command = withKindOptions(new Command(name).description(does), slice);
  for (const [argument, what] of slice.arguments ?? []) command.argument(argument, what);
  for (const [flag, of] of Object.entries(slice.options)) {
    const option = optionOf(flag, of);
    const otherwise = defaults[option.attributeName()];
    command.addOption(otherwise === undefined ? option : option.default(otherwise));
  }
  const more = slice.more === undefined ? "" : `${slice.more}\n`;
  return command
    .addHelpText("after", `${examples(...slice.examples)}${more}`)
    .action((...given: [...string[], Flags, Command]) =>
      act(slice, given.at(-2) as Flags, given.slice(0, -2) as never),
    );
}

/** Runs a command and shows its result, unless the command has done so itself. */
async function act(slice: Slice, flags: Flags, args: never[]): Promise<void> {
  const tools = toolsFrom(flags);
  const words = ("refusals" in slice && slice.refusals) || refusalWords;
  const made: Kept<Experiment> | null = await worded(words, () => run(slice, tools, flags, args));
  if (!made) return;
  const { document } = slice;
  if (document) showExperiment(made, flags, (result, size) => document(result, { ...flags, ...size }));
  slice.after?.(made, flags, tools);
}

async function run(slice: Slice, tools: Tools, flags: Flags, args: never[]): Promise<Kept<Experiment> | null> {
  if ("takes" in slice) return slice.run(tools, flags, ...args);
  if (slice.audits === "there") return slice.run({ ...tools, ...(await experimentPlaces(flags)) }, flags);
  const { sets } = slice;
  if (sets && flags[sets.flag] !== undefined) {
    throw new InputError(`${sets.flag}_is_varied`, `--${sets.flag}: the experiment sets it`, sets.instead);
  }
  const { context, from } = await armsFrom(flags, slice);
  const settings = "make" in from ? settingsOf(context!, flags) : null;
  return slice.run({ ...tools, context, from, settings }, flags, ...args);
}

/** null for stored answers: they have their own settings, which are read afterwards. */
function settingsOf({ config }: FileContext, flags: ArmFlags): WantedAudits["settings"] {
  const { auditor = config.auditor, tier = config.tier, template = config.template } = flags;
  if (/^(replay|answers):/.test(auditor)) return null;
  return { auditor, tier, template, selection: selectionFrom(flags, flags.seed ?? config.seed) };
}

const TAKEN: Readonly<Record<OwnCommand<Experiment, unknown>["takes"][number], (command: Command) => Command>> = {
  audits: withAuditOptions,
  result: withResultOptions,
  markdown: withMarkdown,
  raters: (command) => withScrubOptions(command, "raters"),
};

function withKindOptions(command: Command, slice: Slice): Command {
  if ("takes" in slice) return slice.takes.reduce((made, kind) => TAKEN[kind](made), withCommonOptions(command));
  return slice.audits === "there" ? withAnalysisOptions(command) : withArmOptions(command, slice);
}

function optionOf(flag: string, [does, reads = "text", usual]: SliceOptions[string]): Option {
  const option = new Option(flag, does);
  if (reads === "required") option.makeOptionMandatory();
  else if (reads === "several") option.argParser(collect);
  else if (typeof reads === "function") option.argParser(readBy(reads));
  else if (typeof reads === "object") {
    if ("choices" in reads) option.choices(reads.choices);
    else if ("whole" in reads) option.argParser(integer(...reads.whole));
    else option.argParser("share" in reads ? share(...reads.share) : number(...reads.number));
  }
  return usual === undefined ? option : option.default(usual);
}

/** `experiment NAME`: every registered experiment without a command elsewhere. */
export async function experimentsCommand(): Promise<Command> {
  return withSubcommands("experiment", await commandsBelow("experiment"), [
    "defensible experiment gap --cohort random --cohort balanced",
    "defensible experiment signal --run RUN_ID --figure-data figures",
    "defensible experiment circularity",
    "defensible experiment dual --sample 200",
  ]);
}

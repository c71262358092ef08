import { Command } from "commander";
import { REQUIREMENTS } from "../../../present/gate/gate-check.js";
import {
  dryRun,
  type GateFlags,
  withFindings,
  withGateOptions,
  withGatePage,
  withOldSpellings,
  withRequirements,
} from "../../gate/options.js";
import { examples, inheritFlags } from "../../options.js";
import { withPerson } from "../../person.js";

/** `gate` itself only reads; its subcommands act. */
export function gateCommand(): Command {
  const gate = withFindings(withGateOptions(new Command("gate"))).addOption(dryRun());
  return (
    inheritFlags(withOldSpellings(gate))
      // Flags after a subcommand belong to it.
      .enablePositionalOptions()
      .helpCommand(false)
      .addHelpText(
        "after",
        `
\`gate\` computes and shows a gate, and records the look. Only \`gate apply\` activates one for \`defensible route\`; it stays active until the
next \`gate apply\`. docs/gate.md explains every number.
${examples(
  "defensible gate",
  "defensible gate --mode certified --holdout --slices language,tags",
  "defensible gate apply --mode certified",
  "defensible gate check --require fleet --require pass-share:0.8 --junit gate.xml",
)}`,
      )
      .action((flags: GateFlags) => act(flags))
      .addCommand(applyCommand())
      .addCommand(checkCommand())
      .addCommand(watchCommand())
      .addCommand(closeCommand())
      .addCommand(openCommand())
      .addCommand(reinstateCommand())
      .addCommand(historyCommand())
  );
}

function applyCommand(): Command {
  return withPerson(withGateOptions(new Command("apply")))
    .description("activate a gate: `defensible route` follows it until the next `gate apply`")
    .option("--reason <text>", "why; kept in the history")
    .addHelpText("after", examples("defensible gate apply", "defensible gate apply --mode certified --di 0.95"))
    .action((flags: GateFlags) => act({ ...flags, apply: true }));
}

function checkCommand(): Command {
  const requirements = Object.entries(REQUIREMENTS).map(
    ([name, { argument, help }]) => `  ${(argument ? `${name}:${argument}` : name).padEnd(26)}${help}`,
  );
  return withRequirements(withFindings(withGateOptions(new Command("check"))))
    .addOption(dryRun())
    .description("exit code 2 and a list if a requirement failed; changes nothing")
    .addHelpText(
      "after",
      `\nRequirements:\n${requirements.join("\n")}\n${examples(
        "defensible gate check",
        "defensible gate check --require fleet --require pass-share:0.8 --junit gate.xml",
      )}`,
    )
    .action((flags: GateFlags) => act({ ...flags, check: true }));
}

function watchCommand(): Command {
  return withFindings(withGateOptions(new Command("watch")))
    .addOption(dryRun())
    .description(
      "go through verdicts in order of time: suspend what drifts above a limit, reinstate what is certified again",
    )
    .addHelpText(
      "after",
      `\nA watch keeps to the limits of the active gate and never replaces it. --run may be given several times.\n${examples(
        "defensible gate watch",
        "defensible gate watch --dry-run",
      )}`,
    )
    .action((flags: GateFlags) => act({ ...flags, watch: true }));
}

function closeCommand(): Command {
  return withPerson(withGatePage(new Command("close")))
    .description("kill switch: close every gate at once")
    .argument("<reason>", "why; kept in the history")
    .showHelpAfterError('Give a reason: `defensible gate close "wrong rules went live"`')
    .addHelpText("after", examples('defensible gate close "wrong rules went live"'))
    .action((reason: string, flags: GateFlags) => act({ ...flags, close: reason }));
}

function openCommand(): Command {
  return withPerson(withGatePage(new Command("open")))
    .description("open the gates again after `gate close`")
    .option("--reason <text>", "why; kept in the history")
    .action((flags: GateFlags) => act({ ...flags, open: true }));
}

function reinstateCommand(): Command {
  return withPerson(withGatePage(new Command("reinstate")))
    .description("lift a suspension by hand; the watch starts over there")
    .argument("<community>", "which one")
    .option("--reason <text>", "why; kept in the history")
    .addHelpText("after", examples('defensible gate reinstate boats --reason "the alarm was about a test run"'))
    .action((community: string, flags: GateFlags) => act({ ...flags, reinstate: community }));
}

function historyCommand(): Command {
  return withGatePage(new Command("history"))
    .description("who changed the gate, when and why; states of communities over time")
    .action((flags: GateFlags) => act({ ...flags, history: true }));
}

async function act(flags: GateFlags): Promise<void> {
  const { gateAction } = await import("../../gate/action.js");
  await gateAction(flags);
}

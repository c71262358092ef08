import { Command } from "commander";
import { VERSION } from "../io/version.js";
import { printableLines } from "./output.js";

/** Every command, in the order of the help. Only the one that is asked for is loaded. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  init: async () => (await import("./commands/init.js")).initCommand(),
  import: async () => (await import("./commands/import.js")).importCommand(),
  cohort: async () => (await import("./commands/cohort.js")).cohortCommand(),
  audit: async () => (await import("./commands/audit.js")).auditCommand(),
  decide: async () => (await import("./commands/decide.js")).decideCommand(),
  report: async () => (await import("./commands/report.js")).reportCommand(),
  gate: async () => (await import("./commands/gate.js")).gateCommand(),
  calibrate: async () => (await import("./commands/calibrate.js")).calibrateCommand(),
  route: async () => (await import("./commands/route.js")).routeCommand(),
  outcomes: async () => (await import("./commands/outcomes.js")).outcomesCommand(),
  experiment: async () => (await import("./commands/experiment.js")).experimentCommand(),
  rules: async () => (await import("./commands/rules.js")).rulesCommand(),
  attack: async () => (await import("./commands/attack.js")).attackCommand(),
  plan: async () => (await import("./commands/plan.js")).planCommand(),
  validate: async () => (await import("./commands/validate.js")).validateCommand(),
  humans: async () => (await import("./commands/humans.js")).humansCommand(),
  stability: async () => (await import("./commands/stability.js")).stabilityCommand(),
  show: async () => (await import("./commands/show.js")).showCommand(),
  runs: async () => (await import("./commands/runs.js")).runsCommand(),
  export: async () => (await import("./commands/export.js")).exportCommand(),
  schema: async () => (await import("./commands/schema.js")).schemaCommand(),
  replicate: async () => (await import("./commands/replicate.js")).replicateCommand(),
  simulate: async () => (await import("./commands/simulate.js")).simulateCommand(),
  doctor: async () => (await import("./commands/doctor.js")).doctorCommand(),
};

export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command("defensible")
    .description(
      "Can this decision be derived from the rules? Audits decisions made under written rules and reports how defensible they are, how ambiguous the rules are, and what agreement with human labels hides.",
    )
    .version(VERSION)
    .enablePositionalOptions()
    .showHelpAfterError("(--help shows what there is)");
  const asked =
    args[0] !== undefined && Object.hasOwn(COMMANDS, args[0]) ? [COMMANDS[args[0]]!] : Object.values(COMMANDS);
  for (const load of asked) program.addCommand(await load());
  throwInsteadOfExit(program);
  program.addHelpText(
    "after",
    "\nStart here:\n  $ defensible init try --example && cd try && defensible audit && defensible report\n\nExit codes: 0 fine · 1 your input or environment · 2 a check did not hold · 3 some audits ended in errors · 130 interrupted\n",
  );
  return program;
}

/**
 * Commander would end the process itself; the exit code is decided in one place. Its messages repeat flags, commands and values as they were
 * typed, which may move the cursor or retitle the window.
 */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  command.configureOutput({ writeErr: (text) => process.stderr.write(printableLines(text)) });
  for (const sub of command.commands) throwInsteadOfExit(sub);
}

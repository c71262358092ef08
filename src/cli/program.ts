import { Command } from "commander";
import { VERSION } from "../version.js";
import { auditCommand } from "./commands/audit.js";
import { cohortCommand } from "./commands/cohort.js";
import { doctorCommand } from "./commands/doctor.js";
import { exportCommand } from "./commands/export.js";
import { importCommand } from "./commands/import.js";
import { initCommand } from "./commands/init.js";
import { reportCommand } from "./commands/report.js";
import { runsCommand } from "./commands/runs.js";
import { schemaCommand } from "./commands/schema.js";

export function createProgram(): Command {
  const program = new Command("defensible")
    .description(
      "Can this decision be derived from the rules? Audits decisions made under written rules and reports how\ndefensible they are, how ambiguous the rules are, and what agreement with human labels hides.",
    )
    .version(VERSION)
    .enablePositionalOptions()
    .showHelpAfterError("(--help shows what there is)")
    .configureHelp({ sortSubcommands: false });
  for (const command of [
    initCommand(),
    importCommand(),
    cohortCommand(),
    auditCommand(),
    reportCommand(),
    runsCommand(),
    exportCommand(),
    schemaCommand(),
    doctorCommand(),
  ]) {
    program.addCommand(command);
  }
  throwInsteadOfExit(program);
  program.addHelpText(
    "after",
    "\nStart here:\n  $ defensible init try --example && cd try && defensible audit && defensible report\n\nExit codes: 0 fine · 1 your input or environment · 2 a check did not hold · 3 some audits ended in errors · 130 interrupted\n",
  );
  return program;
}

/** Commander would end the process itself; the exit code is decided in one place. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const sub of command.commands) throwInsteadOfExit(sub);
}

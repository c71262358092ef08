import { Command } from "commander";
import { humansImportCommand } from "./humans-import.js";
import { humansReportCommand } from "./humans-report.js";
import { humansSampleCommand } from "./humans-sample.js";

export function humansCommand(): Command {
  return new Command("humans")
    .helpCommand(false)
    .addCommand(humansSampleCommand())
    .addCommand(humansImportCommand())
    .addCommand(humansReportCommand());
}

import { Command, Option } from "commander";
import { type ExportFormat, exportAudits } from "../../analysis/export-audits.js";
import { auditFormat } from "../../app/audit/audit-format.js";
import { exportDecisions } from "../../app/export/export-decisions.js";
import { plural } from "../../present/words/numbers.js";
import { chosenRun } from "../../store/choose-run.js";
import { fileContext, fileStores } from "../../store/files/stores.js";
import { printable } from "../../text/printable.js";
import { type CommonOptions, examples, withCommonOptions, workspaceOf } from "../options.js";
import { print, printJson } from "../output.js";

interface ExportOptions extends CommonOptions {
  run?: string;
  what: "audits" | "decisions";
  format?: ExportFormat;
  out: string;
}

export function exportCommand(): Command {
  return withCommonOptions(new Command("export"))
    .option("--run <id>", "which run (default: the newest)")
    .addOption(new Option("--what <what>", "what to write").choices(["audits", "decisions"]).default("audits"))
    .addOption(
      new Option("--format <format>", "how (default: by the file's ending)").choices(["jsonl", "csv", "parquet"]),
    )
    .requiredOption("--out <file>", "where; a file that is there is replaced")
    .addHelpText("after", examples("defensible export --format csv --out audits.csv"))
    .action(exportAction);
}

async function exportAction(options: ExportOptions): Promise<void> {
  const workspace = await workspaceOf(options);
  const format = options.format ?? auditFormat(options.out);
  let rows: number;
  let run: string | null = null;
  if (options.what === "decisions") {
    rows = await exportDecisions(fileContext(workspace), { format, out: options.out });
  } else {
    const ledger = fileStores(workspace).runs;
    const manifest = await chosenRun(ledger, options.run);
    run = manifest.run_id;
    rows = await exportAudits(ledger, run, format, options.out);
  }
  if (printJson({ what: options.what, run_id: run, format, out: options.out, rows }, options)) return;
  print(`Wrote ${plural(rows, options.what.slice(0, -1))}${run ? ` of run ${run}` : ""} to ${printable(options.out)}.`);
}
